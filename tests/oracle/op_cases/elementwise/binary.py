"""Functions of two tensors, add_n and where."""
import numpy as np

from op_case import case, ints, rand

BROADCAST = ("add", "sub", "mul", "div", "mod", "power", "maximum", "minimum", "hypot", "equal", "not_equal", "greater",
             "greater_equal", "lesser", "lesser_equal", "logical_and", "logical_or", "logical_xor")
EQUAL = ("elemwise_add", "elemwise_sub", "elemwise_mul", "elemwise_div", "_mod", "_power", "_maximum", "_minimum", "_hypot",
         "_equal", "_not_equal", "_greater", "_greater_equal", "_lesser", "_lesser_equal", "_logical_and", "_logical_or",
         "_logical_xor", "_grad_add")
WHOLE = (ints((3, 17), 4, 1, -3), ints((3, 17), 4, 2, -3))  # ties and zeros
SHAPES = {"channel": ((2, 3, 4, 5), (1, 3, 1, 1)), "last": ((2, 3, 9), (9,)), "both": ((3, 1, 5), (1, 4, 1)),
          "left": ((1, 3, 1, 1), (2, 3, 4, 5)), "inner": ((2, 3, 4), (2, 1, 4)), "one": ((2, 7), (1,)),
          "outer": ((2, 3, 1, 1), (2, 3, 5, 5)), "four": ((2, 1, 3, 1), (1, 2, 1, 3)), "rank": ((5,), (2, 3, 5))}


def power_safe(op, arrays):
    return [np.abs(arrays[0]) + 1, arrays[1]] if "power" in op else list(arrays)


def dividing(op):
    return op in ("div", "mod", "elemwise_div", "_mod")


CASES = [case(f"{op}", op, {}, power_safe(op, (rand((3, 37), 1, 0.2, 3), rand((3, 37), 2, 0.2, 3)))) for op in EQUAL]
CASES += [case(f"{op}_whole", op, {}, power_safe(op, WHOLE)) for op in EQUAL if op != "elemwise_div"]
CASES += [case(f"broadcast_{op}", f"broadcast_{op}", {}, power_safe(op, (rand((2, 3, 4, 5), 1, -3, 3), rand((1, 3, 1, 1), 2, 0.5, 3))))
          for op in BROADCAST]
CASES += [case(f"broadcast_{op}_whole", f"broadcast_{op}", {}, power_safe(op, (WHOLE[0], WHOLE[1][:1]))) for op in BROADCAST if op != "div"]
CASES += [case(f"broadcast_sub_{name}", "broadcast_sub", {}, [rand(a, 1), rand(b, 2)]) for name, (a, b) in SHAPES.items()]
CASES += [case(f"broadcast_{op}_{t}", f"broadcast_{op}", {},
               [ints((2, 9), 9, 1, 0 if t == "uint8" else -8, t), ints((9,), 9, 2, 1 if dividing(op) or t == "uint8" else -8, t)])
          for op in ("add", "sub", "mul", "div", "mod", "maximum", "equal", "greater", "logical_and", "hypot")
          for t in ("int32", "uint8", "int8", "int64")]
CASES += [case(f"broadcast_{op}_{t}", f"broadcast_{op}", {}, [rand((2, 9), 1, 0.5, 4, t), rand((9,), 2, 0.5, 4, t)])
          for op in ("add", "sub", "mul", "div", "mod", "power", "minimum", "lesser") for t in ("float64", "float16")]
CASES += [
    case("mod_signs", "_mod", {}, [np.array([-7.5, 7.5, -7.5, 7.5, 0, 3], "float32"), np.array([2, -2, -2, 2, 2, 0], "float32")]),
    case("mod_signs_int32", "_mod", {}, [np.array([-7, 7, -7, 7, 0, 3], "int32"), np.array([2, -2, -2, 2, 2, 0], "int32")]),
    case("add_n_one", "add_n", {"num_args": 1}, [rand((2, 3))]),
    case("add_n_two", "ElementWiseSum", {"num_args": 2}, [rand((2, 19)), rand((2, 19), 1)]),
    case("add_n_five", "add_n", {"num_args": 5}, [rand((2, 19), i) for i in range(5)]),
    case("add_n_uint8", "add_n", {"num_args": 3}, [ints((2, 9), 200, i, dtype="uint8") for i in range(3)]),
    case("add_n_float64", "add_n", {"num_args": 3}, [rand((2, 9), i, dtype="float64") for i in range(3)]),
    case("where_same", "where", {}, [ints((3, 5), 2), rand((3, 5), 1), rand((3, 5), 2)]),
    case("where_rows", "where", {}, [ints((3,), 2, 1), rand((3, 5, 2), 1), rand((3, 5, 2), 2)]),
    case("where_int32", "where", {}, [ints((3, 5), 2, dtype="int32"), ints((3, 5), 9, dtype="int64"), ints((3, 5), 9, 1, dtype="int64")]),
    case("where_uint8", "where", {}, [ints((3, 5), 3, dtype="uint8"), rand((3, 5), dtype="float64"), rand((3, 5), 1, dtype="float64")]),
]
