"""NumPy's functions of one tensor: every dtype and kind of shape."""
import numpy as np
from op_case import case

FLOATS = ("float16", "float32", "float64")
INTEGERS = ("uint8", "int8", "int32", "int64")
ALL = FLOATS + INTEGERS + ("bool",)
UNARY = ("absolute", "sign", "negative", "reciprocal", "square", "sqrt", "cbrt", "rint", "ceil", "floor", "fix", "trunc",
         "exp", "expm1", "log", "log10", "log2", "log1p", "sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh",
         "cosh",
         "tanh", "arcsinh", "arccosh", "arctanh", "degrees", "radians")
PREDICATES = ("isnan", "isinf", "isposinf", "isneginf", "isfinite", "logical_not")
NPX = {"relu": "_npx_relu", "sigmoid": "_npx_sigmoid", "erf": "_npx_erf", "erfinv": "_npx_erfinv", "gamma": "_npx_gamma",
       "gammaln": "_npx_gammaln", "abs": "_npi_abs"}
NAMES = {**{op: f"_npi_{op}" for op in UNARY}, **NPX}
SHAPES = {"scalar": (), "empty": (0,), "one": (1,), "inside": (2, 0, 3)}
SPECIAL = np.array([0.25, -0.25, 0.5, -0.5, 1, -1, 1.5, -1.5, 2.5, 0.0, -0.0, np.nan, np.inf, -np.inf])
# Integers for which the function has a value that fits: elsewhere C++ leaves the conversion open.
WHOLE = np.array([1, 2, 3, 4])
ONES = np.array([1, 1, 0, 1])
OF_UNITS = ("arcsin", "arccos", "erfinv")


def values(dtype):
    if dtype == "bool":
        return np.array([True, False, True])
    return np.array([[1, 2, 3], [0, 5, 7]]).astype(dtype)


CASES = []
for name, op in NAMES.items():
    CASES += [case(f"{name}_{dtype}", op, {}, [SPECIAL.astype(dtype)], np_shape=True,
                   tol=None if dtype != "float16" else 2e-3) for dtype in FLOATS]
    if name != "arctanh":  # infinite, or not a number, for every integer but 0
        CASES += [case(f"{name}_{dtype}", op, {}, [(ONES if name in OF_UNITS and name != "erfinv" else
                                                    np.zeros(3) if name == "erfinv" else WHOLE).astype(dtype)],
                                                        np_shape=True)
                  for dtype in INTEGERS]
    CASES += [case(f"{name}_shape_{kind}", op, {}, [np.full(shape, 0.5, "float32")], np_shape=True)
              for kind, shape in SHAPES.items()]
for op in PREDICATES:
    CASES += [case(f"{op}_{dtype}", f"_npi_{op}", {}, [SPECIAL.astype(dtype)], np_shape=True) for dtype in FLOATS]
    CASES += [case(f"{op}_{dtype}", f"_npi_{op}", {}, [values(dtype)], np_shape=True) for dtype in INTEGERS + ("bool",)]
    CASES += [case(f"{op}_shape_{kind}", f"_npi_{op}", {}, [np.full(shape, 0.5, "float32")], np_shape=True)
              for kind, shape in SHAPES.items()]
CASES += [case(f"bitwise_not_{dtype}", "_npi_bitwise_not", {}, [values(dtype)], np_shape=True)
          for dtype in INTEGERS + ("bool",)]
CASES += [case(f"bitwise_not_shape_{kind}", "_npi_bitwise_not", {}, [np.full(shape, 5, "int32")], np_shape=True)
          for kind, shape in SHAPES.items()]
CASES += [case(f"absolute_negative_{dtype}", "_npi_absolute", {}, [np.array([-3, 3, -128]).astype(dtype)], np_shape=True)
          for dtype in INTEGERS[1:]]
CASES += [case(f"{op}_negative_{dtype}", f"_npi_{op}", {}, [np.array([-3, 3, 0, -7]).astype(dtype)], np_shape=True)
          for op in ("sign", "negative", "square", "sin", "tanh", "floor", "ceil", "rint", "cbrt", "degrees", "radians")
          for dtype in INTEGERS[1:]]

# float16 is not of MXNet's CPU.
HALVES = np.array([0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 123.456, 0.05, 0.15, 0.25, 1e9, -1234.5678, 0, np.nan, np.inf,
                   -np.inf])
for decimals in (0, 1, 2, 5, -1, -2, 20, -20):
    name = str(decimals).replace("-", "minus_")
    CASES += [case(f"around_{name}_{dtype}", "_npi_around", {"decimals": decimals}, [HALVES.astype(dtype)], np_shape=True)
              for dtype in FLOATS[1:]]
    CASES += [case(f"around_{name}_{dtype}", "_npi_around", {"decimals": decimals},
                   [np.array([0, 5, 14, 15, 25, 44, 55, 100, 127]).astype(dtype)], np_shape=True) for dtype in INTEGERS]
    CASES += [case(f"around_{name}_negative_{dtype}", "_npi_around", {"decimals": decimals},
                   [np.array([-5, -15, -25, -44, -128]).astype(dtype)], np_shape=True) for dtype in INTEGERS[1:]]
CASES += [case(f"around_shape_{kind}", "_npi_around", {"decimals": 1}, [np.full(shape, 0.25, "float32")], np_shape=True)
          for kind, shape in SHAPES.items()]
CASES += [case("around_default", "_npi_around", {}, [HALVES.astype("f4")], np_shape=True)]

BROKEN = np.array([np.nan, np.inf, -np.inf, 1.5, -0.0])
for name, attrs in (("default", {}), ("none", {"copy": False, "nan": "0.0", "posinf": None, "neginf": None}),
                    ("numbers", {"copy": True, "nan": 1.5, "posinf": 2.5, "neginf": -3.5}),
                    ("nan", {"nan": "nan", "posinf": 1.0}), ("large", {"nan": 1e30, "posinf": 1e39, "neginf": -1e39})):
    CASES += [case(f"nan_to_num_{name}_{dtype}", "_npi_nan_to_num", attrs, [BROKEN.astype(dtype)], np_shape=True)
              for dtype in FLOATS]
CASES += [case(f"nan_to_num_{dtype}", "_npi_nan_to_num", {}, [values(dtype)], np_shape=True)
          for dtype in INTEGERS + ("bool",)]
CASES += [case(f"nan_to_num_shape_{kind}", "_npi_nan_to_num", {}, [np.full(shape, np.nan, "float32")], np_shape=True)
          for kind, shape in SHAPES.items()]

# np.clip without a bound writes an infinity.
CASES += [case(f"clip_{name}_{dtype}", "_npi_clip", {"a_min": low, "a_max": high},
               [np.array([-3, 0, 2, 5]).astype(dtype)], np_shape=True)
          for name, low, high in (("both", "1", "3.5"), ("below", "-inf", "1"), ("above", "2", "inf"))
          for dtype in FLOATS + INTEGERS[1:]]
CASES += [case(f"clip_shape_{kind}", "_npi_clip", {"a_min": 0, "a_max": 1}, [np.full(shape, 5, "float32")], np_shape=True)
          for kind, shape in SHAPES.items()]
CASES += [case("clip_special", "_npi_clip", {"a_min": -1, "a_max": 1}, [SPECIAL.astype("f4")], np_shape=True)]
