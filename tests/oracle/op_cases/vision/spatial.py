from op_case import case, rand

import numpy as np


def of(name, op, attrs, *shapes, dtype="float32", parameters=()):
    return case(name, op, attrs, [rand(shape, i).astype(dtype) for i, shape in enumerate(shapes)], parameters=parameters)


WIDTHS = (0, 0, 0, 0, 1, 2, 3, 1)

CASES = [
    *(of(f"pad_{mode}", "Pad", {"mode": mode, "pad_width": WIDTHS, "constant_value": 7.5}, (2, 2, 4, 5))
      for mode in ("constant", "edge", "reflect")),
    *(of(f"pad_{mode}_5d", "pad", {"mode": mode, "pad_width": (0, 0, 0, 0, 1, 1, 0, 2, 2, 1)}, (1, 2, 3, 3, 4))
      for mode in ("constant", "edge", "reflect")),
    *(of(f"pad_{mode}_{dtype}", "Pad", {"mode": mode, "pad_width": WIDTHS, "constant_value": -2}, (1, 2, 4, 5),
         dtype=dtype) for mode in ("constant", "reflect") for dtype in ("float64", "float16")),
    of("pad_none", "Pad", {"mode": "edge", "pad_width": (0,) * 8}, (1, 2, 3, 4)),
    of("pad_full_reflection", "Pad", {"mode": "reflect", "pad_width": (0, 0, 0, 0, 3, 3, 4, 4)}, (1, 1, 4, 5)),
    of("up_nearest", "UpSampling", {"scale": 2, "sample_type": "nearest", "num_args": 1}, (2, 3, 4, 5)),
    of("up_nearest_3", "UpSampling", {"scale": 3, "sample_type": "nearest", "num_args": 1}, (1, 2, 3, 7)),
    of("up_nearest_1", "UpSampling", {"scale": 1, "sample_type": "nearest", "num_args": 1}, (1, 2, 3, 7)),
    of("up_nearest_wide", "UpSampling", {"scale": 2, "sample_type": "nearest", "num_args": 1}, (1, 2, 9, 33)),
    of("up_nearest_concat", "UpSampling", {"scale": 4, "sample_type": "nearest", "num_args": 2},
       (2, 1, 2, 3), (2, 2, 4, 6)),
    of("up_nearest_sum", "UpSampling", {"scale": 4, "sample_type": "nearest", "num_args": 3,
                                        "multi_input_mode": "sum"}, (2, 3, 2, 3), (2, 3, 4, 6), (2, 3, 8, 12)),
    of("up_nearest_float64", "UpSampling", {"scale": 2, "sample_type": "nearest", "num_args": 1}, (1, 1, 2, 3),
       dtype="float64"),
    of("up_bilinear_2", "UpSampling", {"scale": 2, "sample_type": "bilinear", "num_filter": 3, "num_args": 2},
       (2, 3, 4, 5), (3, 1, 4, 4), parameters=[1]),
    of("up_bilinear_3", "UpSampling", {"scale": 3, "sample_type": "bilinear", "num_filter": 2, "num_args": 2},
       (1, 2, 3, 4), (2, 1, 5, 5), parameters=[1]),
    of("up_bilinear_1", "UpSampling", {"scale": 1, "sample_type": "bilinear", "num_filter": 2, "num_args": 2},
       (1, 2, 3, 4), (2, 1, 1, 1), parameters=[1]),
    of("depth_to_space", "depth_to_space", {"block_size": 2}, (2, 12, 3, 4)),
    of("depth_to_space_3", "depth_to_space", {"block_size": 3}, (1, 9, 2, 3)),
    of("space_to_depth", "space_to_depth", {"block_size": 2}, (2, 3, 4, 6)),
    of("space_to_depth_3", "space_to_depth", {"block_size": 3}, (1, 2, 3, 6)),
    of("space_to_depth_float64", "space_to_depth", {"block_size": 1}, (1, 2, 3, 6), dtype="float64"),
]
