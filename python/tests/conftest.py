"""Where the models of the tests are, and small networks made of text."""

from __future__ import annotations

import pathlib

import pytest

import mxinfer
import networks
import small_sequences

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root() -> pathlib.Path:
    return ROOT


@pytest.fixture(scope="session")
def digits() -> str:
    """A prefix: the bare network, float32 (-1, 1, 32, 32)."""
    return str(ROOT / "models" / "digits")


@pytest.fixture(scope="session")
def bundle() -> str:
    """The end-to-end model, which takes grey images of any size."""
    return str(ROOT / "models" / "digits.mxz")


@pytest.fixture(scope="session")
def seven() -> pathlib.Path:
    return ROOT / "examples" / "images" / "seven.jpg"


@pytest.fixture(scope="session")
def slow_model():
    """Some tenths of a second for each of 12 nodes."""
    return networks.powers(1400, 12)


@pytest.fixture(scope="session")
def two_inputs():
    """sum = a + b and difference = a - b, of float32 (-1, 3)."""
    return networks.sum_and_difference()


@pytest.fixture(scope="session")
def vocabulary():
    """Of eight words; <unk> is 0, <pad> 1."""
    return mxinfer.Vocabulary(small_sequences.WORDS, unknown="<unk>", padding="<pad>")


@pytest.fixture(scope="session")
def bag_model():
    """Scores of the sum of the ids' rows (small_sequences.bag_scores)."""
    return networks.bag_of_ids(small_sequences.BAG, ["calm", "storm", "night"])


@pytest.fixture(scope="session")
def bag(bag_model):
    return mxinfer.SequencePredictor(bag_model, buckets=[3, 6], threads=1)


@pytest.fixture(scope="session")
def step_model():
    """A step of a recurrent network (small_sequences.stepped)."""
    return mxinfer.Model.load_memory(*networks.step_files(small_sequences.STEP), inputs={"data": (-1, 1), "state": (-1, 4)})
