"""Runs a graph in MXNet node by node."""
import ctypes
import json

import mxnet as mx
from mxnet._ctypes.ndarray import _imperative_invoke
from mxnet.base import _LIB, c_str, check_call


def invoke(node, inputs):
    """Runs one node of a symbol file."""
    handle = ctypes.c_void_p()
    check_call(_LIB.NNGetOpHandle(c_str(node["op"]), ctypes.byref(handle)))
    attrs = node.get("attrs", {})
    outputs = _imperative_invoke(handle.value, inputs, list(attrs), list(attrs.values()), None, False, True)
    return outputs if isinstance(outputs, list) else [outputs]


def evaluate(symbol, inputs, parameters, run):
    """The outputs for `inputs` and `parameters`, arrays by name; run(index, node, sources) gives the outputs of a node."""
    graph = json.loads(symbol.tojson())
    nodes = graph["nodes"]
    last_use = {source[0]: i for i, node in enumerate(nodes) for source in node["inputs"]}
    last_use.update({head[0]: len(nodes) for head in graph["heads"]})
    values = {}
    for i, node in enumerate(nodes):
        if node["op"] == "null":
            name = node["name"]
            values[i] = [inputs[name] if name in inputs else parameters[name]]
            continue
        values[i] = run(i, node, [values[source[0]][source[1]] for source in node["inputs"]])
        for source in node["inputs"]:
            if last_use[source[0]] == i:
                values.pop(source[0], None)
    return [values[head[0]][head[1]] for head in graph["heads"]]


def arrays_of(net):
    """The parameters of a Gluon block: its own arrays, which set_data() changes."""
    return {name: parameter.data() for name, parameter in net.collect_params().items()}


def is_mended(symbol):
    return any(node["op"] == "_contrib_ROIAlign" for node in json.loads(symbol.tojson())["nodes"])


def mended(_, node, sources):
    """MXNet's ROIAlign leaves the rows of regions with a negative batch index, which pyramids use for regions of other
    levels, as memory was, and puts their zeros among the numbers of the first region. Here those rows are zeros."""
    if node["op"] != "_contrib_ROIAlign":
        return invoke(node, sources)
    rois = sources[1]
    somewhere = mx.nd.concat(mx.nd.maximum(rois[:, :1], 0), rois[:, 1:], dim=1)
    outputs = invoke(node, [sources[0], somewhere])
    return [mx.nd.where(rois[:, 0] >= 0, outputs[0], mx.nd.zeros_like(outputs[0]))]
