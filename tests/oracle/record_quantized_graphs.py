"""Records graphs with 8-bit arithmetic, whose operators MXNet computes by oneDNN: fused nodes in all their forms, and
small networks as MXNet's own quantize_model writes them.

    python tests/oracle/record_quantized_graphs.py [NAME...]

writes tests/golden/quantized_graphs/NAME-symbol.json, NAME-0000.params and NAME.npz, as record_graphs.py does.
tests/api/graphs/quantized_graphs_test.cpp loads each and compares. Record them on a processor with AVX-512 VNNI: on
others oneDNN halves weights of int8 data, and its sums of uint8 data may overflow.
"""
import logging
import os
import sys
from pathlib import Path

os.environ["MXNET_SUBGRAPH_VERBOSE"] = "0"
os.environ["MXNET_STORAGE_FALLBACK_LOG_VERBOSE"] = "0"
os.environ.setdefault("OMP_NUM_THREADS", "1")

import mxnet as mx  # noqa: E402
import numpy as np  # noqa: E402
from fused_nodes import RELU, FusedGraph  # noqa: E402
from mxnet import sym  # noqa: E402
from mxnet.contrib import quantization  # noqa: E402

FOLDER = Path(__file__).resolve().parents[1] / "golden" / "quantized_graphs"
GRAPHS = {}
BN = {"fix_gamma": False, "eps": 1e-5}
THREE = {"kernel": (3, 3), "num_filter": 8, "pad": (1, 1)}


def graph(function):
    GRAPHS[function.__name__] = function
    return function


def given(graph):
    symbol = graph.symbol()
    read = set(symbol.list_inputs())
    return symbol, {k: v for k, v in graph.inputs.items() if k in read}, graph.parameters


def images(graph, channels=4, size=6):
    """uint8 and int8 data and residuals, with their ranges."""
    shape = (2, channels, size, size)
    return ((graph.input("u", "uint8", *shape), (0, 4)), (graph.input("s", "int8", *shape), (-3, 4)),
            (graph.input("ru", "uint8", 2, 8, size, size), (0, 2.5)), (graph.input("rs", "int8", 2, 8, size, size), (-2, 2.5)))


@graph
def fused_convolutions():
    """Each flag, each dtype of data and output."""
    g = FusedGraph()
    u, s, ru, rs = images(g)
    for k, data in (("u", u), ("s", s)):
        g.convolution(f"{k}_plain", data, THREE, 4, calibrated=(-3, 2))
        g.convolution(f"{k}_relu", data, THREE, 4, act=RELU, calibrated=(0, 3))
        g.convolution(f"{k}_bn", data, THREE, 4, bn=BN, act=RELU, calibrated=(0, 3))
        g.convolution(f"{k}_bn_alone", data, THREE, 4, bn={"fix_gamma": True, "eps": 2e-5}, calibrated=(-3, 2), bias=False)
        g.convolution(f"{k}_sums", data, THREE, 4)
        g.convolution(f"{k}_sums_relu", data, THREE, 4, bn=BN, act=RELU)
        g.convolution(f"{k}_no_bias", data, THREE, 4, calibrated=(-3, 2), bias=False)
        g.convolution(f"{k}_computed", data, THREE, 4, bn=BN, calibrated=(-3, 2), computed=True)
    return given(g)


@graph
def fused_residuals():
    g = FusedGraph()
    u, s, ru, rs = images(g)
    for k, residual in (("ru", ru), ("rs", rs)):
        g.convolution(f"{k}_after", u, THREE, 4, bn=BN, residual=residual, after=RELU, calibrated=(0, 4))
        g.convolution(f"{k}_int8", s, THREE, 4, residual=residual, calibrated=(-4, 4))
        g.convolution(f"{k}_before", u, THREE, 4, act=RELU, residual=residual, calibrated=(-4, 4))
        g.convolution(f"{k}_both", u, THREE, 4, act=RELU, residual=residual, after=RELU, calibrated=(0, 4))
        g.convolution(f"{k}_sums", u, THREE, 4, residual=residual)
        g.convolution(f"{k}_pointwise", u, {"kernel": (1, 1), "num_filter": 8}, 4, residual=residual, after=RELU,
                      calibrated=(0, 4))
    return given(g)


