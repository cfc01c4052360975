from op_case import case, rand

import numpy as np

IDENTITY = (1, 0, 0, 0, 1, 0)


def transforms(count, dtype="float32"):
    """Near the identity, so that samples fall inside and outside."""
    return (np.array(IDENTITY) + rand((count, 6), 7, -0.6, 0.6)).astype(dtype)


def grid(name, attrs, *data):
    return case(f"grid_{name}", "GridGenerator", attrs, list(data))


def sampler(name, data, out, reach=1.3, dtype="float32", tol=None):
    return case(f"sampler_{name}", "BilinearSampler", {},
                [rand(data).astype(dtype), rand((data[0], 2, *out), 1, -reach, reach).astype(dtype)], tol=tol)


def at_borders():
    """Places around an image of 4 x 5 pixels, in the sampler's units."""
    places = np.array([(0, 0), (0.5, 0.5), (3, 4), (3.25, 0), (3.75, 4.5), (4.5, 0), (-0.25, 0), (-1.5, 0), (-0.75, 0),
                       (0, -0.5), (2.5, 4.25), (-0.5, -0.5), (1e20, 0), (-1e20, 0), (0, 1e20)])
    at = np.stack([places[:, 1] / 2 - 1, places[:, 0] * 2 / 3 - 1])
    return at.astype("float32").reshape(1, 2, 3, 5)


def not_finite():
    data, at = rand((1, 2, 4, 5)), rand((1, 2, 3, 3), 1)
    data[0, 0, 1, 1], data[0, 1, 2, 3] = np.nan, np.inf
    at[0, 0, 0, 0], at[0, 1, 1, 1], at[0, 0, 2, 2] = np.nan, np.inf, -np.inf
    return [data, at]


def transformer(name, data, out, dtype="float32"):
    return case(f"transformer_{name}", "SpatialTransformer",
                {"transform_type": "affine", "sampler_type": "bilinear", "target_shape": out},
                [rand(data).astype(dtype), transforms(data[0], dtype)])


def correlation(name, attrs, shape=(2, 3, 6, 7), dtype="float32"):
    return case(f"correlation_{name}", "Correlation", attrs, [rand(shape).astype(dtype), rand(shape, 1).astype(dtype)])


CASES = [
    grid("affine", {"transform_type": "affine", "target_shape": (3, 4)}, transforms(2)),
    grid("affine_identity", {"transform_type": "affine", "target_shape": (5, 7)}, np.array([IDENTITY], "float32")),
    grid("affine_wide", {"transform_type": "affine", "target_shape": (2, 33)}, transforms(1)),
    grid("affine_one_row", {"transform_type": "affine", "target_shape": (1, 4)}, transforms(1)),
    grid("affine_nan", {"transform_type": "affine", "target_shape": (2, 2)},
         np.array([[np.nan, 0, 1, 2, 3, 4]], "float32")),
    grid("warp", {"transform_type": "warp"}, rand((2, 2, 3, 4), 0, -2, 2)),
    grid("warp_wide", {"transform_type": "warp", "target_shape": (5, 5)}, rand((1, 2, 5, 19), 0, -2, 2)),
    grid("warp_one_column", {"transform_type": "warp"}, rand((1, 2, 3, 1), 0, -2, 2)),
    sampler("small", (2, 3, 4, 5), (3, 3)),
    sampler("larger", (2, 3, 4, 5), (7, 9)),
    sampler("far", (1, 2, 6, 5), (4, 5), reach=4),
    sampler("one_pixel", (1, 2, 1, 1), (2, 3)),
    sampler("wide", (1, 1, 3, 40), (2, 37), reach=1),
    sampler("float64", (2, 3, 4, 5), (3, 3), dtype="float64"),
    # MXNet rounds the places to float16 as well.
    sampler("float16", (2, 3, 4, 5), (3, 3), reach=1, dtype="float16", tol=4e-3),
    case("sampler_borders", "BilinearSampler", {}, [rand((1, 2, 4, 5)), at_borders()]),
    case("sampler_not_finite", "BilinearSampler", {}, not_finite()),
    transformer("same_size", (2, 3, 4, 5), (4, 5)),
    transformer("smaller", (3, 2, 7, 6), (3, 2)),
    transformer("larger", (1, 2, 3, 4), (9, 11)),
    transformer("float64", (2, 3, 4, 5), (3, 6), dtype="float64"),
    correlation("defaults", {}),
    correlation("flownet", {"kernel_size": 1, "max_displacement": 4, "stride1": 1, "stride2": 2, "pad_size": 4}, (1, 5, 8, 9)),
    correlation("kernel", {"kernel_size": 3, "max_displacement": 2, "pad_size": 3}),
    correlation("strides", {"kernel_size": 3, "max_displacement": 2, "stride1": 2, "stride2": 2, "pad_size": 2}),
    correlation("odd_stride2", {"max_displacement": 3, "stride2": 2, "pad_size": 3}),
    correlation("no_displacement", {"max_displacement": 0}),
    correlation("subtract", {"max_displacement": 2, "pad_size": 2, "is_multiply": False}),
    correlation("subtract_kernel", {"kernel_size": 3, "max_displacement": 1, "pad_size": 1, "stride1": 3, "is_multiply": False}),
    correlation("float64", {"kernel_size": 3, "max_displacement": 1, "pad_size": 2}, dtype="float64"),
    correlation("float16", {"max_displacement": 1, "pad_size": 1}, dtype="float16"),
]
