"""SequencePredictor: runs a model on sequences of any length."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union, overload

import numpy as np

from .. import _native, options as _options
from .bucketed_model import BucketedModel
from ..errors import InvalidArgumentError
from ..model import Model, absolute, path_bytes
from ..prediction import Prediction
from ..predictor import Predictor, same, seconds_of, wants_errors, with_errors
from ..records import ItemError
from .session import Session
from ..types import Arrays, Collect, Deadline, PathText, Priority, SequenceLike

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..types import SequenceOptions

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

    A sequence is one of these:

    - ids: a list or an array of whole numbers, which are converted to the dtype of the input
    - an array (length, features...) of the dtype of the input
    - for networks of several inputs, a mapping from the names of inputs to arrays

    Options in addition to those of Predictor; the model's file may state their defaults:

    - buckets: ascending lengths; a sequence runs in the smallest bucket that it fits into
    - pad_side ("left", "right"), pad_value: the side and the value of the padding
    - too_long ("truncate", "error"), truncate_side: what to do with a sequence longer than the largest bucket
    - sequence_input, length_input: the inputs for the sequence and its length
    - states: {input: output} of a recurrent network
    - cut_outputs: whether to cut outputs with a time axis to the sequence's length (True)
    - max_batch: how many sequences of one bucket run as one batch (32), and how many calls of the queue (1)

    Args:
        model: a Model, a BucketedModel, or the path or address of either.

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
            behind = native.model()  # differs if the model takes texts
            return native, loaded if behind.inputs() == loaded._native.inputs() else Model._made(behind, None)
        if isinstance(model, BucketedModel):
            self._source = model
            native = self._native_class.make_bucketed(model._native, settings, fields)
        else:
            self._source = absolute(model)
            native = self._native_class.open(path_bytes(model), load, settings, fields)
        return native, Model._made(native.model(), None)

    _source: Union[Model, BucketedModel, str]
    """The model or path that was passed to the constructor."""

    def __reduce__(self) -> Tuple[Callable[..., Any], Tuple[Any, ...]]:
        remake, (cls, _, kept) = super().__reduce__()
        return remake, (cls, self._source, self._options if isinstance(self._source, str) else kept)

    def predict_sequence(self, sequence: SequenceLike) -> Arrays:
        """Run on one sequence. Returns the outputs in order, without the batch axis.

        Raises:
            InvalidArgumentError: The length is 0, the network has no row for an id, or, with too_long="error", the sequence is
                too long.

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
        """Run on many sequences of one kind. Those of one bucket run as batches.

        Returns:
            The outputs for each sequence. With errors="collect", also a list of ItemError; the outputs of an invalid sequence are
            an empty list. Without it, the first invalid sequence raises an exception.

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
        """Submit predict_sequence of ids to the queue. See Predictor.predict_async.

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
        """Submit predict_sequences of ids to the queue. If a sequence is invalid, the Future fails.

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
        """Await predict_sequence_async(...). This former name is kept for compatibility.

        >>> predictor = mxinfer.SequencePredictor("bag", buckets=[3, 6])
        >>> asyncio.run(predictor.apredict_sequence([4, 2, 5]))[0].shape
        (3,)
        """
        return await self.predict_sequence_async(sequence, deadline=deadline, priority=priority)

    async def apredict_sequences(
        self, sequences: Iterable[SequenceLike], *, deadline: Deadline = None, priority: Priority = "normal"
    ) -> List[Arrays]:
        """Await predict_sequences_async(...). This former name is kept for compatibility.

        >>> predictor = mxinfer.SequencePredictor("bag", buckets=[3, 6])
        >>> len(asyncio.run(predictor.apredict_sequences([[4, 2, 5], [4, 7]])))
        2
        """
        return await self.predict_sequences_async(sequences, deadline=deadline, priority=priority)

    def session(self) -> Session:
        """Start a Session, which takes a sequence piece by piece. Its states are zeros at first.

        Raises:
            UnsupportedError: The network has no states.
        """
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
        """Step each session by one piece. Pieces of one length run as batches.

        Returns:
            What Session.step returns for each. With errors="collect", also a list of ItemError; an invalid piece has no outputs
            and does not change its session.

        Raises:
            InvalidArgumentError: A session occurs twice or belongs to another predictor, and as for Session.step.

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
        """The lengths, in ascending order; empty if each sequence runs at its own length."""
        return list(self._open().buckets())

    def bucket_of(self, length: int) -> int:
        """Return the bucket in which a sequence of `length` runs.

        >>> predictor = mxinfer.SequencePredictor("bag", buckets=[8, 16])
        >>> predictor.bucket_of(5), predictor.bucket_of(9)
        (8, 16)
        """
        return int(self._open().bucket_of(length))

    def warmup_buckets(self) -> None:
        """Make the plans of all buckets, so that first calls are as fast as later ones."""
        self._open().warmup_buckets()


def many(values: Any) -> Iterable[Any]:
    """Check that this is a list of sequences or texts."""
    if isinstance(values, (str, bytes, Mapping)):
        raise InvalidArgumentError(
            "a {} is one; a list of them is wanted, put it into a list".format(type(values).__name__)
        )
    result: Iterable[Any] = values
    return result


def _one_sequence(sequence: object) -> None:
    """Raise InvalidArgumentError if this is a list of texts, or of arrays by name."""
    if isinstance(sequence, (list, tuple)) and any(isinstance(each, (str, Mapping)) for each in sequence[:1]):
        raise InvalidArgumentError(
            "sequence: a {} of {} was given, and one sequence is expected; call predict_sequences for many".format(
                type(sequence).__name__, type(sequence[0]).__name__
            )
        )


def _may_be_many(sequence: object) -> bool:
    """Return whether this is a list of lists, which is one sequence of vectors or many of ids."""
    return isinstance(sequence, (list, tuple)) and any(isinstance(each, (list, tuple, np.ndarray)) for each in sequence[:1])


def _plain(sequence: Any) -> Any:
    return dict(sequence) if isinstance(sequence, Mapping) else sequence


def _piece(piece: Any) -> Any:
    is_id = hasattr(piece, "__index__") and not hasattr(piece, "__len__")  # whole numbers of NumPy too, but not arrays
    return [piece] if is_id else piece