@graph
def fused_shapes():
    """Strides, dilation, groups, one position, three dimensions; names of flags that MXNet 1.4 wrote."""
    g = FusedGraph()
    u = (g.input("u", "uint8", 2, 16, 7, 9), (0, 4))
    s = (g.input("s", "int8", 1, 8, 3, 5, 4), (-3, 4))
    for name, attrs in (("stride", {"stride": (2, 2)}), ("dilate", {"dilate": (2, 2), "pad": (2, 2)}),
                        ("wide", {"kernel": (5, 3), "pad": (0, 1), "stride": (1, 2)}),
                        ("one", {"kernel": (7, 9), "pad": (0, 0)}), ("groups", {"num_group": 4}),
                        ("depthwise", {"num_group": 16, "num_filter": 16}),
                        ("multiplied", {"num_group": 16, "num_filter": 32})):
        g.convolution(name, u, {**THREE, **attrs}, 16, act=RELU, calibrated=(0, 3))
    g.convolution("old_names", u, THREE, 16, act=RELU, calibrated=("-0.000000", 3), flags={"with_relu": "true"})
    g.convolution("cube", s, {"kernel": (3, 3, 3), "num_filter": 4, "pad": (1, 1, 1)}, 8, calibrated=(-2, 2))
    return given(g)


@graph
def fused_activations():
    g = FusedGraph()
    u, s, ru, rs = images(g)
    for name, act in (("leaky", ("LeakyReLU", {"act_type": "leaky", "slope": 0.25})),
                      ("gelu", ("LeakyReLU", {"act_type": "gelu"})), ("relu6", ("clip", {"a_min": 0, "a_max": 6})),
                      ("clip", ("clip", {"a_min": 0, "a_max": 1.5}))):
        g.convolution(name, u, THREE, 4, act=act, calibrated=(-2, 3))
        g.convolution(f"{name}_sums", s, THREE, 4, act=act)
    rows = g.input("rows", "uint8", 3, 20), (0, 4)
    for name, act in (("relu", RELU), ("leaky", ("LeakyReLU", {"act_type": "leaky", "slope": 0.25})),
                      ("gelu", ("LeakyReLU", {"act_type": "gelu"})), ("elu", ("LeakyReLU", {"act_type": "elu"})),
                      ("clip", ("clip", {"a_min": 0, "a_max": 6})), ("abs", ("abs", {})),
                      *((kind, ("Activation", {"act_type": kind})) for kind in ("sigmoid", "tanh", "softrelu"))):
        g.fully_connected(f"rows_{name}", rows, {"num_hidden": 6}, 20, act=act, calibrated=(-4, 6))
        g.fully_connected(f"rows_{name}_float", rows, {"num_hidden": 6}, 20, act=act, to_float=True)
    g.fully_connected("rows_relu_sums", rows, {"num_hidden": 6}, 20, act=RELU)
    return given(g)


@graph
def fused_rows():
    g = FusedGraph()
    u = g.input("u", "uint8", 3, 20), (0, 4)
    s = g.input("s", "int8", 3, 20), (-3, 4)
    for k, data in (("u", u), ("s", s)):
        g.fully_connected(f"{k}_float", data, {"num_hidden": 6}, 20, to_float=True)
        g.fully_connected(f"{k}_sums", data, {"num_hidden": 6}, 20)
        g.fully_connected(f"{k}_int8", data, {"num_hidden": 6}, 20, calibrated=(-30, 40))
        g.fully_connected(f"{k}_no_bias", data, {"num_hidden": 6}, 20, calibrated=(-30, 40), bias=False)
        g.fully_connected(f"{k}_filters", data, {"num_hidden": 6}, 20, per_filter=True, to_float=True)
        g.fully_connected(f"{k}_filters_int8", data, {"num_hidden": 6}, 20, per_filter=True, calibrated=(-5, 5))
        g.fully_connected(f"{k}_computed", data, {"num_hidden": 6}, 20, to_float=True, computed=True)
    image = g.input("image", "int8", 2, 5, 2, 2), (-3, 4)
    g.fully_connected("image", image, {"num_hidden": 6}, 20, to_float=True)
    steps = g.input("steps", "uint8", 2, 3, 20), (0, 4)
    g.fully_connected("steps", steps, {"num_hidden": 6, "flatten": False}, 20, to_float=True)
    return given(g)


