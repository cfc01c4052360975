"""Insertion and deletion by mx.np. MXNet's own results for a number put into more than one dimension, or in front of
several indices, are errors, and for an index without dimensions memory that nobody wrote."""
import numpy as np

from op_case import DTYPES, case, values

NUMBERS = [t for t in DTYPES if t != "bool"]  # MXNet refuses it
GRID = np.arange(12, dtype="float32").reshape(3, 4)
CUBE = values((2, 3, 2), "float32")


def name_of(attrs):
    return "_".join(f"{key[:4]}{str(value).replace('-', 'm')}" for key, value in attrs.items())


def delete(name, attrs, *inputs):
    return case(name, "_npi_delete", attrs, inputs, np_shape=True, open_size=True)


SLICES = ({"start": 0, "stop": 2, "step": 1}, {"start": "None", "stop": "None", "step": 2}, {"start": 2, "stop": 0, "step": -1},
          {"start": "None", "stop": "None", "step": -2}, {"start": 5, "stop": 9, "step": 1}, {"start": -2, "stop": "None", "step": 1})
CASES = [delete(f"delete_{name_of(at)}_{str(axis).replace('-', 'm')}", dict(at, axis=axis), GRID)
         for at in ({"int_ind": 1}, {"int_ind": -1}, {"int_ind": 0}, *SLICES) for axis in ("None", 0, 1, -1)]
CASES += [delete(f"delete_list_{i}", {"axis": axis}, GRID, np.array(indices, dtype)) for i, (axis, indices, dtype) in enumerate([
    (1, [0, 2], "int64"), (1, [0, -1, 0], "int64"), ("None", [3], "int64"), (1, [], "int64"), (1, [1, 2], "int32"),
    (1, [[1, 2]], "int64"), (0, 1, "int64"), (0, [0, 1, 2], "int64"), (0, [2, 0], "int32")])]
CASES += [delete(f"delete_{t}", {"int_ind": 1, "axis": 0}, values((3,), t)) for t in NUMBERS]
CASES += [delete("delete_last", {"int_ind": 0, "axis": 0}, values((1,), "float32")),
          delete("delete_in_empty", {"int_ind": 0, "axis": 1}, values((0, 2), "float32")),
          delete("delete_in_cube", {"int_ind": 1, "axis": 1}, CUBE), delete("delete_default", {"int_ind": 1}, values((3, 2), "float32"))]


def insert(name, kind, attrs, *inputs):
    return case(name, f"_npi_insert_{kind}", attrs, inputs, np_shape=True)


def floats(shape):
    return values(shape, "float32", 3)


CASES += [insert(f"number_{name_of(at)}", "scalar", dict(at, axis="None", val=99.5), GRID)
          for at in ({"int_ind": 1}, {"int_ind": -1}, {"int_ind": 3}, {"int_ind": -4}, {"int_ind": 12}, {"int_ind": 0})]
CASES += [insert(f"number_{t}", "scalar", {"int_ind": 1, "axis": 0, "val": 3.7}, values((3,), t)) for t in NUMBERS]
CASES += [insert("number_in_nothing", "scalar", {"int_ind": 0, "axis": 0, "val": 3}, values((0,), "float32"))]
CASES += [insert(f"scalar_{i}", "scalar", {"int_ind": index, "axis": axis}, array, floats(shape))
          for i, (array, index, axis, shape) in enumerate([
              (GRID, 1, 1, ()), (GRID, 1, 1, (3,)), (GRID, 1, 1, (1, 3)), (GRID, 1, 1, (3, 1)), (GRID, 1, 0, (1, 4)), (GRID, 1, 0, (2, 4)),
              (GRID, 1, 0, (4,)), (GRID, 1, "None", (4,)), (GRID, 1, 1, (1,)), (GRID, 4, 1, (1,)), (GRID, -1, 0, (4,)), (CUBE, 1, 1, (2, 2)),
              (CUBE, 1, 1, (2,)), (CUBE, 1, 1, (2, 1, 2)), (CUBE, 1, 1, (1, 2, 1)), (CUBE, 1, 1, (2, 1)), (CUBE, 1, 2, (3,)),
              (CUBE, 0, 0, (3, 2)), (CUBE, 2, 0, ())])]
