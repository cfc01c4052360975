"""A network as a list of layers, from which both a symbol file of MXNet and a module of PyTorch are made.

    net = Net()
    x = net.input("data", (3, 224, 224))
    x = net.relu(net.batch_norm(net.conv(x, 64, 7, stride=2, pad=3)))
    net.heads = [net.dense(net.global_average(x), 1000)]

Shapes are those of one sample: without the batch.
"""
import dataclasses
import math


@dataclasses.dataclass
class Layer:
    kind: str
    name: str
    inputs: list  # layers, by number
    shape: tuple  # of its output
    settings: dict = dataclasses.field(default_factory=dict)
    parameters: dict = dataclasses.field(default_factory=dict)  # {suffix of the name: shape}


class Net:
    def __init__(self):
        self.layers = []
        self.heads = []

    def parameters(self):
        """{name: (layer, suffix, shape)}, in order."""
        return {f"{layer.name}_{suffix}": (layer, suffix, shape)
                for layer in self.layers for suffix, shape in layer.parameters.items()}

    def add(self, kind, inputs, shape, parameters=None, **settings):
        """Returns the number of the new layer."""
        self.layers.append(Layer(kind, f"{kind}{len(self.layers)}", list(inputs), tuple(shape), settings, parameters or {}))
        return len(self.layers) - 1

    def shape(self, x):
        return self.layers[x].shape

    def input(self, name, shape, values="normal", batch_axis=0):
        """values: "normal", "words" (whole numbers below settings["words"]) or "lengths"."""
        number = self.add("input", [], shape, values=values, batch_axis=batch_axis)
        self.layers[number].name = name
        return number

    # Images: (channels, height, width).

    def conv(self, x, filters, kernel, stride=1, pad=0, groups=1, bias=False):
        channels, height, width = self.shape(x)
        sides = [(side + 2 * pad - kernel) // stride + 1 for side in (height, width)]
        parameters = {"weight": (filters, channels // groups, kernel, kernel)}
        if bias:
            parameters["bias"] = (filters,)
        return self.add("conv", [x], (filters, *sides), parameters, kernel=kernel, stride=stride, pad=pad, groups=groups)

    def batch_norm(self, x, gain=1.0):
        """gain: about what gamma is, below 1 in front of a sum that would grow from block to block."""
        channels = (self.shape(x)[0],)
        parameters = {name: channels for name in ("gamma", "beta", "moving_mean", "moving_var")}
        return self.add("batch_norm", [x], self.shape(x), parameters, gain=gain)

    def relu(self, x):
        return self.add("relu", [x], self.shape(x))

    def relu6(self, x):
        return self.add("relu6", [x], self.shape(x))

    def pool(self, x, how, kernel, stride, pad=0):
        """how: "max" or "avg"."""
        channels, height, width = self.shape(x)
        sides = [(side + 2 * pad - kernel) // stride + 1 for side in (height, width)]
        return self.add("pool", [x], (channels, *sides), how=how, kernel=kernel, stride=stride, pad=pad)

    def global_average(self, x):
        return self.add("global_average", [x], (self.shape(x)[0], 1, 1))

    def dense(self, x, units):
        """Of all values of a sample."""
        return self.add("dense", [x], (units,), {"weight": (units, math.prod(self.shape(x))), "bias": (units,)})

    def plus(self, a, b):
        return self.add("plus", [a, b], self.shape(a))

    def concat(self, parts):
        channels = sum(self.shape(part)[0] for part in parts)
        return self.add("concat", parts, (channels, *self.shape(parts[0])[1:]))

    # Sequences: (words, width). `rows` are the values of each word.

    def embedding(self, x, words, width):
        return self.add("embedding", [x], (*self.shape(x), width), {"weight": (words, width)}, words=words)

    def words_first(self, x):
        """From here to batch_first(), MXNet's arrays are (words, batch, width); PyTorch's stay (batch, words, width)."""
        return self.add("words_first", [x], self.shape(x))

    def batch_first(self, x):
        return self.add("batch_first", [x], self.shape(x))

    def positions(self, x):
        """Adds what is learnt for each position."""
        words, width = self.shape(x)
        return self.add("positions", [x], (words, width), {"weight": (words, 1, width)})

    def layer_norm(self, x):
        width = (self.shape(x)[-1],)
        return self.add("layer_norm", [x], self.shape(x), {"gamma": width, "beta": width})

    def dense_rows(self, x, units):
        words, width = self.shape(x)
        return self.add("dense_rows", [x], (words, units), {"weight": (units, width), "bias": (units,)})

    def gelu(self, x):
        return self.add("gelu", [x], self.shape(x))

    def tanh(self, x):
        return self.add("tanh", [x], self.shape(x))

    def attention(self, projected, lengths, heads):
        """Of queries, keys and values that lie interleaved in a projection: (words, heads * 3 * width of a head)."""
        words, width = self.shape(projected)
        return self.add("attention", [projected, lengths], (words, width // 3), heads=heads)

    def first_word(self, x):
        return self.add("first_word", [x], (1, self.shape(x)[-1]))

    def lstm(self, x, hidden, layers):
        """Of (steps, batch, width), with the batch left out in shapes."""
        steps, width = self.shape(x)
        size = sum(4 * hidden * ((width if layer == 0 else hidden) + hidden + 2) for layer in range(layers))
        return self.add("lstm", [x], (steps, hidden), {"parameters": (size,)}, hidden=hidden, layers=layers)
