"""TablePredictor: runs a model on the rows of a table, and gives columns of results."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union, overload

from . import _native
from .errors import Error, InvalidArgumentError
from .predictor import Predictor
from .types import Columns, RowErrors, SupportsArrowArray, SupportsArrowSchema, SupportsArrowStream

if TYPE_CHECKING:
    import pyarrow  # which says nothing of its types

__all__ = ["ArrowBatch", "TablePredictor"]


class ArrowBatch:
    """Columns of results where pyarrow is not installed, for whatever else takes Arrow's PyCapsule protocol."""

    def __init__(self, make_schema: Callable[[], object], array: Optional[object]) -> None:
        self._make_schema, self._array = make_schema, array

    def __arrow_c_schema__(self) -> object:
        return self._make_schema()

    def __arrow_c_array__(self, requested_schema: object = None) -> Tuple[object, object]:
        """Once: the columns move to who takes them."""
        if self._array is None:
            raise InvalidArgumentError("the columns of this batch were taken already; keep what took them")
        array, self._array = self._array, None
        return self._make_schema(), array


class TablePredictor:
    """Runs a model on the rows of a table, an Arrow record batch, and gives columns of results. Any number of threads may
    call every method of one object; calls release the GIL.

    `predictor` is a Predictor, Classifier, ImageClassifier, TextClassifier or ObjectDetector, and says what the columns of
    results are:

    - of a Classifier, ImageClassifier or TextClassifier: label, score and index, or with a `top_k` other than 1 one column "classes", lists
      of such structs; 0 is all classes
    - of an ObjectDetector: "detections", lists of structs of label, score, index, left, top, right and bottom
    - of a Predictor: a column for each output, by its name

    and with errors="column" a column "error", null where the row is right; results of wrong rows are null. With
    errors="raise" the first wrong row raises.

    `columns` says which columns feed which input: the name of a column, a list of names, whose numbers become the features
    of one input, or a mapping from inputs to these. Without it, an ImageClassifier or ObjectDetector takes the one column
    that can be images, a TextClassifier the one that is called "text" or that alone has strings (two names of
    columns make pairs), others take the columns that are called as their inputs. Images are binary (JPEG or PNG files),
    strings (paths or addresses) or structs as Spark's image source gives them; numbers are primitive types, and lists of
    them. `batch_rows` rows run as one batch; 0: 32 images, or as many rows as have 8 MB of inputs.

    >>> import pyarrow
    >>> predictor = mxinfer.TablePredictor(mxinfer.ImageClassifier("models/digits.mxz"))
    >>> table = pyarrow.table({"photo": ["examples/images/seven.jpg", "examples/images/zero.png"]})
    >>> predictor.predict(table).column("label").to_pylist()
    ['seven', 'zero']
    """

    def __init__(
        self,
        predictor: Predictor,
        *,
        columns: Columns = None,
        top_k: int = 1,
        errors: RowErrors = "column",
        batch_rows: int = 0,
        score_threshold: float = 0.5,
        max_detections: Optional[int] = None,
    ) -> None:
        if errors not in ("column", "raise"):
            raise InvalidArgumentError(
                "errors is {!r}; expected 'column' (a column of messages) or 'raise' (the first wrong row raises)".format(errors)
            )
        if not isinstance(predictor, Predictor):
            raise TypeError(
                "a TablePredictor is made of a Predictor, Classifier, ImageClassifier or ObjectDetector, not of {}".format(
                    type(predictor).__name__
                )
            )
        self._predictor = predictor
        self._native: Any = _native.TablePredictor.make(
            predictor._open(),
            _named(columns),
            top_k,
            errors == "column",
            batch_rows,
            score_threshold,
            max_detections,
        )

    @property
    def predictor(self) -> Predictor:
        """What it runs."""
        return self._predictor

    def result_schema(self, schema: SupportsArrowSchema) -> pyarrow.Schema:  # pyright: ignore[reportUnknownParameterType]
        """The schema of the results for tables of a schema: a pyarrow.Schema, where pyarrow is installed.

        `schema` is a pyarrow.Schema, or anything with `__arrow_c_schema__`. A column that is missing, or of a type that the
        input cannot be made of, raises InvalidArgumentError; nothing is run.

        >>> import pyarrow
        >>> predictor = mxinfer.TablePredictor(mxinfer.ImageClassifier("models/digits.mxz"))
        >>> table = pyarrow.table({"photo": ["examples/images/seven.jpg", "examples/images/zero.png"]})
        >>> predictor.result_schema(table.schema).names
        ['label', 'score', 'index', 'error']
        """
        capsule = self._native.result_schema(_schema_capsule(schema))
        arrow = _pyarrow()
        return capsule if arrow is None else arrow.Schema._import_from_c_capsule(capsule)

    @overload
    def predict(self, data: SupportsArrowArray) -> pyarrow.RecordBatch: ...  # pyright: ignore[reportUnknownParameterType]
    @overload
    def predict(self, data: SupportsArrowStream) -> pyarrow.Table: ...  # pyright: ignore[reportUnknownParameterType]
    def predict(  # pyright: ignore[reportUnknownParameterType]
        self, data: Any
    ) -> Union[pyarrow.RecordBatch, pyarrow.Table]:
        """The results of a table, a row for each row: a pyarrow.RecordBatch for a batch, a pyarrow.Table for a table.

        `data` is a pyarrow.RecordBatch or Table, or anything else with `__arrow_c_array__` or `__arrow_c_stream__`, such as
        a DataFrame of pandas or polars; a table needs pyarrow. Without pyarrow a batch gives an object of Arrow's PyCapsule
        protocol.

        >>> import pyarrow
        >>> predictor = mxinfer.TablePredictor(mxinfer.ImageClassifier("models/digits.mxz"))
        >>> table = pyarrow.table({"photo": ["examples/images/seven.jpg", "examples/images/zero.png"]})
        >>> predictor.predict(table).num_rows
        2
        """
        if hasattr(data, "__arrow_c_array__"):
            return self._batch(*data.__arrow_c_array__())
        arrow = _pyarrow()
        if not hasattr(data, "__arrow_c_stream__"):
            raise TypeError(
                "a table has __arrow_c_array__ or __arrow_c_stream__, as those of pyarrow 14 and later, pandas 2.2 and "
                "polars have; what was given is a {}".format(type(data).__name__)
            )
        if arrow is None:
            raise ImportError("tables of several batches need pyarrow (pip install pyarrow); batches do not")
        reader = arrow.RecordBatchReader.from_stream(data)
        schema = self.result_schema(reader.schema)
        return arrow.Table.from_batches(list(self.predict_batches(reader)), schema)

    def predict_batches(  # pyright: ignore[reportUnknownParameterType]
        self,
        batches: Iterable[pyarrow.RecordBatch],  # pyright: ignore[reportUnknownParameterType]
    ) -> Iterator[pyarrow.RecordBatch]:
        """The results of record batches, one after the other, as they come. Rows are numbered through all of them.

        >>> import pyarrow
        >>> predictor = mxinfer.TablePredictor(mxinfer.ImageClassifier("models/digits.mxz"))
        >>> table = pyarrow.table({"photo": ["examples/images/seven.jpg", "examples/images/zero.png"]})
        >>> [batch.num_rows for batch in predictor.predict_batches(table.to_batches(max_chunksize=1))]
        [1, 1]
        """
        first = 0
        for batch in batches:
            try:
                result = self._batch(*batch.__arrow_c_array__())
            except Error as error:
                raise _renumbered(error, first) from None
            first += batch.num_rows
            yield result

    def _batch(self, schema: Any, array: Any) -> Any:
        result = self._native.predict(schema, array)
        arrow = _pyarrow()
        if arrow is None:
            return ArrowBatch(lambda: self._native.result_schema(schema), result)
        return arrow.RecordBatch._import_from_c_capsule(self._native.result_schema(schema), result)


def _renumbered(error: Error, first: int) -> Error:
    """An error of a row of a batch, with the row's number in the table that the batch is of."""
    found = re.match(r"row (\d+)", str(error))
    if found is None or first == 0:
        return error
    return type(error)("row {}{}".format(first + int(found.group(1)), str(error)[found.end() :]))


def _named(columns: Columns) -> List[Tuple[str, List[str]]]:
    def names(value: Union[str, Sequence[str]]) -> List[str]:
        return [value] if isinstance(value, str) else list(value)

    if columns is None:
        return []
    if isinstance(columns, Mapping):
        return [(name, names(value)) for name, value in columns.items()]
    return [("", names(columns))]


def _schema_capsule(schema: Any) -> Any:
    if hasattr(schema, "__arrow_c_schema__"):
        return schema.__arrow_c_schema__()
    raise TypeError(
        "a schema has __arrow_c_schema__, as pyarrow.Schema of pyarrow 14 and later has; what was given is a {}".format(
            type(schema).__name__
        )
    )


def _pyarrow() -> Any:
    try:
        import pyarrow as arrow
    except ImportError:
        return None
    return arrow
