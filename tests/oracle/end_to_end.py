#!/usr/bin/env python3
"""Holds models with transforms to MXNet: what `mxinfer fuse` writes, MXNet must run with the same results, and what
Gluon and GluonCV export with transforms in front, mxinfer must.

    end_to_end.py --mxinfer build/release/bin/mxinfer            every case
    end_to_end.py --mxinfer ... post_top_k gluon_export          these
    end_to_end.py --list

Images are uint8 of several sizes, alone and in batches of three. Results may differ by 1e-4 of a row's largest
magnitude; ids must be equal, but where scores are closer to each other than that.
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"  # no fusion: the plain operators are the specification
os.environ["MXNET_SUBGRAPH_VERBOSE"] = "0"
os.environ["MXNET_STORAGE_FALLBACK_LOG_VERBOSE"] = "0"

import mxnet as mx
import numpy as np
from mxnet import gluon
from mxnet.gluon.data.vision import transforms

import model_zoo

TOLERANCE = 1e-4
MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
# (height, width): larger, smaller, both at once, and the network's own.
SIZES = ((300, 260), (150, 333), (224, 224))
BATCHES = (1, 3)

RESIZE = {"op": "resize", "size": [224, 224]}
NORMALIZE = [{"op": "to_tensor"}, {"op": "normalize", "mean": MEAN, "std": STD}]
IMAGENET = [RESIZE] + NORMALIZE


def images(count, height, width, random):
    """Smooth patterns with some noise, as bytes."""
    y, x = np.mgrid[0:height, 0:width]
    batch = random.normal(128, 10, (count, height, width, 3))
    for image in batch:
        for channel in range(3):
            fx, fy, phase = random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), random.uniform(0, 6)
            image[:, :, channel] += 90 * np.sin(fx * x + fy * y + phase)
    return np.clip(batch, 0, 255).astype(np.uint8)


def classifier(name, folder):
    """A network of the model zoo, exported to folder/net."""
    net = model_zoo.make_network(name, 224, np.random.default_rng(1 + model_zoo.NAMES.index(name)))
    net(mx.nd.zeros((1, 3, 224, 224)))
    net.export(str(folder / "net"))
    return net


def towers(folder, outputs):
    """Two inputs through one convolution each into one or two outputs: folder/net."""
    random = np.random.default_rng(7)
    arrays, sides = {}, []
    for name in ("left", "right"):
        x = mx.sym.Convolution(mx.sym.var(name), kernel=(3, 3), stride=(4, 4), num_filter=8, name=f"{name}_conv")
        x = mx.sym.BatchNorm(x, fix_gamma=False, name=f"{name}_bn")
        sides.append(mx.sym.Pooling(mx.sym.relu(x), global_pool=True, kernel=(1, 1), pool_type="avg"))
    both = mx.sym.Flatten(mx.sym.concat(*sides, dim=1), name="both")
    scores = mx.sym.FullyConnected(both, num_hidden=10, name="scores")
    heads = [scores, mx.sym.tanh(both, name="features")][:outputs]
    symbol = mx.sym.Group(heads) if outputs > 1 else scores
    shapes, _, states = symbol.infer_shape(left=(1, 3, 64, 64), right=(1, 3, 64, 64))
    for name, shape in zip(symbol.list_arguments(), shapes):
        if name not in ("left", "right"):
            low = 0.5 if name.endswith("gamma") else -0.5
            arrays[f"arg:{name}"] = mx.nd.array(random.uniform(low, low + 1, shape))
    for name, shape in zip(symbol.list_auxiliary_states(), states):
        low = 0.5 if name.endswith("var") else -0.3
        arrays[f"aux:{name}"] = mx.nd.array(random.uniform(low, low + 0.6, shape))
    symbol.save(str(folder / "net-symbol.json"))
    mx.nd.save(str(folder / "net-0000.params"), arrays)


def features(folder, count):
    """A network of rows of features: folder/net."""
    random = np.random.default_rng(11)
    hidden = mx.sym.Activation(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=16, name="hidden"), act_type="tanh")
    symbol = mx.sym.softmax(mx.sym.FullyConnected(hidden, num_hidden=3, name="scores"))
    shapes, _, _ = symbol.infer_shape(data=(1, count))
    arrays = {f"arg:{name}": mx.nd.array(random.uniform(-0.5, 0.5, shape))
              for name, shape in zip(symbol.list_arguments(), shapes) if name != "data"}
    symbol.save(str(folder / "net-symbol.json"))
    mx.nd.save(str(folder / "net-0000.params"), arrays)


class Mxinfer:
    def __init__(self, command, folder):
        self.command, self.folder = command, folder

    def run(self, *arguments):
        done = subprocess.run([self.command, *map(str, arguments)], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"mxinfer {arguments[0]} exited with {done.returncode}: {(done.stderr or done.stdout).strip()}")
        return done.stdout

    def fuse(self, transforms_list=None, post=None, *arguments):
        arguments = ["--network", self.folder / "net", "--output", self.folder / "fused", *arguments]
        for option, steps in (("--transforms", transforms_list), ("--post", post)):
            if steps is not None:
                file = self.folder / f"{option[2:]}.json"
                file.write_text(json.dumps(steps))
                arguments += [option, file]
        return json.loads(self.run("fuse", *arguments, "--json"))

    def predict(self, model, inputs, *arguments):
        arguments = ["predict", self.folder / model, "--output", self.folder / "out", "--force", "--json", *arguments]
        for name, array in inputs.items():
            np.save(self.folder / f"{name}.npy", array)
            arguments += ["--input", f"{name}={self.folder / name}.npy"]
        report = json.loads(self.run(*arguments))
        return [np.load(output["file"]) for output in report["outputs"]]


def in_module(prefix, inputs):
    """What the Module interface of MXNet makes of a pair of files."""
    symbol, args, states = mx.model.load_checkpoint(str(prefix), 0)
    module = mx.mod.Module(symbol, data_names=list(inputs), label_names=None)
    module.bind(data_shapes=[mx.io.DataDesc(name, array.shape, dtype=array.dtype) for name, array in inputs.items()],
                for_training=False)
    module.set_params(args, states)
    module.forward(mx.io.DataBatch([mx.nd.array(array, dtype=array.dtype) for array in inputs.values()]),
                   is_train=False)
    return [output.asnumpy() for output in module.get_outputs()]


def in_gluon(prefix, inputs):
    """What Gluon makes of it."""
    block = gluon.SymbolBlock.imports(f"{prefix}-symbol.json", list(inputs), f"{prefix}-0000.params")
    outputs = block(*[mx.nd.array(array, dtype=array.dtype) for array in inputs.values()])
    return [output.asnumpy() for output in (outputs if isinstance(outputs, (list, tuple)) else [outputs])]


def require_equal(expected, actual, what):
    """The largest difference, relative to the row's largest magnitude."""
    if len(expected) != len(actual):
        raise ValueError(f"{what}: {len(actual)} outputs, expected {len(expected)}")
    worst, close = 0.0, None
    for number, (mxnet, ours) in enumerate(zip(expected, actual)):
        if mxnet.shape != ours.shape or mxnet.dtype != ours.dtype:
            raise ValueError(f"{what}: output {number} is {ours.dtype} {ours.shape}, expected {mxnet.dtype} {mxnet.shape}")
        if not np.issubdtype(mxnet.dtype, np.floating):
            # Neighbours whose scores are as close as that may change places, and so may the last and the next.
            clear = np.ones(mxnet.shape, bool) if close is None else ~close
            if (mxnet[clear] != ours[clear]).any():
                raise ValueError(f"{what}: output {number} differs: {mxnet.tolist()}, mxinfer {ours.tolist()}")
            continue
        rows = mxnet.reshape(mxnet.shape[0], -1).astype(np.float64)
        scale = np.abs(rows).max(axis=1)
        difference = float((np.abs(rows - ours.reshape(rows.shape)).max(axis=1) / scale).max())
        if not difference <= TOLERANCE:
            raise ValueError(f"{what}: output {number} differs by {difference:.2e} of its scale")
        worst = max(worst, difference)
        gaps = np.abs(np.diff(rows, axis=1)) <= TOLERANCE * scale[:, None]
        edge = np.zeros((rows.shape[0], 1), bool)
        close = (np.hstack([gaps, edge | True]) | np.hstack([edge, gaps])).reshape(mxnet.shape)
    return worst


