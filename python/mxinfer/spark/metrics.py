"""Metrics: counters of a job's workers, read in the driver."""

from __future__ import annotations

from typing import Dict, Union

from pyspark.sql import SparkSession

__all__ = ["Metrics"]


class Metrics:
    """Counters of jobs, in Spark's accumulators. Pass one to the functions of this package, and read it when a job is done.

    The counters measure work done, not rows of a result. Spark drops the counts of a failed task. It counts again if it runs a
    stage again, because an executor was lost with its results, and each time that a DataFrame is used.
    """

    def __init__(self, spark: SparkSession) -> None:
        context = spark.sparkContext
        self._counts = {name: context.accumulator(0) for name in ("rows", "errors", "batches", "loads")}
        self._load_seconds = context.accumulator(0.0)

    @property
    def rows(self) -> int:
        """Rows that the models ran on, including invalid ones."""
        return int(self._counts["rows"].value)

    @property
    def errors(self) -> int:
        """Invalid rows."""
        return int(self._counts["errors"].value)

    @property
    def batches(self) -> int:
        """Batches of rows that Spark passed to Python."""
        return int(self._counts["batches"].value)

    @property
    def loads(self) -> int:
        """How often workers loaded a model."""
        return int(self._counts["loads"].value)

    @property
    def load_seconds(self) -> float:
        """The time of all loads together, in seconds."""
        return float(self._load_seconds.value)

    def as_dict(self) -> Dict[str, Union[int, float]]:
        """Return all counters by name."""
        return {name: getattr(self, name) for name in ("rows", "errors", "batches", "loads", "load_seconds")}

    def count_batch(self, rows: int, errors: int) -> None:
        """Count a batch. Called by workers."""
        self._counts["batches"].add(1)
        self._counts["rows"].add(rows)
        self._counts["errors"].add(errors)

    def count_load(self, seconds: float) -> None:
        """Count a load. Called by workers."""
        self._counts["loads"].add(1)
        self._load_seconds.add(seconds)

    def __repr__(self) -> str:
        return "<mxinfer.spark.Metrics {}>".format(self.as_dict())
