"""Operators of neural networks over float16, which MXNet sums in float16 or in float32, by operator."""
from op_case import case, rand

import numpy as np


def half(shape, seed=0, low=-1, high=1):
    return rand(shape, seed, low, high, "float16")


def pool(name, attrs, op="Pooling", tol=2e-3):
    return case(name, op, attrs, [half((2, 3, 7, 6))], tol=tol)


def batch_norm(name, attrs, axis=1, constant=True):
    data = half((2, 3, 4, 5), 0, -2, 3)
    channels = (data.shape[axis],)
    return case(name, "BatchNorm", {"axis": axis, **attrs},
                [data, *(rand(channels, seed, 0.1, 1) for seed in range(1, 5))], parameters=[1, 2, 3, 4] if constant else [],
                tol=2e-3)


def layer_norm(name, axis, mean_std=False):
    length = (3, 5, 7)[axis]
    return case(name, "LayerNorm", {"axis": axis, "output_mean_var": mean_std},
                [half((3, 5, 7)), half((length,), 1), half((length,), 2)], tol=2e-3)


CASES = [
    *(pool(f"pool_{kind}", {"kernel": (3, 3), "stride": (2, 2), "pad": (1, 1), "pool_type": kind})
      for kind in ("max", "avg", "sum")),
    pool("pool_lp", {"kernel": (3, 3), "pool_type": "lp", "p_value": 2}),
    pool("pool_global", {"global_pool": True, "pool_type": "avg"}),
    pool("pool_v1", {"kernel": (3, 3), "stride": (2, 2), "pool_type": "avg"}, op="Pooling_v1"),
    pool("adaptive", {"output_size": (3, 2)}, op="_contrib_AdaptiveAvgPooling2D"),
    pool("adaptive_uneven", {"output_size": (4, 5)}, op="_contrib_AdaptiveAvgPooling2D"),
    batch_norm("batch_norm", {}),
    batch_norm("batch_norm_last", {"fix_gamma": False}, axis=3),
    batch_norm("batch_norm_computed", {"fix_gamma": False}, constant=False),
    batch_norm("batch_norm_mean_var", {"fix_gamma": False, "output_mean_var": True}),
    layer_norm("layer_norm", -1),
    layer_norm("layer_norm_axis", 1),
    layer_norm("layer_norm_mean_std", 0, mean_std=True),
    case("group_norm", "GroupNorm", {"num_groups": 2, "output_mean_var": True},
         [half((2, 6, 3, 4)), half((2,), 1), half((2,), 2)], tol=2e-3),
    case("up_sum", "UpSampling", {"scale": 2, "sample_type": "nearest", "num_args": 2, "multi_input_mode": "sum"},
         [half((2, 3, 4, 5)), half((2, 3, 8, 10), 1)]),
    case("up_concat", "UpSampling", {"scale": 2, "sample_type": "nearest", "num_args": 2},
         [half((2, 3, 4, 5)), half((2, 2, 8, 10), 1)]),
    case("up_sum_float64", "UpSampling", {"scale": 2, "sample_type": "nearest", "num_args": 2, "multi_input_mode": "sum"},
         [rand((2, 3, 4, 5), dtype="float64"), rand((2, 3, 8, 10), 1, dtype="float64")]),
]
