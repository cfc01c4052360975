"""Records small graphs whose meaning is more than that of their operators: control flow, shapes that depend on data,
unrolled cells, sparse arrays, names and spellings that other programs write.

    python tests/oracle/record_graphs.py [NAME...]

writes tests/golden/graphs/NAME-symbol.json and NAME-0000.params as MXNet saves them, and NAME.npz with input/<name>
and output/<i>. tests/api/graphs/golden_graphs_test.cpp loads each and compares.
"""
import ctypes
import json
import os
import sys
import tempfile
from pathlib import Path

os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"
os.environ["MXNET_MKLDNN_ENABLED"] = "0"
os.environ["MXNET_SUBGRAPH_VERBOSE"] = "0"
os.environ["MXNET_STORAGE_FALLBACK_LOG_VERBOSE"] = "0"
os.environ.setdefault("OMP_NUM_THREADS", "1")

import mxnet as mx  # noqa: E402
import numpy as np  # noqa: E402
from mxnet import sym  # noqa: E402
from mxnet._ctypes.ndarray import _imperative_invoke  # noqa: E402
from mxnet.base import _LIB, c_str, check_call  # noqa: E402

FOLDER = Path(__file__).resolve().parents[1] / "golden" / "graphs"
GRAPHS = {}


def graph(function):
    GRAPHS[function.__name__] = function
    return function


def rand(*shape, seed=0):
    return np.random.RandomState(seed).uniform(-1, 1, shape).astype("float32")


def variables(*names):
    return [sym.Variable(name) for name in names]


@graph
def foreach_cell():
    """Two sequences, two states, weights from outside, and states that come before the data in the body."""
    a, b, h, c, w = variables("a", "b", "h", "c", "w")

    def step(data, states):
        x, y = data
        total = states[1] * 0.5 + sym.FullyConnected(x, w, no_bias=True, num_hidden=3, name="fc") + states[0]
        return [sym.tanh(total) * y, total], [sym.sigmoid(total), states[1] + y]

    outs, states = sym.contrib.foreach(step, [a, b], [h, c])
    inputs = {"a": rand(4, 2, 5, seed=1), "b": rand(4, 2, 3, seed=2), "h": rand(2, 3, seed=3), "c": rand(2, 3, seed=4)}
    return sym.Group(list(outs) + list(states)), inputs, {"w": rand(3, 5, seed=5)}


@graph
def foreach_without_states():
    x, w = variables("x", "w")
    outs, _ = sym.contrib.foreach(lambda row, states: (sym.relu(sym.broadcast_mul(row, w)), []), x, [])
    return outs, {"x": rand(3, 4, seed=1)}, {"w": rand(4, seed=2)}


@graph
def foreach_in_foreach():
    x, total = variables("x", "total")

    def outer(plane, states):
        def inner(row, inner_states):
            new = inner_states[0] + sym.sum(row, axis=0, keepdims=True)
            return sym.broadcast_mul(row, new), [new]

        outs, last = sym.contrib.foreach(inner, plane, states)
        return outs, last

    outs, states = sym.contrib.foreach(outer, x, [total])
    return sym.Group([outs] + states), {"x": rand(3, 4, 5, seed=1), "total": rand(1, seed=2)}, {}


@graph
def foreach_convolution():
    """A convolution with BatchNorm inside, whose weights and statistics are the model's."""
    x, state = variables("x", "state")

    def step(image, states):
        y = sym.Convolution(image, kernel=(3, 3), pad=(1, 1), num_filter=4, name="conv")
        y = sym.Activation(sym.BatchNorm(y, fix_gamma=False, name="bn"), act_type="relu")
        new = states[0] * 0.5 + y
        return sym.mean(new, axis=(2, 3)), [new]

    outs, states = sym.contrib.foreach(step, x, [state])
    parameters = {"conv_weight": rand(4, 4, 3, 3, seed=1), "conv_bias": rand(4, seed=2), "bn_gamma": rand(4, seed=3),
                  "bn_beta": rand(4, seed=4), "bn_moving_mean": rand(4, seed=5),
                  "bn_moving_var": rand(4, seed=6) ** 2 + 0.5}
    return sym.Group([outs] + states), {"x": rand(3, 2, 4, 6, 5, seed=7), "state": rand(2, 4, 6, 5, seed=8)}, parameters


