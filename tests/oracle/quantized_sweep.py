#!/usr/bin/env python3
"""Quantizes networks in MXNet 1.9.1, runs them there and in mxinfer, and compares.

    quantized_sweep.py --mxinfer build/release/bin/mxinfer                       every network, in every way
    quantized_sweep.py --mxinfer ... resnet18_v1 '*_int8' --ways fused_auto      some
    quantized_sweep.py --keep DIR ...                                            keeps the files

Networks are those of Gluon and GluonCV, with seeded weights (sweep/weights.py), and GluonCV's int8 symbol files with
random parameters. A network agrees if the outputs differ by at most 1e-5 of their largest magnitude, and passes if they
differ by at most a step of 1/127 and the best classes are the same, or each node by itself agrees on MXNet's values. Of a
network that MXNet does not run, the best classes are compared with those in float32. Without fusion, MXNet lacks only the
convolution of int8 data: mxinfer is compared with exact sums between MXNet's other operators.
"""
import argparse
import fnmatch
import logging
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ["MXNET_SUBGRAPH_VERBOSE"] = "0"
os.environ["MXNET_STORAGE_FALLBACK_LOG_VERBOSE"] = "0"
os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"
os.environ.setdefault("OMP_NUM_THREADS", "1")

import mxnet as mx  # noqa: E402
import numpy as np  # noqa: E402
from mxnet.contrib import quantization  # noqa: E402
from sweep import each_node, networks, unfused, weights  # noqa: E402
from sweep.command import Command  # noqa: E402
from sweep.compare import TOLERANCE  # noqa: E402

logging.disable(logging.CRITICAL)
NETWORKS = ["resnet18_v1", "resnet18_v2", "resnet50_v1b", "mobilenet1.0", "mobilenetv2_1.0", "squeezenet1.0", "vgg11",
            "vgg11_bn", "inceptionv3", "densenet121", "ssd_300_vgg16_atrous_voc", "ssd_512_mobilenet1.0_voc",
            "yolo3_mobilenet1.0_voc", "resnext50_32x4d"]
WAYS = {
    "fused_auto": {"calib_mode": "naive", "quantized_dtype": "auto"},
    "fused_int8": {"calib_mode": "naive", "quantized_dtype": "int8"},
    "fused_entropy": {"calib_mode": "entropy", "quantized_dtype": "auto"},
    "fused_none": {"calib_mode": "none", "quantized_dtype": "int8"},
    "fused_filters": {"calib_mode": "naive", "quantized_dtype": "auto", "quantize_granularity": "channel-wise"},
    "fused_full": {"calib_mode": "naive", "quantized_dtype": "auto", "quantize_mode": "full"},
    "fused_uint8": {"calib_mode": "naive", "quantized_dtype": "uint8"},
    "unfused_uint8": {"calib_mode": "naive", "quantized_dtype": "uint8", "quantize_mode": "full"},
    "unfused_auto": {"calib_mode": "naive", "quantized_dtype": "auto", "quantize_mode": "full"},
    "unfused_smart": {"calib_mode": "naive", "quantized_dtype": "uint8", "quantize_mode": "smart"},
    "unfused_none": {"calib_mode": "none", "quantized_dtype": "uint8", "quantize_mode": "full"},
    "unfused_int8": {"calib_mode": "naive", "quantized_dtype": "int8", "quantize_mode": "full"},
    "floats": None,
}
# Ways in which negative data would be cut off.
NOT_NEGATIVE = ("fused_uint8", "unfused_uint8", "unfused_auto", "unfused_smart", "unfused_none")
STEP = 1 / 127


def float_network(name, random):
    """Symbol, arguments, states, images."""
    network = networks.networks().get(name)
    if network is None:
        from mxnet.gluon.model_zoo import vision
        network = networks.Network(name, "classification", lambda: vision.get_model(name, pretrained=False),
                                   [[(2, 3, 96, 96)], [(2, 3, 224, 224)]])
    for shapes in network.shapes:
        try:
            net = network.build()
            net.initialize()
            data = weights.images(shapes[0], random)
            made = net(mx.sym.var("data"))
            symbol = mx.sym.Group(list(made)) if isinstance(made, (list, tuple)) else made
            net(mx.nd.array(data))
            break
        except (mx.MXNetError, ValueError) as error:
            failure = error
    else:
        raise failure
    weights.prepare(net, symbol, {"data": mx.nd.array(data)}, random, scales_all=True)
    values = {key: parameter.data() for key, parameter in net.collect_params().items()}
    states = set(symbol.list_auxiliary_states())
    return (symbol, {k: v for k, v in values.items() if k not in states},
            {k: v for k, v in values.items() if k in states}, data)


