"""Records small graphs whose meaning is more than that of their operators: control flow, and shapes that depend on data.

    python tests/oracle/record_graphs.py [NAME...]

writes tests/golden/graphs/NAME-symbol.json and NAME-0000.params as MXNet saves them, and NAME.npz with input/<name>
and output/<i>. tests/api/golden_graphs_test.cpp loads each and compares.
"""
import os
import sys
from pathlib import Path

os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"
os.environ["MXNET_MKLDNN_ENABLED"] = "0"
os.environ["MXNET_SUBGRAPH_VERBOSE"] = "0"
os.environ["MXNET_STORAGE_FALLBACK_LOG_VERBOSE"] = "0"
os.environ.setdefault("OMP_NUM_THREADS", "1")

import mxnet as mx  # noqa: E402
import numpy as np  # noqa: E402
from mxnet import sym  # noqa: E402

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


NUMPY_SHAPES = {"numpy_shapes"}


def run(symbol, inputs, parameters):
    values = {k: mx.nd.array(v, dtype=v.dtype) for k, v in {**inputs, **parameters}.items()}
    if "boolean_mask" in symbol.tojson():  # an executor needs all shapes beforehand
        block = mx.gluon.SymbolBlock(symbol, [sym.Variable(k) for k in inputs])
        for name, parameter in block.collect_params().items():
            parameter.shape = values[name].shape
            parameter.initialize()
            parameter.set_data(values[name])
        outputs = block(*[values[k] for k in inputs])
        return [o.asnumpy() for o in (outputs if isinstance(outputs, (list, tuple)) else [outputs])]
    # The auxiliary states of operators in a subgraph are arguments of the graph around it.
    executor = symbol.bind(mx.cpu(), {k: values[k] for k in symbol.list_arguments()}, grad_req="null")
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
    stored = {"arg:" + k: mx.nd.array(v) for k, v in parameters.items()}
    mx.nd.save(str(FOLDER / f"{name}-0000.params"), stored)
    arrays = {f"input/{k}": v for k, v in inputs.items()}
    arrays.update({f"output/{i}": v for i, v in enumerate(outputs)})
    np.savez_compressed(FOLDER / f"{name}.npz", **arrays)
    print(name, [o.shape for o in outputs])


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for each in sys.argv[1:] or GRAPHS:
        record(each)
