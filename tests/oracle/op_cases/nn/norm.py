from op_case import case, rand

import numpy as np


def batch_norm(name, attrs, shape, axis=1, op="BatchNorm", dtype="float32", constant=True, **options):
    channels = shape[axis]
    inputs = [rand(shape, 0, -2, 3, dtype), rand((channels,), 1, dtype=dtype), rand((channels,), 2, dtype=dtype),
              rand((channels,), 3, dtype=dtype), rand((channels,), 4, 0.1, 2, dtype=dtype)]
    if axis != 1:
        attrs = {**attrs, "axis": axis}
    return case(name, op, attrs, inputs, parameters=[1, 2, 3, 4] if constant else [], **options)


FREE = {"fix_gamma": False}

CASES = [
    batch_norm("batch_norm_defaults", {}, (2, 3, 4, 5)),
    batch_norm("batch_norm_gamma", FREE, (2, 3, 5, 7)),
    batch_norm("batch_norm_computed", FREE, (2, 3, 5, 7), constant=False),
    batch_norm("batch_norm_computed_fix_gamma", {}, (2, 3, 5, 7), constant=False),
    batch_norm("batch_norm_eps", {**FREE, "eps": 2e-5}, (1, 17, 3, 3)),
    batch_norm("batch_norm_global_stats", {**FREE, "use_global_stats": True, "momentum": 0.5}, (2, 3, 4, 5)),
    batch_norm("batch_norm_mean_var", {**FREE, "output_mean_var": True}, (2, 3, 4, 5)),
    batch_norm("batch_norm_mean_var_fix", {"output_mean_var": True, "eps": 0.01}, (2, 3, 4, 5), constant=False),
    batch_norm("batch_norm_2d", FREE, (4, 37)),
    batch_norm("batch_norm_3d", FREE, (2, 5, 9)),
    batch_norm("batch_norm_5d", FREE, (2, 3, 2, 3, 4)),
    batch_norm("batch_norm_last", FREE, (2, 4, 5, 19), axis=3),
    batch_norm("batch_norm_negative_axis", FREE, (2, 4, 3), axis=-1),
    batch_norm("batch_norm_axis_0", FREE, (3, 4, 5), axis=0),
    batch_norm("batch_norm_wide", FREE, (1, 2, 33, 65)),
    batch_norm("batch_norm_float64", FREE, (2, 3, 4, 5), dtype="float64"),
    batch_norm("batch_norm_ignored", {"cudnn_off": True, "min_calib_range": -1.0, "max_calib_range": 2.0},
               (1, 2, 3, 3)),
    batch_norm("batch_norm_v1", FREE, (2, 3, 4, 5), op="BatchNorm_v1"),
    batch_norm("batch_norm_v1_fix", {"eps": 0.01, "use_global_stats": True}, (2, 3, 4, 5), op="BatchNorm_v1"),
    batch_norm("batch_norm_v1_2d", FREE, (5, 3), op="BatchNorm_v1"),
    batch_norm("batch_norm_v1_mean_var", {**FREE, "output_mean_var": True}, (2, 3, 4, 5), op="BatchNorm_v1"),
    batch_norm("sync_batch_norm", {**FREE, "key": "k", "ndev": 2}, (2, 3, 4, 5), op="_contrib_SyncBatchNorm",
               outputs=[0]),
    batch_norm("sync_batch_norm_fix", {"key": "k"}, (2, 3, 4, 5), op="_contrib_SyncBatchNorm", outputs=[0]),
    case("layer_norm", "LayerNorm", {}, [rand((3, 5, 37)), rand((37,), 1), rand((37,), 2)], parameters=[1, 2]),
    case("layer_norm_axis", "LayerNorm", {"axis": 1}, [rand((3, 5, 7)), rand((5,), 1), rand((5,), 2)]),
    case("layer_norm_mean_std", "LayerNorm", {"output_mean_var": True, "eps": 0.01},
         [rand((3, 5, 8)), rand((8,), 1), rand((8,), 2)]),
    case("layer_norm_axis_mean_std", "LayerNorm", {"output_mean_var": True, "axis": 0},
         [rand((3, 5, 8)), rand((3,), 1), rand((3,), 2)]),
    # MXNet sums in float here: its own result is 1e-5 away from that of double.
    case("layer_norm_offset", "LayerNorm", {"axis": -1}, [rand((4, 64), 0, 99, 101), rand((64,), 1), rand((64,), 2)],
         tol=3e-5),
    case("layer_norm_alias", "_npx_layer_norm", {}, [rand((2, 3)), rand((3,), 1), rand((3,), 2)]),
    case("layer_norm_float64", "LayerNorm", {}, [rand((3, 7), dtype="float64"), rand((7,), 1, dtype="float64"),
                                                 rand((7,), 2, dtype="float64")]),
    case("instance_norm", "InstanceNorm", {}, [rand((2, 3, 5, 7)), rand((3,), 1), rand((3,), 2)], parameters=[1, 2]),
    case("instance_norm_3d", "InstanceNorm", {"eps": 0.1}, [rand((2, 3, 40)), rand((3,), 1), rand((3,), 2)]),
    case("instance_norm_5d", "InstanceNorm", {}, [rand((2, 3, 2, 3, 4)), rand((3,), 1), rand((3,), 2)]),
    case("group_norm", "GroupNorm", {"num_groups": 2}, [rand((2, 6, 3, 5)), rand((2,), 1), rand((2,), 2)],
         parameters=[1, 2]),
    case("group_norm_one", "GroupNorm", {}, [rand((2, 3, 9)), rand((1,), 1), rand((1,), 2)]),
    case("group_norm_mean_std", "GroupNorm", {"num_groups": 3, "eps": 0.1, "output_mean_var": True},
         [rand((2, 6, 4)), rand((3,), 1), rand((3,), 2)]),
    case("lrn", "LRN", {"nsize": 3}, [rand((2, 7, 4, 5))]),
    case("lrn_alexnet", "LRN", {"nsize": 5, "alpha": 0.0001, "beta": 0.75, "knorm": 2}, [rand((1, 9, 5, 7), 0, -30, 30)]),
    case("lrn_all", "LRN", {"nsize": 5, "alpha": 0.5, "beta": 0.3, "knorm": 1.5}, [rand((2, 6, 3, 11))]),
    case("lrn_one", "LRN", {"nsize": 1, "alpha": 0.5}, [rand((1, 3, 4, 4))]),
]
