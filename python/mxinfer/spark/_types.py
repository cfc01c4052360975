"""Types of columns: of inputs, of results, and Spark's equivalents of Arrow's types."""

from __future__ import annotations

from typing import Any, Sequence, Union

import pyarrow as pa
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    DataType,
    FloatType,
    IntegerType,
    NumericType,
    StringType,
    StructField,
    StructType,
)

from ..errors import InvalidArgumentError

IMAGE_FIELDS = ("origin", "height", "width", "nChannels", "mode", "data")
Returns = Union[StructType, str]

_CLASS = [StructField("label", StringType()), StructField("score", FloatType()), StructField("index", IntegerType())]
_BOX = [StructField(side, FloatType()) for side in ("left", "top", "right", "bottom")]
_ERROR = StructField("error", StringType())


def classes_type(top_k: int, errors: str) -> StructType:
    """Return the result columns of a classifier."""
    fields = _CLASS if top_k == 1 else [StructField("classes", ArrayType(StructType(_CLASS)))]
    return _with_error(fields, errors)


def detections_type(errors: str) -> StructType:
    """Return the result columns of a detector."""
    return _with_error([StructField("detections", ArrayType(StructType(_CLASS + _BOX)))], errors)


def returned_type(returns: Returns, errors: str) -> StructType:
    """Return the result columns that the caller describes, as a StructType or as DDL."""
    made = _parsed(returns) if isinstance(returns, str) else returns
    if not isinstance(made, StructType) or not len(made):
        raise InvalidArgumentError(
            "returns: {!r} describes no columns; expected a StructType or a text such as 'embedding array<float>'".format(
                returns
            )
        )
    return _with_error([field for field in made.fields if field.name != "error"], errors)


def _parsed(text: str) -> Any:
    parse = getattr(StructType, "fromDDL", None)  # since Spark 4; the function below needs a session
    if parse is not None:
        return parse(text)
    from pyspark.sql.types import _parse_datatype_string

    return _parse_datatype_string(text)


def _with_error(fields: Sequence[StructField], errors: str) -> StructType:
    return StructType([*fields, _ERROR] if errors == "column" else list(fields))


def is_image(kind: DataType) -> bool:
    """Return whether a column can hold images: binary files, paths or addresses, or the struct of Spark's source "image"."""
    return isinstance(kind, (BinaryType, StringType)) or (
        isinstance(kind, StructType) and set(IMAGE_FIELDS) <= set(kind.names)
    )


def is_numeric(kind: DataType) -> bool:
    """Return whether a column holds numbers, or arrays of them."""
    while isinstance(kind, ArrayType):
        kind = kind.elementType
    return isinstance(kind, (NumericType, BooleanType))


def check_column(schema: StructType, name: str, images_only: bool = False) -> None:
    """Raise InvalidArgumentError if there is no such column, or if no model takes its type."""
    if name not in schema.names:
        raise InvalidArgumentError("column '{}': there is none; the table has {}".format(name, schema.names))
    kind = schema[name].dataType
    if is_image(kind) or (is_numeric(kind) and not images_only):
        return
    images = "binary (JPEG or PNG files), string (paths or addresses) or Spark's image struct"
    hint = ""
    if type(kind).__name__ == "VectorUDT":
        hint = "; pyspark.ml.functions.vector_to_array makes an array of a vector"
    raise InvalidArgumentError(
        "column '{}': it is {}; expected {}{}{}".format(
            name, kind.simpleString(), images, "" if images_only else ", or numbers or arrays of numbers", hint
        )
    )


def is_image_arrow(kind: pa.DataType) -> bool:
    """Return the same as is_image, for the Arrow type that reaches a worker."""
    binary = pa.types.is_binary(kind) or pa.types.is_large_binary(kind)
    return bool(binary or pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_struct(kind))


def number_type(dtype: str) -> pa.DataType:
    """Return the Arrow type of an output's elements."""
    return pa.float32() if dtype == "bfloat16" else pa.type_for_alias(dtype)


def spark_arrow_type(kind: pa.DataType) -> pa.DataType:
    """Return Spark's nearest type: a list for a fixed-size list, and the next larger signed integer for an unsigned one."""
    if pa.types.is_fixed_size_list(kind) or pa.types.is_large_list(kind) or pa.types.is_list(kind):
        return pa.list_(pa.field("element", spark_arrow_type(kind.value_type)))
    if pa.types.is_struct(kind):
        return pa.struct([pa.field(part.name, spark_arrow_type(part.type)) for part in kind])
    changed = {
        pa.uint8(): pa.int16(),
        pa.uint16(): pa.int32(),
        pa.uint32(): pa.int64(),
        pa.uint64(): pa.int64(),
        pa.float16(): pa.float32(),
        pa.large_string(): pa.string(),
        pa.large_binary(): pa.binary(),
    }
    return changed.get(kind, kind)


def spark_schema(schema: pa.Schema) -> StructType:
    """Return the Spark schema of result columns."""
    from pyspark.sql.pandas.types import from_arrow_type

    return StructType([StructField(part.name, from_arrow_type(spark_arrow_type(part.type))) for part in schema])


def arrow_schema(schema: StructType) -> pa.Schema:
    """Return a table's schema as it reaches the workers.

    Raises:
        InvalidArgumentError: Spark cannot send a type.
    """
    from pyspark.sql.pandas.types import to_arrow_type

    fields = []
    for part in schema.fields:
        try:
            fields.append(pa.field(part.name, to_arrow_type(part.dataType), part.nullable))
        except Exception as error:
            raise InvalidArgumentError(
                "column '{}': Spark cannot send {} to Python ({}); leave it out with `keep`, or cast it".format(
                    part.name, part.dataType.simpleString(), error
                )
            ) from error
    return pa.schema(fields)


def check_choice(name: str, value: Any, choices: Sequence[str]) -> None:
    """Raise InvalidArgumentError if the value is none of these."""
    if value not in choices:
        raise InvalidArgumentError("{} is {!r}; it can be {}".format(name, value, " or ".join(map(repr, choices))))


def check_count(name: str, value: Any, least: int = 1) -> None:
    """Raise InvalidArgumentError unless the value is a whole number of at least `least`."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise InvalidArgumentError("{} is {!r}; it can be a whole number from {}".format(name, value, least))
