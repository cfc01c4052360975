"""SequencePredictor: a Predictor of sequences of any length."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union, overload

import numpy as np

from . import _native, options as _options
from .bucketed_model import BucketedModel
from .errors import InvalidArgumentError
from .model import Model, absolute, path_bytes
from .prediction import Prediction
from .predictor import Predictor, same, seconds_of, wants_errors, with_errors
from .records import ItemError
from .session import Session
from .types import Arrays, Collect, Deadline, PathText, Priority, SequenceLike

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .types import SequenceOptions

__all__ = ["SequencePredictor"]

SEQUENCE_FIELDS = frozenset(
    {
        "buckets",
        "pad_side",
        "pad_value",
        "too_long",
        "truncate_side",
        "sequence_input",
        "length_input",
        "states",
        "cut_outputs",
        "max_batch",
    }
)


class SequencePredictor(Predictor):
    """Runs a model on sequences of any length, of ids or of vectors, padded to buckets.

    `model` is a Model, a BucketedModel, or the path or address of either. A sequence is a list of whole numbers or an array
    of them (ids, which become the dtype of the input), an array (length, features...) of the dtype of the input, or a
    mapping from the names of inputs to arrays, for networks of several.

    Options beside those of Predictor, all of which the model's file may say:

    - buckets: lengths, rising; a sequence runs at the smallest that is not less than its own
    - pad_side ("left", "right"), pad_value: where padding stands, and what it is
    - too_long ("truncate", "error"), truncate_side: what becomes of a sequence that is longer than the largest bucket
    - sequence_input, length_input: the inputs that take the sequence and its length
    - states: {input: output} of a recurrent network
    - cut_outputs: whether outputs with an axis of time are cut to the sequence's length (True)
    - max_batch: so many sequences of one bucket run as one batch at most (32), and so many calls through the queue (1)

    >>> predictor = mxinfer.SequencePredictor("bag", buckets=[3, 6])
    >>> predictor.predict_sequence([4, 2, 5])[0].shape
    (3,)
    """

    _native_class: Any = _native.SequencePredictor
    _fields = SEQUENCE_FIELDS
    _model_classes: Tuple[type, ...] = (Model, BucketedModel)

    def __init__(self, model: Union[Model, BucketedModel, PathText], **options: Unpack[SequenceOptions]) -> None:
        self._begin(model, options)

    def _make(
        self, model: Any, load: _options.Pairs, settings: _options.Pairs, fields: Dict[str, Any]
    ) -> Tuple[Any, Model]:
        if isinstance(model, Model):
            self._source = model
            native, loaded = super()._make(model, load, settings, fields)
            behind = native.model()  # of a model that takes texts it is another one
            return native, loaded if behind.inputs() == loaded._native.inputs() else Model._made(behind, None)
        if isinstance(model, BucketedModel):
            self._source = model
            native = self._native_class.make_bucketed(model._native, settings, fields)
        else:
            self._source = absolute(model)
            native = self._native_class.open(path_bytes(model), load, settings, fields)
        return native, Model._made(native.model(), None)

    _source: Union[Model, BucketedModel, str]
    """What it was made of."""

    def __reduce__(self) -> Tuple[Callable[..., Any], Tuple[Any, ...]]:
        remake, (cls, _, kept) = super().__reduce__()
        return remake, (cls, self._source, self._options if isinstance(self._source, str) else kept)

    def predict_sequence(self, sequence: SequenceLike) -> Arrays:
        """The outputs for one sequence, in order and without a batch.

        Raises InvalidArgumentError: a length of 0, an id that the network has no row for, too many with
        too_long="error".

        >>> predictor = mxinfer.SequencePredictor("bag", buckets=[3, 6])
        >>> predictor.predict_sequence([4, 2, 5])[0].shape
        (3,)
        """
        _one_sequence(sequence)
        try:
            outputs: Arrays = self._open().predict_sequence(_plain(sequence))
        except InvalidArgumentError as error:
            if _may_be_many(sequence):
                raise InvalidArgumentError("{}; a list of sequences goes to predict_sequences".format(error)) from None
            raise
        return outputs

    @overload
    def predict_sequences(self, sequences: Iterable[SequenceLike], *, errors: None = None) -> List[Arrays]: ...
    @overload
    def predict_sequences(self, sequences: Iterable[SequenceLike], *, errors: Collect) -> Tuple[List[Arrays], List[ItemError]]: ...
    def predict_sequences(
        self, sequences: Iterable[SequenceLike], *, errors: Optional[Collect] = None
    ) -> Union[List[Arrays], Tuple[List[Arrays], List[ItemError]]]:
        """The outputs for each of many sequences of one kind; those of one bucket run as batches.

        With errors="collect" it gives the outputs and a list of ItemError; those of wrong sequences are empty lists. Else
        the first wrong sequence raises.

        >>> predictor = mxinfer.SequencePredictor("bag", buckets=[3, 6])
        >>> [outputs[0].shape for outputs in predictor.predict_sequences([[4, 2, 5], [4, 7]])]
        [(3,), (3,)]
        >>> lists, errors = predictor.predict_sequences([[4, 2], []], errors="collect")
        >>> [wrong.item for wrong in errors]
        [1]
        """
        collect = wants_errors(errors)
        outputs, wrong = self._open().predict_sequences([_plain(each) for each in many(sequences)], collect)
        return with_errors(outputs, wrong, collect)

    def predict_sequence_async(
        self, sequence: SequenceLike, *, deadline: Deadline = None, priority: Priority = "normal"
    ) -> Prediction[Arrays]:
        """As predict_sequence of ids, through the queue (Predictor.predict_async says how).

        >>> predictor = mxinfer.SequencePredictor("bag", buckets=[3, 6])
        >>> predictor.predict_sequence_async([4, 2, 5]).result()[0].shape
        (3,)
        """
        _one_sequence(sequence)
        native, future = self._submission(same)
        return future._watch(native.predict_sequence_async(future, sequence, seconds_of(deadline), priority))

    def predict_sequences_async(
        self, sequences: Iterable[SequenceLike], *, deadline: Deadline = None, priority: Priority = "normal"
    ) -> Prediction[List[Arrays]]:
        """As predict_sequences of ids, through the queue; the first sequence that is wrong fails the Future.

        >>> predictor = mxinfer.SequencePredictor("bag", buckets=[3, 6])
        >>> len(predictor.predict_sequences_async([[4, 2, 5], [4, 7]]).result())
        2
        """
        native, future = self._submission(same)
        items = list(many(sequences))
        return future._watch(native.predict_sequences_async(future, items, seconds_of(deadline), priority))

    async def apredict_sequence(
        self, sequence: SequenceLike, *, deadline: Deadline = None, priority: Priority = "normal"
    ) -> Arrays:
        """`await predict_sequence_async(...)` as a coroutine, by its former name.

        >>> predictor = mxinfer.SequencePredictor("bag", buckets=[3, 6])
        >>> asyncio.run(predictor.apredict_sequence([4, 2, 5]))[0].shape
        (3,)
        """
        return await self.predict_sequence_async(sequence, deadline=deadline, priority=priority)

    async def apredict_sequences(
        self, sequences: Iterable[SequenceLike], *, deadline: Deadline = None, priority: Priority = "normal"
    ) -> List[Arrays]:
        """`await predict_sequences_async(...)` as a coroutine, by its former name.

        >>> predictor = mxinfer.SequencePredictor("bag", buckets=[3, 6])
        >>> len(asyncio.run(predictor.apredict_sequences([[4, 2, 5], [4, 7]])))
        2
        """
        return await self.predict_sequences_async(sequences, deadline=deadline, priority=priority)

    def session(self) -> Session:
        """A sequence that comes bit by bit; its states begin as zeros. UnsupportedError if the network has none."""
        return Session._made(_native.Session.make(self._open()), self)

    @overload
    def step(self, sessions: Sequence[Session], pieces: Iterable[Union[int, SequenceLike]], *, errors: None = None) -> List[Arrays]: ...
    @overload
    def step(
        self, sessions: Sequence[Session], pieces: Iterable[Union[int, SequenceLike]], *, errors: Collect
    ) -> Tuple[List[Arrays], List[ItemError]]: ...
    def step(
        self, sessions: Sequence[Session], pieces: Iterable[Union[int, SequenceLike]], *, errors: Optional[Collect] = None
    ) -> Union[List[Arrays], Tuple[List[Arrays], List[ItemError]]]:
        """Each session one piece further, those of one length as batches: what Session.step gives for each.

        With errors="collect" it gives the outputs and a list of ItemError; wrong pieces have no outputs and leave their
        sessions as they are. InvalidArgumentError also: a session that is there twice, or of another predictor.

        >>> predictor = mxinfer.SequencePredictor("models/sentences")
        >>> one, other = predictor.session(), predictor.session()
        >>> outputs = predictor.step([one, other], [4, 7])
        >>> len(outputs)
        2
        """
        collect = wants_errors(errors)
        items = [_piece(each) for each in many(pieces)]
        if len(sessions) != len(items):
            raise InvalidArgumentError(
                "got {} pieces for {} sessions; each session takes one".format(len(items), len(sessions))
            )
        for session in sessions:
            if not isinstance(session, Session):
                raise InvalidArgumentError(
                    "sessions: a {} is none; SequencePredictor.session makes them".format(type(session).__name__)
                )
        native = [session._native for session in sessions]
        outputs, wrong = _native.step(self._open(), native, items, collect)
        return with_errors(outputs, wrong, collect)

    @property
    def buckets(self) -> List[int]:
        """The lengths, rising; empty if sequences run at their own."""
        return list(self._open().buckets())

    def bucket_of(self, length: int) -> int:
        """The length at which a sequence of `length` runs.

        >>> predictor = mxinfer.SequencePredictor("bag", buckets=[8, 16])
        >>> predictor.bucket_of(5), predictor.bucket_of(9)
        (8, 16)
        """
        return int(self._open().bucket_of(length))

    def warmup_buckets(self) -> None:
        """Makes what runs for each bucket, so that first calls are as fast as others."""
        self._open().warmup_buckets()


def many(values: Any) -> Iterable[Any]:
    """What is a list of sequences or texts."""
    if isinstance(values, (str, bytes, Mapping)):
        raise InvalidArgumentError(
            "a {} is one; a list of them is wanted, put it into a list".format(type(values).__name__)
        )
    result: Iterable[Any] = values
    return result


def _one_sequence(sequence: object) -> None:
    """Raises InvalidArgumentError for a list of texts, or of arrays by name."""
    if isinstance(sequence, (list, tuple)) and any(isinstance(each, (str, Mapping)) for each in sequence[:1]):
        raise InvalidArgumentError(
            "sequence: a {} of {} was given, and one sequence is expected; call predict_sequences for many".format(
                type(sequence).__name__, type(sequence[0]).__name__
            )
        )


def _may_be_many(sequence: object) -> bool:
    """Of a list of lists: one sequence of vectors, or many of ids."""
    return isinstance(sequence, (list, tuple)) and any(isinstance(each, (list, tuple, np.ndarray)) for each in sequence[:1])


def _plain(sequence: Any) -> Any:
    return dict(sequence) if isinstance(sequence, Mapping) else sequence


def _piece(piece: Any) -> Any:
    is_id = hasattr(piece, "__index__") and not hasattr(piece, "__len__")  # numpy's whole numbers too; no array
    return [piece] if is_id else piece
