"""Records small networks that MXNet runs on GPUs alone, with the numbers of a twin that it runs on CPUs.

    python tests/oracle/record_gpu_graphs.py [NAME...]

writes tests/golden/gpu_graphs/NAME-symbol.json and NAME-0000.params, the network, and NAME.npz with input/<name> and
output/<i>. Of a network whose layout is NHWC the twin has layout NCHW, and its weights, inputs and outputs are
transposed; of one in float16 it has all parameters and inputs as float32, and its outputs are rounded.
tests/api/graphs/gpu_graphs_test.cpp loads each and compares.
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
        fan_in = np.prod(shape[1:]) if len(shape) > 1 else 1  # sums stay near 1, where a softmax is well conditioned
        values[name] = (rand(*shape, seed=i + 10) * np.sqrt(3 / fan_in)).astype("float32")
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


# ---- halves: build(cast) gives the network; cast(x, dtype) is a Cast, or nothing in the twin


def small_image_network(cast):
    x = cast(sym.Variable("data"), "float16")
    x = sym.Convolution(x, name="conv", num_filter=4, kernel=(3, 3), no_bias=True)
    x = sym.relu(sym.BatchNorm(x, name="bn", fix_gamma=False))
    x = sym.FullyConnected(sym.Flatten(x), name="fc", num_hidden=5)
    return sym.SoftmaxOutput(cast(x, "float32"), name="softmax")


@graph
def halves_cast():
    return small_image_network, {"data": rand(2, 3, 6, 6, seed=1)}, "float32", "float32"


@graph
def halves_pure():
    return (lambda cast: small_image_network(lambda x, dtype: x)), {"data": rand(2, 3, 6, 6, seed=1)}, "float16", "float16"


@graph
def halves_mixed():
    """Casts around a batch norm in float32, a deconvolution, and casts that stay in the middle."""

    def network(cast):
        x = cast(sym.Variable("data"), "float16")
        x = sym.Convolution(x, name="conv", num_filter=4, kernel=(3, 3))
        x = cast(sym.BatchNorm(cast(x, "float32"), name="bn", fix_gamma=False), "float16")
        x = sym.Deconvolution(x, name="deconv", num_filter=3, kernel=(2, 2), stride=(2, 2))
        x = sym.InstanceNorm(x, name="norm")
        return sym.Group([sym.softmax(x, axis=1, name="half"), cast(sym.max(x, axis=(2, 3)), "float32")])

    return network, {"data": rand(2, 3, 6, 6, seed=1)}, "float32", ("float16", "float32")


@graph
def halves_sequence():
    """Weights alone are halves, and so is what is looked up."""

    def network(cast):
        x = sym.Embedding(sym.Variable("data"), name="embed", input_dim=7, output_dim=6, dtype="float16")
        x = sym.RNN(sym.swapaxes(x, dim1=0, dim2=1), sym.Variable("rnn_parameters"), cast(sym.zeros((1, 2, 5)), "float16"),
                    cast(sym.zeros((1, 2, 5)), "float16"), name="rnn", mode="lstm", state_size=5, num_layers=1)
        x = sym.LayerNorm(sym.swapaxes(x, dim1=0, dim2=1), name="norm")
        scores = sym.softmax(sym.batch_dot(x, x, transpose_b=True), axis=-1)
        return sym.dot(sym.batch_dot(scores, x), sym.Variable("out_weight", shape=(5, 3)))

    ids = np.random.RandomState(3).randint(0, 7, (2, 4)).astype("float32")
    return network, {"data": ids}, "float32", "float16"


def record_halves(name, build, inputs, input_dtype, output_dtypes):
    def casts(x, dtype):
        return sym.Cast(x, dtype=dtype)

    def nothing(x, dtype):
        return x

    twin = build(nothing)
    if name == "halves_sequence":
        twin = sym.load_json(twin.tojson().replace('"dtype": "float16"', '"dtype": "float32"'))
    halves = {k: v.astype("float16").astype("float32") for k, v in values_of(twin, inputs).items()}
    inputs = {k: v.astype(input_dtype).astype("float32") for k, v in inputs.items()}
    outputs = run(twin, inputs, halves)
    if isinstance(output_dtypes, str):
        output_dtypes = [output_dtypes] * len(outputs)
    stored = {k: v if k.startswith("bn") else v.astype("float16") for k, v in halves.items()}
    save(name, build(casts), {k: v.astype(input_dtype) for k, v in inputs.items()}, stored,
         [o.astype(d) for o, d in zip(outputs, output_dtypes)])


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for each in sys.argv[1:] or GRAPHS:
        record = record_channels_last if each.startswith("channels_last") else record_halves
        record(each, *GRAPHS[each]())
