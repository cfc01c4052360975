#!/usr/bin/env python3
"""Writes networks with seeded weights, and inputs for each batch size. Needs NumPy, but not MXNet; nothing is fetched.

    python3 bench/peers/beside_torch/make.py build/gpu-networks                      all, 1.3 GB in about ten seconds
    python3 bench/peers/beside_torch/make.py build/gpu-networks --network resnet50 --batch 1 8

gives build/gpu-networks/resnet50/model-symbol.json, model-0000.params and b1/data.npy, b8/data.npy.
"""
import argparse
import pathlib

import numpy as np

import weights
from architectures import NETWORKS, SMALL_NETWORKS
from mxnet_symbol import symbol_of

SEED = 1


def make(name, folder, batches):
    """Writes what is not there yet. Returns the description and the folder of the network."""
    net, of_network = {**NETWORKS, **SMALL_NETWORKS}[name](), pathlib.Path(folder) / name
    of_network.mkdir(parents=True, exist_ok=True)
    parameters = of_network / "model-0000.params"
    if not parameters.exists():
        (of_network / "model-symbol.json").write_text(symbol_of(net))
        unfinished = parameters.with_suffix(".unfinished")
        weights.write_params(unfinished, len(net.parameters()), weights.arrays(net, SEED))
        unfinished.rename(parameters)
    for batch in batches:
        of_batch = of_network / f"b{batch}"
        of_batch.mkdir(exist_ok=True)
        for input_name, values in weights.inputs(net, batch, SEED).items():
            np.save(of_batch / f"{input_name}.npy", values)
    return net, of_network


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--network", nargs="+", choices=[*NETWORKS, *SMALL_NETWORKS], default=list(NETWORKS))
    parser.add_argument("--batch", type=int, nargs="+", default=[1, 32])
    options = parser.parse_args()
    for name in options.network:
        make(name, options.folder, options.batch)


if __name__ == "__main__":
    main()
