#!/usr/bin/env python3
"""Holds mxinfer to MXNet on whole networks: every one of Gluon's vision model zoo.

    model_zoo.py --mxinfer build/release/bin/mxinfer             all of them
    model_zoo.py --mxinfer ... resnet18_v1 mobilenetv2_1.0           these
    model_zoo.py --list

Each network gets seeded weights and BatchNorm statistics that are neither zero nor one, is exported, and is run by
MXNet and by `mxinfer predict` on the same images, one alone and three together. The largest difference may be 1e-4 of
an image's largest score, and the five best classes must come in the same order. The files go once a network is done.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"  # no fusion: the plain operators are the specification
os.environ["MXNET_SUBGRAPH_VERBOSE"] = "0"
os.environ["MXNET_STORAGE_FALLBACK_LOG_VERBOSE"] = "0"

import mxnet as mx
import numpy as np
from mxnet import gluon
from mxnet.gluon.model_zoo import vision
from mxnet.gluon.model_zoo.vision import resnet

NAMES = (
    [f"resnet{depth}_v{version}" for version in (1, 2) for depth in (18, 34, 50, 101, 152)]
    + [f"vgg{depth}{suffix}" for suffix in ("", "_bn") for depth in (11, 13, 16, 19)]
    + ["alexnet", "squeezenet1.0", "squeezenet1.1", "inceptionv3"]
    + [f"densenet{depth}" for depth in (121, 161, 169, 201)]
    + [f"mobilenet{width}" for width in ("1.0", "0.75", "0.5", "0.25")]
    + [f"mobilenetv2_{width}" for width in ("1.0", "0.75", "0.5", "0.25")])
BATCHES = (1, 3)
TOLERANCE = 1e-4  # of an image's largest score; float32 sums in other orders through up to 200 layers
# Five best that are closer to each other than this would test rounding, not the network.
SEPARATION = 1e-3


def side_of(name):
    return 299 if name == "inceptionv3" else 224


def images(count, side, random):
    """Smooth coloured patterns with a little noise: noise alone looks the same to a network whatever its seed."""
    y, x = np.mgrid[0:side, 0:side] / side * 2 * np.pi
    batch = random.normal(0, 0.2, (count, 3, side, side))
    for sample in batch:
        for channel in sample:
            for _ in range(4):
                fx, fy, phase = random.uniform(-6, 6), random.uniform(-6, 6), random.uniform(0, 2 * np.pi)
                channel += random.uniform(0.2, 1) * np.sin(fx * x + fy * y + phase)
    return batch.astype(np.float32)


def batch_norms(block):
    found = [block] if isinstance(block, gluon.nn.BatchNorm) else []
    for child in block._children.values():
        found += batch_norms(child)
    return found


def soften_branches(block):
    """Makes the branches of residual blocks small beside what they are added to, as training does. With branches as
    large as that, 150 layers of random numbers turn a difference in the last bit of a pixel into one of 5e-4."""
    for child in block._children.values():
        soften_branches(child)
    if isinstance(block, (resnet.BasicBlockV1, resnet.BottleneckV1)):
        last = block.body[-1].gamma
    elif isinstance(block, (resnet.BasicBlockV2, resnet.BottleneckV2)):
        last = (block.conv3 if isinstance(block, resnet.BottleneckV2) else block.conv2).weight
    else:
        return
    last.set_data(last.data() * 0.2)


def take_statistics(norm, inputs, random):
    """Gives one BatchNorm the statistics of what reaches it, somewhat disturbed."""
    values = inputs[0]
    mean = values.mean(axis=(0, 2, 3))
    variance = ((values - mean.reshape((1, -1, 1, 1))) ** 2).mean(axis=(0, 2, 3))
    shift = mx.nd.array(random.normal(0, 0.1, mean.shape)) * variance.sqrt()
    norm.running_mean.set_data(mean + shift)
    norm.running_var.set_data(variance * mx.nd.array(random.uniform(0.8, 1.25, mean.shape)))


class Weights(mx.init.Initializer):
    """Normal numbers that keep the size of values from layer to layer."""

    def __init__(self, random):
        super().__init__()
        self.random = random

    def _init_weight(self, _, array):
        # The dense layers of VGG have 10^8 weights: they repeat a million numbers, at another place in each row.
        count = min(array.size, 1_000_003)
        normal = self.random.standard_normal(count, dtype=np.float32) * np.float32(np.sqrt(2 / np.prod(array.shape[1:])))
        array[:] = np.resize(normal, array.shape)


def make_network(name, side, random):
    """The network with weights and statistics that keep values in range through every layer."""
    net = vision.get_model(name, pretrained=False)
    net.initialize(Weights(random))
    calibration = mx.nd.array(images(3, side, random))
    net.infer_shape(calibration)
    for key, parameter in net.collect_params().items():
        parameter._finish_deferred_init()
        if key.endswith(("gamma", "beta", "bias")):
            low, high = (0.5, 1.5) if key.endswith("gamma") else (-0.2, 0.2)
            parameter.set_data(mx.nd.array(random.uniform(low, high, parameter.shape)))
    soften_branches(net)
    hooks = [norm.register_forward_pre_hook(lambda norm, inputs: take_statistics(norm, inputs, random))
             for norm in batch_norms(net)]
    net(calibration)
    for hook in hooks:
        hook.detach()
    net.hybridize()
    return net


def separation(scores):
    """The smallest step between the six best of each image, relative to its largest score."""
    best = -np.sort(-scores, axis=1)[:, :6]
    return np.min(best[:, :-1] - best[:, 1:], axis=1) / np.abs(scores).max(axis=1)


def choose_images(net, side, random):
    """Three images whose five best classes are well apart, and MXNet's scores for them."""
    chosen = []
    for _ in range(8):
        batch = images(max(BATCHES), side, random)
        scores = net(mx.nd.array(batch)).asnumpy()
        if not np.isfinite(scores).all():
            raise ValueError("MXNet's scores are not finite")
        chosen += [image for image, gap in zip(batch, separation(scores)) if gap > SEPARATION]
        if len(chosen) >= max(BATCHES):
            return np.stack(chosen[:max(BATCHES)])
    raise ValueError("no images with well separated scores were found")


