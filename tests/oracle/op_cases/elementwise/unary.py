"""Functions of one element without attributes."""
import numpy as np

from op_case import case, ints, rand

ANYWHERE = ("abs", "sign", "negative", "square", "cbrt", "logical_not", "zeros_like", "ones_like", "round", "rint", "ceil",
            "floor", "trunc", "fix", "exp", "expm1", "sin", "cos", "tan", "arctan", "sinh", "cosh", "tanh", "arcsinh",
            "degrees", "radians", "erf", "relu", "sigmoid", "softsign", "_npx_relu", "_npx_sigmoid", "reciprocal",
            "rcbrt", "_contrib_round_ste", "_contrib_sign_ste")
POSITIVE = ("sqrt", "rsqrt", "log", "log10", "log2", "log1p", "gamma", "gammaln")
UNIT = ("arcsin", "arccos", "arctanh", "erfinv")
HALVES = np.arange(-7, 8, dtype="float32") / 2

CASES = [case(f"{op}", op, {}, [rand((3, 23), low=-4, high=4)]) for op in ANYWHERE]
CASES += [case(f"{op}", op, {}, [rand((3, 23), low=0.1, high=9)]) for op in POSITIVE]
CASES += [case(f"{op}", op, {}, [rand((3, 23), low=-0.99, high=0.99)]) for op in UNIT]
CASES += [case("arccosh", "arccosh", {}, [rand((3, 23), low=1, high=9)])]
CASES += [case(f"{op}_halves", op, {}, [HALVES]) for op in ("round", "rint", "ceil", "floor", "trunc", "fix", "sign")]
CASES += [case(f"{op}_float64", op, {}, [rand((2, 5), 1, 0.1, 0.9, "float64")])
          for op in ("exp", "log", "sqrt", "tanh", "erf", "gamma", "gammaln", "sigmoid", "reciprocal", "square", "degrees")]
CASES += [case(f"{op}_int32", op, {}, [ints((2, 6), 9, 1, -8, "int32")])
          for op in ("abs", "sign", "negative", "square", "exp", "tanh", "relu", "logical_not", "floor", "zeros_like")]
CASES += [case(f"{op}_uint8", op, {}, [ints((2, 6), 200, 1, 1, "uint8")])
          for op in ("abs", "sign", "negative", "square", "sqrt", "log", "relu", "logical_not", "ones_like", "degrees")]
CASES += [case(f"{op}_int8", op, {}, [ints((2, 6), 100, 1, -100, "int8")]) for op in ("abs", "square", "cbrt", "softsign")]
CASES += [case(f"{op}_int64", op, {}, [ints((2, 6), 100, 1, -100, "int64")]) for op in ("abs", "square", "sign")]
CASES += [case(f"{op}_float16", op, {}, [rand((2, 6), 1, 0.1, 4, "float16")]) for op in ("abs", "square", "exp", "sqrt", "relu")]