def compare_fused(ours, inputs_for, sizes=SIZES):
    """A fused pair in both of MXNet's interfaces."""
    worst = 0.0
    for size in sizes:
        for count in BATCHES:
            inputs = inputs_for(count, *size)
            actual = ours.predict("fused", inputs)
            for interface in (in_module, in_gluon):
                expected = interface(ours.folder / "fused", inputs)
                what = f"{interface.__name__[3:]}, {count} of {size[0]}x{size[1]}"
                worst = max(worst, require_equal(expected, actual, what))
    return worst


def one_input(count, height, width):
    return {"data": images(count, height, width, np.random.default_rng(height * width + count))}


def two_inputs(count, height, width):
    random = np.random.default_rng(height + width + count)
    return collections.OrderedDict(left=images(count, height, width, random),
                                   right=images(count, height, width, random))


def fused_resnet18(ours):
    """Resize, ToTensor, Normalize in front of ResNet-18, as most networks of the model zoo need."""
    classifier("resnet18_v1", ours.folder)
    ours.fuse(IMAGENET)
    return compare_fused(ours, one_input)


def fused_mobilenet(ours):
    """A resize to 256, the centre of 224, and scores for classes."""
    classifier("mobilenet0.25", ours.folder)
    ours.fuse([{"op": "resize", "size": [256, 256]}, {"op": "center_crop", "size": [224, 224]}] + NORMALIZE,
              [{"op": "softmax"}])
    return compare_fused(ours, one_input)


