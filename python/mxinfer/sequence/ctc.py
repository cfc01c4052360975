"""Decode the scores of a CTC network, given for each time step, to labels."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, NamedTuple, Sequence, Union

from .. import _native
from ..types import ArrayLike, CtcLayout, CtcScores
from .vocabulary import Vocabulary

__all__ = ["CtcSequence", "ctc_beam_search", "ctc_greedy"]

Labels = Union[str, Sequence[str], Vocabulary]


class CtcSequence(NamedTuple):
    """A label sequence decoded from the scores of a network.

    >>> scores = np.float32([[0.1, 0.8, 0.1], [0.1, 0.8, 0.1], [0.8, 0.1, 0.1], [0.1, 0.1, 0.8]])  # (steps, classes)
    >>> mxinfer.ctc_greedy(scores, labels="ab")[0].labels
    [1, 2]
    """

    labels: List[int]
    """The indices of the classes in the scores."""
    text: str
    """The names of the classes, joined; empty without `labels`."""
    log_probability: float
    """The natural logarithm of the probability: of the best path, or, with beam search, of all paths with these labels."""


def ctc_greedy(
    array: ArrayLike,
    /,
    *,
    scores: CtcScores = "probabilities",
    layout: CtcLayout = "ntc",
    blank: int = 0,
    lengths: Iterable[int] = (),
    labels: Labels = (),
) -> List[CtcSequence]:
    """Decode scores along the best path. Returns a CtcSequence for each sequence. Any thread may call it.

    Args:
        array: the scores, float32 or float64: (steps, classes) for one sequence, otherwise (sequences, steps, classes), or
            (steps, sequences, classes) with layout="tnc".
        scores: what the numbers are: "probabilities", "log_probabilities" or "logits".
        layout: "ntc" or "tnc", in lower or upper case.
        blank: the index of the blank; -1 is the last class.
        lengths: the number of steps of each sequence. Default: all steps.
        labels: the names of the classes, or of all classes but the blank: a str (one character each), a list of str, or a
            Vocabulary.

    Raises:
        InvalidArgumentError: The scores or options are invalid.

    >>> scores = np.float32([[0.1, 0.8, 0.1], [0.1, 0.8, 0.1], [0.8, 0.1, 0.1], [0.1, 0.1, 0.8]])  # (steps, classes)
    >>> mxinfer.ctc_greedy(scores, labels="ab")[0].text
    'ab'
    """
    raw = _native.ctc_greedy(array, _options(scores, layout, blank, lengths, labels))
    return list(map(CtcSequence._make, raw))


def ctc_beam_search(
    array: ArrayLike,
    /,
    *,
    scores: CtcScores = "probabilities",
    layout: CtcLayout = "ntc",
    blank: int = 0,
    lengths: Iterable[int] = (),
    labels: Labels = (),
    beam_width: int = 32,
    best: int = 1,
) -> List[List[CtcSequence]]:
    """Decode scores by prefix beam search, which sums over the paths that read the same.

    Args:
        beam_width: the number of label sequences kept from step to step.
        best: the number of results for each sequence.
        The other arguments are those of ctc_greedy.

    Returns:
        For each sequence, its best label sequences, best first.

    >>> scores = np.float32([[0.1, 0.8, 0.1], [0.1, 0.8, 0.1], [0.8, 0.1, 0.1], [0.1, 0.1, 0.8]])  # (steps, classes)
    >>> [found.text for found in mxinfer.ctc_beam_search(scores, labels="ab", best=2)[0]][0]
    'ab'
    """
    options = _options(scores, layout, blank, lengths, labels)
    raw = _native.ctc_beam_search(array, {**options, "beam_width": beam_width, "best": best})
    return [list(map(CtcSequence._make, each)) for each in raw]


def _options(scores: CtcScores, layout: CtcLayout, blank: int, lengths: Iterable[int], labels: Labels) -> Dict[str, Any]:
    return {
        "scores": scores,
        "layout": layout.lower() if isinstance(layout, str) else layout,
        "blank": blank,
        "lengths": list(lengths),
        "labels": list(labels),
    }
