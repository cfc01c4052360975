"""NumPy's operators of a tensor and a number: the number's spellings, is_int, every dtype."""
import numpy as np
from op_case import case

FLOATS = ("float16", "float32", "float64")
INTEGERS = ("uint8", "int8", "int32", "int64")
ALL = FLOATS + INTEGERS + ("bool",)
ARITHMETIC = ("add", "subtract", "rsubtract", "multiply", "mod", "rmod", "power", "rpower", "true_divide", "rtrue_divide",
              "arctan2", "rarctan2", "maximum", "minimum", "hypot", "copysign", "rcopysign", "ldexp", "rldexp")
COMPARISONS = ("equal", "not_equal", "greater", "greater_equal", "less", "less_equal")
OF_INTEGERS = ("lcm", "bitwise_and", "bitwise_or", "bitwise_xor")
DATA = np.array([[1, 2, 3, 4], [5, 7, 1, 2]])
SIGNED = np.array([[1, -2, 3, 0], [-5, 7, -1, 2]])
SPECIAL = np.array([1, -1, 2.5, -2.5, 0.0, -0.0, np.nan, np.inf, -np.inf])


def values(array, dtype):
    return (array % 2).astype("bool") if dtype == "bool" else array.astype(dtype)


def scalar_case(name, op, dtype, scalar, is_int=None, data=DATA):
    attrs = {"scalar": scalar}
    if is_int is not None:
        attrs["is_int"] = is_int
    return case(f"{name}_{dtype}", f"_npi_{op}_scalar", attrs, [values(data, dtype)], np_shape=True)


CASES = []
for op in ARITHMETIC + COMPARISONS:
    for dtype in ALL:
        CASES += [
            scalar_case(f"{op}_int", op, dtype, 2.0, True),
            scalar_case(f"{op}_float", op, dtype, 1.5, False),
        ]
    CASES += [scalar_case(f"{op}_unsaid", op, dtype, 3) for dtype in ("float32", "int32", "bool")]
    CASES += [scalar_case(f"{op}_fraction", op, dtype, 2.5, True) for dtype in ("int8", "int64", "bool")]
    # A negative number to a fraction, or a division by zero into an integer, has no value that compilers agree on.
    for dtype in FLOATS + INTEGERS[1:]:
        if dtype in FLOATS or op not in ("power", "rpower", "ldexp", "rldexp", "mod", "rmod"):
            CASES.append(scalar_case(f"{op}_signed", op, dtype, -3.0, True, SIGNED))
    for dtype in FLOATS:
        CASES += [case(f"{op}_special_{name}_{dtype}", f"_npi_{op}_scalar", {"scalar": text, "is_int": False},
                       [SPECIAL.astype(dtype)], np_shape=True)
                  for name, text in (("nan", "nan"), ("inf", "inf"), ("minus_inf", "-inf"), ("zero", "0.0"),
                                     ("half", "-0.5"))
                  if dtype == "float32" or name in ("inf", "half")]
    CASES += [case(f"{op}_shape_{name}", f"_npi_{op}_scalar", {"scalar": 2.0, "is_int": False},
                   [np.full(shape, 3, "float32")], np_shape=True)
              for name, shape in (("scalar", ()), ("empty", (0,)), ("one", (1,)), ("inside", (2, 0, 3)))]
    CASES += [case(f"{op}_shape_{name}_int32", f"_npi_{op}_scalar", {"scalar": 2.0, "is_int": False},
                   [np.full(shape, 3, "int32")], np_shape=True)
              for name, shape in (("scalar", ()),)]
for op in OF_INTEGERS:
    CASES += [scalar_case(f"{op}_int", op, dtype, 6.0, True, SIGNED if dtype != "uint8" else DATA) for dtype in INTEGERS]
    CASES += [scalar_case(f"{op}_fraction", op, dtype, 5.7, True) for dtype in INTEGERS]
    CASES += [case(f"{op}_shape_{name}", f"_npi_{op}_scalar", {"scalar": 2.0}, [np.full(shape, 3, "int32")],
                   np_shape=True)
              for name, shape in (("scalar", ()), ("empty", (0,)), ("inside", (2, 0, 3)))]
for op in OF_INTEGERS[1:]:
    CASES += [scalar_case(f"{op}_unsaid", op, "bool", scalar) for scalar in (2,)]
    CASES += [scalar_case(f"{op}_not_int", op, dtype, 6.0, False) for dtype in INTEGERS + ("bool",)]
    CASES += [scalar_case(f"{op}_minus", op, dtype, -1.0, True) for dtype in INTEGERS]
    CASES += [scalar_case(f"{op}_wide", op, dtype, 1000.0, True) for dtype in INTEGERS]
# Spellings that Python writes, and numbers outside the dtype.
for index, text in enumerate(("1e-08", "1e+20", "-1e+20", "3000000000.0", "300.0", "-1.0", "16777217.0", "0.1")):
    CASES += [case(f"spelling_{index}_{dtype}", "_npi_add_scalar", {"scalar": text, "is_int": text.endswith(".0")},
                   [values(DATA, dtype)], np_shape=True) for dtype in ("float16", "float32", "float64", "int64")]
CASES += [scalar_case("wraps", "add", dtype, 300.0, True) for dtype in ("int8", "uint8")]
CASES += [scalar_case("compares_wide", "less", dtype, 300.0, True) for dtype in ("int8", "uint8", "int32")]
CASES += [scalar_case("default", "add", dtype, 1.0) for dtype in ALL]
CASES += [case("no_scalar", "_npi_add_scalar", {}, [DATA.astype("f4")], np_shape=True)]