@graph
def fused_no_width():
    """Ranges without width, and biases that are too large for 32 bits beside the weights."""
    g = FusedGraph()
    u, s, ru, rs = images(g)
    g.convolution("output", u, THREE, 4, calibrated=(0, 0))
    g.convolution("weight", u, THREE, 4, calibrated=(-3, 3), spread=0)
    g.convolution("small_weight", u, THREE, 4, calibrated=(-3, 3), spread=1e-7)
    nothing = (u[0], (0, 0))
    g.convolution("data", nothing, THREE, 4, calibrated=(-3, 3))
    g.convolution("data_no_bias", nothing, THREE, 4, calibrated=(-3, 3), bias=False)
    g.convolution("sum", u, THREE, 4, residual=(rs[0], (0, 0)), calibrated=(-3, 3))
    rows = g.input("rows", "uint8", 3, 20)
    g.fully_connected("rows_data", (rows, (0, 0)), {"num_hidden": 6}, 20, to_float=True)
    g.fully_connected("rows_weight", (rows, (0, 4)), {"num_hidden": 6}, 20, to_float=True, ranges=((0, 0), (-2, 1)))
    g.fully_connected("rows_bias", (rows, (0, 4)), {"num_hidden": 6}, 20, to_float=True, ranges=((-0.4, 0.3), (0, 0)))
    g.fully_connected("rows_large_bias", (rows, (0, 1e-6)), {"num_hidden": 6}, 20, to_float=True,
                      ranges=((-1e-6, 1e-6), (-1e6, 1e5)))
    return given(g)


def random_parameters(symbol, **shapes):
    """Parameters with statistics of batch norms that matter."""
    random = np.random.RandomState(5)
    arguments, _, states = symbol.infer_shape(**shapes)
    values = {}
    for name, shape in [*zip(symbol.list_arguments(), arguments), *zip(symbol.list_auxiliary_states(), states)]:
        if name in shapes:
            continue
        spread = (2.0 / np.prod(shape[1:])) ** 0.5 if len(shape) > 1 else 0.3
        values[name] = random.uniform(-1, 1, shape).astype("float32") * np.float32(1.7 * spread)
        if name.endswith(("gamma", "var")):
            values[name] += np.float32(1)
    return values


def block(data, filters, name, stride=1, act=True):
    y = sym.Convolution(data, kernel=(3, 3), pad=(1, 1), stride=(stride, stride), num_filter=filters, no_bias=True,
                        name=f"{name}_conv")
    y = sym.BatchNorm(y, fix_gamma=False, eps=1e-5, name=f"{name}_bn")
    return sym.Activation(y, act_type="relu", name=f"{name}_relu") if act else y


def network():
    """A residual block, two branches side by side, and a layer for classes."""
    x = block(sym.var("data"), 8, "first")
    x = sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="max", name="pool")
    y = block(block(x, 8, "a"), 8, "b", act=False)
    x = sym.Activation(x + y, act_type="relu", name="sum_relu")
    left = block(x, 4, "left")
    right = sym.LeakyReLU(sym.Convolution(x, kernel=(1, 1), num_filter=4, name="right"), act_type="leaky", slope=0.1)
    x = sym.Concat(left, right, sym.Pooling(x, kernel=(3, 3), pad=(1, 1), pool_type="avg"), dim=1, name="concat")
    x = block(x, 8, "last", stride=2)
    x = sym.Pooling(x, kernel=(1, 1), global_pool=True, pool_type="avg", name="mean")
    return sym.FullyConnected(sym.Flatten(x), num_hidden=5, name="classes")


