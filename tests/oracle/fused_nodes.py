"""Nodes as MXNet's fusion for oneDNN writes them (_sg_mkldnn_conv, _sg_mkldnn_fully_connected), with any data: MXNet's
Python has no functions for them.

    graph = FusedGraph()
    graph.convolution("c", "u", {"kernel": (3, 3), "num_filter": 8}, act=RELU, calibrated=(0, 3))
    graph.symbol(), graph.inputs, graph.parameters
"""
import json

import mxnet as mx
import numpy as np

RELU = ("Activation", {"act_type": "relu"})
DTYPES = {"float32": 0, "uint8": 3, "int32": 4, "int8": 5}


def json_node(op, name, inputs=(), attrs=None, subgraph=None):
    node = {"op": op, "name": name, "inputs": [[id, output, 0] for id, output in inputs]}
    if attrs:
        node["attrs"] = {key: str(value) for key, value in attrs.items()}
    if subgraph:
        node["subgraphs"] = [subgraph]
    return node


def json_graph(nodes, heads):
    return {"nodes": nodes, "arg_nodes": [i for i, node in enumerate(nodes) if node["op"] == "null"],
            "node_row_ptr": list(range(len(nodes) + 1)), "heads": [[id, output, 0] for id, output in heads],
            "attrs": {"mxnet_version": ["int", 10901]}}


def chain(names, product, bn=None, act=None, with_sum=False, after=None):
    """The subgraph of a fused node: the variables `names`, which its operators take in order."""
    nodes = [json_node("null", name) for name in names]
    taken = len(names) - (4 if bn else 0) - (1 if with_sum else 0)
    nodes.append(json_node(product[0], "product", [(i, 0) for i in range(taken)], product[1]))
    if bn:
        nodes.append(json_node("BatchNorm", "bn", [(len(nodes) - 1, 0)] + [(taken + i, 0) for i in range(4)], bn))
    if act:
        nodes.append(json_node(act[0], "act", [(len(nodes) - 1, 0)], act[1]))
    if with_sum:
        nodes.append(json_node("elemwise_add", "add", [(len(nodes) - 1, 0), (names.index("sum"), 0)]))
    if after:
        nodes.append(json_node(after[0], "after", [(len(nodes) - 1, 0)], after[1]))
    graph = json_graph(nodes, [(len(nodes) - 1, 0)])
    del graph["attrs"]
    return graph


class FusedGraph:
    """A graph of fused nodes, whose outputs are all of theirs."""

    def __init__(self):
        self.nodes, self.heads, self.inputs, self.parameters = [], [], {}, {}
        self.random = np.random.RandomState(1)

    def uniform(self, low, high, *shape):
        return self.random.uniform(low, high, shape).astype("float32")

    def variable(self, name, value, is_input):
        found = [i for i, node in enumerate(self.nodes) if node["name"] == name]
        if found:
            return found[0], 0
        (self.inputs if is_input else self.parameters)[name] = value
        self.nodes.append(json_node("null", name, attrs={"__dtype__": DTYPES[value.dtype.name]}))
        return len(self.nodes) - 1, 0

    def input(self, name, dtype, *shape):
        low, high = (-128, 128) if dtype == "int8" else (0, 256)
        return self.variable(name, self.random.randint(low, high, shape).astype(dtype), True)

    def range(self, name, low, high, is_input=False):
        return [self.variable(f"{name}_{end}", np.array([value], "float32"), is_input)
                for end, value in (("min", low), ("max", high))]

    def add(self, op, name, inputs, attrs, subgraph, outputs):
        self.nodes.append(json_node(op, name, inputs, attrs, subgraph))
        self.heads += [(len(self.nodes) - 1, i) for i in range(outputs)]

    def convolution(self, name, data, attrs, channels, bn=None, act=None, residual=None, after=None, calibrated=None,
                    computed=False, spread=0.3, flags=None, bias=True):
        """data, residual: (value, (min, max)). computed: the range of the data is an input of the network."""
        filters, kernel = attrs["num_filter"], attrs["kernel"]
        group = attrs.get("num_group", 1)
        attrs = {"no_bias": not bias, **attrs}
        weight = self.uniform(-spread, spread, filters, channels // group, *kernel)
        operands = {"data": data[0], "weight": self.variable(f"{name}_weight", weight, False)}
        if bias:
            operands["bias"] = self.variable(f"{name}_bias", self.uniform(-0.5, 0.5, filters), False)
        for part, low, high in (("gamma", 0.5, 1.5), ("beta", -1, 1), ("mean", -1, 1), ("var", 0.5, 1.5)) if bn else ():
            operands[part] = self.variable(f"{name}_{part}", self.uniform(low, high, filters), False)
        if residual:
            operands["sum"] = residual[0]
        subgraph = chain(list(operands), ("Convolution", attrs), bn, act, residual is not None, after)
        inputs = list(operands.values()) + self.range(f"{name}_data", *data[1], computed)
        if residual:
            inputs += self.range(f"{name}_sum", *residual[1])
        stated = {"quantized": "true", **(flags or {})}
        if flags is None:
            stated.update({flag: "true" for flag, given in (("with_bn", bn), ("with_act", act), ("with_sum", residual),
                                                            ("with_postsum_act", after)) if given})
        if calibrated:
            stated.update(min_calib_range=calibrated[0], max_calib_range=calibrated[1])
        self.add("_sg_mkldnn_conv", name, inputs, stated, subgraph, 3)

    def fully_connected(self, name, data, attrs, depth, act=None, calibrated=None, to_float=False, per_filter=False,
                        bias=True, ranges=((-0.4, 0.3), (-2, 1)), computed=False):
        hidden = attrs["num_hidden"]
        attrs = {"no_bias": not bias, "flatten": True, **attrs}
        if per_filter:
            values = self.uniform(-0.4, 0.4, hidden, depth), self.uniform(-1, 1, hidden)
        else:
            values = [self.random.randint(-127, 128, shape).astype("int8") for shape in ((hidden, depth), (hidden,))]
        operands = {"data": data[0], "weight": self.variable(f"{name}_weight", values[0], False)}
        if bias:
            operands["bias"] = self.variable(f"{name}_bias", values[1], False)
        subgraph = chain(list(operands), ("FullyConnected", attrs), act=act)
        inputs = list(operands.values()) + self.range(f"{name}_data", *data[1], computed)
        stated = {"quantized": "True"}
        if per_filter:
            stated["channel_wise_quantize"] = "True"
        else:
            inputs += self.range(f"{name}_weight", *ranges[0])
            inputs += self.range(f"{name}_bias", *ranges[1]) if bias else []
        if act:
            stated["with_eltwise"] = "True"
        if calibrated:
            stated.update(min_calib_range=calibrated[0], max_calib_range=calibrated[1])
        if to_float:
            stated["enable_float_output"] = "True"
        self.add("_sg_mkldnn_fully_connected", name, inputs, stated, subgraph, 1 if to_float else 3)

    def symbol(self):
        return mx.sym.load_json(json.dumps(json_graph(self.nodes, self.heads)))