def fused_crop(ours):
    """A crop, a resize with cubic interpolation, and arithmetic instead of ToTensor."""
    classifier("mobilenet0.25", ours.folder)
    ours.fuse([{"op": "crop_resize", "x": 5, "y": 9, "width": 120, "height": 130, "size": [224, 224], "interp": 2},
               {"op": "cast", "dtype": "float32"}, {"op": "transpose", "axes": [0, 3, 1, 2]},
               {"op": "sub", "value": 127.5}, {"op": "div", "value": 60}])
    return compare_fused(ours, one_input)


def post_top_k(ours):
    """The five best of the softmax, scores and ids."""
    classifier("mobilenet0.25", ours.folder)
    ours.fuse(IMAGENET, [{"op": "softmax"}, {"op": "top_k", "k": 5}])
    return compare_fused(ours, one_input)


def two_inputs_same_transforms(ours):
    towers(ours.folder, 1)
    ours.fuse([{"op": "resize", "size": [64, 64]}] + NORMALIZE)
    return compare_fused(ours, two_inputs)


def two_inputs_different_transforms(ours):
    """And two outputs."""
    towers(ours.folder, 2)
    ours.fuse({"left": [{"op": "resize", "size": [80, 64]}] + NORMALIZE,
               "right": [{"op": "crop", "x": 3, "y": 4, "width": 70, "height": 60}, {"op": "to_tensor"}]})
    return compare_fused(ours, two_inputs)


def two_outputs_post(ours):
    """Post-processing behind one of two outputs."""
    towers(ours.folder, 2)
    ours.fuse([{"op": "resize", "size": [64, 64]}] + NORMALIZE,
              {"scores_output": [{"op": "softmax"}, {"op": "top_k", "k": 3}]})
    return compare_fused(ours, two_inputs)


def table(count, *_):
    random = np.random.default_rng(count)
    return collections.OrderedDict(
        age=random.uniform(18, 80, count).astype(np.float32), years=random.integers(0, 40, count).astype(np.int32),
        job=random.integers(-1, 5, count).astype(np.float32), bag=random.normal(3, 2, (count, 4)).astype(np.float32))


def columns(ours):
    """Columns of a table without lookups, which MXNet has not: numbers, ids as one-hot, several in a row."""
    features(ours.folder, 10)
    ours.fuse({"data": {"columns": [
        {"name": "age", "steps": [{"op": "normalize", "mean": 38.6, "std": 13.6}]},
        {"name": "years", "dtype": "int32", "steps": [{"op": "normalize", "mean": 12, "std": 7}]},
        {"name": "job", "steps": [{"op": "one_hot", "depth": 4, "on_value": 2}]},
        {"name": "bag", "size": 4, "steps": [{"op": "normalize", "mean": [1, 1, 3, 2.5], "std": [2, 1, 1, 0.3]},
                                             {"op": "clip", "a_min": -2, "a_max": 2}]}]}})
    return compare_fused(ours, table, sizes=[(0, 0)])


def bare_network(ours):
    """What was fused, without its transforms, is the network that it was made of, bit for bit."""
    net = classifier("mobilenet0.25", ours.folder)
    ours.fuse(IMAGENET, [{"op": "softmax"}, {"op": "top_k", "k": 5}])
    data = {"data": model_zoo.images(3, 224, np.random.default_rng(3))}
    expected = ours.predict("net", data)
    actual = ours.predict("fused", data, "--no-transforms")
    if any((a != b).any() for a, b in zip(expected, actual)):
        raise ValueError("the network without its transforms does not compute what it did before")
    return require_equal([net(mx.nd.array(data["data"])).asnumpy()], actual, "bare")


def exported(name, steps, folder):
    """Transforms and a network as one HybridSequential, exported as Gluon does it."""
    net = classifier(name, folder)
    whole = gluon.nn.HybridSequential()
    for step in steps:
        whole.add(step)
    whole.add(net)
    whole.hybridize()
    return whole


