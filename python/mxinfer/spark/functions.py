"""Functions of columns: classify_udf, detect_udf and predict_udf."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Iterator, List, Optional, Sequence, Tuple, Union

import pandas as pd
import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.functions import pandas_udf
from pyspark.sql.types import StructType

from . import _types
from ._session import limit_arrow_rows
from ._work import BATCH_ROWS, MAX_CELL_BYTES, Runner, Work
from .metrics import Metrics
from .model_ref import ModelSource, model_ref
from ._signature import result_type

if TYPE_CHECKING:
    from ..types import RowErrors

__all__ = ["classify_udf", "detect_udf", "predict_udf"]

ColumnFunction = Callable[..., Any]

_IMAGE = pa.struct(
    [
        ("origin", pa.string()),
        ("height", pa.int32()),
        ("width", pa.int32()),
        ("nChannels", pa.int32()),
        ("mode", pa.int32()),
        ("data", pa.binary()),
    ]
)


def classify_udf(
    model: ModelSource,
    top_k: int = 1,
    *,
    errors: RowErrors = "column",
    batch_rows: int = BATCH_ROWS,
    max_cell_bytes: Optional[int] = MAX_CELL_BYTES,
    sha256: Optional[str] = None,
    metrics: Optional[Metrics] = None,
    **options: object,
) -> ColumnFunction:
    """Make a column function that classifies images or arrays of numbers.

    The function takes one column: images (binary files, paths or addresses, or Spark's image struct), or arrays of numbers. It
    returns a struct of label, score, index and error. With top_k > 1, `classes` replaces the first three: an array of such
    structs, best first. `error` is null if the row is valid.

    Args:
        model: a path, an address or a ModelRef.
        top_k: the number of classes of each row.
        errors: "column", or "raise": the first invalid row fails the job, and there is no field `error`.
        batch_rows: rows that run as one batch; 0 is TablePredictor's default.
        max_cell_bytes: a larger binary cell makes the row invalid.
        sha256: the checksum of the model's file.
        metrics: counts rows, errors, batches and loads.
        options: those of mxinfer.ImageClassifier. The default of `threads` is spark.task.cpus.
    """
    work = Work(
        "classify",
        model_ref(model, sha256),
        top_k=top_k,
        errors=errors,
        batch_rows=batch_rows,
        max_cell_bytes=max_cell_bytes,
        metrics=metrics,
        options=options,
    )
    return column_function(work, _types.classes_type(top_k, errors))


def detect_udf(
    model: ModelSource,
    *,
    score_threshold: float = 0.5,
    max_detections: Optional[int] = None,
    errors: RowErrors = "column",
    batch_rows: int = BATCH_ROWS,
    max_cell_bytes: Optional[int] = MAX_CELL_BYTES,
    sha256: Optional[str] = None,
    metrics: Optional[Metrics] = None,
    **options: object,
) -> ColumnFunction:
    """Make a column function that finds objects in images.

    The function returns a struct of `error` and of `detections`: an array of structs of label, score, index, left, top, right and
    bottom, in pixels of the image.

    Args:
        score_threshold, max_detections: as in ObjectDetector.detect.
        options: those of mxinfer.ObjectDetector.
        The other arguments are those of classify_udf.
    """
    work = Work(
        "detect",
        model_ref(model, sha256),
        score_threshold=score_threshold,
        max_detections=max_detections,
        errors=errors,
        batch_rows=batch_rows,
        max_cell_bytes=max_cell_bytes,
        metrics=metrics,
        options=options,
    )
    return column_function(work, _types.detections_type(errors))


def predict_udf(
    model: ModelSource,
    returns: Optional[Union[StructType, str]] = None,
    *,
    errors: RowErrors = "column",
    batch_rows: int = BATCH_ROWS,
    max_cell_bytes: Optional[int] = MAX_CELL_BYTES,
    sha256: Optional[str] = None,
    metrics: Optional[Metrics] = None,
    **options: object,
) -> ColumnFunction:
    """Make a column function that runs a model on numbers.

    The function takes one column for each input of the model, in order, or any number of columns that are the features of its
    only input. It returns a struct with a field for each output, a number or an array of numbers, and `error`.

    Args:
        returns: the fields of the outputs, as a StructType or as DDL ("embedding array<float>"). Without it, the driver loads
            the model to find them, and frees it again.
        options: those of mxinfer.Predictor.
        The other arguments are those of classify_udf.
    """
    work = Work(
        "predict",
        model_ref(model, sha256),
        errors=errors,
        batch_rows=batch_rows,
        max_cell_bytes=max_cell_bytes,
        metrics=metrics,
        options=options,
    )
    return column_function(work, _types.returned_type(returns, errors) if returns is not None else result_type(work))


def column_function(work: Work, returned: StructType) -> ColumnFunction:
    """Return the column function for some work."""
    limit_arrow_rows(SparkSession.getActiveSession())

    def run(batches: Any) -> Any:
        return run_series(work, returned.names, batches)

    run.__name__ = "mxinfer_" + work.task
    column = Union[pd.Series, pd.DataFrame]
    run.__annotations__ = {"batches": Iterator[Tuple[column, ...]], "return": Iterator[pd.DataFrame]}
    made: ColumnFunction = pandas_udf(run, returned)
    return made


def run_series(work: Work, names: Sequence[str], batches: Iterator[Any]) -> Iterator[pd.DataFrame]:
    """Yield the results of the batches of a partition. Runs in a worker."""
    run = Runner(work)
    for given in batches:
        columns = given if isinstance(given, tuple) else (given,)
        arrays = [_arrow(column) for column in columns]
        if any(pa.types.is_null(array.type) for array in arrays):
            yield _all_null(work, run, names, len(arrays[0]))
            continue
        found = run(pa.RecordBatch.from_arrays(arrays, ["argument{}".format(n + 1) for n in range(len(arrays))]))
        yield pd.DataFrame({name: _pandas(column) for name, column in zip(found.schema.names, found.columns)})


def _arrow(column: Any) -> pa.Array:
    if not isinstance(column, pd.DataFrame):
        return pa.Array.from_pandas(column)
    if not set(_types.IMAGE_FIELDS) <= set(column.columns):
        return pa.RecordBatch.from_pandas(column, preserve_index=False).to_struct_array()
    missing = column["data"].isnull()
    parts: List[pa.Array] = [pa.Array.from_pandas(column[part.name], type=part.type, safe=False) for part in _IMAGE]
    return pa.StructArray.from_arrays(parts, fields=list(_IMAGE), mask=pa.array(missing.to_numpy()))


def _pandas(column: pa.Array) -> Any:
    # Arrow's arrays distinguish nulls from NaN. Spark converts lists itself, from Python's objects.
    if pa.types.is_nested(column.type):
        return pd.Series(column.to_pylist(), dtype=object)
    return pd.Series(pd.arrays.ArrowExtensionArray(column))


def _all_null(work: Work, run: Runner, names: Sequence[str], rows: int) -> pd.DataFrame:
    """Return the results of rows that are all null, since pandas has lost their type."""
    if work.errors == "raise":
        run.fail(0, "the cell is null")
    if work.metrics is not None:
        work.metrics.count_batch(rows, rows)
    cells = {name: ("the cell is null" if name == "error" else None) for name in names}
    return pd.DataFrame({name: pd.Series([cell] * rows, dtype=object) for name, cell in cells.items()})
