"""What indexing of mx.np arrays and symbols writes into graphs. MXNet crashes where something is taken from nothing, or a mask
of no rows is read."""
import numpy as np

from op_case import DTYPES, case, values


def of(name, op, attrs, *inputs, **other):
    return case(name, op, attrs, inputs, np_shape=True, **other)


def array(shape, dtype="float32"):
    return values(shape, dtype)


CASES = [of(f"slice_{i}", "_npi_slice", attrs, array(shape)) for i, (shape, attrs) in enumerate([
    ((3, 2), {"begin": "[1]", "end": "[2]"}), ((3, 2), {"begin": "[-1]", "end": "[0]"}), ((4,), {"begin": "1", "end": "[None]", "step": "None"}),
    ((4,), {"begin": "[None]", "end": "2", "step": "None"}), ((4,), {"begin": "[None]", "end": "[None]", "step": "-1"}),
    ((3, 2), {"begin": "[1, -1]", "end": "[2, -2]", "step": "[1, -1]"}), ((3, 2), {"begin": "[None, 0]", "end": "[None, 1]", "step": "[None, 1]"}),
    ((3, 2), {"begin": "[2]", "end": "[1]"}), ((3, 2), {"begin": "[1]", "end": "[1]", "step": "[1]"}), ((3, 2), {"begin": "[5]", "end": "[9]"}),
    ((0, 2), {"begin": "[0]", "end": "[0]"}), ((3, 2), {"begin": "[-9]", "end": "[9]"}), ((3,), {"begin": "[None]", "end": "[-9]", "step": "[-1]"}),
    ((3,), {"begin": "[9]", "end": "[None]", "step": "[-1]"}), ((3,), {"begin": "[-1]", "end": "[-2]", "step": "[-1]"})])]
CASES += [of(f"slice_{t}", "_npi_slice", {"begin": "[0]", "end": "[2]", "step": "[None]"}, array((3,), t)) for t in DTYPES]
CASES += [of(f"slice_assign_{t}", "_npi_slice_assign", {"begin": "(0,)", "end": "(2,)", "step": "(None,)"}, array((3, 2), t), values((2, 2), t, 1))
          for t in DTYPES if t != "bool"]
CASES += [of(f"slice_assign_scalar_{t}", "_npi_slice_assign_scalar", {"scalar": 3.5, "begin": "(0,)", "end": "(2,)", "step": "(None,)"},
             array((3, 2), t)) for t in DTYPES if t != "bool"]
CASES += [of(f"take_{mode}_{i}", "_npi_take", {"axis": axis, "mode": mode}, array((3, 2)), np.array(indices, dtype))
          for mode in ("clip", "wrap", "raise") for i, (axis, indices, dtype) in enumerate([
              (0, [1, 0, 2], "int32"), (1, 1, "int64"), (-1, [[1, 0]], "float32"), (0, [], "int32"), (0, [[1], [2]], "uint8"),
              *([(0, [1, -1, 7], "int32")] if mode != "raise" else [])])]
CASES += [of(f"take_{t}", "_npi_take", {"axis": 0, "mode": "clip"}, array((3,), t), np.array([2, 0], "int32")) for t in DTYPES]
CASES += [of("take_nothing_from_nothing", "_npi_take", {"axis": 0, "mode": "clip"}, array((0, 3)), np.zeros((0,), "int32")),
          of("take_by_bool", "_npi_take", {"axis": 0}, array((3,)), np.array([1, 0], "bool"))]
CASES += [of(f"gather_{i}", "_npi_gather_nd", {}, array(shape), np.array(indices, dtype).reshape(to)) for i, (shape, indices, dtype, to) in enumerate([
    ((3, 2), [2, 0], "int64", (1, 2)), ((3, 2), [-1, 0], "int64", (2, 1)), ((3, 2), [], "int64", (2, 0)), ((3, 2), [1, 0, 2, 2], "int32", (1, 2, 2)),
    ((3, 2, 0), [1, 0], "int64", (1, 2))])]
CASES += [of(f"gather_{t}", "_npi_gather_nd", {}, array((3, 2), t), np.array([[2, 0], [1, 1]], "int64")) for t in DTYPES]
CASES += [of(f"scatter_set_{i}", "_npi_scatter_set_nd", {"shape": (3, 2)}, array((3, 2)), values(rhs, "float32", 1), np.array(indices, "int64"),
             in_place=True) for i, (rhs, indices) in enumerate([((2,), [[2, 0], [1, 1]]), ((2, 2), [[2, 0]]), ((0,), np.zeros((2, 0)))])]
CASES += [of(f"scatter_set_{t}", "_npi_scatter_set_nd", {"shape": (3, 2)}, array((3, 2), t), values((2,), t, 1), np.array([[2, 0], [1, 1]], "int64"),
             in_place=True) for t in DTYPES]
MASK = np.array([1, 0, 1], "bool")
CASES += [of(f"mask_{t}", "_npi_boolean_mask", {}, array((3,), t), MASK, open_size=True) for t in DTYPES]
CASES += [of(f"mask_{i}", "_npi_boolean_mask", {"axis": 0}, array(shape), mask, open_size=True) for i, (shape, mask) in enumerate([
    ((3, 2), MASK), ((3, 0), MASK), ((3, 2), np.zeros((3,), "bool")), ((3, 2), MASK.astype("float32")), ((3, 2), MASK.astype("int32"))])]
CASES += [of("pick_last", "_npx_pick", {"axis": -1}, array((3, 2)), np.array([1, 0, 1], "float32")),
          of("pick_scalar", "_npx_pick", {"axis": 0}, array((3,)), np.array(1, "float32")),
          of("pick_keep", "_npx_pick", {"axis": 0, "keepdims": True}, array((3,)), np.array([1], "float32"))]
CASES += [of(f"one_hot_{i}", "_npx_one_hot", {"depth": depth}, np.array(indices, "int32")) for i, (depth, indices) in enumerate([
    (3, 1), (3, []), (0, [1])])]
CASES += [of(f"embedding_{i}", "_npx_embedding", {"input_dim": 3, "output_dim": 2}, np.array(indices, "int32"), array((3, 2)))
          for i, indices in enumerate([1, [], [[2, 0]]])]
CASES += [of("sort_flat", "_npi_sort", {"axis": "None"}, array((2, 3))), of("sort_empty", "_npi_sort", {"axis": 0}, array((0, 2))),
          of("argsort_flat", "_npi_argsort", {"axis": "None", "is_ascend": True, "dtype": "int64"}, array((2, 3))),
          of("argsort_empty", "_npi_argsort", {"axis": -1, "dtype": "int64"}, array((0,))),
          of("argsort_rows", "_npi_argsort", {"axis": -1, "is_ascend": True, "dtype": "int64"}, array((2, 3)))]
CASES += [of("shape_scalar", "_npx_shape_array", {}, array(())), of("arange_like_scalar", "_npx_arange_like", {}, array(())),
          of("arange_like_empty", "_npx_arange_like", {"axis": 0}, array((0, 2))), of("arange_like_none", "_npx_arange_like", {}, array((2, 0)))]
