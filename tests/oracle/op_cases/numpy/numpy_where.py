"""NumPy's where, full_like, casts and copies, and the checks."""
import numpy as np
from op_case import case

FLOATS = ("float16", "float32", "float64")
INTEGERS = ("uint8", "int8", "int32", "int64")
ALL = FLOATS + INTEGERS + ("bool",)
CONDITION = np.array([[1, 0, 2], [0, 0, -1]])
X = np.arange(1, 7).reshape(2, 3)
Y = X + 10
# MXNet divides by zero where the output is empty but x or y is not.
SHAPES = {"scalars": ((), (), ()), "condition": ((), (2, 3), (2, 3)), "numbers": ((2, 3), (), ()),
          "ones": ((1,), (1,), (1,)),
          "empty": ((0,), (0,), (0,)), "inside": ((2, 0, 3), (2, 0, 3), (2, 0, 3)), "all": ((3, 1, 1), (2, 1), (1, 4)),
          "rows": ((2, 1), (2, 3), (2, 3)), "x_row": ((2, 3), (3,), (2, 3)), "y_column": ((2, 3), (2, 3), (2, 1)),
          "long": ((2, 1), (3000,), (2, 3000)), "long_x": ((3000,), (2, 1), (2, 3000))}


def values(array, dtype):
    if dtype == "bool":
        return array % 2 == 1
    return (np.abs(array) if dtype == "uint8" else array).astype(dtype)


def numbers(shape, seed, high=9):
    return np.random.RandomState(seed).randint(0, high, shape)


CASES = [case(f"condition_{dtype}", "_npi_where", {}, [values(CONDITION, dtype), X.astype("f4"), Y.astype("f4")],
              np_shape=True)
         for dtype in ALL]
CASES += [case(f"condition_{dtype}_broken", "_npi_where", {},
               [np.array([np.nan, -0.0, np.inf], dtype), X.astype("f4"), Y.astype("f4")],
               np_shape=True) for dtype in FLOATS]
CASES += [case(f"values_{dtype}", "_npi_where", {}, [CONDITION != 0, values(X, dtype), values(Y, dtype)], np_shape=True)
          for dtype in ALL]
CASES += [case(f"shape_{name}", "_npi_where", {},
               [numbers(c, 1, 2).astype("bool"), np.asarray(numbers(x, 2), "f4"), np.asarray(numbers(y, 3), "f4")],
               np_shape=True)
          for name, (c, x, y) in SHAPES.items()]
CASES += [case(f"shape_{name}_int64", "_npi_where", {},
               [np.asarray(numbers(c, 1, 2), "f4"), np.asarray(numbers(x, 2)), np.asarray(numbers(y, 3))],
               np_shape=True) for name, (c, x, y) in SHAPES.items()]
for side in ("l", "r"):
    op = f"_npi_where_{side}scalar"
    CASES += [case(f"{side}scalar_{dtype}", op, {"scalar": 2.5}, [CONDITION != 0, values(X, dtype)], np_shape=True)
              for dtype in ALL]
    CASES += [case(f"{side}scalar_{name}_{dtype}", op, {"scalar": text}, [CONDITION != 0, values(X, dtype)],
                   np_shape=True)
              for name, text in (("wide", "300.0"), ("minus", "-1.0"), ("nan", "nan"), ("inf", "inf")) for dtype in ALL]
    CASES += [case(f"{side}scalar_condition_{dtype}", op, {"scalar": 2.5}, [values(CONDITION, dtype), X.astype("f4")],
                   np_shape=True)
              for dtype in ALL]
    CASES += [case(f"{side}scalar_shape_{name}", op, {"scalar": 2.5},
                   [numbers(c, 1, 2).astype("bool") if c else np.array(True), np.asarray(numbers(x, 2), "f4")],
                   np_shape=True) for name, (c, x, _) in SHAPES.items()]
    CASES += [case(f"{side}scalar_default", op, {}, [CONDITION != 0, X.astype("f4")], np_shape=True)]
CASES += [case(f"scalar2_{dtype}", "_npi_where_scalar2", {"x": 1.5, "y": -2.5}, [values(CONDITION, dtype)], np_shape=True)
          for dtype in ALL]
CASES += [case(f"scalar2_shape_{name}", "_npi_where_scalar2", {"x": 1.5, "y": -2.5}, [np.ones(shape, "bool")],
               np_shape=True)
          for name, shape in (("scalar", ()), ("empty", (0,)), ("inside", (2, 0, 3)))]
CASES += [case("scalar2_default", "_npi_where_scalar2", {}, [CONDITION != 0], np_shape=True),
          case("scalar2_nan", "_npi_where_scalar2", {"x": "nan", "y": "-inf"}, [CONDITION != 0], np_shape=True)]

CASES += [case(f"full_like_{dtype}", "_npi_full_like", {"fill_value": 2.5, "ctx": "cpu(0)", "dtype": dtype},
               [X.astype("f4")], np_shape=True)
          for dtype in ALL]
CASES += [case(f"full_like_of_{dtype}", "_npi_full_like", {"fill_value": 3, "dtype": None}, [values(X, dtype)],
               np_shape=True) for dtype in ALL]
CASES += [case(f"full_like_{name}_{dtype}", "_npi_full_like", {"fill_value": text, "dtype": dtype}, [X.astype("f4")],
               np_shape=True)
          for name, text in (("wide", "300"), ("minus", "-1"), ("nan", "nan"), ("inf", "inf"), ("large", "1e10"),
                             ("zero", "0"))
          for dtype in ALL]
CASES += [case(f"full_like_shape_{name}", "_npi_full_like", {"fill_value": 1.0}, [np.zeros(shape, "f4")], np_shape=True)
          for name, shape in (("scalar", ()), ("empty", (0,)), ("one", (1,)), ("inside", (2, 0, 3)))]

CASES += [case(f"cast_{a}_{b}", "_npi_cast", {"dtype": b}, [values(X, a)], np_shape=True) for a in ALL for b in ALL]
CASES += [case(f"cast_shape_{name}", "_npi_cast", {"dtype": "int32"}, [np.zeros(shape, "f4")], np_shape=True)
          for name, shape in (("scalar", ()), ("empty", (0,)), ("inside", (2, 0, 3)))]
CASES += [case(f"copy_{dtype}", "_np_copy", {}, [values(X, dtype)], np_shape=True) for dtype in ALL]
CASES += [case(f"copy_shape_{name}", "_np_copy", {}, [np.zeros(shape, "f4")], np_shape=True)
          for name, shape in (("scalar", ()), ("empty", (0,)), ("inside", (2, 0, 3)))]
CASES += [case("constraint_true", "_npx_constraint_check", {"msg": "no"}, [np.array([True, True])], np_shape=True),
          case("constraint_default", "_npx_constraint_check", {}, [np.array([[True]])], np_shape=True),
          case("constraint_empty", "_npx_constraint_check", {}, [np.zeros((0,), "bool")], np_shape=True),
          case("constraint_scalar", "_npx_constraint_check", {}, [np.array(True)], np_shape=True),
          case("share_memory", "_npi_share_memory", {}, [X.astype("f4"), X.astype("f4")], np_shape=True),
          case("share_memory_dtypes", "_npi_share_memory", {}, [X.astype("f4"), np.zeros((0,), "i4")], np_shape=True)]
