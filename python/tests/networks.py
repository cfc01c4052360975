"""Small networks, written as symbol files are, without any code of the reader."""

from __future__ import annotations

import json
import pathlib
import struct
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

import mxinfer


def symbol(nodes: List[Dict[str, Any]], heads: List[int]) -> str:
    arguments = [i for i, node in enumerate(nodes) if node["op"] == "null"]
    return json.dumps(
        {
            "nodes": nodes,
            "arg_nodes": arguments,
            "node_row_ptr": list(range(len(nodes) + 1)),
            "heads": [[head, 0, 0] for head in heads],
            "attrs": {"mxnet_version": ["int", 10901]},
        }
    )


def node(op: str, name: str, *inputs: int, **attrs: str) -> Dict[str, Any]:
    return {"op": op, "name": name, "attrs": attrs, "inputs": [[i, 0, 0] for i in inputs]}


def powers(size: int, count: int) -> mxinfer.Model:
    """data multiplied with itself so many times."""
    nodes = [node("null", "data")]
    for i in range(count):
        nodes.append(node("dot", "dot{}".format(i), i, 0))
    return mxinfer.Model.load_memory(symbol(nodes, [count]), inputs={"data": (size, size)})


def sum_and_difference() -> mxinfer.Model:
    nodes = [
        node("null", "a"),
        node("null", "b"),
        node("elemwise_add", "sum", 0, 1),
        node("elemwise_sub", "difference", 0, 1),
    ]
    return mxinfer.Model.load_memory(symbol(nodes, [2, 3]), inputs={"a": (-1, 3), "b": (-1, 3)})


def copy_of(dtype: str, shape: Any = (-1, 4)) -> mxinfer.Model:
    """Gives back what it gets."""
    nodes = [node("null", "data"), node("_copy", "copied", 0)]
    return mxinfer.Model.load_memory(
        symbol(nodes, [1]), inputs=[mxinfer.DataDesc("data", tuple(shape), dtype)]
    )


def params(arrays: Dict[str, np.ndarray]) -> bytes:
    """A .params file of float32 arrays."""
    out = struct.pack("<QQQ", 0x112, 0, len(arrays))
    for array in arrays.values():
        out += struct.pack("<Iii", 0xF993FAC9, 0, array.ndim)
        out += struct.pack("<{}q".format(array.ndim), *array.shape)
        out += struct.pack("<iii", 1, 0, 0) + array.astype("<f4").tobytes()
    out += struct.pack("<Q", len(arrays))
    for name in arrays:
        out += struct.pack("<Q", len(name)) + name.encode()
    return out


def detector(rows: Any, labels: Optional[List[str]] = None) -> mxinfer.Model:
    """Takes images of 20 x 10 pixels, and finds the same rows (id, score, left, top, right, bottom) in each."""
    return mxinfer.Model.load_memory(*detector_files(rows), labels=labels)


def detector_files(rows: Any) -> Tuple[str, bytes]:
    """The symbol and the parameters of detector()."""
    found = np.asarray(rows, np.float32).reshape(1, -1, 6)
    nodes = [
        node("null", "data", __shape__="(0, 3, 10, 20)"),
        node("null", "rows"),
        node("mean", "mean", 0, axis="(1, 2, 3)"),
        node("_mul_scalar", "none", 2, scalar="0"),
        node("Reshape", "batch", 3, shape="(-1, 1, 1)"),
        node("broadcast_add", "found", 4, 1),
    ]
    return symbol(nodes, [5]), params({"arg:rows": found})


BAG_INPUTS = {"data": (-1, -1), "valid_length": (-1,)}


def bag_of_ids(weights: Dict[str, np.ndarray], labels: Optional[List[str]] = None) -> mxinfer.Model:
    """Ids (batch, time) and how many of them count: the sum of their rows, times a matrix, through a softmax."""
    return mxinfer.Model.load_memory(*bag_files(weights), inputs=BAG_INPUTS, labels=labels)


def bag_files(weights: Dict[str, np.ndarray]) -> Tuple[str, bytes]:
    """The symbol and the parameters of bag_of_ids()."""
    rows, width = weights["rows"].shape
    nodes = [
        node("null", "data"),
        node("null", "valid_length"),
        node("null", "rows"),
        node("null", "weight"),
        node("Embedding", "embedding", 0, 2, input_dim=str(rows), output_dim=str(width)),
        node("SequenceMask", "mask", 4, 1, use_sequence_length="True", axis="1"),
        node("sum", "sum", 5, axis="1"),
        node("FullyConnected", "dense", 6, 3, num_hidden=str(weights["weight"].shape[0]), no_bias="True"),
        node("softmax", "scores", 7),
    ]
    return symbol(nodes, [8]), params({"arg:" + name: array for name, array in weights.items()})


def step_files(weights: Dict[str, np.ndarray]) -> Tuple[str, bytes]:
    """One step of a recurrent network: an id (batch, 1) and a state give scores and the next state."""
    rows, width = weights["rows"].shape
    count = str(weights["scores_weight"].shape[0])
    nodes = [
        node("null", "data"),
        node("null", "state"),
        node("null", "rows"),
        node("null", "input_weight"),
        node("null", "state_weight"),
        node("null", "scores_weight"),
        node("Embedding", "embedding", 0, 2, input_dim=str(rows), output_dim=str(width)),
        node("FullyConnected", "of_input", 6, 3, num_hidden=str(width), no_bias="True"),
        node("FullyConnected", "of_state", 1, 4, num_hidden=str(width), no_bias="True"),
        node("elemwise_add", "added", 7, 8),
        node("Activation", "next", 9, act_type="tanh"),
        node("FullyConnected", "scores", 10, 5, num_hidden=count, no_bias="True"),
    ]
    return symbol(nodes, [11, 10]), params({"arg:" + name: array for name, array in weights.items()})


def doubled(features: int) -> mxinfer.Model:
    """Gives two times what it gets, (batch, time, features)."""
    nodes = [node("null", "data"), node("_mul_scalar", "doubled", 0, scalar="2")]
    return mxinfer.Model.load_memory(symbol(nodes, [1]), inputs={"data": (-1, -1, features)})


def bucket_files(folder: pathlib.Path) -> pathlib.Path:
    """A prefix of networks for lengths of 2 and 4, each of which doubles what it gets, and adds a weight that they share."""
    for length in (2, 4):
        nodes = [
            node("null", "data", __shape__="(0, {}, 2)".format(length)),
            node("null", "added"),
            node("_mul_scalar", "twice", 0, scalar="2"),
            node("broadcast_add", "sum", 2, 1),
        ]
        (folder / "lstm-{}-symbol.json".format(length)).write_text(symbol(nodes, [3]))
    added = np.float32([[[0.5, 0.25]]])
    (folder / "lstm-0001.params").write_bytes(params({"arg:added": added}))
    return folder / "lstm"
