"""A description as a symbol file of MXNet: symbol_of(net) is what PREFIX-symbol.json holds."""
import json

AUXILIARY = ("moving_mean", "moving_var")


def text(value):
    return value if isinstance(value, str) else str(value)


class Symbol:
    def __init__(self, net):
        self.net, self.nodes, self.outputs = net, [], []
        for number, layer in enumerate(net.layers):
            self.layer = layer
            inputs = [self.outputs[i] for i in layer.inputs]
            parameters = [self.variable(f"{layer.name}_{suffix}") for suffix in layer.parameters]
            self.outputs.append(getattr(self, layer.kind)(*inputs, *parameters, **layer.settings))

    def node(self, op, name, inputs, attrs):
        node = {"op": op, "name": name, "inputs": [[i, 0, 0] for i in inputs]}
        if attrs:
            node["attrs"] = {key: text(value) for key, value in attrs.items()}
        self.nodes.append(node)
        return len(self.nodes) - 1

    def variable(self, name, **attrs):
        return self.node("null", name, [], attrs)

    def op(self, op, *inputs, suffix="", **attrs):
        return self.node(op, self.layer.name + suffix, inputs, attrs)

    def input(self, values, batch_axis):
        shape = list(self.layer.shape)
        shape.insert(batch_axis, 0)
        return self.variable(self.layer.name, __shape__=tuple(shape))

    def conv(self, x, *parameters, kernel, stride, pad, groups):
        return self.op("Convolution", x, *parameters, kernel=(kernel, kernel), stride=(stride, stride), pad=(pad, pad),
                       dilate=(1, 1), num_filter=self.layer.shape[0], num_group=groups, no_bias=len(parameters) == 1,
                       layout="NCHW")

    def batch_norm(self, x, *parameters, gain):
        return self.op("BatchNorm", x, *parameters, eps=1e-05, momentum=0.9, fix_gamma=False, use_global_stats=False, axis=1)

    def relu(self, x):
        return self.op("Activation", x, act_type="relu")

    def relu6(self, x):
        return self.op("clip", x, a_min=0.0, a_max=6.0)

    def pool(self, x, how, kernel, stride, pad):
        return self.op("Pooling", x, pool_type=how, kernel=(kernel, kernel), stride=(stride, stride), pad=(pad, pad),
                       global_pool=False, pooling_convention="valid")

    def global_average(self, x):
        return self.op("Pooling", x, pool_type="avg", kernel=(1, 1), global_pool=True)

    def dense(self, x, weight, bias):
        return self.op("FullyConnected", x, weight, bias, num_hidden=self.layer.shape[0], no_bias=False, flatten=True)

    def plus(self, a, b):
        return self.op("elemwise_add", a, b)

    def concat(self, *parts):
        return self.op("Concat", *parts, dim=1, num_args=len(parts))

    def embedding(self, x, weight, words):
        return self.op("Embedding", x, weight, input_dim=words, output_dim=self.layer.shape[-1], dtype="float32")

    def words_first(self, x):
        return self.op("transpose", x, axes=(1, 0, 2))

    def batch_first(self, x):
        return self.op("transpose", x, axes=(1, 0, 2))

    def positions(self, x, weight):
        return self.op("broadcast_add", x, weight)

    def layer_norm(self, x, gamma, beta):
        return self.op("LayerNorm", x, gamma, beta, axis=-1, eps=1e-05)

    def dense_rows(self, x, weight, bias):
        return self.op("FullyConnected", x, weight, bias, num_hidden=self.layer.shape[-1], no_bias=False, flatten=False)

    def gelu(self, x):
        return self.op("LeakyReLU", x, act_type="gelu")

    def tanh(self, x):
        return self.op("Activation", x, act_type="tanh")

    def attention(self, projected, lengths, heads):
        words = self.layer.shape[0]
        scores = self.op("_contrib_interleaved_matmul_selfatt_qk", projected, suffix="_qk", heads=heads)
        each = self.op("Reshape", lengths, suffix="_lengths", shape=(-1, 1, 1))
        each = self.op("Cast", each, suffix="_whole", dtype="int32")
        each = self.op("broadcast_axis", each, suffix="_each", axis=(1, 2), size=(heads, words))
        each = self.op("Reshape", each, suffix="_rows", shape=(-3, 0))
        weights = self.op("softmax", scores, each, suffix="_softmax", axis=-1, use_length=True)
        return self.op("_contrib_interleaved_matmul_selfatt_valatt", projected, weights, heads=heads)

    def first_word(self, x):
        return self.op("slice_axis", x, axis=1, begin=0, end=1)

    def lstm(self, x, parameters, hidden, layers):
        states = [self.op("_zeros", suffix=suffix, shape=(layers, 0, hidden), dtype="float32") for suffix in ("_h", "_c")]
        return self.op("RNN", x, parameters, *states, mode="lstm", state_size=hidden, num_layers=layers, state_outputs=True,
                       bidirectional=False, p=0.0)

    def json(self):
        return json.dumps({"nodes": self.nodes, "arg_nodes": [i for i, node in enumerate(self.nodes) if node["op"] == "null"],
                           "node_row_ptr": list(range(len(self.nodes) + 1)),
                           "heads": [[self.outputs[head], 0, 0] for head in self.net.heads],
                           "attrs": {"mxnet_version": ["int", 10901]}})


def symbol_of(net):
    return Symbol(net).json()
