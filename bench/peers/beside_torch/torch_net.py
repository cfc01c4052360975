"""A description as a module of PyTorch: each layer is torch's own module or function. Needs torch alone.

    module = TorchNet(net, weights.read_params("model-0000.params")).to("cuda")
    module(data)            # a tuple of outputs
"""
import torch
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    """Of a projection (batch, words, heads * 3 * width): all words of all texts, without a mask."""

    def __init__(self, heads):
        super().__init__()
        self.heads = heads

    def forward(self, projected, _):
        batch, words, width = projected.shape
        queries, keys, values = projected.view(batch, words, self.heads, 3, -1).permute(3, 0, 2, 1, 4)
        attended = F.scaled_dot_product_attention(queries, keys, values)
        return attended.transpose(1, 2).reshape(batch, words, width // 3)


class Positions(nn.Module):
    def __init__(self, words, width):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(words, 1, width))

    def forward(self, x):
        return x + self.weight.squeeze(1)


class Words(nn.Embedding):
    """Words come as floats, as in MXNet."""

    def forward(self, x):
        return super().forward(x.long())


class Call(nn.Module):
    """A function as a module."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


class Lstm(nn.LSTM):
    def forward(self, x):
        return super().forward(x)[0]


def conv(layer, kernel, stride, pad, groups):
    filters, channels = layer.parameters["weight"][:2]
    return nn.Conv2d(channels * groups, filters, kernel, stride, pad, groups=groups, bias="bias" in layer.parameters)


def pool(_, how, **sizes):
    kernel, stride, pad = sizes["kernel"], sizes["stride"], sizes["pad"]
    return nn.MaxPool2d(kernel, stride, pad) if how == "max" else nn.AvgPool2d(kernel, stride, pad)


def dense(layer):
    units, width = layer.parameters["weight"]
    return nn.Sequential(nn.Flatten(), nn.Linear(width, units))


def lstm(layer, hidden, layers):
    size = layer.parameters["parameters"][0]
    width = size // (4 * hidden) - (hidden + 2) - (layers - 1) * (2 * hidden + 2)
    return Lstm(width, hidden, layers)


# By kind of layer: makes a module of a layer and its settings.
MODULES = {
    "conv": conv,
    "batch_norm": lambda layer, gain: nn.BatchNorm2d(layer.shape[0]),
    "relu": lambda layer: nn.ReLU(inplace=True),
    "relu6": lambda layer: nn.ReLU6(inplace=True),
    "pool": pool,
    "global_average": lambda layer: nn.AdaptiveAvgPool2d(1),
    "dense": dense,
    "plus": lambda layer: Call(torch.add),
    "concat": lambda layer: Call(lambda *parts: torch.cat(parts, 1)),
    "embedding": lambda layer, words: Words(words, layer.shape[-1]),
    "words_first": lambda layer: nn.Identity(),
    "batch_first": lambda layer: nn.Identity(),
    "positions": lambda layer: Positions(*layer.shape),
    "layer_norm": lambda layer: nn.LayerNorm(layer.shape[-1]),
    "dense_rows": lambda layer: nn.Linear(*reversed(layer.parameters["weight"])),
    "gelu": lambda layer: nn.GELU(),
    "tanh": lambda layer: nn.Tanh(),
    "attention": lambda layer, heads: Attention(heads),
    "first_word": lambda layer: Call(lambda x: x[:, 0]),
    "lstm": lstm,
}
# What torch calls a parameter that MXNet calls otherwise.
SUFFIXES = {"gamma": "weight", "beta": "bias", "moving_mean": "running_mean", "moving_var": "running_var"}


def fill_lstm(module, flat):
    """MXNet has all matrices, then all biases, and the gates in the same order."""
    at = 0
    for name in ("weight_ih_l", "weight_hh_l"), ("bias_ih_l", "bias_hh_l"):
        for layer in range(module.num_layers):
            for part in name:
                parameter = getattr(module, f"{part}{layer}")
                parameter.copy_(flat[at:at + parameter.numel()].view_as(parameter))
                at += parameter.numel()


def fill(module, layer, parameters):
    """Copies {name: array} into a layer's module."""
    for suffix in layer.parameters:
        values = torch.tensor(parameters[f"{layer.name}_{suffix}"])
        if layer.kind == "lstm":
            fill_lstm(module, values)
        else:
            owner = module[-1] if layer.kind == "dense" else module
            getattr(owner, SUFFIXES.get(suffix, suffix)).copy_(values)


class TorchNet(nn.Module):
    def __init__(self, net, parameters):
        super().__init__()
        self.heads, self.steps, self.inputs, made = net.heads, [], [], []
        last = self.last_uses(net)
        for number, layer in enumerate(net.layers):
            if layer.kind == "input":
                self.inputs.append(number)
                continue
            made.append(MODULES[layer.kind](layer, **layer.settings))
            with torch.no_grad():
                fill(made[-1], layer, parameters)
            # What is used for the last time may go: its memory is the next layer's.
            ended = [i for i in set(layer.inputs) if last[i] == number]
            self.steps.append((made[-1], layer.inputs, number, ended))
        self.layers = nn.ModuleList(made)
        self.eval()

    @staticmethod
    def last_uses(net):
        last = {i: number for number, layer in enumerate(net.layers) for i in layer.inputs}
        return {**last, **{head: None for head in net.heads}}

    def forward(self, *inputs):
        values = dict(zip(self.inputs, inputs))
        for module, sources, number, ended in self.steps:
            values[number] = module(*[values[i] for i in sources])
            for i in ended:
                del values[i]
        return tuple(values[head] for head in self.heads)
