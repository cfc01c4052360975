"""Find the result columns of a model, in the driver."""

from __future__ import annotations

from dataclasses import replace
from typing import Optional, Sequence, Tuple

import pyarrow as pa
from pyspark.sql.types import StructType

from ..errors import Error
from ..predictor import Predictor
from . import _types
from ._work import Work, by_position
from ._worker import split_options


def driver_predictor(work: Work) -> Predictor:
    """Load the work's predictor in the driver. The caller closes it. If the model is missing, the error says what to do."""
    made = work.made(images=False)
    load, run = split_options(made, work.options)
    try:
        return made(work.model.load(**load), **{"threads": 1, **run})
    except Error as error:
        raise type(error)(
            "the driver loads the model '{}' to see its outputs, and could not: {}. Say what they are with `returns`, "
            "such as returns='embedding array<float>', and only the executors load it".format(work.model.uri, error)
        ) from None


def result_type(work: Work) -> StructType:
    """Return the result columns, which do not depend on the input columns."""
    with driver_predictor(work) as predictor:
        outputs = predictor.output_shapes()
    fields = []
    for output in outputs:
        number = _types.number_type(output.dtype)
        is_number = all(size == 1 for size in output.shape[1:]) and len(output.shape) > 0
        fields.append(pa.field(output.name, number if is_number else pa.list_(number)))
    if work.errors == "column":
        fields.append(pa.field("error", pa.string()))
    return _types.spark_schema(pa.schema(fields))


def table_result_type(
    work: Work, schema: StructType, names: Sequence[str], returns: Optional[_types.Returns] = None
) -> StructType:
    """Return the result columns for these columns of a table.

    For predict without `returns`, the driver loads the model.

    Raises:
        InvalidArgumentError: A column is missing, or does not fit.
    """
    for name in names:
        _types.check_column(schema, name, images_only=work.task == "detect")
    if work.task == "classify":
        return _types.classes_type(work.top_k, work.errors)
    if work.task == "detect":
        return _types.detections_type(work.errors)
    if returns is not None:
        return _types.returned_type(returns, work.errors)
    with driver_predictor(work) as predictor:
        return _checked(work, predictor, schema, names)


def with_input_columns(work: Work, schema: StructType) -> Tuple[Work, StructType]:
    """Return the work on the columns named like the model's inputs, and its result columns. Checks them likewise."""
    with driver_predictor(work) as predictor:
        named = replace(work, columns={desc.name: desc.name for desc in predictor.model.inputs})
        names = [desc.name for desc in predictor.model.inputs]
        for name in names:
            _types.check_column(schema, name)
        return named, _checked(named, predictor, schema, names)


def _checked(work: Work, predictor: Predictor, schema: StructType, names: Sequence[str]) -> StructType:
    """Check the types of the columns against the model, and return the result columns."""
    given = _types.arrow_schema(StructType([schema[name] for name in dict.fromkeys(names)]))
    columns = work.columns or by_position(predictor, list(given.names))
    found = work.table(predictor, columns).result_schema(given)
    kept = [name for name in found.names if name != "error" or work.errors == "column"]
    return _types.spark_schema(pa.schema([found.field(name) for name in kept]))
