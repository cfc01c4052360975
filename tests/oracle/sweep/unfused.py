"""Quantizing the plain operators of a network, without fusing them for oneDNN first."""
import ast
import json
import logging

import mxnet as mx
import numpy as np
from mxnet.contrib import quantization

from sweep import each_node, graph

# Operators that keep 8-bit values in their dtype.
KEEP_DTYPE = ("Pooling", "Concat", "Flatten", "Dropout")
SIZES = ("kernel", "stride", "pad", "dilate", "num_filter", "num_group")


def before_convolutions(nodes):
    """Names of the layers whose values reach a convolution. MXNet's quantized convolution takes uint8 alone, but its other
    quantized layers give int8: these layers stay in float32, and their values are quantized to uint8."""
    pending = [node["inputs"][0][0] for node in nodes if node["op"] == "Convolution"]
    found = set()
    while pending:
        node = nodes[pending.pop()]
        if node["op"] in KEEP_DTYPE:
            pending += [source[0] for source in node["inputs"]]
        elif node["op"] not in ("null", "Convolution"):
            found.add(node["name"])
    return found


def grouped(nodes):
    """Names of the convolutions of several groups, which MXNet does not run quantized."""
    return {node["name"] for node in nodes if node["op"] == "Convolution" and node["attrs"].get("num_group", "1") != "1"}


def excluded_operators(options):
    """MXNet hands the bytes of uint8 on as int8 behind an activation, and has no range for a batch norm without calibration."""
    activations = ["Activation"] if options["quantized_dtype"] == "uint8" else []
    return activations + (["BatchNorm"] if options["calib_mode"] == "none" else [])


def quantize(symbol, arguments, states, data, options):
    """Symbol, arguments and states with _contrib_quantized_conv and its like."""
    nodes = json.loads(symbol.tojson())["nodes"]
    excluded = grouped(nodes)
    if options["quantized_dtype"] != "int8":
        excluded |= before_convolutions(nodes)
    options = {**options, "excluded_sym_names": sorted(excluded), "excluded_op_names": excluded_operators(options)}
    if options["calib_mode"] != "none":
        options.update(calib_data=mx.io.NDArrayIter(data, batch_size=len(data)), num_calib_examples=len(data))
    return quantization.quantize_model(symbol, arguments, states, ctx=mx.cpu(), label_names=None, logger=logging.getLogger(),
                                       **options)


def sums_of(node, sources):
    """_contrib_quantized_conv of int8 data, which MXNet runs on GPUs alone: exact sums, and their range."""
    attrs = {key: ast.literal_eval(text) for key, text in node["attrs"].items() if key in SIZES}
    has_bias = node["attrs"].get("no_bias") not in ("True", "true", "1")
    data, weight, *rest = sources
    sums = mx.nd.Convolution(data.astype("float64"), weight.astype("float64"), no_bias=True, **attrs)
    if has_bias:
        sums = sums + rest.pop(0).astype("float64").reshape((1, -1, *[1] * len(attrs["kernel"])))
    ends = np.abs([end.asscalar() for end in rest[:4]]).astype(np.float32)
    steps = [ends[:2].max() / np.float32(127), ends[2:].max() / np.float32(127)]
    largest = steps[0] * steps[1] * np.float32(2**31 - 1)
    return [sums.astype("int32"), mx.nd.array([-largest]), mx.nd.array([largest])]


def emulated(symbol, arguments, states, data):
    """Outputs, and nodes with their values (each_node), in MXNet but for such convolutions."""
    parameters = {**arguments, **states}
    values = {}

    def run(i, node, sources):
        is_int8 = node["op"] == "_contrib_quantized_conv" and sources[0].dtype == np.int8
        outputs = sums_of(node, sources) if is_int8 else graph.invoke(node, sources)
        values.update({(i, o): output for o, output in enumerate(outputs)})
        return outputs

    inputs = {"data": mx.nd.array(data)}
    outputs = graph.evaluate(symbol, inputs, parameters, run)
    network = each_node.Nodes(symbol, parameters, values)
    for i, node in enumerate(network.nodes):
        if node["op"] == "null":
            values[i, 0] = {**parameters, **inputs}[node["name"]]
    return [output.asnumpy() for output in outputs], network
