"""Functions of DataFrames: classify, detect and predict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, List, Optional, Sequence, Union

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.types import StructField, StructType

from ..errors import InvalidArgumentError
from . import _types
from ._session import limit_arrow_rows
from ._work import BATCH_ROWS, MAX_CELL_BYTES, Columns, Work, run_batches
from .metrics import Metrics
from .model_ref import ModelSource, model_ref
from ._signature import table_result_type, with_input_columns

if TYPE_CHECKING:
    from ..types import RowErrors

__all__ = ["classify", "detect", "predict"]


def classify(
    table: DataFrame,
    model: ModelSource,
    input_col: str,
    *,
    top_k: int = 1,
    output_col: Optional[str] = None,
    keep: Optional[Sequence[str]] = None,
    errors: RowErrors = "column",
    batch_rows: int = BATCH_ROWS,
    max_cell_bytes: Optional[int] = MAX_CELL_BYTES,
    sha256: Optional[str] = None,
    metrics: Optional[Metrics] = None,
    **options: object,
) -> DataFrame:
    """Classify a column of a DataFrame, and return the DataFrame with the results added.

    The results are label, score and index, or `classes` for top_k > 1, and `error`. The type of the column is checked before a job
    starts. Only the workers load the model.

    Args:
        table: the DataFrame.
        model: a path, an address or a ModelRef.
        input_col: the column to classify.
        output_col: puts the results into one struct column with this name.
        keep: the columns of the table to keep; default: all. They are sent to Python and back, so leave out images that you do
            not need any more.
        The other arguments are those of classify_udf.
    """
    work = Work(
        "classify",
        model_ref(model, sha256),
        input_col,
        top_k=top_k,
        errors=errors,
        batch_rows=batch_rows,
        max_cell_bytes=max_cell_bytes,
        metrics=metrics,
        options=options,
    )
    return _mapped(table, work, table_result_type(work, table.schema, [input_col]), keep, output_col)


def detect(
    table: DataFrame,
    model: ModelSource,
    input_col: str,
    *,
    score_threshold: float = 0.5,
    max_detections: Optional[int] = None,
    output_col: Optional[str] = None,
    keep: Optional[Sequence[str]] = None,
    errors: RowErrors = "column",
    batch_rows: int = BATCH_ROWS,
    max_cell_bytes: Optional[int] = MAX_CELL_BYTES,
    sha256: Optional[str] = None,
    metrics: Optional[Metrics] = None,
    **options: object,
) -> DataFrame:
    """Find the objects in a column of images, and return the DataFrame with the results of detect_udf added.

    The arguments are those of classify and detect_udf.
    """
    work = Work(
        "detect",
        model_ref(model, sha256),
        input_col,
        score_threshold=score_threshold,
        max_detections=max_detections,
        errors=errors,
        batch_rows=batch_rows,
        max_cell_bytes=max_cell_bytes,
        metrics=metrics,
        options=options,
    )
    return _mapped(table, work, table_result_type(work, table.schema, [input_col]), keep, output_col)


def predict(
    table: DataFrame,
    model: ModelSource,
    columns: Optional[Columns] = None,
    *,
    returns: Optional[Union[StructType, str]] = None,
    output_col: Optional[str] = None,
    keep: Optional[Sequence[str]] = None,
    errors: RowErrors = "column",
    batch_rows: int = BATCH_ROWS,
    max_cell_bytes: Optional[int] = MAX_CELL_BYTES,
    sha256: Optional[str] = None,
    metrics: Optional[Metrics] = None,
    **options: object,
) -> DataFrame:
    """Run a model on columns of numbers, and return the DataFrame with its outputs added, under their names.

    An output is a number or an array of numbers.

    Args:
        columns: which columns feed which input: a name (one column, for a model of one input), a list of names (the features of
            one input), or a mapping from inputs to either. Default: the columns named like the inputs.
        returns: the fields of the outputs, as in predict_udf. Without it, the driver loads the model and checks the columns
            against it before a job starts. With it, the driver checks only the types, and you must pass `columns`.
        The other arguments are those of classify.
    """
    work = Work(
        "predict",
        model_ref(model, sha256),
        columns,
        errors=errors,
        batch_rows=batch_rows,
        max_cell_bytes=max_cell_bytes,
        metrics=metrics,
        options=options,
    )
    if columns is None and returns is not None:
        raise InvalidArgumentError("columns: say which feed the model; with `returns` the driver does not load it to see")
    if columns is None:
        work, found = with_input_columns(work, table.schema)
    else:
        found = table_result_type(work, table.schema, work.column_names(pa.schema([])), returns)
    return _mapped(table, work, found, keep, output_col)


def _mapped(
    table: DataFrame, work: Work, found: StructType, keep: Optional[Sequence[str]], output: Optional[str]
) -> DataFrame:
    """Return the kept columns of the table with the results of some work."""
    kept = _kept(table.schema, keep)
    added = found.fields if output is None else [StructField(output, found)]
    for part in added:
        if part.name in kept:
            raise InvalidArgumentError(
                "column '{}': the table has it, and the results too; leave it out with `keep`, rename it, or put the "
                "results into one column with `output_col`".format(part.name)
            )
    used = list(dict.fromkeys([*kept, *work.column_names(pa.schema([]))]))
    _types.arrow_schema(StructType([table.schema[name] for name in used]))
    limit_arrow_rows(table.sparkSession)

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        return run_batches(work, batches, kept, output)

    schema = StructType([*(table.schema[name] for name in kept), *added])
    return table.select(*map(_quoted, used)).mapInArrow(run, schema)


def _kept(schema: StructType, keep: Optional[Sequence[str]]) -> List[str]:
    names = list(schema.names if keep is None else keep)
    for name in names:
        if name not in schema.names:
            raise InvalidArgumentError("keep: there is no column '{}'; the table has {}".format(name, schema.names))
        if schema.names.count(name) > 1:
            raise InvalidArgumentError("column '{}': the table has it more than once; rename one".format(name))
    return names


def _quoted(name: str) -> str:
    return "`{}`".format(name.replace("`", "``"))
