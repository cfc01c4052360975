"""What a model's results look like, found in the driver."""

from __future__ import annotations

from typing import Dict

import pyarrow as pa
from pyspark.sql.types import StructType

from ..errors import Error
from ..predictor import Predictor
from . import _types
from ._work import Work, by_position
from ._worker import split_options


def driver_predictor(work: Work) -> Predictor:
    """The work's predictor, in the driver; the caller lets go of it. Errors say what to do where there is no model."""
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
    """The result columns, whatever the columns that go in."""
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


def checked_result_type(work: Work, schema: pa.Schema) -> StructType:
    """The result columns for a table, checked against the model. InvalidArgumentError: a column does not fit."""
    with driver_predictor(work) as predictor:
        columns = work.columns or by_position(predictor, list(schema.names))
        found = work.table(predictor, columns).result_schema(schema)
    names = [name for name in found.names if name != "error" or work.errors == "column"]
    return _types.spark_schema(pa.schema([found.field(name) for name in names]))


def input_columns(work: Work) -> Dict[str, str]:
    """A column for each input of the model, of its name."""
    with driver_predictor(work) as predictor:
        return {desc.name: desc.name for desc in predictor.model.inputs}
