"""Metrics: what the workers of a job count, at the driver."""

from __future__ import annotations

from typing import Dict, Union

from pyspark.sql import SparkSession

__all__ = ["Metrics"]


class Metrics:
    """Counters of jobs, in Spark's accumulators: give one to the functions of this package, read it when a job is done.

    Spark drops what a failed task has counted, but counts a stage again that it runs again because an executor was lost
    with its results, and a DataFrame each time that it is used: these measure the work that was done, and are not the
    number of rows of a result.
    """

    def __init__(self, spark: SparkSession) -> None:
        context = spark.sparkContext
        self._counts = {name: context.accumulator(0) for name in ("rows", "errors", "batches", "loads")}
        self._load_seconds = context.accumulator(0.0)

    @property
    def rows(self) -> int:
        """Rows that the models ran on, wrong ones included."""
        return int(self._counts["rows"].value)

    @property
    def errors(self) -> int:
        """Rows that were wrong."""
        return int(self._counts["errors"].value)

    @property
    def batches(self) -> int:
        """Batches of rows that Spark handed over."""
        return int(self._counts["batches"].value)

    @property
    def loads(self) -> int:
        """How often a worker has loaded a model."""
        return int(self._counts["loads"].value)

    @property
    def load_seconds(self) -> float:
        """What that took, of all workers together."""
        return float(self._load_seconds.value)

    def as_dict(self) -> Dict[str, Union[int, float]]:
        """All of them by name."""
        return {name: getattr(self, name) for name in ("rows", "errors", "batches", "loads", "load_seconds")}

    def count_batch(self, rows: int, errors: int) -> None:
        """Of a worker: a batch was answered."""
        self._counts["batches"].add(1)
        self._counts["rows"].add(rows)
        self._counts["errors"].add(errors)

    def count_load(self, seconds: float) -> None:
        """Of a worker: a model was loaded."""
        self._counts["loads"].add(1)
        self._load_seconds.add(seconds)

    def __repr__(self) -> str:
        return "<mxinfer.spark.Metrics {}>".format(self.as_dict())
