"""Operators of mx.np that choose by value: unique, nonzero, and assignment through a mask."""
import numpy as np

from op_case import DTYPES, case, ints, values

NUMBERS = [t for t in DTYPES if t != "bool"]  # MXNet refuses it
ALL = {"return_index": True, "return_inverse": True, "return_counts": True}


def unique(name, attrs, data):
    return case(name, "_npi_unique", attrs, [data], np_shape=True, open_size=True)


DATA = np.array([3, 1, 2, 3, 1], "float32")
ROWS = np.array([[1, 2], [0, 5], [1, 2], [0, 3]], "float32")
CUBE = np.array([[[1, 2], [0, 5]], [[1, 2], [0, 3]], [[1, 2], [0, 5]]], "int64")
CASES = [unique(f"unique_{i}", attrs, DATA) for i, attrs in enumerate([
    {}, {"return_index": True}, {"return_inverse": True}, {"return_counts": True}, ALL, {"return_index": True, "return_counts": True},
    {"return_inverse": True, "return_counts": True, "axis": "None"}])]
CASES += [unique(f"unique_{t}", ALL, ints((2, 9), 5, dtype=t)) for t in NUMBERS]
CASES += [unique(f"unique_rows_{t}", dict(ALL, axis=0), ints((7, 2), 2, dtype=t)) for t in NUMBERS]
CASES += [unique(f"unique_axis_{str(axis).replace('-', 'm')}", dict(ALL, axis=axis), ROWS) for axis in (0, 1, -1, -2)]
CASES += [unique(f"unique_cube_{axis}", dict(ALL, axis=axis), CUBE) for axis in (0, 1, 2)]
CASES += [unique("unique_many", ALL, ints((200,), 30)), unique("unique_vector_axis", dict(ALL, axis=0), DATA),
          unique("unique_zeros", ALL, np.array([0.0, -0.0, 1], "float32")), unique("unique_scalar", ALL, np.array(3, "float32")),
          unique("unique_empty", ALL, np.zeros((0,), "float32")), unique("unique_no_rows", dict(ALL, axis=0), np.zeros((0, 2), "float32")),
          unique("unique_empty_rows", dict(ALL, axis=0), np.zeros((2, 0), "float32")), unique("unique_one", ALL, np.ones((3, 2), "int32")),
          unique("unique_signs", dict(ALL, axis=0), np.array([[1, -2], [1, -3], [-1, 2]], "float32")),
          unique("unique_infinite", ALL, np.array([np.inf, 1, -np.inf, np.inf], "float32"))]


def nonzero(name, data):
    return case(name, "_npx_nonzero", {}, [data], np_shape=True, open_size=True)


CASES += [nonzero(f"nonzero_{t}", np.array([[0, 1, 2], [3, 0, 0]], t)) for t in DTYPES]
CASES += [nonzero(f"nonzero_{i}", data) for i, data in enumerate([
    np.array(3, "float32"), np.array(0, "float32"), np.zeros((0,), "float32"), np.zeros((2, 3), "float32"),
    np.array([0, np.nan, -0.0, np.inf], "float32"), np.zeros((2, 0, 3), "float32"), values((2, 1, 2, 2), "float32"), ints((3, 3, 2), 2)])]

GRID = np.arange(6, dtype="float32").reshape(2, 3)
MASK = np.array([[1, 0, 1], [0, 1, 0]], "bool")
FIRST, BOTH, NONE = np.array([1, 0], "bool"), np.array([1, 1], "bool"), np.array([0, 0], "bool")


def assign(name, data, mask, value, start=0):
    if isinstance(value, np.ndarray):
        return case(name, "_npi_boolean_mask_assign_tensor", {"start_axis": start}, [data, mask, value], np_shape=True, in_place=True)
    return case(name, "_npi_boolean_mask_assign_scalar", {"value": value, "start_axis": start}, [data, mask], np_shape=True, in_place=True)


CASES += [assign(f"assign_{i}", *what) for i, what in enumerate([
    (GRID, MASK, 9.5), (GRID, FIRST, 9.5), (GRID, np.array([1, 0, 1], "bool"), 9.5, 1), (GRID, FIRST.astype("float32"), 9.5),
    (GRID, FIRST.astype("int32"), 9.5), (np.array(2, "float32"), np.array(True), 9.5), (GRID, np.array(True), 9.5), (GRID, NONE, 9.5),
    (GRID, np.array(False), 9.5), (values((2, 3, 2), "float32"), MASK, -1)])]
CASES += [assign(f"assign_{t}", values((3,), t), np.array([1, 0, 1], "bool"), 9.5) for t in DTYPES]
CASES += [assign(f"assign_tensor_{i}", GRID, mask, np.array(value, "float32")) for i, (mask, value) in enumerate([
    (MASK, [7, 8, 9]), (MASK, [7]), (MASK, 7), (FIRST, [7, 8, 9]), (FIRST, [[7, 8, 9]]), (BOTH, [[7, 1, 2], [8, 3, 4]]), (BOTH, [7]),
    (BOTH, [[7, 8, 9]])])]
CASES += [assign("assign_tensor_none", GRID, NONE, np.zeros((0, 3), "float32"))]
CASES += [assign(f"assign_tensor_{t}", values((3,), t), np.array([1, 0, 1], "bool"), values((2,), t, 1)) for t in DTYPES]
