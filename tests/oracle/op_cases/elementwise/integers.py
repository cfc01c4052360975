"""Integers that float32, or float64, does not hold: what is exact in MXNet, and what it computes in a floating point type."""
import numpy as np
from op_case import case

# Beyond 2^24 (float32), and in int64 beyond 2^53 (float64); the ends of the types.
BIG = {
    "int32": [50000001, 2147483645, -2147483647, 16777217, -33554433, 0, 1, -1, 7, -46341, 2147483647, 123456789],
    "int64": [50000001, 2147483645, 9007199254740993, -9007199254740995, 4611686018427387905, 0, 1, -1, 7,
              -9223372036854775807, 9223372036854775807, 1234567890123456789],
    "uint8": [0, 1, 2, 3, 7, 100, 127, 128, 129, 200, 254, 255],
    "int8": [0, 1, 2, -1, -2, 7, 100, 127, -127, -128, -100, 64],
}
# Neighbours that are one number as floats, for order and equality.
NEAR = {
    "int32": [[16777217, 16777216, 16777218, 16777217], [-50000001, -50000000, -50000002, -50000003]],
    "int64": [[9007199254740993, 9007199254740992, 9007199254740994, 9007199254740993],
              [-9007199254740995, -9007199254740993, -9007199254740994, -9007199254740996]],
    "uint8": [[3, 255, 128, 127], [0, 1, 200, 2]],
    "int8": [[3, -128, 127, -127], [0, 1, -100, 2]],
}
UNARY = ("floor", "ceil", "round", "rint", "trunc", "fix", "abs", "sign", "square", "negative", "relu", "logical_not", "sqrt", "cbrt", "reciprocal",
         "rsqrt", "sigmoid", "tanh", "softsign", "log1p", "arctan", "erf", "degrees", "radians", "_contrib_round_ste", "_contrib_sign_ste", "_npi_floor",
         "_npi_ceil", "_npi_trunc", "_npi_fix", "_npi_rint", "_npi_absolute", "_npi_sqrt")
BINARY = ("add", "sub", "mul", "div", "mod", "maximum", "minimum", "power", "hypot", "equal", "not_equal", "greater", "greater_equal", "lesser",
          "lesser_equal", "logical_and", "logical_xor")
SCALAR = ("plus", "minus", "rminus", "mul", "div", "rdiv", "mod", "rmod", "power", "maximum", "minimum", "hypot", "equal", "greater", "lesser_equal",
          "logical_and")
NUMPY_SCALAR = ("mod", "rmod", "true_divide", "rtrue_divide", "equal")
SCALARS = {"small": 3, "big": 16777217, "half": 2.5, "minus": -7}


def cases_of(t):
    big, near = np.array(BIG[t], t), np.array(NEAR[t], t)
    other, table = np.roll(big, 3), big.reshape(3, 4)
    whole = np.where(big == 0, 5, big).astype(t)  # without 0
    ids = np.array([2, 0, 1], "int32")

    def one(name, op, attrs=None, inputs=None):
        return case(f"{name}_{t}", op, attrs or {}, [big] if inputs is None else inputs)

    yield from (one(op.strip("_"), op) for op in UNARY)
    yield one("smooth_l1", "smooth_l1", {"scalar": 1})
    yield one("clip", "clip", {"a_min": -16777217, "a_max": 16777219})
    yield one("clip_narrow", "clip", {"a_min": -3.7, "a_max": 5.5})
    for op in BINARY:
        rhs = np.where(other == 0, 3, other).astype(t) if op in ("div", "mod") else other
        yield one(f"broadcast_{op}", "broadcast_" + op, inputs=[table, rhs.reshape(3, 4)[:, :1]])
        yield one(f"near_{op}", "broadcast_" + op, inputs=[near, near[:, 2:3]])
    for op in SCALAR:
        yield from (one(f"scalar_{op}_{what}", f"_{op}_scalar", {"scalar": value}, [whole]) for what, value in SCALARS.items())
    yield from (one(f"npi_scalar_{op}", f"_npi_{op}_scalar", {"scalar": 16777217}, [whole]) for op in NUMPY_SCALAR)
    yield one("power_odd", "_power_scalar", {"scalar": 3}, [np.array([17, 19, 101, 127], t)])

    for op in ("sum", "mean", "prod", "max", "min"):
        yield one(f"{op}_all", op)
        yield one(f"{op}_columns", op, {"axis": 0}, [table])
        yield one(f"{op}_near", op, {"axis": 1}, [near])
    yield from (one(f"np_{op}", f"_np_{op}", {"axis": 1}, [near]) for op in ("sum", "prod", "max", "min"))
    yield one("norm1", "norm", {"ord": 1, "axis": 1}, [near])
    yield one("moments", "moments", {"axes": (1,)}, [table])
    yield from (one(op, op, {"axis": 1}, [near]) for op in ("argmax", "argmin"))
    yield one("sort", "sort", inputs=[near])
    yield one("argsort", "argsort", {"dtype": "int32"}, [near])
    yield one("topk", "topk", {"k": 3, "ret_typ": "both"}, [near])
    yield one("cumsum", "_np_cumsum", {"axis": 1}, [table])

    yield one("one_hot", "one_hot", {"depth": 3, "dtype": t, "on_value": 16777217, "off_value": -16777219}, [ids])
    yield one("sequence_mask", "SequenceMask", {"use_sequence_length": True, "value": 16777217}, [table, np.array([1, 3, 2, 0], "int32")])
    yield one("where", "where", inputs=[big, big, other])
    yield one("add_n", "add_n", {"num_args": 3}, [big, other, big])
    yield one("scatter", "scatter_nd", {"shape": (3, 5)}, [big[:3], np.array([[2, 0, 1], [1, 3, 4]], "int32")])
    yield one("slice_assign", "_slice_assign_scalar", {"scalar": 16777217, "begin": (0, 1), "end": (2, 3)}, [table])
    yield one("quadratic", "_contrib_quadratic", {"a": 1, "b": -3, "c": 7})
    yield one("full", "_full", {"shape": (3,), "value": 16777217, "dtype": t}, [])
    yield one("full_far", "_full", {"shape": (3,), "value": 9007199254740993, "dtype": t}, [])
    yield one("arange", "_arange", {"start": 16777217, "stop": 16777230, "step": 3, "dtype": t}, [])
    yield one("linspace", "_linspace", {"start": 16777217, "stop": 16777229, "num": 5, "dtype": t}, [])
    yield one("arange_like", "_contrib_arange_like", {"start": 16777217, "step": 3})
    yield from (one(f"cast_to_{to}", "Cast", {"dtype": to}) for to in ("float32", "float64", "float16", "uint8", "int8", "int32", "int64", "bool"))


CASES = [c for t in BIG for c in cases_of(t)]
CASES += [case("clip_float64", "clip", {"a_min": 0.1, "a_max": 0.7}, [np.array([0, 0.1, 0.3, 0.7, 1])])]  # bounds are float32