@graph
def gluon_lstm_foreach():
    """A Gluon cell in a foreach, its initial states of an open batch."""
    cell = mx.gluon.rnn.LSTMCell(5, input_size=3, prefix="lstm_")
    x = sym.Variable("data")
    begin = cell.begin_state(batch_size=0, func=sym.zeros)
    outs, states = sym.contrib.foreach(lambda row, states: cell(row, states), x, begin)
    parameters = {"lstm_i2h_weight": rand(20, 3, seed=1), "lstm_h2h_weight": rand(20, 5, seed=2),
                  "lstm_i2h_bias": rand(20, seed=3), "lstm_h2h_bias": rand(20, seed=4)}
    return sym.Group([outs] + states), {"data": rand(4, 2, 3, seed=5)}, parameters


@graph
def while_power():
    """Ends by its condition after 5 of 8 steps; the variables come in another order in condition and body."""
    i, total, limit = variables("i", "total", "limit")
    outs, last = sym.contrib.while_loop(
        lambda i, total: i < limit,
        lambda i, total: ([total * i, i + 0], [i + 1, total * 2 - i]), [i, total], max_iterations=8)
    inputs = {"i": np.array([0], "float32"), "total": np.array([1.5], "float32"), "limit": np.array([5], "float32")}
    return sym.Group(list(outs) + list(last)), inputs, {}, 5


@graph
def while_to_the_end():
    """Would never end; max_iterations stops it. Weights from outside."""
    i, state, w = variables("i", "state", "w")

    def body(i, state):
        new = sym.tanh(sym.FullyConnected(state, w, no_bias=True, num_hidden=4))
        return [new], [i + 1, new]

    outs, last = sym.contrib.while_loop(lambda i, state: i < 1000, body, [i, state], max_iterations=6)
    return (sym.Group(list(outs) + list(last)), {"i": np.array([0], "float32"), "state": rand(2, 4, seed=1)},
            {"w": rand(4, 4, seed=2)})


def branches(value):
    x, y, w = variables("x", "y", "w")
    out = sym.contrib.cond(sym.sum(x) < 2, lambda: sym.FullyConnected(x, w, num_hidden=3, no_bias=True) + y,
                           lambda: y * 2)
    return out, {"x": np.full((2, 4), value, "float32"), "y": rand(2, 3, seed=1)}, {"w": rand(3, 4, seed=2)}


@graph
def cond_then():
    return branches(0.1)


@graph
def cond_else():
    return branches(3.0)


@graph
def cond_in_while():
    i, x = variables("i", "x")

    def body(i, x):
        new = sym.contrib.cond(sym.sum(x) > 4, lambda: x * 0.5, lambda: x * 3)
        return [new], [i + 1, new]

    outs, last = sym.contrib.while_loop(lambda i, x: i < 5, body, [i, x], max_iterations=5)
    return sym.Group(list(outs) + list(last)), {"i": np.array([0], "float32"), "x": rand(3, seed=1) + 1.5}, {}


@graph
def mask_rows():
    """What follows works on as many rows as the mask keeps; one output is in front of the cut."""
    data, mask, w = variables("data", "mask", "w")
    kept = sym.contrib.boolean_mask(data, mask)
    scores = sym.softmax(sym.FullyConnected(kept, w, num_hidden=4, no_bias=True))
    inputs = {"data": rand(6, 3, seed=1), "mask": np.array([1, 0, 1, 1, 0, 2], "float32")}
    return sym.Group([scores, sym.sum(kept, axis=0), kept, data * 2]), inputs, {"w": rand(4, 3, seed=2)}


