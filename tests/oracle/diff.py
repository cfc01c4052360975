#!/usr/bin/env python3
"""Tries `mxinfer diff` against MXNet: docs/how-to/dump_internals.py, the very script of the page, dumps a network's inner values;
all must agree, and a weight that is changed must be found by the name of its layer.

    diff.py --mxinfer build/release/bin/mxinfer
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"

import mxnet as mx
import numpy as np
from mxnet.gluon import nn

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "how-to" / "dump_internals.py"


def make_network():
    """Two blocks of which each is fused into one node, a residual addition, and a classifier."""
    net = nn.HybridSequential()
    for channels in (8, 8):
        net.add(nn.Conv2D(channels, 3, padding=1), nn.BatchNorm(), nn.Activation("relu"))
    net.add(nn.Dropout(0.5), nn.GlobalAvgPool2D(), nn.Dense(5))
    net.initialize(mx.init.Normal(0.3))
    net.hybridize()
    return net


def save_equal_names(folder, data):
    """A convolution and its activation of one name, and two outputs of one name."""
    relu = mx.sym.Activation(mx.sym.Convolution(mx.sym.var("data"), num_filter=2, kernel=(3, 3), name="conv0"), act_type="relu", name="conv0")
    heads = [mx.sym.FullyConnected(relu, mx.sym.var(f"w{i}"), mx.sym.var(f"b{i}"), num_hidden=3, name="fc") for i in range(2)]
    symbol = mx.sym.Group(heads)
    shapes, _, _ = symbol.infer_shape(data=data.shape)
    arguments = {name: mx.nd.random.normal(shape=shape) for name, shape in zip(symbol.list_arguments(), shapes) if name != "data"}
    mx.model.save_checkpoint(str(folder / "net"), 0, symbol, arguments, {})


def dump(folder):
    subprocess.run([sys.executable, SCRIPT, folder / "net", "0", folder / "dumped", f"data={folder / 'data.npy'}"], check=True)


def diff(command, folder, *options):
    done = subprocess.run([command, "diff", folder / "net", "--reference", folder / "dumped", "--json", *options],
                          capture_output=True, text=True)
    return done.returncode, json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mxinfer", metavar="PATH", required=True, help="the command")
    command = str(pathlib.Path(parser.parse_args().mxinfer).resolve())
    mx.random.seed(3)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        data = np.random.default_rng(1).normal(0, 1, (2, 3, 12, 12)).astype(np.float32)
        net = make_network()
        net(mx.nd.array(data))
        net.export(str(folder / "net"))
        np.save(folder / "data.npy", data)
        dump(folder)
        for options in ([], ["--one-by-one"], ["--target", "ref"]):
            code, report = diff(command, folder, *options)
            assert code == 0 and report["first"] is None and report["without_file"] == 0, (options, report)
            assert len(report["values"]) == 9 and len(report["outputs"]) == 1, report
        saved = mx.nd.load(str(folder / "net-0000.params"))
        changed = next(name for name in saved if name.endswith("conv1_weight"))
        saved[changed][0] += 0.1
        mx.nd.save(str(folder / "net-0000.params"), saved)
        for options in ([], ["--one-by-one"]):
            code, report = diff(command, folder, *options)
            assert code == 1 and report["first"]["name"].endswith("conv1_fwd_output"), (options, report)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        np.save(folder / "data.npy", data)
        save_equal_names(folder, data)
        dump(folder)
        for options in ([], ["--one-by-one"]):
            code, report = diff(command, folder, *options)
            assert code == 0 and report["without_file"] == 0, (options, report)
            names = [value["name"] for value in report["values"]]
            assert names == ["conv0_output#0", "conv0_output#1", "fc_output#0", "fc_output#1"], names
            assert [output["name"] for output in report["outputs"]] == names[2:], report
    print("mxinfer diff agrees with MXNet, and finds the layer that was changed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
