#!/usr/bin/env python3
"""Quantizes networks in MXNet 1.9.1, runs them there and in mxinfer, and compares.

    quantized_sweep.py --mxinfer build/release/bin/mxinfer                       every network, in every way
    quantized_sweep.py --mxinfer ... resnet18_v1 '*_int8' --ways fused_auto      some
    quantized_sweep.py --keep DIR ...                                            keeps the files

Networks are those of Gluon and GluonCV, with seeded weights (sweep/weights.py), and GluonCV's int8 symbol files with
random parameters. A network agrees if the outputs differ by at most 1e-5 of their largest magnitude, and passes if they
differ by at most a step of 1/127 and the best classes are the same.
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
from sweep import networks, weights  # noqa: E402
from sweep.command import Command  # noqa: E402

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
    "floats": None,
}
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
    weights.prepare(net, symbol, {"data": mx.nd.array(data)}, random)
    values = {key: parameter.data() for key, parameter in net.collect_params().items()}
    states = set(symbol.list_auxiliary_states())
    return (symbol, {k: v for k, v in values.items() if k not in states},
            {k: v for k, v in values.items() if k in states}, data)


def quantized(way, symbol, arguments, states, data):
    if way is None:
        return symbol.get_backend_symbol("MKLDNN"), arguments, states
    symbol = symbol.get_backend_symbol("MKLDNN_QUANTIZE")
    options = dict(way)
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


def difference(expected, actual):
    """The largest difference of an output, relative to its largest magnitude, and whether the best classes agree."""
    worst = 0.0
    for a, b in zip(expected, actual):
        if a.shape != b.shape:
            raise ValueError(f"shape {b.shape}, in MXNet {a.shape}")
        worst = max(worst, float(np.max(np.abs(a - b), initial=0)) / max(1e-30, float(np.max(np.abs(a), initial=0))))
    same = expected[0].ndim != 2 or (expected[0].argmax(1) == actual[0].argmax(1)).all()
    return worst, bool(same)


def check(name, way, command, folder):
    random = np.random.default_rng(sum(map(ord, name)))
    if name.endswith("_int8"):
        symbol, arguments, states, data = shipped_network(name, random)
    else:
        given = float_network(name, random)
        data = np.abs(given[3]) if way == "fused_uint8" else given[3]
        symbol, arguments, states = quantized(WAYS[way], *given[:3], data)
    expected = run_mxnet(symbol, arguments, states, data)
    mx.model.save_checkpoint(str(folder / "model"), 0, symbol, arguments, states)
    np.save(folder / "data.npy", data)
    done = command("predict", folder / "model", "--output", folder / "out", "--input", f"data={folder / 'data'}.npy")
    if done.returncode:
        raise RuntimeError((done.stderr or done.stdout).strip()[-300:])
    return difference(expected, [np.load(folder / "out" / f"{i}.npy") for i in range(len(expected))])


def one(options):
    name, way = options.networks[0], options.ways[0]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(options.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            worst, same = check(name, way, Command(options.mxinfer), folder)
        except Exception as error:  # MXNet's own message tells whether it refuses the network
            text = str(error).strip().splitlines()
            print(f"{name:34} {way:14} FAILS {type(error).__name__}: {text[-1][:200] if text else ''}", flush=True)
            return 1
    status = "agrees" if worst <= 1e-5 else "passes" if worst <= STEP and same else "DIFFERS"
    print(f"{name:34} {way:14} {status} {worst:.1e}{'' if same else ', other classes'}", flush=True)
    return status == "DIFFERS"


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