CASES += [insert("scalar_of_int32", "scalar", {"int_ind": 1, "axis": "None"}, GRID, np.array([7], "int32")),
          insert("scalar_of_float64", "scalar", {"int_ind": 1, "axis": 0}, GRID, np.array([7.7], "float64")),
          insert("scalar_into_int32", "scalar", {"int_ind": 1, "axis": 0}, values((3,), "int32"), np.array([7.7], "float32"))]
CASES += [insert(f"slice_{name_of(at)}_{i}", "slice", dict(at, axis=1), GRID, floats(shape))
          for at in SLICES[:4] + (SLICES[5],) for i, shape in enumerate([(2,), (3, 1), (1,), (3, 2)])
          if at["start"] != 5]
CASES += [insert(f"slice_of_one_{i}", "slice", {"start": 1, "stop": 2, "step": 1, "axis": axis}, array, floats(shape))
          for i, (array, axis, shape) in enumerate([(GRID, 1, (2,)), (GRID, 1, (3, 1)), (GRID, 1, (3, 2)), (CUBE, 1, (3, 2)), (CUBE, 1, (2, 2))])]
CASES += [insert(f"slice_{i}", "slice", {"start": 0, "stop": 2, "step": 1, "axis": axis}, array, floats(shape))
          for i, (array, axis, shape) in enumerate([(GRID, 0, (2, 4)), (GRID, 0, (4,)), (CUBE, 1, (2, 2, 2)), (CUBE, 1, (2, 2)),
                                                    (GRID, "None", (2,)), (GRID, "None", (1,))])]
CASES += [insert(f"slice_of_none_{i}", "slice", {"start": start, "stop": stop, "step": 1, "axis": 1}, GRID, floats(shape))
          for i, (start, stop, shape) in enumerate([(5, 9, (3, 1)), (5, 9, (1,)), (1, 1, (3, 1))])]
CASES += [insert("slice_number", "slice", {"start": 1, "stop": 2, "step": 1, "axis": "None", "val": 99}, GRID)]
CASES += [insert(f"tensor_number_{i}", "tensor", {"axis": "None", "val": 99}, GRID, np.array(index, "int64"))
          for i, index in enumerate([[1], [3], [7], [-1], [12]])]
CASES += [insert(f"tensor_{i}", "tensor", {"axis": axis}, array, floats(shape), np.array(index, "int64"))
          for i, (array, axis, shape, index) in enumerate([
              (GRID, 1, (2,), [2, 1]), (GRID, 1, (3, 1), [2, 1]), (GRID, 1, (3, 2), [2, 1]), (GRID, 1, (3, 2), [2]), (GRID, 1, (3,), [2]),
              (GRID, 1, (2,), [2]), (GRID, 1, (1, 3), [2]), (GRID, "None", (2,), [2, 1]), (CUBE, 1, (2, 2, 2), [2, 1]),
              (CUBE, 1, (2, 2), [2, 2]), (CUBE, 1, (2,), [2, 2]), (CUBE, 1, (2, 2), [2]), (GRID, 0, (), [0, 2]), (GRID, 1, (3, 3), [-1, 4, 0]),
              (GRID, 0, (4,), [1, 1, 1])])]
CASES += [insert("tensor_of_int32", "tensor", {"axis": 0}, GRID, np.array([3], "int32"), np.array([0, 2], "int64"))]
CASES += [insert(f"tensor_{t}", "tensor", {"axis": 0}, values((3,), t), values((2,), t, 1), np.array([0, 2], "int64")) for t in NUMBERS]
