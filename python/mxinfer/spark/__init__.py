"""Run models on the columns of Spark DataFrames.

    from mxinfer.spark import classify_udf

    labels = images.withColumn("result", classify_udf("s3://models/digits.mxz")("content"))

classify, detect and predict take a DataFrame, and return one with the results added to its columns. classify_udf, detect_udf
and predict_udf are functions of columns. ModelTransformer is a stage of a Pipeline of Spark ML. You name a model by a path or
an address that every executor can reach, and each worker loads it once. docs/how-to/spark.md describes all of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

for _name in ("pyspark", "pyarrow", "pandas"):
    try:
        __import__(_name)
    except ImportError as _error:
        raise ImportError(
            "mxinfer.spark needs {}, which this Python has not ({}); pip install 'pyspark>=3.5' pyarrow pandas, here and "
            "on the executors".format(_name, _error)
        ) from _error

from .functions import classify_udf, detect_udf, predict_udf
from .metrics import Metrics
from .model_ref import ModelRef, broadcast_model
from .tables import classify, detect, predict

if TYPE_CHECKING:
    from .transformer import ModelTransformer

__all__ = [
    "Metrics",
    "ModelRef",
    "ModelTransformer",
    "broadcast_model",
    "classify",
    "classify_udf",
    "detect",
    "detect_udf",
    "predict",
    "predict_udf",
]


def __getattr__(name: str) -> Any:
    # Workers import this package, but do not need Spark ML, which is slow to import.
    if name == "ModelTransformer":
        from .transformer import ModelTransformer

        return ModelTransformer
    raise AttributeError("module '{}' has no attribute '{}'".format(__name__, name))
