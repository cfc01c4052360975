"""Each node of a quantized network by itself, on the values that MXNet gives it: a float32 layer that rounds otherwise
changes 8-bit values behind it by a step here and there, and many layers make more of that."""
import json
import pathlib

import mxnet as mx
import numpy as np

from sweep import compare, explain

# Of 8-bit values, as many may be a step off. MXNet's batch norm of plain arrays rounds twice where others round once.
RARE = 1e-4


class Nodes:
    """What explain.Alone asks of a network, and every value in it, by node and number."""

    def __init__(self, symbol, parameters, values):
        self.symbol, self.parameters, self.values = symbol, parameters, values
        self.nodes = json.loads(symbol.tojson())["nodes"]


def executed(symbol, arguments, states):
    """Nodes with the values of MXNet's executor. `arguments` has the inputs, too."""
    inner = symbol.get_internals()
    graph = json.loads(inner.tojson())
    heads = [tuple(head[:2]) for head in graph["heads"]]
    places = [place for place, head in enumerate(heads) if graph["nodes"][head[0]]["op"] != "null"]
    computed = mx.sym.Group([inner[place] for place in places])
    arguments = {name: value for name, value in arguments.items() if name in computed.list_arguments()}
    outputs = computed.bind(mx.cpu(), arguments, aux_states=states, grad_req="null").forward(is_train=False)
    values = {heads[place]: output for place, output in zip(places, outputs)}
    for i, node in enumerate(graph["nodes"]):
        if node["op"] == "null":
            values[i, 0] = arguments.get(node["name"], states.get(node["name"]))
    return Nodes(inner, {name: value for name, value in {**arguments, **states}.items() if name != "data"}, values)


def is_rare_step(expected, actual):
    """Whether 8-bit values are equal but for single steps of a few."""
    if expected.dtype not in (np.int8, np.uint8) or expected.shape != actual.shape:
        return False
    steps = np.abs(expected.astype(int) - actual)
    return steps.max() <= 1 and np.count_nonzero(steps) <= max(1, RARE * steps.size)


def worst(network, command, folder):
    """The largest difference of a node, and its name."""
    alone = explain.Alone(network, command, pathlib.Path(folder))
    alone.folder.mkdir(exist_ok=True)
    found = (0.0, "")
    for i, node in enumerate(network.nodes):
        if node["op"] == "null" or not node["inputs"]:
            continue
        expected = [network.values[at].asnumpy() for at in sorted(network.values) if at[0] == i]
        sources = [network.values[tuple(source[:2])] for source in node["inputs"]]
        for e, a in zip(expected, alone.run(node, sources, len(expected))):
            if not is_rare_step(e, a):
                found = max(found, (compare.relative(e, a), node["name"]))
    return found
