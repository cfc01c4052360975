"""TablePredictor: runs a model on the rows of a table, and returns columns of results."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union, overload

from . import _native
from .errors import Error, InvalidArgumentError
from .predictor import Predictor
from .types import Columns, RowErrors, SupportsArrowArray, SupportsArrowSchema, SupportsArrowStream

if TYPE_CHECKING:
    import pyarrow  # has no type annotations

__all__ = ["ArrowBatch", "TablePredictor"]


class ArrowBatch:
    """Columns of results if pyarrow is not installed, for any library that takes Arrow's PyCapsule protocol."""

    def __init__(self, make_schema: Callable[[], object], array: Optional[object]) -> None:
        self._make_schema, self._array = make_schema, array

    def __arrow_c_schema__(self) -> object:
        return self._make_schema()

    def __arrow_c_array__(self, requested_schema: object = None) -> Tuple[object, object]:
        """Move the columns to the caller. This works once."""
        if self._array is None:
            raise InvalidArgumentError("the columns of this batch were taken already; keep what took them")
        array, self._array = self._array, None
        return self._make_schema(), array


class TablePredictor:
    """Runs a model on the rows of a table, an Arrow record batch, and returns columns of results.

    Any number of threads may call every method of one object; calls release the GIL. The class of `predictor` determines the
    columns of the results:

    - Classifier, ImageClassifier, TextClassifier: label, score and index; if `top_k` is not 1, one column "classes", lists of
      structs of these
    - ObjectDetector: "detections", lists of structs of label, score, index, left, top, right and bottom
    - Predictor: a column for each output, by its name

    Columns of images are binary (JPEG or PNG files), strings (paths or addresses) or structs like those of Spark's image
    source. Columns of numbers are primitive types, and lists of them.

    Args:
        predictor: a Predictor, Classifier, ImageClassifier, TextClassifier or ObjectDetector.
        columns: which columns feed which input: the name of a column, a list of names, whose numbers become the features of one
            input, or a mapping from inputs to these. By default, an ImageClassifier or ObjectDetector takes the one column that
            can be images, a TextClassifier the column "text" or the only column of strings, and others the columns named like
            their inputs. For a TextClassifier, two names make pairs.
        top_k: for classifiers, the number of classes; 0 is all classes.
        errors: "column" adds a column "error", which is null if the row is valid; the results of an invalid row are
            null. "raise" raises an exception at the first invalid row.
        batch_rows: the number of rows that run as one batch. 0 is 32 images, 256 texts, or as many rows as fit into 8 MB.
        score_threshold, max_detections: for detectors, as in ObjectDetector.detect.

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
                "errors is {!r}; expected 'column' (a column of messages) or 'raise' (the first invalid row raises)".format(errors)
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
        """The predictor that runs on the rows."""
        return self._predictor

    def result_schema(self, schema: SupportsArrowSchema) -> pyarrow.Schema:  # pyright: ignore[reportUnknownParameterType]
        """Return the schema of the results for a table's schema. Runs nothing.

        Args:
            schema: a pyarrow.Schema, or any object with `__arrow_c_schema__`.

        Returns:
            A pyarrow.Schema; without pyarrow, a PyCapsule.

        Raises:
            InvalidArgumentError: A column is missing, or its type does not fit the input.

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
        """Run on a table. Returns one row of results for each row.

        Args:
            data: a pyarrow.RecordBatch or Table, or any object with `__arrow_c_array__` or `__arrow_c_stream__`, such as a
                DataFrame of pandas or polars. A table needs pyarrow.

        Returns:
            A pyarrow.RecordBatch for a batch, a pyarrow.Table for a table. Without pyarrow, an object of Arrow's PyCapsule
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
        """Yield the results of record batches one by one. Errors number the rows across all batches.

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
    """Return an error with the row's number in the table instead of that in the batch."""
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
