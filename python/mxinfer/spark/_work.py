"""Work: what a job does with each batch of rows. The driver makes and pickles it, and workers run it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, Mapping, NoReturn, Optional, Tuple, Type, Union

import pyarrow as pa
import pyarrow.compute as pc
from pyspark import TaskContext

from ..classifier import Classifier
from ..errors import InvalidArgumentError
from ..vision.image_classifier import ImageClassifier
from ..vision.object_detector import ObjectDetector
from ..predictor import Predictor
from ..table_predictor import TablePredictor
from . import _types
from ._worker import predictor_of, split_options
from .metrics import Metrics
from .model_ref import ModelRef

Columns = Union[str, List[str], Dict[str, Union[str, List[str]]]]

BATCH_ROWS = 0  # TablePredictor's default
MAX_CELL_BYTES = 64 << 20


@dataclass(frozen=True)
class Work:
    """A task, its model and its options."""

    task: str
    """The task: classify, detect or predict."""
    model: ModelRef
    columns: Optional[Columns] = None
    """Which columns feed which input, as for TablePredictor. None: all columns, in order."""
    top_k: int = 1
    score_threshold: float = 0.5
    max_detections: Optional[int] = None
    errors: str = "column"
    batch_rows: int = BATCH_ROWS
    max_cell_bytes: Optional[int] = MAX_CELL_BYTES
    metrics: Optional[Metrics] = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _types.check_choice("errors", self.errors, ("column", "raise"))
        _types.check_count("top_k", self.top_k)
        _types.check_count("batch_rows", self.batch_rows, least=0)
        for name in ("max_detections", "max_cell_bytes"):
            if getattr(self, name) is not None:
                _types.check_count(name, getattr(self, name))
        split_options(self.made(images=self.task != "predict"), self.options)

    def made(self, images: bool) -> Type[Predictor]:
        """Return the class for the task, on images or on numbers."""
        if self.task == "classify":
            return ImageClassifier if images else Classifier
        return ObjectDetector if self.task == "detect" else Predictor

    def column_names(self, schema: pa.Schema) -> List[str]:
        """Return the columns to read."""
        if self.columns is None:
            return list(schema.names)
        if isinstance(self.columns, str):
            return [self.columns]
        if isinstance(self.columns, list):
            return self.columns
        return [name for names in self.columns.values() for name in ([names] if isinstance(names, str) else names)]

    def table(self, predictor: Predictor, columns: Optional[Columns]) -> TablePredictor:
        """Return the TablePredictor that runs on batches."""
        return TablePredictor(
            predictor,
            columns=columns,
            top_k=self.top_k,
            errors="column",
            batch_rows=self.batch_rows,
            score_threshold=self.score_threshold,
            max_detections=self.max_detections,
        )


class Runner:
    """Runs the work on a partition. It loads the model at the first batch, so that an empty partition loads none."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._table: Optional[TablePredictor] = None
        self._rows = 0

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return the result columns of a batch, with one row for each row."""
        if self._table is None:
            self._table = self._opened(batch.schema)
        batch, too_large = _without_giants(batch, self._work)
        found = self._table.predict(batch)
        errors = found.column(found.schema.get_field_index("error"))
        errors = pc.coalesce(too_large, errors) if too_large is not None else errors
        if self._work.metrics is not None:
            self._work.metrics.count_batch(batch.num_rows, batch.num_rows - errors.null_count)
        if self._work.errors == "raise" and errors.null_count < len(errors):
            row = next(row for row, error in enumerate(errors) if error.is_valid)
            self.fail(row, errors[row].as_py())
        self._rows += batch.num_rows
        return _for_spark(found, errors if self._work.errors == "column" else None)

    def _opened(self, schema: pa.Schema) -> TablePredictor:
        work = self._work
        names = work.column_names(schema)
        images = bool(names) and _types.is_image_arrow(schema.field(names[0]).type)
        made = work.made(images)
        predictor = predictor_of(made, work.model, work.options, work.metrics)
        return work.table(predictor, work.columns or by_position(predictor, names))

    def fail(self, row: int, what: str) -> NoReturn:
        """Fail the job for a row of the current batch."""
        context = TaskContext.get()
        raise InvalidArgumentError(
            "row {} of partition {}: {}. errors=\"column\" gives such rows an error cell, and the job goes on".format(
                self._rows + row, context.partitionId() if context else 0, what
            )
        )


def by_position(predictor: Predictor, names: List[str]) -> Optional[Columns]:
    """Assign columns by position: one to each input in order, or all of them to the only input, as its features."""
    inputs = [desc.name for desc in predictor.model.inputs]
    if isinstance(predictor, (ImageClassifier, ObjectDetector)):
        return names[0]
    if len(inputs) == 1:
        return names[0] if len(names) == 1 else names
    if len(inputs) == len(names):
        return dict(zip(inputs, names))
    raise InvalidArgumentError(
        "columns: {} were given, and the model's inputs are {}; give one for each, in this order".format(
            len(names), inputs
        )
    )


def _without_giants(batch: pa.RecordBatch, work: Work) -> Tuple[pa.RecordBatch, Optional[pa.Array]]:
    """Return the batch with nulls for binary cells that are too large, and the errors of these rows."""
    wrong = None
    if work.max_cell_bytes is None:
        return batch, wrong
    for name in work.column_names(batch.schema):
        position = batch.schema.get_field_index(name)
        sizes = _binary_sizes(batch.column(position)) if position >= 0 else None
        if sizes is None or not len(sizes) or (pc.max(sizes).as_py() or 0) <= work.max_cell_bytes:
            continue
        giant = pc.fill_null(pc.greater(sizes, work.max_cell_bytes), False)
        texts = [_too_large(name, size.as_py(), work) if is_giant.as_py() else None for size, is_giant in zip(sizes, giant)]
        found = pa.array(texts, pa.string())
        wrong = found if wrong is None else pc.coalesce(wrong, found)
        column = batch.column(position)
        kept = pc.if_else(giant, pa.scalar(None, column.type), column)
        arrays = [kept if place == position else other for place, other in enumerate(batch.columns)]
        batch = pa.RecordBatch.from_arrays(arrays, batch.schema.names)
    return batch, wrong


def _too_large(name: str, size: int, work: Work) -> str:
    return "column '{}': the cell has {} bytes, more than max_cell_bytes={}".format(name, size, work.max_cell_bytes)


def _binary_sizes(column: pa.Array) -> Optional[pa.Array]:
    if pa.types.is_struct(column.type):
        names = [part.name for part in column.type]
        return _binary_sizes(pc.struct_field(column, "data")) if "data" in names else None
    is_binary = pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type)
    return pc.binary_length(column) if is_binary else None


def _for_spark(found: pa.RecordBatch, errors: Optional[pa.Array]) -> pa.RecordBatch:
    """Convert the columns to types that Spark has, and add the errors."""
    arrays, names = [], []
    for part, column in zip(found.schema, found.columns):
        if part.name != "error":
            kind = _types.spark_arrow_type(part.type)
            arrays.append(column if kind == part.type else column.cast(kind))
            names.append(part.name)
    if errors is not None:
        arrays.append(errors)
        names.append("error")
    return pa.RecordBatch.from_arrays(arrays, names)


def run_batches(
    work: Work, batches: Iterator[pa.RecordBatch], keep: List[str], output: Optional[str]
) -> Iterator[pa.RecordBatch]:
    """Yield the columns to keep, followed by the results or by one struct column of them. For mapInArrow."""
    run = Runner(work)
    for batch in batches:
        found = run(batch)
        names, arrays = list(found.schema.names), list(found.columns)
        if output is not None:
            arrays, names = [pa.StructArray.from_arrays(arrays, names)], [output]
        kept = [batch.column(batch.schema.get_field_index(name)) for name in keep]
        yield pa.RecordBatch.from_arrays(kept + arrays, keep + names)
