"""Session: keeps the states of a recurrent network between calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Union

from ..predictor import by_name
from ..records import DataDesc, descriptors
from ..types import Array, ArrayLike, Arrays, NamedArrays, SequenceLike

if TYPE_CHECKING:
    from .sequence_predictor import SequencePredictor

__all__ = ["Session"]


class Session:
    """Keeps the states of a recurrent network, so that a sequence can come piece by piece.

        session = predictor.session()
        for id in ids:
            outputs = session.step(id)

    SequencePredictor.session returns one. Its states are zeros at first. The pieces may have any lengths; the results are those
    of the whole sequence in one call. Threads that step one session wait for each other; different sessions run in parallel.

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
        """Run on the next piece. If it raises, the states do not change.

        Args:
            piece: an id, or a sequence as in SequencePredictor.predict_sequence.

        Returns:
            The outputs that are not states, in order.

        >>> session = mxinfer.SequencePredictor("models/sentences").session()
        >>> session.step(4)[0].shape, session.step([10, 5])[0].shape
        ((25,), (25,))
        """
        outputs: Arrays = self._native.step(piece)
        return outputs

    def reset(self) -> None:
        """Set all states to zeros."""
        self._native.reset()

    def states(self) -> NamedArrays:
        """Return a copy of the states by the names of their inputs, each as a batch of one."""
        states: Dict[str, Array] = self._native.states()
        return states

    def set_states(self, states: Mapping[str, ArrayLike]) -> None:
        """Continue from states that states() of a session of the same model returned.

        Raises:
            InvalidArgumentError: A state is missing, or a name, dtype or shape differs. Nothing changes.

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
        """The name, dtype and shape of each state."""
        return descriptors(self._native.state_descs())

    @property
    def predictor(self) -> SequencePredictor:
        """The predictor that the session belongs to."""
        return self._predictor

    def copy(self) -> Session:
        """Return a new session with a copy of the states."""
        return Session._made(self._native.copy(), self._predictor)

    def __copy__(self) -> Session:
        return self.copy()

    def __deepcopy__(self, memo: Dict[int, Any]) -> Session:
        return self.copy()
