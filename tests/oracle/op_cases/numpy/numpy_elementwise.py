"""NumPy's operators of two tensors, and of a tensor and a number: every dtype, also mixed, and every kind of shape."""
import numpy as np
from op_case import case

FLOATS = ("float16", "float32", "float64")
SIGNED = ("int8", "int32", "int64")
INTEGERS = ("uint8",) + SIGNED
ALL = FLOATS + INTEGERS + ("bool",)

# Their inputs may have different dtypes.
MIXED = ("add", "subtract", "multiply", "mod", "power")
# Of floating point alone, of numbers, of integers, and those whose results are booleans.
OF_FLOATS = ("hypot", "arctan2")
OF_NUMBERS = ("maximum", "minimum", "copysign", "ldexp")
OF_INTEGERS = ("lcm", "bitwise_and", "bitwise_or", "bitwise_xor")
COMPARISONS = ("equal", "not_equal", "greater", "greater_equal", "less", "less_equal")
FLOAT_OPS = MIXED + ("true_divide",) + OF_FLOATS + OF_NUMBERS + COMPARISONS

LEFT = np.array([[1, 2, 3, 0], [5, -3, -7, 4], [0, 1, 2, -1]])
RIGHT = np.array([2, 3, -2, 1])
SPECIAL = np.array([1, -1, 2.5, -2.5, 0.0, -0.0, np.nan, np.inf, -np.inf])
SHAPES = {"scalars": ((), ()), "scalar_left": ((), (2, 3)), "scalar_right": ((2, 3), ()), "ones": ((1,), (1,)),
          "empty": ((0,), (0,)), "empty_row": ((0,), (1,)), "empty_scalar": ((0,), ()),
          "empty_inside": ((2, 0, 3), (2, 0, 3)), "ranks": ((2, 3, 4), (3, 1)), "both": ((3, 1), (1, 4)),
          "four": ((1, 3, 1, 2), (2, 1, 4, 1))}


def values(array, dtype):
    """Of an unsigned type, magnitudes: negative numbers have no value of it that all compilers agree on."""
    array = np.abs(array) if dtype in ("uint8", "bool") else array
    return (array.astype(int) % 2).astype("bool") if dtype == "bool" else array.astype(dtype)


def operands(a, b):
    return [values(LEFT, a), values(RIGHT if a != "bool" or b != "bool" else RIGHT + 1, b)]


def refused(op, a, b):
    """What MXNet has not."""
    if {a, b} == {"uint8", "int8"}:
        return True
    if op in ("subtract", "mod") and a == b == "bool":
        return True
    if op != "true_divide" or a == b:
        return False
    return (a in FLOATS) == (b in FLOATS)  # different floats, or different integers


# Of an integer to a negative power, C++ leaves the conversion back open.
def mixed_operands(op, a, b):
    left, right = operands(a, b)
    if op == "power":
        right = np.abs(right) if b != "bool" else right
    return [left, right]


def filled(shape, dtype, seed):
    return values(np.random.RandomState(seed).randint(1, 5, shape), dtype)


CASES = []
for op in MIXED + ("true_divide",):
    for a in ALL:
        CASES += [case(f"{op}_{a}_{b}", f"_npi_{op}", {}, mixed_operands(op, a, b), np_shape=True)
                  for b in ALL if not refused(op, a, b)]
for ops, dtypes in ((OF_FLOATS, FLOATS), (OF_NUMBERS, FLOATS + INTEGERS), (OF_INTEGERS, INTEGERS), (COMPARISONS, ALL)):
    CASES += [case(f"{op}_{dtype}", f"_npi_{op}", {}, operands(dtype, dtype), np_shape=True)
              for op in ops for dtype in dtypes]
for op in FLOAT_OPS:
    CASES += [case(f"{op}_shape_{name}", f"_npi_{op}", {}, [filled(a, "float32", 1), filled(b, "float32", 2)],
                   np_shape=True)
              for name, (a, b) in SHAPES.items()]
for op, a, b in (("add", "float32", "int32"), ("multiply", "bool", "float16"), ("subtract", "int64", "int8"),
                 ("true_divide", "int32", "int32"), ("power", "float64", "float32"), ("lcm", "int32", "int32"),
                 ("bitwise_xor", "uint8", "uint8"), ("mod", "int8", "float64")):
    # MXNet refuses the difference of integers of two types in equal shapes of one element.
    CASES += [case(f"{op}_{a}_{b}_shape_{name}", f"_npi_{op}", {}, [filled(x, a, 1), filled(y, b, 2)], np_shape=True)
              for name, (x, y) in SHAPES.items() if op != "subtract" or name not in ("scalars", "ones")]
# Rows longer than the blocks in which operands are converted.
CASES += [case(f"long_{op}", f"_npi_{op}", {},
               [np.arange(2500) % 7 + 1.5, (np.arange(5000) % 5 + 1).reshape(2, 2500).astype("int8")],
               np_shape=True) for op in ("add", "true_divide")]
CASES += [case(f"{op}_special_{dtype}", f"_npi_{op}", {}, [SPECIAL.astype(dtype)[:, None], SPECIAL.astype(dtype)],
               np_shape=True)
          for op in FLOAT_OPS for dtype in FLOATS]
# Beyond the range of the narrower type, and what wraps.
CASES += [
    case("wide_int64_float16", "_npi_add", {}, [np.array([70000, 2049, -70000]), np.array([1, 1, 1], "f2")],
         np_shape=True),
    case("wide_int64_float32", "_npi_multiply", {}, [np.array([2**40 + 1, 2**24 + 1]), np.array([1, 1], "f4")],
         np_shape=True),
    case("wide_int64_float64", "_npi_power", {}, [np.array([2**40 + 1, 3]), np.array([1, 30.5])], np_shape=True),
    case("wrap_int8", "_npi_add", {}, [np.array([127, -128], "i1"), np.array([1, -1], "i1")], np_shape=True),
    case("wrap_uint8", "_npi_subtract", {}, [np.array([0, 3], "u1"), np.array([1, 200], "u1")], np_shape=True),
    case("wrap_int8_int32", "_npi_multiply", {}, [np.array([127, -128], "i1"), np.array([2**30, 3], "i4")],
         np_shape=True),
    case("divide_zero_int32", "_npi_true_divide", {}, [np.array([1, -1, 0], "i4"), np.array([0, 0, 0], "i4")],
         np_shape=True),
    case("divide_large_int64", "_npi_true_divide", {}, [np.array([2**40 + 1, 7]), np.array([3, 2])], np_shape=True),
    case("lcm_negative", "_npi_lcm", {}, [np.array([4, 0, -4, 12, -6], "i4"), np.array([6, 5, 6, -18, 0], "i4")],
         np_shape=True),
    case("lcm_wraps", "_npi_lcm", {}, [np.array([100, 127], "i1"), np.array([7, 126], "i1")], np_shape=True),
    case("copysign_negative", "_npi_copysign", {}, [np.array([4, -6, 0, 7], "i4"), np.array([-1, 2, -3, 0], "i4")],
         np_shape=True),
    case("bitwise_and_bool", "_npi_bitwise_and_scalar", {"scalar": 2.0}, [np.array([True, False])], np_shape=True),
]