def quantized(way, symbol, arguments, states, data):
    if way == "floats":
        return symbol.get_backend_symbol("MKLDNN"), arguments, states
    if way.startswith("unfused"):
        return unfused.quantize(symbol, arguments, states, data, WAYS[way])
    symbol = symbol.get_backend_symbol("MKLDNN_QUANTIZE")
    options = dict(WAYS[way])
    if options["calib_mode"] != "none":
        options.update(calib_data=mx.io.NDArrayIter(data, batch_size=len(data)), num_calib_examples=len(data))
    symbol, arguments, states = quantization.quantize_model(symbol, arguments, states, ctx=mx.cpu(), label_names=None,
                                                            logger=logging.getLogger(), **options)
    return symbol.get_backend_symbol("MKLDNN_QUANTIZE"), arguments, states


def shipped_symbols():
    """GluonCV's int8 symbol files, by name."""
    from gluoncv.model_zoo.quantized import quantized as shipped
    from gluoncv.utils.compress_json import get_compressed_model
    folder = pathlib.Path(shipped.__file__).parent
    texts = {path.name.replace("-symbol.json", ""): path.read_text() for path in folder.glob("*-symbol.json")}
    texts.update({name: get_compressed_model(name, shipped._compressed_int8_json)
                  for name in shipped._compressed_int8_json})
    return texts


def shipped_shape(name):
    """Networks for videos take the frames of one as a batch."""
    if name.startswith("ssd"):
        size = 300 if "300" in name else 512 if "vgg" in name else 256
        return 1, 3, size, size
    if name.startswith("simple_pose"):
        return 1, 3, 256, 192
    if name.endswith(("kinetics400_int8", "ucf101_int8")):
        size = 299 if name.startswith("inception") else 224
        return 7 if name.startswith("resnet") else 3, 3, size, size
    return (1, 3, 480, 480) if name.startswith(("fcn", "psp", "deeplab")) else (1, 3, 224, 224)


def shipped_network(name, random):
    symbol = mx.sym.load_json(shipped_symbols()[name])
    data = weights.images(shipped_shape(name), random)
    shapes, _, auxiliary = symbol.infer_shape(data=data.shape)
    values = {}
    for key, shape in [*zip(symbol.list_arguments(), shapes), *zip(symbol.list_auxiliary_states(), auxiliary)]:
        value = random.normal(0, np.sqrt(2 / max(1, np.prod(shape[1:]))), shape) if len(shape) > 1 else random.uniform(
            -0.2, 0.2, shape)
        values[key] = mx.nd.array(value + (1 if key.endswith(("gamma", "var")) else 0))
    states = symbol.list_auxiliary_states()
    return (symbol, {k: v for k, v in values.items() if k not in states and k != "data"},
            {k: v for k, v in values.items() if k in states}, data)


def run_mxnet(symbol, arguments, states, data):
    arguments = {k: v for k, v in {**arguments, "data": mx.nd.array(data)}.items() if k in symbol.list_arguments()}
    executor = symbol.bind(mx.cpu(), arguments, aux_states=states, grad_req="null")
    return [output.asnumpy() for output in executor.forward(is_train=False)]


def run_nodes(symbol, arguments, states, data):
    return each_node.executed(symbol, {**arguments, "data": mx.nd.array(data)}, states)


def difference(expected, actual):
    """The largest difference of an output, relative to its largest magnitude, and whether the best classes agree."""
    worst = 0.0
    for a, b in zip(expected, actual):
        if a.shape != b.shape:
            raise ValueError(f"shape {b.shape}, in MXNet {a.shape}")
        worst = max(worst, float(np.max(np.abs(a - b), initial=0)) / max(1e-30, float(np.max(np.abs(a), initial=0))))
    same = expected[0].ndim != 2 or (expected[0].argmax(1) == actual[0].argmax(1)).all()
    return worst, bool(same)


