#!/usr/bin/env python3
"""Writes a network as MXNet exports it, with seeded random weights, and inputs for one batch size. Runs where MXNet is.

    make_network.py resnet18_v1 --batch 1 25 --output models/resnet18_v1

gives model-symbol.json, model-0000.params and b1/inputs.npz, b25/inputs.npz. Weights and the statistics of BatchNorm are
made as in tests/oracle/network_sweep.py.
"""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "oracle"))

import networks
import photo
from sweep import networks as sweep_networks, weights, worker  # first: it sets environment variables that MXNet reads when it is loaded

import mxnet as mx
import numpy as np

import blocks
import scores


def build(network):
    if network.source == "mxnet":
        return mx.gluon.model_zoo.vision.get_model(network.zoo_name or network.name, pretrained=False)
    if network.source == "gluoncv":
        return sweep_networks.build_gluoncv(network.zoo_name or network.name, sweep_networks.Rule("*", network.kind, []))
    if network.source == "blocks":
        return blocks.BUILDERS[network.name]()
    if network.source == "bert":
        return sweep_networks.language(network.zoo_name, use_decoder=False, use_classifier=False)
    net = mx.gluon.nn.HybridSequential()
    net.add({"lstm": mx.gluon.rnn.LSTM, "gru": mx.gluon.rnn.GRU}[network.source](512, num_layers=2, input_size=512))
    return net


def words(network, index, shape, random):
    """Words, the sentence that each belongs to, how many there are."""
    if index == 2:
        return np.full(shape, network.shapes[0][1], np.float32)
    return random.integers(0, (1000, 2)[index], shape).astype(np.float32)


def make_input(network, index, shape, random, make_images=weights.images):
    if network.kind == "words":
        return words(network, index, shape, random)
    if network.kind == "numbers":
        return sweep_networks.normal(index, shape, random)
    images = make_images(shape, random)
    return np.clip(images * 64 + 127.5, 0, 255).round() if network.kind == "pixels" else images


def make_file(network, index, shape, random):
    """What contestants are given: as make_input, which calibrates the network, but a photo as the bytes of its file."""
    if network.photo:
        return photo.jpeg(weights.images((1, 3, network.photo.height, network.photo.width), random)[0])
    return make_input(network, index, shape, random)


def cut_at(heads, prefix):
    """Keeps only the nodes that lead to these inner values, and their parameters."""
    symbol, args, auxiliary = mx.model.load_checkpoint(prefix, 0)
    inner = symbol.get_internals()
    symbol = mx.sym.Group([inner[name] for name in heads])
    names = set(symbol.list_inputs())
    symbol.save(f"{prefix}-symbol.json")
    kept = {f"{kind}:{name}": array for kind, arrays in (("arg", args), ("aux", auxiliary))
            for name, array in arrays.items() if name in names}
    mx.nd.save(f"{prefix}-0000.params", kept)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", choices=networks.NETWORKS)
    parser.add_argument("--batch", type=int, nargs="+", required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    network = networks.NETWORKS[options.network]
    for batch in options.batch:
        folder = options.output / f"b{batch}"
        folder.mkdir(parents=True, exist_ok=True)
        random = np.random.default_rng(batch)
        np.savez(folder / "inputs.npz", **{name: make_file(network, i, shape, random)
                                           for i, (name, shape) in enumerate(network.inputs(batch).items())})
    if (options.output / "model-0000.params").exists():
        return
    shapes = list(network.inputs(2).values())
    described = sweep_networks.Network(
        network.name, network.kind, lambda: build(network), [shapes],
        lambda index, shape, random: make_input(network, index, shape, random))
    mx.random.seed(1)
    net, inputs = worker.prepared(described, np.random.default_rng(1))
    if network.photo:
        scores.make_likely(net, network.photo.transforms)
    net.hybridize()
    net(*[mx.nd.array(array) for array in inputs])
    net.export(str(options.output / "model"))
    if network.heads:
        cut_at(network.heads, str(options.output / "model"))


if __name__ == "__main__":
    main()