def run_mxinfer(command, model, batch, folder):
    np.save(folder / "data.npy", batch)
    start = time.time()
    done = subprocess.run([command, "predict", str(model), "--input", f"data={folder / 'data.npy'}", "--output",
                           str(folder)], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"mxinfer exited with {done.returncode}: {(done.stderr or done.stdout).strip()}")
    return np.load(folder / "0.npy"), time.time() - start


def compare(expected, actual):
    if expected.shape != actual.shape or expected.dtype != actual.dtype:
        raise ValueError(f"mxinfer gave {actual.dtype} {actual.shape}, MXNet {expected.dtype} {expected.shape}")
    difference = float((np.abs(expected - actual).max(axis=1) / np.abs(expected).max(axis=1)).max())
    if not np.isfinite(difference):
        raise ValueError("mxinfer's scores are not finite")
    best = [np.argsort(-scores, axis=1, kind="stable")[:, :5] for scores in (expected, actual)]
    return difference, bool((best[0] == best[1]).all())


def check(name, command, folder):
    """One result for each batch size."""
    seed = 1 + NAMES.index(name)
    random = np.random.default_rng(seed)
    side = side_of(name)
    start = time.time()
    net = make_network(name, side, random)
    batch = choose_images(net, side, random)
    net.export(str(folder / "model"))
    scores = {count: net(mx.nd.array(batch[:count])).asnumpy() for count in BATCHES}
    mxnet_seconds = time.time() - start
    results = []
    for count in BATCHES:
        result = {"network": name, "batch": count, "side": side, "mxnet_seconds": round(mxnet_seconds, 2)}
        if command:
            actual, seconds = run_mxinfer(command, folder / "model", batch[:count], folder)
            difference, same_order = compare(scores[count], actual)
            result.update(mxinfer_seconds=round(seconds, 2), difference=difference, top5_equal=same_order,
                          passed=difference <= TOLERANCE and same_order)
        else:
            result.update(separation=float(separation(scores[count]).min()),
                          classes=len(set(scores[count].argmax(axis=1))), largest=float(np.abs(scores[count]).max()),
                          passed=True)
        results.append(result)
    return results


def line(result):
    if "error" in result:
        return f"{result['network']:18} {'':5}  FAILED: {result['error']}"
    if "difference" not in result:
        return (f"{result['network']:18} {result['batch']:5}  largest score {result['largest']:.3g}, "
                f"separation {result['separation']:.1e}, {result['mxnet_seconds']:.1f} s")
    order = "same" if result["top5_equal"] else "OTHER"
    return (f"{result['network']:18} {result['batch']:5}  {result['difference']:10.2e}  {order:5}  "
            f"{result['mxnet_seconds']:8.1f} {result['mxinfer_seconds']:8.1f}  {'ok' if result['passed'] else 'FAILED'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="*", metavar="NETWORK", help="all of them by default")
    parser.add_argument("--mxinfer", metavar="PATH", help="the command; without it MXNet alone runs")
    parser.add_argument("--json", metavar="FILE", help="write the results there too")
    parser.add_argument("--keep", metavar="FOLDER", help="keep the exported networks in this folder")
    parser.add_argument("--list", action="store_true", help="print the names of the networks")
    options = parser.parse_args()
    if options.list:
        print("\n".join(NAMES))
        return 0
    unknown = sorted(set(options.networks) - set(NAMES))
    if unknown:
        parser.error(f"unknown networks {', '.join(unknown)}; --list prints the known ones")

    command = options.mxinfer and str(pathlib.Path(options.mxinfer).resolve())
    if command:
        print(f"{'network':18} {'batch':>5}  {'difference':>10}  {'top 5':5}  {'MXNet s':>8} {'mxinfer s':>8}")
    results = []
    for name in options.networks or NAMES:
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            if options.keep:
                folder = pathlib.Path(options.keep) / name
                folder.mkdir(parents=True, exist_ok=True)
            try:
                found = check(name, command, folder)
            except (RuntimeError, ValueError, OSError, mx.MXNetError) as error:
                found = [{"network": name, "error": str(error), "passed": False}]
        for result in found:
            print(line(result), flush=True)
        results += found
        if options.json:
            pathlib.Path(options.json).write_text(json.dumps(results, indent=1) + "\n")
    failed = sorted({result["network"] for result in results if not result["passed"]})
    print(f"{len({r['network'] for r in results})} networks, {len(failed)} failed" + "".join(f" {n}" for n in failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
