"""Operators under NumPy's names."""
from op_case import case, ints, rand

UNARY = ("absolute", "sign", "negative", "reciprocal", "square", "cbrt", "rint", "ceil", "floor", "fix", "trunc", "exp",
         "expm1", "sin", "cos", "tan", "arctan", "sinh", "cosh", "tanh", "arcsinh", "degrees", "radians")
POSITIVE = ("sqrt", "log", "log10", "log2", "log1p")
BINARY = ("add", "subtract", "multiply", "mod", "power", "true_divide", "hypot", "arctan2", "equal", "not_equal", "greater",
          "greater_equal", "less", "less_equal")
SCALAR = ("add", "subtract", "rsubtract", "multiply", "mod", "rmod", "power", "rpower", "true_divide", "rtrue_divide",
          "arctan2", "rarctan2", "equal", "not_equal", "greater", "greater_equal", "less", "less_equal")

CASES = [case(op, f"_npi_{op}", {}, [rand((3, 11), low=-3, high=3)]) for op in UNARY]
CASES += [case(op, f"_npi_{op}", {}, [rand((3, 11), low=0.1, high=3)]) for op in POSITIVE]
CASES += [case(f"{op}_int32", f"_npi_{op}", {}, [ints((3, 5), 9, 1, 1, "int32")]) for op in ("absolute", "exp", "square")]
CASES += [case(f"binary_{op}", f"_npi_{op}", {}, [rand((2, 3, 5), 1, 0.5, 3), rand((3, 1), 2, 0.5, 3)]) for op in BINARY]
CASES += [case(f"binary_{op}_int32", f"_npi_{op}", {}, [ints((2, 9), 5, 1, 1, "int32"), ints((9,), 5, 2, 1, "int32")])
          for op in ("add", "subtract", "multiply", "mod", "power", "equal", "less")]
CASES += [case(f"scalar_{op}", f"_npi_{op}_scalar", {"scalar": 1.5}, [rand((3, 11), 1, 0.5, 3)]) for op in SCALAR]
CASES += [case(f"scalar_{op}_int32", f"_npi_{op}_scalar", {"scalar": 2}, [ints((3, 11), 9, 1, 1, "int32")])
          for op in SCALAR if "arctan2" not in op]
for op, names in {"sum": "_np_sum", "mean": "_npi_mean", "prod": "_np_prod", "max": "_np_max", "min": "_np_min"}.items():
    CASES += [
        case(f"{op}_all", names, {}, [rand((2, 3, 4))], np_shape=True),
        case(f"{op}_axis", names, {"axis": 1}, [rand((2, 3, 4))], np_shape=True),
        case(f"{op}_keep", names, {"axis": (0, 2), "keepdims": True}, [rand((2, 3, 4))], np_shape=True),
        case(f"{op}_nothing", names, {"axis": "()"}, [rand((2, 3, 4))], np_shape=True),
    ]
CASES += [case("div_sqrt_dim", "_contrib_div_sqrt_dim", {}, [rand((2, 3, 7))])]