class Checked:
    """A network in one way: what to say of it, and whether that is well."""

    def __init__(self, name, way, command, folder):
        self.name, self.way, self.command, self.folder = name, way, command, folder
        random = np.random.default_rng(sum(map(ord, name)))
        if name.endswith("_int8"):
            *self.made, self.data = shipped_network(name, random)
            self.floats = None
        else:
            *given, data = float_network(name, random)
            self.data = np.abs(data) if way in NOT_NEGATIVE else data
            self.floats = run_mxnet(*given, self.data)  # first: an error of MXNet disturbs later runs
            self.made = quantized(way, *given, self.data)

    def run_mxinfer(self, outputs):
        mx.model.save_checkpoint(str(self.folder / "model"), 0, *self.made)
        np.save(self.folder / "data.npy", self.data)
        done = self.command("predict", self.folder / "model", "--output", self.folder / "out", "--input",
                            f"data={self.folder / 'data'}.npy")
        if done.returncode:
            raise RuntimeError((done.stderr or done.stdout).strip()[-300:])
        return [np.load(self.folder / "out" / f"{i}.npy") for i in range(outputs)]

    def compare(self, expected, nodes):
        """Text and success; nodes() gives the nodes with MXNet's values."""
        worst, same = difference(expected, self.run_mxinfer(len(expected)))
        text = f"{worst:.1e}{'' if same else ', other classes'}"
        if worst <= 1e-5:
            return f"agrees {text}", True
        if worst <= STEP and same:
            return f"passes {text}", True
        largest, node = each_node.worst(nodes(), self.command, self.folder / "node")
        if largest <= TOLERANCE:
            return f"passes {text}; each node by itself at most {largest:.1e}", True
        return f"DIFFERS {text}; node {node} by itself {largest:.1e}", False

    def without_mxnet(self, refusal):
        if self.way.startswith("unfused"):
            expected, nodes = unfused.emulated(*self.made, self.data)
            text, is_well = self.compare(expected, lambda: nodes)
            return f"{text}; sums in float64", is_well
        if self.floats is None:
            raise refusal
        worst, same = difference(self.floats, self.run_mxinfer(len(self.floats)))
        reason = str(refusal).strip().splitlines()[-1][:120]
        return f"{'runs' if same else 'DIFFERS'}, {worst:.1e} from float32; MXNet refuses: {reason}", same

    def result(self):
        try:
            expected = run_mxnet(*self.made, self.data)
        except mx.MXNetError as error:
            return self.without_mxnet(error)
        return self.compare(expected, lambda: run_nodes(*self.made, self.data))


def one(options):
    name, way = options.networks[0], options.ways[0]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(options.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            text, is_well = Checked(name, way, Command(options.mxinfer), folder).result()
        except Exception as error:  # the message tells who refuses the network
            lines = str(error).strip().splitlines()
            text, is_well = f"FAILS {type(error).__name__}: {lines[-1][:200] if lines else ''}", False
    print(f"{name:34} {way:14} {text}", flush=True)
    return not is_well


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="*", default=["*"], help="names or patterns")
    parser.add_argument("--mxinfer", required=True, help="the command to test")
    parser.add_argument("--ways", nargs="*", default=list(WAYS), choices=[*WAYS, "as_shipped"], help="how to quantize; all by default")
    parser.add_argument("--keep", help="a folder for the files")
    parser.add_argument("--one", action="store_true", help="one network in one way, in this process")
    options = parser.parse_args()
    options.mxinfer = str(pathlib.Path(options.mxinfer).resolve())
    if options.one:
        return one(options)
    shipped = sorted(shipped_symbols())
    names = [n for p in options.networks for n in fnmatch.filter(NETWORKS + shipped, p) or [p]]
    failed = 0
    for name in dict.fromkeys(names):
        for way in ["as_shipped"] if name in shipped else options.ways:
            command = [sys.executable, "-W", "ignore", __file__, "--mxinfer", options.mxinfer, "--one", name, "--ways", way]
            command += ["--keep", str(pathlib.Path(options.keep) / f"{name}_{way}")] if options.keep else []
            failed += subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode != 0
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