@graph
def mask_twice():
    """A mask that is computed from rows that another one kept."""
    data = sym.Variable("data")
    once = sym.contrib.boolean_mask(data, sym.slice_axis(data, axis=1, begin=0, end=1).reshape((-1,)) > 0)
    twice = sym.contrib.boolean_mask(once, sym.sum(once, axis=1) > 0.2)
    return sym.Group([twice, sym.broadcast_sub(once, sym.mean(data, axis=0, keepdims=True))]), {"data": rand(12, 3, seed=4)}, {}


@graph
def foreach_numbers():
    """A step over numbers in a row gets one of shape (1,)."""
    a, b = variables("a", "b")
    outs, last = sym.contrib.foreach(lambda d, s: (d * s * 2, s + d), a, b)
    return sym.Group([outs, last]), {"a": np.array([1, 2, 3], "float32"), "b": np.array([10], "float32")}, {}


def unrolled(cell, *shape, steps=2):
    """A cell of mx.rnn, unrolled by hand: its initial states have an open batch."""
    names = [f"x{i}" for i in range(steps)]
    inputs = {name: rand(*shape, seed=i) for i, name in enumerate(names)}
    outs, states = cell.unroll(steps, variables(*names))
    symbol = sym.Group(list(outs) + list(states))
    shapes, _, _ = symbol.infer_shape(**{name: shape for name in names})
    arguments = dict(zip(symbol.list_arguments(), shapes))
    return symbol, inputs, {k: rand(*v, seed=i) for i, (k, v) in enumerate(arguments.items()) if k not in inputs}


@graph
def conv_rnn_cell():
    return unrolled(mx.rnn.ConvRNNCell(input_shape=(1, 3, 6, 5), num_hidden=2, prefix="r_"), 2, 3, 6, 5)


@graph
def conv_lstm_cell():
    return unrolled(mx.rnn.ConvLSTMCell(input_shape=(1, 3, 6, 5), num_hidden=2, prefix="l_"), 3, 3, 6, 5)


@graph
def conv_gru_cell():
    return unrolled(mx.rnn.ConvGRUCell(input_shape=(1, 3, 6, 5), num_hidden=2, prefix="g_"), 2, 3, 6, 5)


@graph
def zoneout_cell():
    return unrolled(mx.rnn.ZoneoutCell(mx.rnn.RNNCell(4, prefix="r_"), zoneout_outputs=0.5, zoneout_states=0.5), 3, 5)


@graph
def open_sizes():
    """Sizes that follow through a transpose, and a range that is as long as what it is added to."""
    x, y = variables("x", "y")
    turned = x + sym.transpose(sym.ones((-1, -1)))
    counted = y + sym.arange(1, step=2, repeat=2, infer_range=True)
    return sym.Group([turned, counted]), {"x": rand(2, 3, seed=1), "y": rand(5, seed=2)}, {}


@graph
def numpy_shapes():
    """With NumPy's meaning of shapes 0 is no element, () a scalar, and -1 open."""
    x = sym.Variable("x")
    nothing, scalar = sym.ones((0, 4)), sym.ones(())
    outs = [sym.concat(x, nothing, dim=0), sym.broadcast_add(x, scalar), x + sym.ones((-1, 4))]
    return sym.Group(outs), {"x": rand(2, 4, seed=1)}, {}


def random_parameters(symbol, inputs):
    """Numbers for every argument and auxiliary state that is no input."""
    arguments, _, states = symbol.infer_shape(**{name: value.shape for name, value in inputs.items()})
    shapes = dict(zip(symbol.list_arguments() + symbol.list_auxiliary_states(), arguments + states))
    # Positive, because the variance of a BatchNorm is.
    return {name: rand(*shape, seed=i) * 0.5 + (0.6 if name in symbol.list_auxiliary_states() else 0)
            for i, (name, shape) in enumerate(shapes.items()) if name not in inputs}


