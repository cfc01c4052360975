"""mx_like: the class of MXNet's own wrapper, with its argument names."""

from __future__ import annotations

import pathlib
from typing import Any, List, Tuple

import numpy as np
import pytest

import mxinfer
from mxinfer import mx_like

SHAPES = {"data": (2, 1, 32, 32)}


@pytest.fixture
def files(root: pathlib.Path) -> Tuple[str, bytes]:
    folder = root / "models" / "digits"
    return (folder / "digits-symbol.json").read_text(), (folder / "digits-0000.params").read_bytes()


@pytest.fixture
def images() -> Any:
    return np.random.default_rng(5).random((2, 1, 32, 32), np.float32)


def test_predicts_as_a_predictor_does(files: Tuple[str, bytes], images: Any, digits: str) -> None:
    predictor = mx_like.Predictor(*files, SHAPES)
    predictor.forward(data=images)
    wanted = mxinfer.Predictor(digits).predict(images)[0]
    assert np.array_equal(predictor.get_output(0), wanted)
    predictor.reshape({"data": (1, 1, 32, 32)})
    wanted = mxinfer.Predictor(digits).predict(images[:1])[0]
    predictor.forward(data=images[:1])
    assert np.array_equal(predictor.get_output(0), wanted)
    predictor.forward()  # inputs keep their values
    assert np.array_equal(predictor.get_output(0), wanted)


def test_takes_what_the_wrapper_took(files: Tuple[str, bytes], images: Any) -> None:
    predictor = mx_like.Predictor(
        symbol_file=files[0],
        param_raw_bytes=bytearray(files[1]),
        input_shapes={**SHAPES, "softmax_label": (2,)},
        dev_type="cpu",
        dev_id=0,
        type_dict={"data": np.float32},
    )
    predictor.forward(data=images.astype(np.float64), softmax_label=np.zeros(2))
    assert predictor.get_output(0).shape == (2, 10)


def test_tells_a_monitor(files: Tuple[str, bytes], images: Any) -> None:
    predictor = mx_like.Predictor(*files, SHAPES)
    predictor.forward(data=images)
    wanted = predictor.get_output(0)
    seen: List[str] = []
    predictor.set_monitor_callback(lambda name, array: seen.append(name))
    predictor.forward(data=images)
    assert len(seen) > 10 and seen[-1] == "probabilities_output"
    assert np.allclose(predictor.get_output(0), wanted, atol=1e-6)
    with pytest.raises(ZeroDivisionError):
        predictor.set_monitor_callback(lambda name, array: 1 / 0)  # type: ignore[arg-type,return-value]
        predictor.forward(data=images)
    predictor.set_monitor_callback(None)
    predictor.forward(data=images)


def test_wrong_arguments_say_what_is_wrong(files: Tuple[str, bytes], images: Any) -> None:
    with pytest.raises(mxinfer.DeviceError, match="(?i)cuda"):
        mx_like.Predictor(*files, SHAPES, dev_type="gpu", dev_id=97)
    with pytest.raises(mxinfer.InvalidArgumentError, match="\"tpu:0\" is not a device"):
        mx_like.Predictor(*files, SHAPES, dev_type="tpu")
    with pytest.raises(mxinfer.InvalidArgumentError, match="tuple"):
        mx_like.Predictor(*files, {"data": [2, 1, 32, 32]})  # type: ignore[dict-item]
    with pytest.raises(mxinfer.InvalidArgumentError, match="'data' has no shape"):
        mx_like.Predictor(*files, {"dota": (2, 1, 32, 32)})
    with pytest.raises(mxinfer.Error):
        mx_like.Predictor(*files, {"data": (2, 7, 32, 32)})
    with pytest.raises(mxinfer.MalformedError, match="no value"):
        mx_like.Predictor(files[0], b"", SHAPES)
    predictor = mx_like.Predictor(*files, SHAPES)
    with pytest.raises(mxinfer.InvalidArgumentError, match="forward first"):
        predictor.get_output(0)
    with pytest.raises(mxinfer.InvalidArgumentError, match="no input 'dota'"):
        predictor.forward(dota=images)
    with pytest.raises(mxinfer.InvalidArgumentError, match=r"\(1, 1, 32, 32\)"):
        predictor.forward(data=images[:1])
    with pytest.raises(mxinfer.Error):
        predictor.reshape({"data": (2, 1, 5, 5)})
    predictor.forward(data=images)  # it keeps its shapes
    with pytest.raises(mxinfer.InvalidArgumentError, match="no output 1"):
        predictor.get_output(1)


def test_reads_arrays_of_files(files: Tuple[str, bytes]) -> None:
    arrays = mx_like.load_ndarray_file(files[1])
    assert isinstance(arrays, dict)
    assert all(name[:4] in ("arg:", "aux:") for name in arrays)
    with pytest.raises(mxinfer.MalformedError):
        mx_like.load_ndarray_file(files[1][:99])


EQUAL_NAMES = """{"nodes": [{"op": "null", "name": "data", "attrs": {"__shape__": "(0, 2)"}, "inputs": []},
    {"op": "_mul_scalar", "name": "layer", "attrs": {"scalar": "2"}, "inputs": [[0, 0, 0]]},
    {"op": "Activation", "name": "layer", "attrs": {"act_type": "relu"}, "inputs": [[1, 0, 0]]}],
    "arg_nodes": [0], "heads": [[1, 0, 0], [2, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}}"""


def test_a_monitor_hears_the_names_of_mxnet() -> None:
    predictor = mx_like.Predictor(EQUAL_NAMES, b"", {"data": (1, 2)})
    seen: List[Tuple[str, float]] = []
    predictor.set_monitor_callback(lambda name, array: seen.append((name, float(array[0, 0]))))
    predictor.forward(data=np.array([[-3, 4]], np.float32))
    assert seen == [("layer_output", -6), ("layer_output", 0)]
    assert predictor.get_output(0).tolist() == [[-6, 8]] and predictor.get_output(1).tolist() == [[0, 8]]


def test_outputs_of_one_name_are_all_in_the_dict() -> None:
    model = mxinfer.Model.load_memory(EQUAL_NAMES, b"")
    outputs = mxinfer.Predictor(model).predict({"data": np.array([[-3, 4]], np.float32)})
    assert {name: array.tolist() for name, array in outputs.items()} == {
        "layer_output#0": [[-6, 8]],
        "layer_output#1": [[0, 8]],
    }
    with pytest.raises(mxinfer.InvalidArgumentError, match="layer_output#0"):
        mxinfer.Model.load_memory(EQUAL_NAMES, b"", outputs=["layer_output"])
