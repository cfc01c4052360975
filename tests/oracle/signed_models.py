#!/usr/bin/env python3
"""Shows what mxinfer writes to MXNet itself: signed models, and .params files.

    signed_models.py --mxinfer build/release/bin/mxinfer --writer build/release/tests/oracle/mxinfer_write_params

A network that MXNet exports is signed by `mxinfer sign`, and must then give the same numbers in MXNet, through
load_checkpoint and Module and through Gluon's SymbolBlock.imports, and in mxinfer. A .params file that mxinfer wrote must
hold the same bytes in MXNet.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"
os.environ["MXNET_SUBGRAPH_VERBOSE"] = "0"
os.environ["MXNET_STORAGE_FALLBACK_LOG_VERBOSE"] = "0"

import mxnet as mx
import numpy as np
from mxnet import gluon

LABELS = ["cat", "d\u00f6g \"quoted\" \\ back", "tab\there", "\u7334", "five"]


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} exited with {done.returncode}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def with_module(prefix, data):
    symbol, arguments, auxiliary = mx.model.load_checkpoint(prefix, 0)
    module = mx.mod.Module(symbol, label_names=None)
    module.bind(for_training=False, data_shapes=[("data", data.shape)])
    module.set_params(arguments, auxiliary)
    module.forward(mx.io.DataBatch([mx.nd.array(data)]), is_train=False)
    return module.get_outputs()[0].asnumpy()


def with_gluon(prefix, data):
    return gluon.SymbolBlock.imports(f"{prefix}-symbol.json", ["data"], f"{prefix}-0000.params")(mx.nd.array(data)).asnumpy()


def with_mxinfer(command, prefix, data, folder):
    np.save(folder / "data.npy", data)
    run(command, "predict", prefix, "--input", f"data={folder / 'data.npy'}", "--output", folder)
    return np.load(folder / "0.npy")


def export_network(prefix):
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Conv2D(6, 3, activation="relu"), gluon.nn.BatchNorm(), gluon.nn.MaxPool2D(), gluon.nn.Dense(5),
            gluon.nn.HybridLambda("softmax"))
    mx.random.seed(3)
    net.initialize(mx.init.Xavier())
    net.hybridize()
    data = np.random.default_rng(3).uniform(0, 1, (2, 3, 12, 10)).astype(np.float32)
    answer = net(mx.nd.array(data)).asnumpy()
    net.export(prefix)
    return data, answer


def same(what, expected, actual, tolerance=0.0):
    if expected.shape != actual.shape or not np.abs(expected - actual).max() <= tolerance:
        raise ValueError(f"{what} gives other numbers: {actual.ravel()[:5]}, expected {expected.ravel()[:5]}")
    print(f"ok: {what}")


def check_signed(command, folder):
    plain, signed = str(folder / "plain"), str(folder / "signed")
    data, answer = export_network(plain)
    (folder / "labels.txt").write_text("\n".join(LABELS) + "\n", encoding="utf-8")
    made = json.loads(run(command, "sign", plain, "--describe", "data=-1,3,12,10:float32:NCHW", "--labels",
                          folder / "labels.txt", "--output", signed, "--json"))
    if made["outputs"][0]["meaning"] != "scores" or made["labels"] != LABELS:
        raise ValueError(f"the signature is {made}")
    same("the signed model with load_checkpoint and Module", answer, with_module(signed, data))
    same("the signed model with SymbolBlock.imports", answer, with_gluon(signed, data))
    same("the signed model in mxinfer", answer, with_mxinfer(command, signed, data, folder), 1e-5)
    # What MXNet writes again has no signature, and is guessed at again.
    symbol, arguments, auxiliary = mx.model.load_checkpoint(signed, 0)
    mx.model.save_checkpoint(str(folder / "again"), 0, symbol, arguments, auxiliary)
    report = json.loads(run(command, "inspect", folder / "again", "--json"))
    if report["signature_from_file"]:
        raise ValueError("MXNet kept the signature: docs/reference/signature-format.md says that it does not")


def check_params(command, writer, folder):
    prefix = str(folder / "made")
    run(writer, prefix)
    data = np.random.default_rng(4).uniform(-1, 1, (2, 3)).astype(np.float32)
    answer = with_module(prefix, data)
    same("parameters that mxinfer wrote, with SymbolBlock.imports", answer, with_gluon(prefix, data), 1e-6)
    same("parameters that mxinfer wrote, in mxinfer", answer, with_mxinfer(command, prefix, data, folder),
         1e-5 * np.abs(answer).max())
    weight = mx.nd.load(f"{prefix}-0000.params")["arg:fc_weight"].asnumpy()
    same("the weight", (np.arange(12, dtype=np.float32) * 0.25 - 8).reshape(4, 3), weight)
    for name, array in mx.nd.load(f"{prefix}-arrays.params").items():
        dtype = np.dtype(name.split(":")[1])
        count = 6 * dtype.itemsize
        expected = np.arange(count, dtype=np.uint8) % (2 if dtype == np.bool_ else 256)
        actual = array.asnumpy()
        if actual.dtype != dtype or actual.shape != (2, 3):
            raise ValueError(f"{name} is {actual.dtype} {actual.shape}")
        same(name, expected.astype(np.int64), np.frombuffer(actual.tobytes(), np.uint8).astype(np.int64))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mxinfer", required=True, metavar="PATH")
    parser.add_argument("--writer", required=True, metavar="PATH", help="the program of write_params.cpp")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        check_signed(options.mxinfer, folder)
        check_params(options.mxinfer, options.writer, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
