"""Where the models of the tests are, and small networks made of text."""

from __future__ import annotations

import pathlib

import pytest

import networks

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
