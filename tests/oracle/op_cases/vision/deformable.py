from op_case import case, rand

import numpy as np

PLAIN = "_contrib_DeformableConvolution"
MODULATED = "_contrib_ModulatedDeformableConvolution"


def sizes(attrs, height, width):
    kernel = attrs["kernel"]
    stride, pad, dilate = (attrs.get(key, default) for key, default in
                           (("stride", (1, 1)), ("pad", (0, 0)), ("dilate", (1, 1))))
    return [(n + 2 * p - d * (k - 1) - 1) // s + 1
            for n, k, s, p, d in zip((height, width), kernel, stride, pad, dilate)]


def inputs(op, attrs, data, reach, dtype):
    """Offsets of up to `reach` pixels: samples fall between pixels, on the border and outside."""
    n, c, height, width = data
    taps = attrs["kernel"][0] * attrs["kernel"][1] * attrs.get("num_deformable_group", 1)
    out = sizes(attrs, height, width)
    filters = attrs["num_filter"]
    arrays = [rand(data, 0), rand((n, 2 * taps, *out), 1, -reach, reach)]
    if op == MODULATED:
        arrays.append(rand((n, taps, *out), 2, 0, 1))
    arrays.append(rand((filters, c // attrs.get("num_group", 1), *attrs["kernel"]), 3))
    if not attrs.get("no_bias"):
        arrays.append(rand((filters,), 4))
    return [array.astype(dtype) for array in arrays]


def both(name, attrs, data, reach=1.5, dtype="float32", computed=False):
    for prefix, op in (("plain", PLAIN), ("modulated", MODULATED)):
        arrays = inputs(op, attrs, data, reach, dtype)
        first = 3 if op == MODULATED else 2
        yield case(f"{prefix}_{name}", op, attrs, arrays,
                   parameters=[] if computed else list(range(first, len(arrays))))


def at_borders(op):
    """One sample at each place around a small image."""
    places = [(0, 0), (0.5, 0.5), (3, 4), (3.25, 0), (3.99, 4.5), (4, 0), (-0.25, 0), (-0.5, 2), (-1, 0), (-0.999, 0),
              (0, -0.5), (2.5, 4.2), (3.5, 4.5), (0, 4.999), (0, 5), (-0.5, -0.5), (np.nan, 0), (np.inf, 0), (1e20, 0),
              (-1e20, 0)]
    offset = np.zeros((1, 2, 4, 5), "float32")
    for i, (y, x) in enumerate(places):
        offset[0, 0, i // 5, i % 5] = y - i // 5
        offset[0, 1, i // 5, i % 5] = x - i % 5
    mask = [rand((1, 1, 4, 5), 5, 0.5, 1)] if op == MODULATED else []
    return [rand((1, 2, 4, 5), 0), offset, *mask, rand((3, 2, 1, 1), 1)]


def not_finite(op):
    """Pixels beside those that are not numbers, with weights of exactly 0 among them."""
    data, offset = rand((1, 1, 4, 5), 0), np.zeros((1, 2, 4, 5), "float32")
    data[0, 0, 1, 1], data[0, 0, 3, 4], data[0, 0, 2, 3] = np.nan, np.inf, -np.inf
    offset[0, :, 1, 2:] = 0.5
    mask = rand((1, 1, 4, 5), 5, 0.5, 1)
    mask[0, 0, 0, 3] = np.nan
    return [data, offset, *([mask] if op == MODULATED else []), np.ones((1, 1, 1, 1), "float32")]


CASES = [
    *both("3x3", {"kernel": (3, 3), "num_filter": 5, "pad": (1, 1)}, (1, 4, 7, 6)),
    *both("batch", {"kernel": (3, 3), "num_filter": 3, "pad": (1, 1)}, (3, 2, 4, 7)),
    *both("no_bias", {"kernel": (3, 3), "num_filter": 3, "no_bias": True}, (2, 2, 4, 7)),
    *both("stride", {"kernel": (3, 2), "num_filter": 4, "stride": (2, 3), "pad": (0, 2)}, (2, 3, 7, 8)),
    *both("dilate", {"kernel": (3, 3), "num_filter": 4, "dilate": (2, 1), "pad": (2, 1)}, (1, 3, 7, 8), reach=3),
    *both("groups", {"kernel": (3, 3), "num_filter": 6, "num_group": 3, "pad": (1, 1)}, (2, 6, 5, 6)),
    *both("offset_groups", {"kernel": (3, 3), "num_filter": 4, "num_deformable_group": 2, "pad": (1, 1)}, (2, 4, 5, 6)),
    *both("all_groups", {"kernel": (2, 3), "num_filter": 4, "num_group": 2, "num_deformable_group": 4, "pad": (1, 1),
                         "layout": "NCHW", "workspace": 512}, (2, 8, 5, 6)),
    *both("1x1", {"kernel": (1, 1), "num_filter": 3}, (2, 3, 4, 5), reach=6),
    *both("many_pixels", {"kernel": (3, 3), "num_filter": 2, "pad": (1, 1)}, (1, 2, 11, 13)),
    *both("float64", {"kernel": (3, 3), "num_filter": 3, "pad": (1, 1)}, (2, 2, 5, 4), dtype="float64"),
    *both("computed_weights", {"kernel": (3, 3), "num_filter": 3, "pad": (1, 1)}, (1, 2, 5, 4), computed=True),
    case("modulated_step", MODULATED, {"kernel": (3, 3), "num_filter": 3, "pad": (1, 1), "im2col_step": 2},
         inputs(MODULATED, {"kernel": (3, 3), "num_filter": 3, "pad": (1, 1)}, (4, 2, 5, 4), 1.5, "float32")),
    *(case(f"{name}_borders", op, {"kernel": (1, 1), "num_filter": 3, "no_bias": True}, at_borders(op))
      for name, op in (("plain", PLAIN), ("modulated", MODULATED))),
    *(case(f"{name}_not_finite", op, {"kernel": (1, 1), "num_filter": 1, "no_bias": True}, not_finite(op))
      for name, op in (("plain", PLAIN), ("modulated", MODULATED))),
]