def compare_exported(ours, whole, sizes):
    worst = 0.0
    for height, width in sizes:
        for count in BATCHES:
            inputs = one_input(count, height, width)
            expected = whole(mx.nd.array(inputs["data"], dtype=np.uint8)).asnumpy()
            whole.export(str(ours.folder / "whole"))
            # Gluon's files do not say that the input is of bytes.
            actual = ours.predict("whole", inputs, "--describe", "data=-1,-1,-1,3:uint8:NHWC")
            worst = max(worst, require_equal([expected], actual, f"{count} of {height}x{width}"))
    return worst


def gluon_export(ours):
    steps = [transforms.Resize((224, 224)), transforms.ToTensor(), transforms.Normalize(MEAN, STD)]
    return compare_exported(ours, exported("resnet18_v1", steps, ours.folder), SIZES)


def gluon_export_crop(ours):
    steps = [transforms.CropResize(10, 20, 100, 120, (224, 224), 1), transforms.ToTensor(),
             transforms.Normalize(MEAN, STD)]
    return compare_exported(ours, exported("mobilenet0.25", steps, ours.folder), SIZES)


def gluon_export_no_resize(ours):
    """ToTensor alone, in front of a network that takes any size."""
    return compare_exported(ours, exported("mobilenet0.25", [transforms.ToTensor()], ours.folder), SIZES)


class ChannelArithmetic(gluon.HybridBlock):
    """What GluonCV's export_block puts in front of a network: (x - mean) / std on (N, H, W, C) by plain operators, with
    the numbers as parameters, and then the channels to the front."""

    def __init__(self):
        super().__init__()
        with self.name_scope():
            self.mean = self.params.get_constant("mean", mx.nd.array([123.675, 116.28, 103.53]).reshape((1, 1, 1, 3)))
            self.std = self.params.get_constant("std", mx.nd.array([58.395, 57.12, 57.375]).reshape((1, 1, 1, 3)))

    def hybrid_forward(self, F, x, mean, std):
        return F.transpose(F.broadcast_div(F.broadcast_sub(x, mean), std), axes=(0, 3, 1, 2))


def gluoncv_export(ours):
    """With GluonCV's own export_block where that is installed, which setup.sh does not do."""
    net = classifier("mobilenet0.25", ours.folder)
    whole = gluon.nn.HybridSequential()
    arithmetic = ChannelArithmetic()
    arithmetic.initialize()
    whole.add(arithmetic)
    whole.add(net)
    whole.hybridize()
    try:
        from gluoncv.utils.export_helper import export_block
    except ImportError:
        export_block = None
    worst = 0.0
    for height, width in SIZES:
        for count in BATCHES:
            inputs = {"data": one_input(count, height, width)["data"].astype(np.float32)}
            expected = whole(mx.nd.array(inputs["data"])).asnumpy()
            if export_block:
                export_block(str(ours.folder / "whole"), net)
            else:
                whole.export(str(ours.folder / "whole"))
            what = f"{count} of {height}x{width}, by {'GluonCV' if export_block else 'hand'}"
            worst = max(worst, require_equal([expected], ours.predict("whole", inputs), what))
    return worst


CASES = [fused_resnet18, fused_mobilenet, fused_crop, post_top_k, two_inputs_same_transforms,
         two_inputs_different_transforms, two_outputs_post, columns, bare_network, gluon_export, gluon_export_crop,
         gluon_export_no_resize, gluoncv_export]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help="all of them by default")
    parser.add_argument("--mxinfer", metavar="PATH", help="the command")
    parser.add_argument("--keep", metavar="FOLDER", help="keep the files in this folder")
    parser.add_argument("--list", action="store_true", help="print the names of the cases")
    options = parser.parse_args()
    by_name = {case.__name__: case for case in CASES}
    if options.list:
        print("\n".join(by_name))
        return 0
    unknown = sorted(set(options.cases) - set(by_name))
    if unknown:
        parser.error(f"unknown cases {', '.join(unknown)}; --list prints the known ones")
    if not options.mxinfer:
        parser.error("--mxinfer is needed")
    failed = []
    for name in options.cases or by_name:
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(options.keep) / name if options.keep else pathlib.Path(temporary)
            folder.mkdir(parents=True, exist_ok=True)
            try:
                worst = by_name[name](Mxinfer(str(pathlib.Path(options.mxinfer).resolve()), folder))
                print(f"{name:32} {worst:10.2e}  ok", flush=True)
            except (RuntimeError, ValueError, OSError, mx.MXNetError) as error:
                failed.append(name)
                print(f"{name:32}  FAILED: {error}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
