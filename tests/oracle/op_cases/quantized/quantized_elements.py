"""What keeps 8-bit values apart: element-wise operators, pooling, concatenation, a batch norm, an embedding."""
import numpy as np
from op_case import case, ints, rand


def scalar(value):
    return np.array([value], "float32")


def data(shape, dtype, seed=0):
    return ints(shape, 128 if dtype == "int8" else 256, seed, -128 if dtype == "int8" else 0, dtype)


RANGE = {"int8": (scalar(-3), scalar(2)), "uint8": (scalar(0), scalar(2.5))}
BOTH = ("int8", "uint8")
PAIRS = [(a, b) for a in BOTH for b in BOTH]
POOLS = {
    "max": {"kernel": (3, 3), "stride": (2, 2), "pad": (1, 1), "pool_type": "max"},
    "max_full": {"kernel": (2, 2), "stride": (2, 2), "pool_type": "max", "pooling_convention": "full"},
    "avg": {"kernel": (3, 3), "stride": (2, 2), "pad": (1, 1), "pool_type": "avg"},
    "avg_valid": {"kernel": (3, 3), "stride": (1, 1), "pad": (1, 1), "pool_type": "avg", "count_include_pad": False},
    "avg_2x2": {"kernel": (2, 2), "stride": (2, 2), "pool_type": "avg"},
    "global_avg": {"kernel": (1, 1), "global_pool": True, "pool_type": "avg"},
    "global_max": {"kernel": (1, 1), "global_pool": True, "pool_type": "max"},
}
BATCH_NORM = [rand((6,), 1, 0.5, 1.5), rand((6,), 2), rand((6,), 3), rand((6,), 4, 0.5, 1.5)]

CASES = [
    *(case(f"pool_{name}_{dtype}", "_contrib_quantized_pooling", attrs, [data((2, 5, 7, 9), dtype), *RANGE[dtype]])
      for name, attrs in POOLS.items() for dtype in BOTH),
    *(case(f"relu_{dtype}", "_contrib_quantized_act", {"act_type": "relu"}, [data((2, 3, 4, 5), dtype), *RANGE[dtype]])
      for dtype in BOTH),
    *(case(f"flatten_{dtype}", "_contrib_quantized_flatten", {}, [data((2, 3, 4, 5), dtype), *RANGE[dtype]])
      for dtype in BOTH),
    *(case(f"concat_{a}_{b}", "_contrib_quantized_concat", {"num_args": 2, "dim": 1},
           [data((2, 3, 4, 5), a), data((2, 6, 4, 5), b, 1), *RANGE[a], scalar(-1 if b == "int8" else 0), scalar(4)])
      for a, b in PAIRS),
    *(case(f"concat_one_scale_{a}", "_contrib_quantized_concat", {"num_args": 3},
           [data((2, k + 1, 4, 5), a, k) for k in range(3)] + [*RANGE[a]] * 3) for a in BOTH),
    *(case(f"add_{a}_{b}{name}", "_contrib_quantized_elemwise_add", attrs,
           [data((2, 3, 4, 5), a), data((2, 3, 4, 5), b, 1), *RANGE[a], scalar(-1 if b == "int8" else 0), scalar(4)])
      for a, b in PAIRS for name, attrs in (("", {}), ("_calibrated", {"min_calib_range": -4.0, "max_calib_range": 5.0}))),
    *(case(f"multiply{name}", "_contrib_quantized_elemwise_mul", attrs,
           [data((3, 4, 5), "int8"), data((3, 4, 5), "int8", 1), *RANGE["int8"], scalar(-1), scalar(4)])
      for name, attrs in (("", {}), ("_calibrated", {"min_calib_range": -4.0, "max_calib_range": 9.0}),
                          ("_float", {"enable_float_output": True}))),
    *(case(f"batch_norm_{dtype}{name}", "_contrib_quantized_batch_norm",
           {"min_calib_range": -3.0, "max_calib_range": 4.0, "eps": 2e-5, **attrs},
           [data((2, 6, 4, 5), dtype), *BATCH_NORM, *RANGE[dtype]], parameters=[1, 2, 3, 4])
      for dtype in BOTH for name, attrs in (("", {"fix_gamma": False}), ("_fixed", {}))),
    *(case(f"embedding_{dtype}", "_contrib_quantized_embedding", {"input_dim": 7, "output_dim": 5},
           [np.array([[0, 3, 6], [1, 9, -2]], dtype), data((7, 5), "int8"), *RANGE["int8"]], parameters=[1])
      for dtype in ("float32", "int32")),
]
