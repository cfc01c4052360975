"""Functions of a tensor and a number."""
from op_case import case, ints, rand

OPS = ("plus", "minus", "rminus", "mul", "div", "rdiv", "mod", "rmod", "power", "rpower", "maximum", "minimum", "hypot",
       "equal", "not_equal", "greater", "greater_equal", "lesser", "lesser_equal", "logical_and", "logical_or", "logical_xor")

CASES = [case(op, f"_{op}_scalar", {"scalar": 2.5}, [rand((3, 37), 1, 0.2, 4)]) for op in OPS]
CASES += [case(f"{op}_whole", f"_{op}_scalar", {"scalar": 2}, [ints((3, 17), 5, 1, -4)]) for op in OPS if op != "rdiv"]
CASES += [case(f"{op}_negative", f"_{op}_scalar", {"scalar": -3}, [ints((3, 17), 5, 1, 1)]) for op in OPS]
for t in ("int32", "uint8", "int8", "int64"):
    CASES += [case(f"{op}_{t}", f"_{op}_scalar", {"scalar": 3.7}, [ints((2, 9), 9, 1, 1, t)]) for op in OPS]
CASES += [case(f"{op}_is_int", f"_{op}_scalar", {"scalar": 2.5, "is_int": False}, [ints((2, 9), 9, 1, 1, "int32")]) for op in OPS]
CASES += [case(f"{op}_{t}", f"_{op}_scalar", {"scalar": 2.5}, [rand((2, 9), 1, 0.5, 4, t)])
          for op in ("plus", "rminus", "mul", "rdiv", "mod", "power", "greater") for t in ("float64", "float16")]
CASES += [case(f"{op}_bool", f"_{op}_scalar", {"scalar": 2}, [ints((2, 9), 2, 1, 0, "bool")]) for op in ("plus", "mul", "equal")]
CASES += [case("old_name", "_PlusScalar", {"scalar": "1.5"}, [rand((2, 3))]),
          case("default", "_mul_scalar", {}, [rand((2, 3))])]
