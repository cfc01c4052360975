"""help() of every public name shows an example, and each of them runs as it is written."""

from __future__ import annotations

import asyncio
import concurrent.futures
import doctest
import inspect

import numpy as np
import pytest

import mxinfer
import networks
import small_sequences
from mxinfer import mx_like

# What they need is not there: CuPy's or PyTorch's arrays on a GPU, a model of SentencePiece.
NOT_RUN = {"Predictor.predict_on_device", "Tokenizer.sentencepiece"}


def takes_arguments(function):
    parameters = list(inspect.signature(function).parameters)
    return len([name for name in parameters if name not in ("self", "cls")]) > 0


def public_things():
    """(name, object) of all that has to have an example: classes, functions, and methods with arguments."""
    modules = [(name, getattr(mxinfer, name)) for name in mxinfer.__all__]
    modules += [("mx_like." + name, getattr(mx_like, name)) for name in mx_like.__all__]
    for name, thing in modules:
        if not callable(thing):
            continue
        yield name, thing
        if not inspect.isclass(thing):
            continue
        for member, value in vars(thing).items():
            function = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
            if not member.startswith("_") and inspect.isfunction(function) and takes_arguments(function):
                yield name + "." + member, function


THINGS = dict(public_things())


def test_all_are_found():
    assert len(THINGS) > 100
    assert {"build_info", "Box", "Model.load", "Predictor.predict", "TextClassifier.classify_pairs"} <= set(THINGS)
    assert "Predictor.stats" not in THINGS  # it has no arguments


def example_of(name):
    doc = inspect.cleandoc(THINGS[name].__doc__ or "")
    return doctest.DocTestParser().get_doctest(doc, names(), name, name, 0)


def names():
    """What the examples begin with: modules by their usual names."""
    return {"mxinfer": mxinfer, "mx_like": mx_like, "np": np, "asyncio": asyncio, "concurrent": concurrent}


def runs(example):
    return [line for line in example.examples if not line.options.get(doctest.SKIP)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, root):
    """The folder in which examples run: models that are in the repository, and small ones of the kinds that are not."""
    folder = tmp_path_factory.mktemp("examples")
    for name in ("models", "examples"):
        (folder / name).symlink_to(root / name)
    networks.bucket_files(folder)
    nodes = [networks.node("null", "data", __shape__="(0, 3, 16, 32)"), networks.node("_copy", "out", 0)]
    (folder / "segmenter-symbol.json").write_text(networks.symbol(nodes, [1]))
    symbol, params = networks.bag_files(small_sequences.BAG)
    (folder / "bag-symbol.json").write_text(symbol)
    (folder / "bag-0000.params").write_bytes(params)
    (folder / "vectors.txt").write_text("king 1 1 0\nman 0 1 0\n")
    return folder


@pytest.mark.parametrize("name", sorted(THINGS))
def test_an_example_is_there_and_runs(name, folder, monkeypatch):
    monkeypatch.chdir(folder)
    if name.startswith("TablePredictor"):
        pytest.importorskip("pyarrow")
    example = example_of(name)
    assert example.examples, "help(mxinfer.{}) shows no example".format(name)
    if name in NOT_RUN:
        assert not runs(example), "it runs some lines: take it off NOT_RUN"
        return
    assert runs(example), "no line of the example runs"
    output = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(example, out=output.append)
    assert runner.failures == 0, "".join(output)


def test_a_missing_example_is_found(monkeypatch):
    monkeypatch.setitem(THINGS, "bare", lambda value: None)
    assert not example_of("bare").examples