@graph
def keras_names():
    """As Keras-MXNet names things: a folder for each layer, and an input that begins with a slash."""
    x = sym.Variable("/conv2d_1_input1")
    kernel, bias = variables("conv2d_1/kernel1", "conv2d_1/bias1")
    y = sym.Convolution(x, kernel, bias, kernel=(3, 3), num_filter=4, name="conv2d_1/convolution1")
    y = sym.BatchNorm(y, *variables(*(f"batch_normalization_1/{each}1" for each in ("gamma", "beta", "moving_mean",
                                                                                   "moving_variance"))),
                      fix_gamma=False, eps=0.001, name="batch_normalization_1/batchnorm1")
    y = sym.Activation(y, act_type="relu", name="activation_1/Relu1")
    y = sym.Flatten(y, name="flatten_1/Reshape1")
    y = sym.FullyConnected(y, *variables("dense_1/kernel1", "dense_1/bias1"), num_hidden=3, name="dense_1/Dense1")
    out = sym.softmax(y, name="dense_1/Softmax1")
    inputs = {"/conv2d_1_input1": rand(2, 1, 6, 5, seed=9)}
    return out, inputs, random_parameters(out, inputs)


@graph
def spelled_attributes():
    """Tuples as Python 2 and other programs spelled them: longs, lists, blanks, None."""
    x = sym.Variable("data")
    y = sym.Convolution(x, kernel=(3, 3), stride=(2, 2), pad=(1, 1), num_filter=4, name="conv")
    y = sym.Pooling(y, kernel=(2, 2), stride=(1, 1), pool_type="max", name="pool")
    y = sym.slice(y, begin=(0, 1), end=(None, 3), name="slice")
    y = sym.reshape(y, shape=(0, -1), name="reshape")
    y = sym.mean(y, axis=(1,), name="mean")
    y = sym.Group([y, sym.sum(y, axis=None, name="sum")])
    text = y.tojson()
    for name, attribute, written, spelled in (
            ("conv", "kernel", "(3, 3)", "(3L, 3L)"), ("conv", "stride", "(2, 2)", "[2L, 2L]"),
            ("conv", "pad", "(1, 1)", "[1, 1]"),
            ("pool", "kernel", "(2, 2)", " ( 2 , 2 )"), ("pool", "stride", "(1, 1)", "[1L,1L,]"),
            ("slice", "begin", "(0, 1)", "[0L, 1L]"), ("slice", "end", "(None, 3)", "[None, 3L]"),
            ("reshape", "shape", "(0, -1)", "(0L, -1L)"), ("mean", "axis", "(1,)", "[1L]")):
        node = text.index(f'"name": "{name}"')
        before = f'"{attribute}": "{written}"'
        at = text.index(before, node)
        text = text[:at] + f'"{attribute}": "{spelled}"' + text[at + len(before):]
    inputs = {"data": rand(2, 3, 9, 8, seed=9)}
    return sym.load_json(text), inputs, random_parameters(y, inputs)


class Nested(mx.gluon.HybridBlock):
    """Takes an array, and a list of an array and a list of arrays."""

    def hybrid_forward(self, F, x, more):
        y, (z, w) = more
        return F.broadcast_add(F.dot(x, y), z), [F.concat(z, w, dim=0), [x * 2]]


@graph
def nested_inputs():
    """A Gluon block with lists of lists of inputs, none of which meets a parameter."""
    arrays = [rand(2, 3, seed=1), rand(3, 4, seed=2), rand(1, 4, seed=3), rand(2, 4, seed=4)]
    x, y, z, w = map(mx.nd.array, arrays)
    block = Nested()
    block.hybridize()
    block(x, [y, [z, w]])
    with tempfile.TemporaryDirectory() as folder:
        block.export(f"{folder}/nested")
        symbol = sym.load(f"{folder}/nested-symbol.json")
    return symbol, {f"data{i}": array for i, array in enumerate(arrays)}, {}


