"""Writes the networks whose launches predict.py records: symbol files as MXNet exports them, parameters that are all zero, and
inputs. What a kernel asks of a GPU does not depend on the numbers. Convolutional networks are GluonCV's v1b ResNet and MobileNetV2;
BERT is GluonNLP's, without its pooler and decoder."""
import dataclasses
import json
import math
import pathlib
import struct
import zipfile

WORDS, WIDTH, HEADS, LAYERS, VOCABULARY = 128, 768, 12, 12, 30522


class Symbol:
    """A graph that grows node by node. Parameters are named "arg:NAME" and "aux:NAME", with their shapes."""

    def __init__(self):
        self.nodes, self.shapes = [], {}

    def variable(self, name, shape=None, kind="arg"):
        if shape:
            self.shapes[f"{kind}:{name}"] = shape
        self.nodes.append({"op": "null", "name": name, "inputs": []})
        return len(self.nodes) - 1

    def op(self, operator, name, inputs, **attrs):
        self.nodes.append({"op": operator, "name": name, "inputs": [[i, 0, 0] for i in inputs],
                           "attrs": {key: str(value) for key, value in attrs.items()}})
        return len(self.nodes) - 1

    def json(self, head):
        arguments = [i for i, node in enumerate(self.nodes) if node["op"] == "null"]
        return json.dumps({"nodes": self.nodes, "arg_nodes": arguments, "node_row_ptr": list(range(len(self.nodes) + 1)),
                           "heads": [[head, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})


@dataclasses.dataclass
class Network:
    """`inputs`: name to shape. `channels`: of the last value, while convolutions are added."""
    symbol: Symbol = dataclasses.field(default_factory=Symbol)
    inputs: dict = dataclasses.field(default_factory=dict)
    head: int = 0
    channels: int = 0
    count: int = 0

    def name(self, kind):
        self.count += 1
        return f"{kind}{self.count}"

    def input(self, name, shape):
        self.inputs[name] = shape
        return self.symbol.variable(name)

    def convolution(self, x, channels, filters, kernel, stride=1, groups=1, activation=None):
        """With BatchNorm, as all of them have."""
        s, name = self.symbol, self.name("conv")
        weight = s.variable(name + "_weight", (filters, channels // groups, kernel, kernel))
        x = s.op("Convolution", name, [x, weight], kernel=(kernel, kernel), stride=(stride, stride), pad=(kernel // 2, kernel // 2),
                 num_filter=filters, num_group=groups, no_bias=True)
        statistics = [s.variable(f"{name}_{kind}", (filters,), of)
                      for kind, of in (("gamma", "arg"), ("beta", "arg"), ("mean", "aux"), ("var", "aux"))]
        x = s.op("BatchNorm", name + "_bn", [x, *statistics], eps=1e-5, fix_gamma=False, use_global_stats=False)
        self.channels = filters
        if activation == "relu":
            return s.op("Activation", name + "_relu", [x], act_type="relu")
        return s.op("clip", name + "_clip", [x], a_min=0, a_max=6) if activation == "relu6" else x

    def add(self, x, y):
        return self.symbol.op("elemwise_add", self.name("add"), [x, y])

    def dense(self, x, depth, columns, flatten=False):
        name = self.name("dense")
        weight, bias = self.symbol.variable(name + "_weight", (columns, depth)), self.symbol.variable(name + "_bias", (columns,))
        return self.symbol.op("FullyConnected", name, [x, weight, bias], num_hidden=columns, flatten=flatten)

    def layer_norm(self, x):
        name = self.name("norm")
        scale, shift = (self.symbol.variable(f"{name}_{kind}", (WIDTH,)) for kind in ("gamma", "beta"))
        return self.symbol.op("LayerNorm", name, [x, scale, shift], axis=-1, eps=1e-12)

    def classify(self, x, classes=1000):
        x = self.symbol.op("Pooling", "mean", [x], kernel=(1, 1), pool_type="avg", global_pool=True)
        self.head = self.dense(x, self.channels, classes, flatten=True)
        return self


def resnet50(batch):
    net = Network()
    x = net.convolution(net.input("data", (batch, 3, 224, 224)), 3, 64, 7, 2, activation="relu")
    x = net.symbol.op("Pooling", "pool", [x], kernel=(3, 3), stride=(2, 2), pad=(1, 1), pool_type="max")
    channels = 64
    for stage, blocks in enumerate((3, 4, 6, 3)):
        width = 64 << stage
        for block in range(blocks):
            stride = 2 if stage and not block else 1
            y = net.convolution(x, channels, width, 1, activation="relu")
            y = net.convolution(y, width, width, 3, stride, activation="relu")
            y = net.convolution(y, width, 4 * width, 1)
            if not block:
                x = net.convolution(x, channels, 4 * width, 1, stride)
            x = net.symbol.op("Activation", net.name("relu"), [net.add(y, x)], act_type="relu")
            channels = 4 * width
    return net.classify(x)


def mobilenetv2(batch):
    net = Network()
    x = net.convolution(net.input("data", (batch, 3, 224, 224)), 3, 32, 3, 2, activation="relu6")
    channels = 32
    for expansion, filters, repeats, first_stride in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
                                                      (6, 160, 3, 2), (6, 320, 1, 1)):
        for block in range(repeats):
            stride, wide = first_stride if not block else 1, channels * expansion
            y = net.convolution(x, channels, wide, 1, activation="relu6")
            y = net.convolution(y, wide, wide, 3, stride, groups=wide, activation="relu6")
            y = net.convolution(y, wide, filters, 1)
            x = net.add(y, x) if stride == 1 and channels == filters else y
            channels = filters
    return net.classify(net.convolution(x, channels, 1280, 1, activation="relu6"))


def bert_base(batch):
    net = Network()
    s = net.symbol

    def embed(name, shape, rows):
        table = s.variable(name + "_table", (rows, WIDTH))
        return s.op("Embedding", name + "_rows", [net.input(name, shape), table], input_dim=rows, output_dim=WIDTH)

    x = net.add(embed("words", (WORDS, batch), VOCABULARY), embed("types", (WORDS, batch), 2))
    x = net.layer_norm(s.op("broadcast_add", net.name("add"), [x, embed("places", (WORDS, 1), 512)]))
    for _ in range(LAYERS):
        qkv = net.dense(x, WIDTH, 3 * WIDTH)
        scores = s.op("_contrib_interleaved_matmul_selfatt_qk", net.name("scores"), [qkv], heads=HEADS)
        weights = s.op("softmax", net.name("softmax"), [scores], axis=-1)
        y = s.op("_contrib_interleaved_matmul_selfatt_valatt", net.name("sum"), [qkv, weights], heads=HEADS)
        x = net.layer_norm(net.add(net.dense(y, WIDTH, WIDTH), x))
        y = s.op("LeakyReLU", net.name("gelu"), [net.dense(x, WIDTH, 4 * WIDTH)], act_type="gelu")
        x = net.layer_norm(net.add(net.dense(y, 4 * WIDTH, WIDTH), x))
    net.head = x
    return net


NETWORKS = {"ResNet-50": resnet50, "MobileNetV2": mobilenetv2, "BERT base": bert_base}


def zeros(shape):
    """An .npy file of float32."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {tuple(shape)!r}, }}"
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + bytes(4 * math.prod(shape))


def write(network, folder):
    """model-symbol.json, model-0000.params and an .npy file for each input."""
    folder = pathlib.Path(folder)
    (folder / "model-symbol.json").write_text(network.symbol.json(network.head))
    with zipfile.ZipFile(folder / "model-0000.params", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, shape in network.symbol.shapes.items():
            archive.writestr(name + ".npy", zeros(shape))
    for name, shape in network.inputs.items():
        (folder / f"{name}.npy").write_bytes(zeros(shape))
