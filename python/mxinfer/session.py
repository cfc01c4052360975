"""Session: a sequence that comes bit by bit, with the states of the recurrent network between the calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Union

from .predictor import by_name
from .records import DataDesc, descriptors
from .types import Array, ArrayLike, Arrays, NamedArrays, SequenceLike

if TYPE_CHECKING:
    from .sequence_predictor import SequencePredictor

__all__ = ["Session"]


class Session:
    """Keeps the states of a recurrent network. SequencePredictor.session makes one; it begins with zeros.

        session = predictor.session()
        for id in ids:
            outputs = session.step(id)

    Pieces of any length give what the whole sequence gives in one call. Steps of one session from many threads wait for
    one another; sessions run side by side.

    >>> predictor = mxinfer.SequencePredictor("models/sentences")
    >>> session = predictor.session()
    >>> for id in [4, 10, 5]:
    ...     scores = session.step(id)[0]
    >>> bool(np.allclose(scores, predictor.session().step([4, 10, 5])[0]))
    True
    """

    _native: Any
    _predictor: SequencePredictor

    def __init__(self) -> None:
        raise TypeError("a Session is made by SequencePredictor.session")

    @classmethod
    def _made(cls, native: Any, predictor: SequencePredictor) -> Session:
        session = object.__new__(cls)
        session._native = native
        session._predictor = predictor
        return session

    def step(self, piece: Union[int, SequenceLike]) -> Arrays:
        """The next piece: an id, or a sequence as predict_sequence takes it. Gives the outputs that are no states, in order.
        If it raises, the states are as before.

        >>> session = mxinfer.SequencePredictor("models/sentences").session()
        >>> session.step(4)[0].shape, session.step([10, 5])[0].shape
        ((25,), (25,))
        """
        outputs: Arrays = self._native.step(piece)
        return outputs

    def reset(self) -> None:
        """The next step begins with zeros again."""
        self._native.reset()

    def states(self) -> NamedArrays:
        """A copy of the states, by the names of their inputs, each as a batch of one."""
        states: Dict[str, Array] = self._native.states()
        return states

    def set_states(self, states: Mapping[str, ArrayLike]) -> None:
        """Goes on from these, which states() of a session of the same model gave. InvalidArgumentError: one that is
        missing, or another name, dtype or shape; nothing is changed then.

        >>> predictor = mxinfer.SequencePredictor("models/sentences")
        >>> first, second = predictor.session(), predictor.session()
        >>> outputs = first.step([4, 10])
        >>> second.set_states(first.states())
        >>> bool((first.step(5)[0] == second.step(5)[0]).all())
        True
        """
        self._native.set_states(by_name(states, "states"))

    @property
    def state_descs(self) -> List[DataDesc]:
        """Name, dtype and shape of each state."""
        return descriptors(self._native.state_descs())

    @property
    def predictor(self) -> SequencePredictor:
        """What made it."""
        return self._predictor

    def copy(self) -> Session:
        """Another session, which goes on from here on its own."""
        return Session._made(self._native.copy(), self._predictor)

    def __copy__(self) -> Session:
        return self.copy()

    def __deepcopy__(self, memo: Dict[int, Any]) -> Session:
        return self.copy()