def with_zeros(*shape, seed):
    """Two in three of them are zero, and whole rows."""
    values = rand(*shape, seed=seed)
    values[np.random.RandomState(seed).uniform(size=shape) < 0.6] = 0
    values[1] = 0
    return values


@graph
def sparse_linear():
    """The linear classifier of MXNet's examples: rows in CSR, and weights of which only some rows are stored."""
    x = sym.Variable("data", stype="csr")
    weight = sym.Variable("weight", shape=(7, 2), stype="row_sparse")
    y = sym.broadcast_add(sym.sparse.dot(x, weight), sym.Variable("bias", shape=(2,)))
    out = sym.SoftmaxOutput(y, sym.Variable("softmax_label"), name="softmax")
    stored = mx.nd.array(with_zeros(7, 2, seed=1)).tostype("row_sparse")
    return out, {"data": with_zeros(3, 7, seed=2)}, {"weight": stored, "bias": rand(2, seed=3)}


@graph
def sparse_parameters():
    """A matrix in CSR and a table of which some rows are stored, as parameters; casts from one storage to another."""
    x, ids, matrix, table = variables("data", "ids", "matrix", "table")
    product = sym.sparse.dot(matrix, x)
    rows = sym.contrib.SparseEmbedding(ids, table, input_dim=5, output_dim=4)
    csr = sym.cast_storage(x, stype="csr")
    turned = sym.sparse.dot(csr, sym.cast_storage(product, stype="default"), transpose_a=True)
    squares = sym.sum(sym.square(sym.cast_storage(table, stype="default")), axis=1, keepdims=True)
    stored = {"matrix": mx.nd.array(with_zeros(6, 6, seed=1)).tostype("csr"),
              "table": mx.nd.array(with_zeros(5, 4, seed=2)).tostype("row_sparse")}
    inputs = {"data": rand(6, 3, seed=3), "ids": np.array([[0, 4], [3, 1]], "float32")}
    return sym.Group([product, rows, turned, squares]), inputs, stored


@graph
def ids_outside():
    """Ids below and above what there is, and fractions, in every operator that looks something up."""
    ids, table = variables("ids", "table")
    row = sym.reshape(ids, shape=(-1,))
    pair = sym.slice_axis(row, axis=0, begin=0, end=4)
    outs = [sym.Embedding(ids, table, input_dim=4, output_dim=3),
            sym.take(table, ids, mode="clip"), sym.take(table, ids, mode="wrap"),
            sym.take(table, ids, axis=1, mode="clip"), sym.take(table, ids, axis=1, mode="wrap"),
            sym.pick(table, pair, mode="clip"), sym.pick(table, pair, mode="wrap"),
            sym.one_hot(ids, depth=4, on_value=2, off_value=-1), sym.batch_take(table, sym.cast(pair, "int32")),
            sym.gather_nd(table, sym.clip(sym.reshape(row, shape=(1, -1)), a_min=-4, a_max=3))]
    return (sym.Group(outs), {"ids": np.array([[-1, 4, 2.9], [7, -9, 0]], "float32")}, {"table": rand(4, 3, seed=1)})


def stacked(layers, *shape):
    """Cells over a sequence (N, T, C), unrolled by hand, that begin with zeros."""
    outs, states = layers.unroll(shape[1], sym.Variable("data"), layout="NTC", merge_outputs=True)
    pairs = [each if isinstance(each, list) else [each] for each in states]  # nested where both directions run
    symbol = sym.Group([outs] + sum(pairs, []))
    inputs = {"data": rand(*shape, seed=9)}
    return symbol, inputs, random_parameters(symbol, inputs)


@graph
def unrolled_rnn():
    return stacked(mx.rnn.RNNCell(4, activation="relu", prefix="rnn_"), 2, 3, 5)


