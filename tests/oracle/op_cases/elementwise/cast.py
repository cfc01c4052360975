"""Casts between all dtypes."""
import numpy as np

from op_case import case, ints, rand

FLOATS = np.array([-300.7, -129, -1.5, -0.5, 0, 0.5, 1.5, 127.9, 128, 200, 255.9, 256, 300, 65504, 1e5, 3e9], "float32")
TYPES = ("float32", "float64", "float16", "uint8", "int32", "int8", "int64", "bool")
CASES = [case(f"float32_to_{t}", "Cast", {"dtype": t}, [FLOATS]) for t in TYPES]
CASES += [case(f"float64_to_{t}", "Cast", {"dtype": t}, [FLOATS.astype("float64") * 1.000000001]) for t in TYPES]
# Outside of the integers, in rows that are long enough for vector instructions: each compiler's answer, which is the processor's.
N = np.nan
EDGES = np.array([N, np.inf, -np.inf, 2147483647, 2147483648, -2147483648, -2147483904, 4294967301, 300.7, -300.7, -129.3, -0.0,
                  9.2e18, 2.0**63, -2.0**63, -1e19, 1e38, -1e300, 65519, 65520, 2.0**-25], "float64")
CASES += [case(f"edges_{source}_to_{t}", "Cast", {"dtype": t}, [np.tile(EDGES.astype(source), 7)])
          for source in ("float16", "float32", "float64") for t in ("uint8", "int8", "int32", "int64", "bool")]
CASES += [case(f"edges_{source}_to_{t}", "Cast", {"dtype": t}, [np.tile(EDGES.astype(source), 7)])
          for source, t in (("float32", "float16"), ("float64", "float16"), ("float64", "float32"), ("float16", "float32"))]
WIDE = np.array([-2**63, 2**63 - 1, 2**31, -2**31 - 1, 2**32 + 200, 300, -129, 255, 256], "int64")
CASES += [case(f"edges_int64_to_{t}", "Cast", {"dtype": t}, [np.tile(WIDE, 7)]) for t in TYPES]
CASES += [case(f"float16_to_{t}", "Cast", {"dtype": t}, [rand((3, 9), 0, -300, 300, "float16")]) for t in TYPES]
CASES += [case(f"{source}_to_{t}", "cast", {"dtype": t}, [ints((3, 9), 100, 1, 0 if source == "uint8" else -100, source)])
          for source in ("uint8", "int8", "int32", "int64") for t in TYPES]
CASES += [case(f"bool_to_{t}", "cast", {"dtype": t}, [ints((3, 9), 2, dtype="bool")]) for t in TYPES]
CASES += [
    case("amp_to_float16", "amp_cast", {"dtype": "float16"}, [rand((3, 5))]),
    case("amp_to_float32", "amp_cast", {"dtype": "float32"}, [rand((3, 5), dtype="float16")]),
    case("amp_int32", "amp_cast", {"dtype": "float16"}, [ints((3, 5), 9, dtype="int32")]),
    case("amp_multicast", "amp_multicast", {"num_outputs": 2}, [rand((3, 5)), rand((2,), dtype="float16")]),
    case("amp_multicast_narrow", "amp_multicast", {"num_outputs": 2, "cast_narrow": True}, [rand((3, 5)), rand((2,), dtype="float16")]),
]
