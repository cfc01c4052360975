#!/usr/bin/env python3
"""Makes the calibration set of a network and MXNet's float32 outputs for it, seeded. Runs where MXNet is.

    make_calibration.py resnet18_v1 models/resnet18_v1

gives calibration.npz and calibration-float32.npz.
"""
import argparse
import os
import pathlib

import networks
from make_network import make_input, weights  # first: it sets environment variables that MXNet reads when it is loaded

import mxnet as mx
import numpy as np

import calibration

BATCH = 8
SEED = 1000  # inputs that are timed have the batch size as their seed


def varied_images(shape, random):
    """Images as different as photos in contrast, brightness and colour. Those of one kind lead to nearly one output."""
    images = weights.images(shape, random)
    ones = (1,) * (len(shape) - 2)
    contrast = 2 ** random.uniform(-1, 1, (shape[0], 1, *ones))
    return (images * contrast + random.normal(0, 0.5, (*shape[:2], *ones))).astype(np.float32)


def mxnet_runner(prefix, shapes):
    symbol, args, auxiliary = mx.model.load_checkpoint(prefix, 0)
    names = [name for name in symbol.list_inputs() if name in shapes]
    module = mx.mod.Module(symbol, data_names=names, label_names=None)
    module.bind(for_training=False, data_shapes=[(name, shapes[name]) for name in names])
    module.set_params(args, auxiliary, allow_missing=False)

    def run_on(batch):
        module.forward(mx.io.DataBatch([mx.nd.array(batch[name]) for name in names]), is_train=False)
        return [output.asnumpy() for output in module.get_outputs()]
    return run_on


def save(path, arrays):
    """Under its name only when it is whole."""
    unfinished = path.with_name("unfinished-" + path.name)
    np.savez(unfinished, **arrays)
    os.replace(unfinished, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", choices=networks.NETWORKS)
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    network = networks.NETWORKS[options.network]
    random = np.random.default_rng(SEED)
    inputs = {name: make_input(network, i, shape, random, varied_images)
              for i, (name, shape) in enumerate(network.inputs(calibration.SAMPLES).items())}
    outputs = calibration.predict(mxnet_runner(str(options.folder / "model"), network.inputs(BATCH)), inputs, BATCH)
    save(options.folder / calibration.OUTPUTS, {str(i): output for i, output in enumerate(outputs)})
    save(options.folder / calibration.INPUTS, inputs)


if __name__ == "__main__":
    main()