@graph
def unrolled_stack():
    """Both directions, then a residual one, then another kind."""
    layers = mx.rnn.SequentialRNNCell()
    layers.add(mx.rnn.BidirectionalCell(mx.rnn.LSTMCell(3, prefix="l_"), mx.rnn.LSTMCell(3, prefix="r_"),
                                        output_prefix="bi_"))
    layers.add(mx.rnn.ResidualCell(mx.rnn.GRUCell(6, prefix="res_")))
    layers.add(mx.rnn.DropoutCell(0.5))
    layers.add(mx.rnn.LSTMCell(2, prefix="top_"))
    return stacked(layers, 2, 4, 5)


@graph
def unrolled_fused():
    """A fused layer that was taken apart for the CPU."""
    return stacked(mx.rnn.FusedRNNCell(3, num_layers=2, mode="gru", bidirectional=True, prefix="g_").unfuse(), 2, 3, 4)


class UnrolledLstm(mx.gluon.HybridBlock):
    def __init__(self):
        super().__init__(prefix="net_")
        with self.name_scope():
            self.cell = mx.gluon.rnn.LSTMCell(5, input_size=3)

    def hybrid_forward(self, F, x):
        outs, (h, c) = self.cell.unroll(4, x, layout="NTC", merge_outputs=True)
        return outs, h, c


@graph
def unrolled_gluon():
    """Gluon's cell over 4 steps; its states are zeros that take their batch from the data."""
    out = UnrolledLstm()(sym.Variable("data"))
    symbol = sym.Group(list(out))
    inputs = {"data": rand(2, 4, 3, seed=9)}
    return symbol, inputs, random_parameters(symbol, inputs)


@graph
def deconvolution_targets():
    """Sizes of deconvolutions that the network says, where stride and kernel leave them open."""
    x = sym.Variable("data")
    up = sym.Deconvolution(x, kernel=(4, 4), stride=(2, 2), target_shape=(11, 9), num_filter=4, name="up")
    grouped = sym.Deconvolution(up, kernel=(3, 3), stride=(2, 2), target_shape=(22, 17), num_filter=4, num_group=2,
                                no_bias=False, name="grouped")
    overruled = sym.Deconvolution(x, kernel=(3, 4), stride=(3, 2), pad=(2, 2), adj=(1, 1), target_shape=(15, 9),
                                  num_filter=2, name="overruled")
    inputs = {"data": rand(2, 3, 5, 4, seed=9)}
    out = sym.Group([up, grouped, overruled])
    return out, inputs, random_parameters(out, inputs)


@graph
def foreach_one():
    """One step, over one number, with a state of one number."""
    a, b, x, h, w = variables("a", "b", "x", "h", "w")
    numbers, total = sym.contrib.foreach(lambda d, s: (d * s * 2, s + d), a, b)

    def step(row, states):
        new = sym.tanh(sym.FullyConnected(row, w, no_bias=True, num_hidden=1) + states[0])
        return [new, row * 2], [new]

    outs, last = sym.contrib.foreach(step, x, [h])
    inputs = {"a": np.array([3], "float32"), "b": np.array([10], "float32"), "x": rand(1, 2, 3, seed=1),
              "h": rand(2, 1, seed=2)}
    return sym.Group([numbers, total] + list(outs) + list(last)), inputs, {"w": rand(1, 3, seed=3)}


@graph
def upsampling_trained():
    """Weights that began as bilinear interpolation and were trained since."""
    x = sym.Variable("data")
    y = sym.Convolution(x, kernel=(1, 1), num_filter=3, name="conv")
    weight = sym.Variable("up_weight", init=mx.init.Bilinear())
    y = sym.UpSampling(y, weight, scale=2, sample_type="bilinear", num_filter=3, num_args=2, name="up")
    odd = sym.UpSampling(x, sym.Variable("odd_weight"), scale=3, sample_type="bilinear", num_filter=2, num_args=2,
                         name="odd")
    out = sym.Group([sym.Activation(y, act_type="relu"), odd])
    inputs = {"data": rand(2, 2, 4, 5, seed=9)}
    return out, inputs, random_parameters(out, inputs)


