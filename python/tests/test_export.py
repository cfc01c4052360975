"""export without MXNet: a network that was exported before, with steps as a file has them."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import numpy as np
import pytest

import mxinfer

STEPS = [{"op": "resize", "size": [32, 32]}, {"op": "to_tensor"}]


def test_puts_transforms_in_front_and_behind(digits: str, tmp_path: pathlib.Path) -> None:
    model = mxinfer.export(
        digits,
        tmp_path / "whole",
        input_transforms=STEPS,
        output_transforms=[{"op": "top_k", "k": 3}],
        signature={"inputs": [mxinfer.DataDesc("image", (-1, -1, -1, 1), "uint8", "NHWC", "image")]},
        labels=["class {}".format(i) for i in range(10)],
        sample=np.random.default_rng(1).integers(0, 256, (40, 50, 1), np.uint8),
    )
    assert model.inputs[0].name == "image"
    assert model.labels[3] == "class 3"
    outputs = mxinfer.Predictor(tmp_path / "whole", verify=True).predict(np.zeros((20, 30, 1), np.uint8))
    assert [output.shape for output in outputs] == [(1, 3), (1, 3)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["whole-0000.params", "whole-symbol.json"]


def test_writes_a_bundle(digits: str, tmp_path: pathlib.Path) -> None:
    mxinfer.export(digits, tmp_path / "whole.mxz", input_transforms=STEPS, bundle=True)
    assert mxinfer.ImageClassifier(tmp_path / "whole.mxz").classify(np.zeros((9, 9), np.uint8), top_k=1)


def test_a_signature_alone(digits: str, tmp_path: pathlib.Path) -> None:
    described = {"name": "data", "shape": [-1, 1, 32, 32], "layout": "NCHW"}
    model = mxinfer.export(digits, tmp_path / "signed", signature={"inputs": [described]}, labels=["x"] * 10)
    assert model.inputs[0].shape == (-1, 1, 32, 32)
    assert "mxinfer_signature" in json.loads((tmp_path / "signed-symbol.json").read_text())["attrs"]


@pytest.mark.parametrize(
    "options, said",
    [
        ({"input_transforms": 7}, "a transform is"),
        ({"input_transforms": [{"op": "resiz", "size": 7}]}, "resiz"),
        ({"input_transforms": STEPS, "signature": {"input": {}}}, "'inputs' and 'outputs'"),
        ({"input_transforms": STEPS, "signature": {"inputs": [3]}}, "descriptor"),
        ({"input_transforms": STEPS, "sample": "/nowhere.png"}, "/nowhere.png"),
    ],
)
def test_what_does_not_fit_writes_nothing(digits: str, tmp_path: pathlib.Path, options: Any, said: str) -> None:
    with pytest.raises(mxinfer.Error, match=said):
        mxinfer.export(digits, tmp_path / "whole", **options)
    assert not list(tmp_path.iterdir())


def test_a_network_that_is_none() -> None:
    with pytest.raises(mxinfer.InvalidArgumentError, match="HybridBlock"):
        mxinfer.export(3, "/nowhere")
