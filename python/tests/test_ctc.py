"""CTC decoding."""

import itertools
import math

import numpy as np
import pytest

import mxinfer
from small_sequences import random


def paths(scores):
    """The probability of each label sequence, by every path."""
    sums = {}
    for path in itertools.product(range(scores.shape[1]), repeat=scores.shape[0]):
        labels = tuple(label for label, _ in itertools.groupby(path) if label != 0)
        sums[labels] = sums.get(labels, 0) + math.prod(float(scores[step, label]) for step, label in enumerate(path))
    return sums


def test_ctc_finds_what_the_paths_say():
    scores = np.random.default_rng(6).dirichlet(np.ones(3), 5).astype(np.float32)
    sums = paths(scores)
    (found,) = mxinfer.ctc_beam_search(scores, labels="ab", beam_width=1000, best=3)
    expected = sorted(sums, key=sums.get, reverse=True)[:3]
    assert [tuple(each.labels) for each in found] == expected
    for each in found:
        assert math.exp(each.log_probability) == pytest.approx(sums[tuple(each.labels)], rel=1e-4)
        assert each.text == "".join("?ab"[label] for label in each.labels)
    (greedy,) = mxinfer.ctc_greedy(scores, labels=["a", "b"])
    chosen = scores.argmax(axis=1)
    assert tuple(greedy.labels) == tuple(label for label, _ in itertools.groupby(chosen.tolist()) if label != 0)
    assert greedy.log_probability == pytest.approx(float(np.log(scores.max(axis=1)).sum()), rel=1e-4)


def test_ctc_layouts_and_kinds():
    logits = random(2, 4, 3)
    powers = np.exp(logits)
    probabilities = powers / powers.sum(axis=2, keepdims=True)
    expected = mxinfer.ctc_greedy(probabilities)
    assert len(expected) == 2 and expected[0].text == ""
    for other in (
        mxinfer.ctc_greedy(logits, scores="logits"),
        mxinfer.ctc_greedy(np.log(probabilities), scores="log_probabilities"),
        mxinfer.ctc_greedy(probabilities.transpose(1, 0, 2), layout="tnc"),
        mxinfer.ctc_greedy(np.roll(probabilities, -1, axis=2), blank=-1),
    ):
        assert [each.log_probability for each in other] == pytest.approx([each.log_probability for each in expected])
    words = mxinfer.Vocabulary(["-", "x", "y"])
    assert mxinfer.ctc_greedy(probabilities, labels=words, lengths=np.array([0, 4]))[0].labels == []
    assert mxinfer.ctc_greedy([[0.1, 0.8, 0.1]], labels="xy")[0].text == "x"


@pytest.mark.parametrize(
    "options",
    [
        {"scores": "numbers"},
        {"layout": "nct"},
        {"blank": 7},
        {"blank": "first"},
        {"labels": "abcdefg"},
        {"labels": [1, 2]},
        {"lengths": [9]},
        {"lengths": [1, 2]},
        {"lengths": ["a"]},
        {"lengths": [0.5]},
    ],
)
def test_wrong_options_of_ctc(options):
    scores = np.full((4, 3), 1 / 3, np.float32)
    with pytest.raises(mxinfer.InvalidArgumentError):
        mxinfer.ctc_greedy(scores, **options)
    with pytest.raises(mxinfer.InvalidArgumentError):
        mxinfer.ctc_beam_search(scores, **options)
    for array in (np.full((4, 3), np.nan, np.float32), np.zeros(3, np.float32), np.zeros((4, 3), np.int32), "text", None):
        with pytest.raises(mxinfer.InvalidArgumentError):
            mxinfer.ctc_greedy(array)
    with pytest.raises(mxinfer.InvalidArgumentError):
        mxinfer.ctc_beam_search(scores, beam_width=0)