@graph
def pnet():
    """The first network of MTCNN, which runs on images of any size from 12 x 12."""
    y = sym.Variable("data")
    for i, filters in enumerate((10, 16, 32), 1):
        y = sym.Convolution(y, kernel=(3, 3), num_filter=filters, name=f"conv{i}")
        y = sym.LeakyReLU(y, act_type="prelu", name=f"prelu{i}")
        if i == 1:
            y = sym.Pooling(y, kernel=(2, 2), stride=(2, 2), pool_type="max", pooling_convention="full", name="pool1")
    scores = sym.Convolution(y, kernel=(1, 1), num_filter=2, name="conv4_1")
    boxes = sym.Convolution(y, kernel=(1, 1), num_filter=4, name="conv4_2")
    out = sym.Group([boxes, sym.SoftmaxActivation(scores, mode="channel", name="prob1")])
    inputs = {"data": rand(1, 3, 23, 30, seed=99)}
    return out, inputs, random_parameters(out, inputs)


@graph
def numpy_determinants():
    """With NumPy's shapes the determinant of one matrix is a scalar, the sum of logarithms is not."""
    a, stack = variables("a", "stack")
    outs = [sym.linalg.det(a), *sym.linalg.slogdet(a), sym.linalg.sumlogdiag(a), sym.linalg.det(stack),
            *sym.linalg.slogdet(stack)]
    near_one = np.eye(3, dtype="float32") + 0.3 * rand(2, 3, 3, seed=1)
    return sym.Group(outs), {"a": near_one[0], "stack": near_one}, {}


@graph
def determinants():
    """With MXNet's older shapes there is no scalar."""
    return numpy_determinants()


@graph
def empty_slices():
    """A slice of nothing, which nothing is assigned to."""
    x, nothing = variables("x", "nothing")
    assign, fill = sym._internal._slice_assign, sym._internal._slice_assign_scalar
    outs = [assign(x, nothing, begin=(1,), end=(1,)), assign(x, nothing, begin=(5,), end=(9,)),
            assign(x, nothing, begin=(1,), end=(2,), step=(-1,)), fill(x, begin=(2,), end=(1,), scalar=7),
            fill(x, begin=(0, 2), end=(3, 2), scalar=7)]
    return sym.Group(outs), {"x": rand(3, 4, seed=1), "nothing": rand(0, 4)}, {}


def numpy_variables(*names):
    return [each.as_np_ndarray() for each in variables(*names)]


@graph
def numpy_pieces():
    """An array of mx.np indexed, cut, turned and put together."""
    x, w = numpy_variables("x", "w")
    top, rest = sym.np.split(x, [1], axis=1)
    turned = sym.np.rot90(rest.transpose(), k=3, axes=(0, 2))
    joined = sym.np.concatenate([turned, sym.np.flip(turned, 1)], axis=-1)
    framed = sym.np.pad(x[0, :, -1:], ((1, 0), (2, 1)), "edge")
    flat = sym.np.concatenate([x.reshape(-1), w.reshape(-1)], axis=None)
    product = sym.npx.fully_connected(joined.reshape(-1, 8), w, num_hidden=3, no_bias=True, flatten=True)
    one = sym.np.atleast_1d(sym.np.squeeze(x[0, 0, :1]))
    outs = [joined, framed, flat, product, sym.np.roll(x, (1, -1), axis=(0, 2)), x[1], x[-1, 1, ::-1], sym.np.squeeze(top),
            sym.np.vstack([x[0, 0], x[1]]), sym.np.diag(x[0]), sym.np.diff(x, axis=1), sym.np.tril(x[0], -1),
            sym.np.stack([top, top], axis=-1), sym.np.expand_dims(one, -1), sym.np.ones(()), sym.np.zeros((0, 2)), sym.np.arange(3)]
    return sym.Group([out.as_nd_ndarray() for out in outs]), {"x": rand(2, 3, 4, seed=1)}, {"w": rand(3, 8, seed=2)}