DATA = np.random.RandomState(9).uniform(-1, 1, (3, 4, 12, 12)).astype("float32")


def fused_of_floats(backend):
    symbol = network()
    return symbol.get_backend_symbol(backend), {"data": DATA}, random_parameters(symbol, data=DATA.shape)


@graph
def floats_fused():
    return fused_of_floats("MKLDNN")


@graph
def floats_fused_to_quantize():
    return fused_of_floats("MKLDNN_QUANTIZE")


def quantized(fused=True, data=DATA, **options):
    symbol = network()
    parameters = random_parameters(symbol, data=DATA.shape)
    states = set(symbol.list_auxiliary_states())
    arrays = {name: mx.nd.array(value) for name, value in parameters.items()}
    if fused:
        symbol = symbol.get_backend_symbol("MKLDNN_QUANTIZE")
    calibration = mx.io.NDArrayIter(data, batch_size=3)
    if options.get("calib_mode", "naive") != "none":
        options.update(calib_data=calibration, num_calib_examples=3)
    options = {"calib_mode": "naive", "quantized_dtype": "auto", **options}
    silent = logging.getLogger("silent")
    silent.disabled = True
    symbol, arguments, auxiliary = quantization.quantize_model(
        symbol, {k: v for k, v in arrays.items() if k not in states}, {k: v for k, v in arrays.items() if k in states},
        ctx=mx.cpu(), label_names=None, logger=silent, **options)
    if fused:
        symbol = symbol.get_backend_symbol("MKLDNN_QUANTIZE")
    return symbol, {"data": data}, {k: v.asnumpy() for k, v in {**arguments, **auxiliary}.items()}


@graph
def network_auto():
    return quantized()


@graph
def network_int8():
    return quantized(quantized_dtype="int8")


@graph
def network_uint8():
    """MXNet refuses uint8 data with negative values where a fused convolution reads it."""
    return quantized(quantized_dtype="uint8", data=np.abs(DATA))


@graph
def network_entropy():
    return quantized(calib_mode="entropy")


@graph
def network_uncalibrated():
    return quantized(calib_mode="none")


@graph
def network_per_filter():
    return quantized(quantize_granularity="channel-wise")


@graph
def network_excluded():
    return quantized(excluded_op_names=["Pooling", "Concat"])


@graph
def network_full():
    return quantized(quantize_mode="full")


@graph
def network_positive():
    """uint8 throughout, unfused: what MXNet's quantized convolution takes."""
    return quantized(fused=False, quantized_dtype="uint8", data=np.abs(DATA),
                     excluded_sym_names=["first_bn", "a_bn", "b_bn", "left_bn", "last_bn"])


def array(value):
    made = mx.nd.empty(value.shape, dtype=value.dtype)
    made[:] = mx.nd.array(value, dtype=value.dtype)
    return made


def record(name):
    symbol, inputs, parameters = GRAPHS[name]()
    values = {k: array(v) for k, v in {**inputs, **parameters}.items()}
    states = symbol.list_auxiliary_states()
    executor = symbol.bind(mx.cpu(), {k: values[k] for k in symbol.list_arguments()},
                           aux_states={k: values[k] for k in states}, grad_req="null")
    outputs = [o.asnumpy() for o in executor.forward(is_train=False)]
    symbol.save(str(FOLDER / f"{name}-symbol.json"))
    stored = {("aux:" if k in states else "arg:") + k: array(v) for k, v in parameters.items()}
    mx.nd.save(str(FOLDER / f"{name}-0000.params"), stored)
    arrays = {f"input/{k}": v for k, v in inputs.items()}
    arrays.update({f"output/{i}": v for i, v in enumerate(outputs)})
    np.savez_compressed(FOLDER / f"{name}.npz", **arrays)
    print(name, len(outputs), "outputs", outputs[0].dtype, outputs[0].shape, flush=True)


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    failed = False
    for each in sys.argv[1:] or GRAPHS:
        try:
            record(each)
        except mx.base.MXNetError as error:
            failed = True
            print(each, "failed:", str(error)[-400:])
    sys.exit(failed)
