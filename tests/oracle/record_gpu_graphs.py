"""Records small networks that MXNet runs on GPUs alone, with the numbers of a twin that it runs on CPUs.

    python tests/oracle/record_gpu_graphs.py [NAME...]

writes tests/golden/gpu_graphs/NAME-symbol.json and NAME-0000.params, the network, and NAME.npz with input/<name> and
output/<i>. The network's layout is NHWC, the twin's NCHW: its weights, inputs and outputs are transposed.
tests/api/gpu_graphs_test.cpp loads each and compares.
"""
import os
import sys
from pathlib import Path

os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"
os.environ["MXNET_MKLDNN_ENABLED"] = "0"
os.environ["MXNET_USE_MKLDNN_RNN"] = "0"
os.environ.setdefault("OMP_NUM_THREADS", "1")

import mxnet as mx  # noqa: E402
import numpy as np  # noqa: E402
from mxnet import sym  # noqa: E402

FOLDER = Path(__file__).resolve().parents[1] / "golden" / "gpu_graphs"
GRAPHS = {}


def graph(function):
    GRAPHS[function.__name__] = function
    return function


def rand(*shape, seed=0):
    return np.random.RandomState(seed).uniform(-1, 1, shape).astype("float32")


def first_to_last(array):
    return np.ascontiguousarray(np.moveaxis(array, 1, -1)) if array.ndim > 2 else array


def values_of(symbol, inputs):
    """A value for each parameter, from its shape."""
    arguments, _, states = symbol.infer_shape(**{k: v.shape for k, v in inputs.items()})
    names = symbol.list_arguments() + symbol.list_auxiliary_states()
    values = {}
    for i, (name, shape) in enumerate(zip(names, arguments + states)):
        if name in inputs or name.endswith("label"):
            continue
        values[name] = rand(*shape, seed=i + 10)
        if name.endswith("var"):
            values[name] = np.abs(values[name]) + 0.5
    return values


def run(symbol, inputs, values):
    arrays = {k: mx.nd.array(v) for k, v in {**inputs, **values}.items()}
    shapes = {k: v.shape for k, v in inputs.items()}
    executor = symbol.simple_bind(mx.cpu(), grad_req="null", **shapes)
    executor.copy_params_from({k: v for k, v in arrays.items() if k in symbol.list_arguments()},
                              {k: v for k, v in arrays.items() if k in symbol.list_auxiliary_states()})
    return [o.asnumpy() for o in executor.forward(is_train=False)]


def save(name, symbol, inputs, values, outputs):
    symbol.save(str(FOLDER / f"{name}-symbol.json"))
    states = set(symbol.list_auxiliary_states())
    stored = {("aux:" if k in states else "arg:") + k: mx.nd.array(v, dtype=v.dtype) for k, v in values.items()}
    mx.nd.save(str(FOLDER / f"{name}-0000.params"), stored)
    arrays = {f"input/{k}": v for k, v in inputs.items()}
    arrays.update({f"output/{i}": v for i, v in enumerate(outputs)})
    np.savez_compressed(FOLDER / f"{name}.npz", **arrays)
    print(name, [(o.shape, o.dtype) for o in outputs])


# ---- channels-last: build(last) gives the network in one layout; only its first output is an image


def flat(x, last):
    """Flatten reads elements in the order of NHWC in both."""
    return sym.Flatten(x if last else sym.transpose(x, axes=(0, 2, 3, 1)))


def image_network(last):
    layout, axis = ("NHWC", 3) if last else ("NCHW", 1)

    def conv(x, name, filters, kernel, **attrs):
        return sym.Convolution(x, name=name, num_filter=filters, kernel=kernel, layout=layout, **attrs)

    def norm(x, name):
        return sym.BatchNorm(x, name=name, axis=axis, fix_gamma=False)

    x = conv(sym.Variable("data"), "conv0", 8, (3, 3), stride=(2, 2), pad=(1, 1))
    x = sym.Activation(norm(x, "bn0"), act_type="relu")
    x = sym.Pooling(x, kernel=(3, 3), stride=(2, 2), pool_type="max", pooling_convention="full", layout=layout)
    depthwise = conv(x, "conv1", 8, (3, 3), pad=(1, 1), num_group=8, no_bias=True)
    dilated = conv(x, "conv2", 8, (3, 3), pad=(2, 2), dilate=(2, 2), no_bias=True)
    x = sym.Activation(depthwise + norm(dilated, "bn2"), act_type="relu")
    gate = sym.Pooling(x, kernel=(1, 1), global_pool=True, pool_type="avg", layout=layout)
    x = sym.broadcast_mul(x, sym.sigmoid(conv(gate, "conv3", 8, (1, 1))))
    x = sym.Concat(x, sym.Dropout(depthwise), dim=axis)
    x = sym.Deconvolution(x, name="deconv", num_filter=6, num_group=2, kernel=(4, 4), stride=(2, 2), pad=(1, 1),
                          no_bias=False, layout=layout)
    x = sym.LeakyReLU(x, act_type="leaky", slope=0.1)
    widths = (0, 0, 1, 1, 2, 2, 0, 0) if last else (0, 0, 0, 0, 1, 1, 2, 2)
    x = sym.pad(x, mode="constant", pad_width=widths, constant_value=0.5)
    x = conv(sym.slice_axis(x, axis=axis, begin=1, end=5), "conv4", 5, (3, 2), stride=(1, 2))
    means = sym.mean(x, axis=(1, 2) if last else (2, 3))
    scores = sym.SoftmaxOutput(sym.FullyConnected(flat(x, last), name="fc", num_hidden=4), name="softmax")
    return sym.Group([sym.softmax(x, axis=axis, name="map"), scores, means])


@graph
def channels_last_image():
    return image_network, {"data": rand(2, 3, 18, 15, seed=1)}


@graph
def channels_last_video():
    def network(last):
        layout, axis = ("NDHWC", -1) if last else ("NCDHW", 1)
        x = sym.Convolution(sym.Variable("data"), name="conv0", num_filter=6, kernel=(2, 3, 3), pad=(0, 1, 1),
                            layout=layout)
        x = sym.relu(sym.BatchNorm(x, name="bn0", axis=axis, fix_gamma=False))
        x = sym.Pooling(x, kernel=(2, 2, 2), stride=(1, 2, 2), pool_type="avg", layout=layout)
        return sym.Convolution(x, name="conv1", num_filter=4, num_group=2, kernel=(1, 2, 2), layout=layout, no_bias=True)

    return network, {"data": rand(2, 2, 4, 6, 5, seed=1)}


def record_channels_last(name, build, inputs):
    twin = build(False)
    values = values_of(twin, inputs)
    outputs = run(twin, inputs, values)
    outputs[0] = first_to_last(outputs[0])
    convolutions = ("conv", "deconv")
    stored = {k: first_to_last(v) if k.startswith(convolutions) else v for k, v in values.items()}
    save(name, build(True), {k: first_to_last(v) for k, v in inputs.items()}, stored, outputs)


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for each in sys.argv[1:] or GRAPHS:
        record_channels_last(each, *GRAPHS[each]())