@graph
def numpy_choices():
    """Sizes that follow from values, of several outputs and along other axes than the first."""
    x = numpy_variables("x")[0]
    values, inverse, counts = sym.np.unique(x, return_inverse=True, return_counts=True)
    columns = sym.np.unique(x, axis=1)
    places = sym.npx.nonzero(x)
    outs = [sym.np.negative(values), inverse, counts, sym.np.concatenate([columns, columns], axis=1), places,
            sym.np.delete(x, slice(0, 2), axis=1), sym.np.delete(x, places, axis=1), x * 2]
    data = np.array([[0, 1, 0, 2, 1], [3, 0, 3, 0, 0]], "float32")
    return sym.Group([out.as_nd_ndarray() for out in outs]), {"x": data}, {}


NUMPY_SHAPES = {"numpy_shapes", "numpy_determinants", "empty_slices", "numpy_pieces", "numpy_choices"}
OPEN_SIZES = ("boolean_mask", "_npi_unique", "_npx_nonzero", "_npi_delete")


def array(value):
    """Of the storage that it has."""
    return value if isinstance(value, mx.nd.NDArray) else mx.nd.array(value, dtype=value.dtype)


def run_nodes(symbol, values):
    """One node after another."""
    graph = json.loads(symbol.tojson())
    made = []
    for node in graph["nodes"]:
        if node["op"] == "null":
            made.append([values[node["name"]]])
            continue
        handle = ctypes.c_void_p()
        check_call(_LIB.NNGetOpHandle(c_str(node["op"]), ctypes.byref(handle)))
        attrs = node.get("attrs", {})
        outputs = _imperative_invoke(handle.value, [made[id][output] for id, output, _ in node["inputs"]], list(attrs),
                                     list(attrs.values()), None, False, False)
        made.append(outputs if isinstance(outputs, (list, tuple)) else [outputs])
    return [made[id][output].asnumpy() for id, output, _ in graph["heads"]]


def run(symbol, inputs, parameters):
    values = {k: array(v) for k, v in {**inputs, **parameters}.items()}
    for name, attributes in symbol.attr_dict().items():  # what the graph takes in CSR
        if attributes.get("__storage_type__") == "2" and name in inputs:
            values[name] = values[name].tostype("csr")
    if any(op in symbol.tojson() for op in OPEN_SIZES):  # an executor needs all shapes beforehand
        return run_nodes(symbol, values)
    # The auxiliary states of operators in a subgraph are arguments of the graph around it.
    arguments = {k: values[k] for k in symbol.list_arguments() if k in values}
    if "softmax_label" in symbol.list_arguments():
        arguments["softmax_label"] = mx.nd.zeros(values["data"].shape[0])
    states = {k: values[k] for k in symbol.list_auxiliary_states() if k in values}
    executor = symbol.bind(mx.cpu(), arguments, aux_states=states, grad_req="null")
    return [o.asnumpy() for o in executor.forward(is_train=False)]


def record(name):
    with mx.util.np_shape(name in NUMPY_SHAPES):
        record_here(name)


def record_here(name):
    symbol, inputs, parameters, *steps = GRAPHS[name]()
    outputs = run(symbol, inputs, parameters)
    if steps:  # what lies behind the last step is unwritten memory
        for output in outputs:
            if output.shape[0] > steps[0]:
                output[steps[0]:] = 0
    symbol.save(str(FOLDER / f"{name}-symbol.json"))
    states = symbol.list_auxiliary_states()
    stored = {("aux:" if k in states else "arg:") + k: array(v) for k, v in parameters.items()}
    mx.nd.save(str(FOLDER / f"{name}-0000.params"), stored)
    arrays = {f"input/{k}": v for k, v in inputs.items()}
    arrays.update({f"output/{i}": v for i, v in enumerate(outputs)})
    np.savez_compressed(FOLDER / f"{name}.npz", **arrays)
    print(name, [o.shape for o in outputs])


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for each in sys.argv[1:] or GRAPHS:
        record(each)
