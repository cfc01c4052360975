"""CTC decoding: from the scores that a network gives for each step of time to the labels that it read."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, NamedTuple, Sequence, Union

from . import _native
from .types import ArrayLike, CtcLayout, CtcScores
from .vocabulary import Vocabulary

__all__ = ["CtcSequence", "ctc_beam_search", "ctc_greedy"]

Labels = Union[str, Sequence[str], Vocabulary]


class CtcSequence(NamedTuple):
    """What a network read.

    >>> scores = np.float32([[0.1, 0.8, 0.1], [0.1, 0.8, 0.1], [0.8, 0.1, 0.1], [0.1, 0.1, 0.8]])  # (steps, classes)
    >>> mxinfer.ctc_greedy(scores, labels="ab")[0].labels
    [1, 2]
    """

    labels: List[int]
    """The classes, by their positions in the scores."""
    text: str
    """Their names, one after another; empty without `labels`."""
    log_probability: float
    """The natural logarithm of the probability: of the best path, or with beam search of all paths with these labels."""


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
    """Decodes scores along the best path: one CtcSequence for each sequence.

    `array` is float32 or float64, (steps, classes) for one sequence, else (sequences, steps, classes) or with
    layout="tnc" (steps, sequences, classes), in small or capital letters. `scores` says what its numbers are: "probabilities", "log_probabilities" or
    "logits". `blank` is the class that is the blank, -1 the last one; `lengths` are the steps of each sequence, all of
    them without. `labels` are the names of the classes, or of those but the blank: a str (a character each), a list of
    str, or a Vocabulary. Raises InvalidArgumentError. Any thread may call it.

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
    """Decodes scores by prefix beam search, which adds up the paths that read the same: for each sequence its `best` label
    sequences, best first. `beam_width` of them are carried on from step to step. The rest is as ctc_greedy.

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
