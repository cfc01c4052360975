#!/usr/bin/env python3
"""Forecasters of GluonTS, exported as symbols, beside MXNet: given the numbers that MXNet drew, and with their own draws.

    forecasters.py --mxinfer build/release/bin/mxinfer

Wants GluonTS 0.11 beside MXNet 1.9.1 (pip install mxnet==1.9.1 "numpy<1.24" "pandas<2" gluonts==0.11.12).
"""
import argparse
import json
import logging
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

os.environ.update(MXNET_SUBGRAPH_BACKEND="NONE", MXNET_MKLDNN_ENABLED="0", MXNET_SUBGRAPH_VERBOSE="0", MXNET_STORAGE_FALLBACK_LOG_VERBOSE="0")
warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)

import mxnet as mx
import numpy as np
from gluonts.dataset.common import ListDataset
from gluonts.mx import DeepAREstimator, SimpleFeedForwardEstimator, Trainer

TOLERANCE = 1e-4


def estimators():
    trainer = Trainer(epochs=1, num_batches_per_epoch=2, hybridize=True)
    yield "feed-forward", SimpleFeedForwardEstimator(prediction_length=5, context_length=10, num_hidden_dimensions=[8], trainer=trainer)
    yield "DeepAR", DeepAREstimator(freq="D", prediction_length=4, context_length=8, num_cells=8, num_layers=2, num_parallel_samples=3,
                                    trainer=trainer)


def series():
    days = np.arange(120)
    return ListDataset([{"start": "2020-01-01", "target": list(np.sin(days / 5 + i) + 2)} for i in range(4)], freq="D")


def export(estimator, dataset, folder):
    """Writes the forecaster, and returns what its network is called with."""
    predictor = estimator.train(dataset).as_symbol_block_predictor(dataset=dataset)
    predictor.serialize(folder)
    given = []
    plain = mx.gluon.SymbolBlock.forward

    def forward(block, *arguments):
        given.append([array.asnumpy() for array in arguments])
        return plain(block, *arguments)

    mx.gluon.SymbolBlock.forward = forward
    try:
        list(predictor.predict(dataset))
    finally:
        mx.gluon.SymbolBlock.forward = plain
    return given[0]


def run_mxnet(model, inputs):
    """(inputs by name, draws by the name of their node, output)"""
    symbol = mx.sym.load(f"{model}-symbol.json")
    parameters = {name.split(":", 1)[1]: array for name, array in mx.nd.load(f"{model}-0000.params").items()}
    names = [name for name in symbol.list_inputs() if name not in parameters]
    names.sort(key=lambda name: (len(name), name))
    drawing = [node["name"] for node in json.loads(symbol.tojson())["nodes"] if node["op"].startswith(("_sample_", "_random_"))]
    internals = symbol.get_internals()
    group = mx.sym.Group([symbol, *(internals[f"{name}_output"] for name in drawing)])
    values = dict(zip(names, map(mx.nd.array, inputs)))
    outputs = group.bind(mx.cpu(), args={**values, **parameters}).forward(is_train=False)
    arrays = [output.asnumpy() for output in outputs]
    return {name: value.asnumpy() for name, value in values.items()}, dict(zip(drawing, arrays[1:])), arrays[0]


def run_mxinfer(command, model, arrays, *options):
    with tempfile.TemporaryDirectory() as folder:
        given = pathlib.Path(folder) / "given.npz"
        np.savez(given, **arrays)
        done = subprocess.run([command, "predict", model, "-i", given, "-o", f"{folder}/out", *options], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(done.stderr)
        return np.load(f"{folder}/out/0.npy")


def check(command, name, estimator, folder):
    inputs = export(estimator, series(), folder)
    model = str(folder / "prediction_net")
    named, draws, expected = run_mxnet(model, inputs)
    ours = run_mxinfer(command, model, {**named, **draws})
    apart = np.abs(ours - expected).max() / np.abs(expected).max()
    assert ours.shape == expected.shape and apart <= TOLERANCE, (name, ours.shape, expected.shape, apart)
    own = [run_mxinfer(command, model, named, "--random", "execute", "--seed", seed) for seed in "778"]
    assert np.array_equal(own[0], own[1]) and not np.array_equal(own[0], own[2]) and np.isfinite(own[0]).all(), name
    print(f"{name}: with MXNet's {len(draws)} draws {apart:.1e} of the largest; its own have mean {own[0].mean():.2f}, MXNet's {expected.mean():.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mxinfer", required=True)
    options = parser.parse_args()
    mx.random.seed(1)
    np.random.seed(1)
    for name, estimator in estimators():
        with tempfile.TemporaryDirectory() as folder:
            check(options.mxinfer, name, estimator, pathlib.Path(folder))


if __name__ == "__main__":
    sys.exit(main())
