#!/usr/bin/env python3
"""Writes an exported network as ONNX, with MXNet's own exporter. Runs where MXNet 1.9.1 and ONNX 1.12 are.

    export_onnx.py models/resnet18_v1/model models/resnet18_v1/b1/inputs.npz models/resnet18_v1/b1/model.onnx
"""
import argparse
import json
import os
import pathlib

os.environ["MXNET_SUBGRAPH_VERBOSE"] = "0"

import mxnet as mx
import numpy as np
import onnx

import mend_onnx
import mend_symbol


def read(prefix):
    """The symbol and its parameters by name."""
    graph = json.loads(pathlib.Path(f"{prefix}-symbol.json").read_text())
    mend_symbol.mend(graph)
    _, args, auxiliary = mx.model.load_checkpoint(prefix, 0)
    return mx.sym.load_json(json.dumps(graph)), {**args, **auxiliary}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("prefix")
    parser.add_argument("inputs")
    parser.add_argument("output")
    options = parser.parse_args()
    symbol, parameters = read(options.prefix)
    with np.load(options.inputs) as arrays:
        shapes = {name: arrays[name].shape for name in arrays.files}
    # The exporter takes shapes in the order in which the graph reads its inputs.
    names = [name for name in symbol.list_inputs() if name in shapes]
    unfinished = options.output + ".part"
    mx.onnx.export_model(symbol, parameters, [shapes[name] for name in names],
                         [np.float32] * len(names), unfinished)
    model = onnx.load(unfinished)
    mend_onnx.mend(model.graph, symbol.list_outputs())
    onnx.save(model, unfinished)
    os.replace(unfinished, options.output)


if __name__ == "__main__":
    main()
