"""Convolutions and fully connected layers with 8-bit weights, as quantize_model writes them without fusion."""
import numpy as np
from op_case import case, ints


def scalar(value):
    return np.array([value], "float32")


def data(shape, dtype, seed=0):
    return ints(shape, 128 if dtype == "int8" else 256, seed, -128 if dtype == "int8" else 0, dtype)


RANGE = {"int8": [scalar(-3), scalar(2)], "uint8": [scalar(0), scalar(2.5)]}
WEIGHT_RANGE = [scalar(-0.4), scalar(0.3)]
BIAS_RANGE = [scalar(-2), scalar(1)]


def weight(shape, seed=1):
    return ints(shape, 128, seed, -127, "int8")


def convolution(name, dtype="uint8", shape=(2, 8, 7, 9), **attrs):
    attrs = {"kernel": (3, 3), "num_filter": 12, "stride": (1, 1), "pad": (1, 1), "dilate": (1, 1), **attrs}
    inputs = [data(shape, dtype), weight((attrs["num_filter"], shape[1], *attrs["kernel"]))]
    ranges = [*RANGE[dtype], *WEIGHT_RANGE]
    if not attrs.get("no_bias"):
        inputs.append(weight((attrs["num_filter"],), 2))
        ranges += BIAS_RANGE
    return case(name, "_contrib_quantized_conv", attrs, inputs + ranges, parameters=range(1, len(inputs)))


def fully_connected(name, dtype="uint8", shape=(3, 20), **attrs):
    attrs = {"num_hidden": 6, **attrs}
    depth = shape[-1] if attrs.get("flatten") is False else int(np.prod(shape[1:]))
    inputs = [data(shape, dtype), weight((6, depth))]
    ranges = [*RANGE[dtype], *WEIGHT_RANGE]
    if not attrs.get("no_bias"):
        inputs.append(weight((6,), 2))
        ranges += BIAS_RANGE
    return case(name, "_contrib_quantized_fully_connected", attrs, inputs + ranges, parameters=range(1, len(inputs)))


CASES = [
    convolution("conv"), convolution("conv_no_bias", no_bias=True),
    convolution("conv_1x1_stride", kernel=(1, 1), stride=(2, 2), pad=(0, 0), no_bias=True),
    convolution("conv_5x3", kernel=(5, 3), stride=(1, 2), pad=(2, 0), no_bias=True),
    *(fully_connected(f"fc_{dtype}", dtype) for dtype in ("int8", "uint8")),
    *(fully_connected(f"fc_no_bias_{dtype}", dtype, no_bias=True) for dtype in ("int8", "uint8")),
    fully_connected("fc_image", shape=(2, 3, 4, 5)),
    fully_connected("fc_rows", shape=(2, 3, 20), flatten=False),
]
