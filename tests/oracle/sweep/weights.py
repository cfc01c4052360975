"""Seeded weights that keep values in range through every layer of any network."""
import json

import mxnet as mx
import numpy as np
from mxnet import gluon

from sweep import graph

# The branch of a residual block beside what it is added to. With branches as large as that, many layers of random
# numbers turn a difference in the last bit into one that can be seen.
BRANCH = 0.2
LAYERS = ("Convolution", "Deconvolution", "FullyConnected")
# Mostly positive beta keep most values in the straight part of a relu: with as many on either side, dozens of layers make
# rounding visible.
RANGES = {"gamma": (0.5, 1.5), "beta": (-0.2, 1.2), "bias": (-0.2, 0.2)}
BATCH_NORMS = ("BatchNorm", "_contrib_SyncBatchNorm")


def images(shape, random):
    """Smooth coloured patterns with some noise, of any number of dimensions behind batch and channels."""
    grids = np.meshgrid(*[np.arange(size) / size * 2 * np.pi for size in shape[2:]], indexing="ij")
    batch = random.normal(0, 0.5, shape)
    for sample in batch:
        for channel in sample:
            for _ in range(4):
                waves = sum(random.uniform(-6, 6) * grid for grid in grids)
                channel += random.uniform(0.2, 1) * np.sin(waves + random.uniform(0, 2 * np.pi))
    return batch.astype(np.float32)


def random_weight(shape, random):
    # The largest have 10^8 weights: they repeat a million numbers, at another place in each row.
    count = min(int(np.prod(shape)), 1_000_003)
    normal = random.standard_normal(count, dtype=np.float32) * np.float32(np.sqrt(2 / max(1, np.prod(shape[1:]))))
    return np.resize(normal, shape)


def set_parameters(net, random):
    for name, parameter in net.collect_params().items():
        parameter._finish_deferred_init()
        if isinstance(parameter, gluon.parameter.Constant):
            continue
        if name.endswith("weight"):
            parameter.set_data(mx.nd.array(random_weight(parameter.shape, random)))
        elif name.rsplit("_", 1)[-1] in RANGES:
            low, high = RANGES[name.rsplit("_", 1)[-1]]
            parameter.set_data(mx.nd.array(random.uniform(low, high, parameter.shape)))


def last_layers(nodes, node):
    """The layer that makes a value, through what only passes values on."""
    while nodes[node]["op"] in ("Activation", "relu", "Dropout", "Reshape", "broadcast_mul", "elemwise_mul"):
        node = nodes[node]["inputs"][0][0]
    return nodes[node]


def soften_branches(net, symbol):
    """Makes the deeper side of every addition small."""
    nodes = json.loads(symbol.tojson())["nodes"]
    depths = []
    for node in nodes:
        depths.append(1 + max((depths[source[0]] for source in node["inputs"]), default=0))
    parameters = net.collect_params()
    softened = set()
    for node in nodes:
        if node["op"] not in ("elemwise_add", "broadcast_add"):
            continue
        sides = sorted((source[0] for source in node["inputs"]), key=lambda side: depths[side])
        layer = last_layers(nodes, sides[-1])
        if layer["op"] not in ("BatchNorm", "Convolution", "FullyConnected"):
            continue
        name = nodes[layer["inputs"][1][0]]["name"]
        if name in parameters.keys() and name not in softened:
            softened.add(name)
            parameters[name].set_data(parameters[name].data() * BRANCH)


def take_statistics(values, axis, random):
    """(mean, variance) of what reaches a BatchNorm, somewhat disturbed."""
    axis %= values.ndim
    others = tuple(i for i in range(values.ndim) if i != axis)
    shape = [-1 if i == axis else 1 for i in range(values.ndim)]
    mean = values.mean(axis=others)
    variance = ((values - mean.reshape(shape)) ** 2).mean(axis=others)
    # A channel that hardly varies would be divided by next to nothing, and its last bits would become large; one pixel of
    # one image, as the last layers of a detector have it, does not vary at all.
    variance = mx.nd.maximum(variance, 0.5 * mean ** 2 + 0.2 * (mean ** 2).mean() + 0.05 * variance.mean() + 1e-3)
    return (mean + mx.nd.array(random.normal(0, 0.1, mean.shape)) * variance.sqrt(),
            variance * mx.nd.array(random.uniform(0.8, 1.25, mean.shape)))


def scale_to_one(names, output, parameters, scaled):
    """Divides the weights of a layer without BatchNorm so that its output varies by 1: scores and sizes of boxes then are
    as large as those of practice, and exp and softmax of them are no cliffs."""
    factor = 1 / max(1e-3, float(output.astype("float64").asnumpy().std()))
    if any(name in scaled or name not in parameters.keys() for name in names):
        return output
    scaled.update(names)
    for name in names:
        parameters[name].set_data(parameters[name].data() * factor)
    return output * factor


def calibrate(net, symbol, inputs, random, scales_all=False):
    """Runs the graph node by node, gives each BatchNorm the statistics of what reaches it, and scales layers that have
    none; without any BatchNorm, only if `scales_all`."""
    nodes = json.loads(symbol.tojson())["nodes"]
    if not scales_all and not any(node["op"] in BATCH_NORMS for node in nodes):
        return
    parameters = net.collect_params()
    normalized = {source[0] for node in nodes if node["op"] in BATCH_NORMS for source in node["inputs"][:1]}
    scaled = set()

    def run(i, node, sources):
        names = [nodes[source[0]]["name"] for source in node["inputs"]]
        if node["op"] in BATCH_NORMS:
            axis = int(node.get("attrs", {}).get("axis", 1))
            sources[3:] = take_statistics(sources[0], axis, random)
            for name, statistic in zip(names[3:], sources[3:]):
                parameters[name].set_data(statistic)
        outputs = graph.mended(i, node, sources)
        if node["op"] in LAYERS and i not in normalized:
            outputs[0] = scale_to_one(names[1:], outputs[0], parameters, scaled)
        return outputs

    graph.evaluate(symbol, inputs, graph.arrays_of(net), run)


def prepare(net, symbol, inputs, random, scales_all=False):
    """Sets every parameter; BatchNorm's statistics come from a pass over `inputs`, arrays by name."""
    set_parameters(net, random)
    soften_branches(net, symbol)
    calibrate(net, symbol, inputs, random, scales_all)
    for name, array in graph.arrays_of(net).items():
        if not np.isfinite(array.asnumpy()).all():
            raise ValueError(f"calibration left '{name}' without numbers")
