from op_case import case, ints, rand

import numpy as np


def f32(values):
    return np.array(values, "float32")


A = np.arange(12, dtype="float32").reshape(4, 3)
NUMBERS = ("float64", "float16", "int32", "int64", "uint8", "int8")

CASES = [
    *(case(f"arange_like_{dtype}", "_contrib_arange_like", {}, [np.zeros((2, 3), dtype)])
      for dtype in ("float32", *NUMBERS)),
    *(case(f"arange_like_fraction_{dtype}", "_contrib_arange_like", {"start": -1.5, "step": 2.7},
           [np.zeros((7,), dtype)]) for dtype in ("float32", "float64", "float16", "int32", "int64", "int8")),
    case("arange_like_wraps", "_contrib_arange_like", {"start": 5, "step": -2}, [np.zeros(6, "uint8")]),
    case("arange_like_axis", "_contrib_arange_like", {"axis": 1, "start": 2, "step": -0.5}, [rand((2, 3))]),
    case("arange_like_repeat", "_npx_arange_like", {"axis": -1, "repeat": 2}, [rand((2, 5))]),
    case("arange_like_repeat_all", "_contrib_arange_like", {"repeat": 4, "ctx": "cpu(0)"}, [rand((2, 3))]),
    case("index_array", "_contrib_index_array", {}, [rand((2, 3))]),
    case("index_array_int8", "_contrib_index_array", {}, [ints((3, 1, 2), 9, dtype="int8")]),
    case("index_array_axes", "_contrib_index_array", {"axes": (-1, 0, 1)}, [rand((2, 3))]),
    case("index_array_axis", "_contrib_index_array", {"axes": (1,)}, [rand((2, 3, 2))]),
    case("index_array_no_axes", "_contrib_index_array", {"axes": ()}, [rand((2, 3))]),
    case("index_array_empty", "_contrib_index_array", {}, [rand((0, 3))], np_shape=True),
    case("index_array_scalar", "_contrib_index_array", {}, [rand(())], np_shape=True),
    case("index_copy", "_contrib_index_copy", {}, [A, np.array([2, 0], "int64"), -A[:2] - 1]),
    case("index_copy_fraction", "_contrib_index_copy", {}, [A, f32([2.7, 0]), -A[:2] - 1]),
    case("index_copy_twice", "_contrib_index_copy", {}, [A, np.array([2, 2], "int32"), -A[:2] - 1]),
    case("index_copy_1d", "_contrib_index_copy", {}, [A[:, 0], np.array([1, 2], "int64"), -A[:2, 0] - 1]),
    case("index_copy_3d", "_contrib_index_copy", {}, [rand((3, 2, 4)), np.array([1], "int64"), rand((1, 2, 4), 1)]),
    *(case(f"index_copy_{dtype}", "_contrib_index_copy", {},
           [A.astype(dtype), np.array([3, 1], "int64"), A[:2].astype(dtype) + np.array(20, dtype)])
      for dtype in NUMBERS),
    case("scatter", "scatter_nd", {"shape": (2, 2)}, [f32([2, 3, 1]), np.array([[1, 1, 0], [0, 1, 0]], "int64")]),
    case("scatter_float_index", "scatter_nd", {"shape": (2, 2)}, [f32([2, 3, 1]), f32([[1.9, 1, 0], [0, 1, 0]])]),
    case("scatter_last_stays", "scatter_nd", {"shape": (2, 2)}, [f32([2, 3, 7]), f32([[1, 1, 1], [0, 1, 0]])]),
    case("scatter_rows", "scatter_nd", {"shape": (4, 3)}, [A[:2], f32([[1, 3]])]),
    case("scatter_blocks", "scatter_nd", {"shape": (2, 3, 4)},
         [rand((1, 2, 4)), np.array([[[0, 1]], [[2, 1]]], "int32")]),
    *(case(f"scatter_{dtype}", "scatter_nd", {"shape": (4,)}, [np.array([5, 6], dtype), np.array([[3, 1]], "int32")])
      for dtype in NUMBERS),
    case("slice_assign", "_slice_assign", {"begin": (1,), "end": (3,)}, [A, -A[:2]]),
    case("slice_assign_back", "_crop_assign", {"begin": (1, None), "end": (3, None), "step": (1, -2)}, [A, -A[:2, :2]]),
    case("slice_assign_negative", "_slice_assign", {"begin": (-1, 0), "end": (None, 2), "step": (-2, 1)},
         [A, -A[:2, :2]]),
    case("slice_assign_all", "_slice_assign", {"begin": (0,), "end": (9,)}, [A, -A]),
    *(case(f"slice_assign_{dtype}", "_slice_assign", {"begin": (None, 1), "end": (None, 2)},
           [A.astype(dtype), A[:, :1].astype(dtype)]) for dtype in NUMBERS),
    case("slice_assign_zero", "_slice_assign_scalar", {"begin": (1,), "end": (3,)}, [A]),
    *(case(f"slice_assign_scalar_{dtype}", "_crop_assign_scalar",
           {"begin": (1, 0), "end": (3, None), "step": (None, 2), "scalar": -2.7}, [A.astype(dtype)])
      for dtype in ("float32", *NUMBERS)),
    case("slice_assign_scalar_none", "_slice_assign_scalar", {"begin": (2,), "end": (2,), "scalar": 1}, [A]),
    *(case(f"ravel_{dtype}", "_ravel_multi_index", {"shape": (4, 5)}, [np.array([[1, 2, 3], [0, 1, 4]], dtype)])
      for dtype in ("float32", *NUMBERS)),
    case("ravel_outside", "ravel_multi_index", {"shape": (-1, 5)}, [np.array([[1, 2, 9], [0, -1, 7]], "int64")]),
    case("ravel_fraction", "_ravel_multi_index", {"shape": (3, 5)}, [f32([[1.7, -2, -2], [0.5, 1, 0.5]])]),
    case("ravel_3d", "_ravel_multi_index", {"shape": (2, 3, 4)}, [ints((3, 5), 2, dtype="int64")]),
    *(case(f"unravel_{dtype}", "_unravel_index", {"shape": (4, 5)}, [np.array([5, 11, 19], dtype)])
      for dtype in ("float32", *NUMBERS)),
    case("unravel_outside", "unravel_index", {"shape": (2, 3)}, [np.array([5, 25, -1, -7], "int64")]),
    case("unravel_fraction", "_unravel_index", {"shape": (-1, 5)}, [f32([5.9, -1.5])]),
    case("unravel_3d", "_unravel_index", {"shape": (2, 3, 4)}, [ints((6,), 24, dtype="int64")]),
    *(case(f"histogram_{dtype}", "_histogram", {"bin_cnt": 3, "range": (0.5, 7.9)},
           [np.array([0, 1, 2, 3, 4, 5, 6, 7, 8], dtype)]) for dtype in ("float32", *NUMBERS)),
    *(case(f"histogram_bounds_{dtype}", "_histogram", {},
           [np.array([0, 1, 2, 3, 4, 5, 6, 7, 8], dtype), np.array([1, 3, 3, 5, 8], dtype)])
      for dtype in ("float32", *NUMBERS)),
    case("histogram_narrow", "_histogram", {"bin_cnt": 4, "range": (0.0, 3.0)}, [ints((9,), 4, dtype="int32")]),
    case("histogram_edges", "_histogram", {"bin_cnt": 7, "range": (0.1, 0.8)},
         [np.linspace(0.1, 0.8, 29).astype("float32")]),
    case("histogram_edges_wide", "_histogram", {"bin_cnt": 7, "range": (0.1, 0.8)}, [np.linspace(0.1, 0.8, 29)]),
    case("histogram_point", "_histogram", {"bin_cnt": 3, "range": (4.0, 4.0)}, [f32([0, 3.5, 4, 4.4, 4.5, 5])]),
    case("histogram_not_numbers", "_histogram", {"bin_cnt": 4, "range": (0.0, 4.0)},
         [f32([[0, 1, 1.5, 4], [5, -1, np.inf, np.nan]])]),
    case("histogram_bounds_not_numbers", "_histogram", {},
         [f32([[0, 1, 1.5, 4.5], [5, -1, -np.inf, np.nan]]), f32([0, 1, 2, 4.5])]),
    case("khatri_rao", "khatri_rao", {"num_args": 2}, [f32([[1, -1], [2, -3]]), f32([[1, 4], [2, 5], [3, 6]])]),
    case("khatri_rao_one", "khatri_rao", {"num_args": 1}, [rand((2, 3))]),
    case("khatri_rao_three", "khatri_rao", {"num_args": 3}, [rand((2, 2)), rand((1, 2), 1), rand((3, 2), 2)]),
    case("khatri_rao_four", "khatri_rao", {"num_args": 4},
         [rand((2, 3), i, dtype="float64") for i in range(4)]),
    *(case(f"all_finite_{dtype}", "all_finite", {}, [np.array([1, -7, 60000], dtype)])
      for dtype in ("float32", "float64", "float16")),
    *(case(f"all_finite_{name}", "all_finite", {"init_output": name == "nan"}, [f32([1, value])])
      for name, value in (("inf", np.inf), ("minus_inf", -np.inf), ("nan", np.nan))),
    case("multi_all_finite", "multi_all_finite", {"num_arrays": 2}, [f32([1, 2]), f32([[3]])]),
    case("multi_all_finite_not", "multi_all_finite", {"num_arrays": 2}, [f32([1, 2]), f32([[np.nan]])]),
    case("multi_all_finite_default", "multi_all_finite", {}, [f32([1, 2])]),
    case("sum_sq", "multi_sum_sq", {"num_arrays": 2}, [rand((2, 7)), rand((3,), 1)]),
    case("sum_sq_float64", "multi_sum_sq", {"num_arrays": 1}, [rand((2, 7), dtype="float64")]),
    case("sum_sq_float16", "multi_sum_sq", {"num_arrays": 2}, [np.array([200, 200], "float16"), np.array([300], "float16")]),
    *(case(f"allclose_{name}{'' if nan else '_not'}", "_contrib_allclose", {"equal_nan": nan}, [f32(a), f32(b)])
      for nan in (True, False)
      for name, a, b in (("near", [1, 2], [1, 2.00001]), ("far", [1, 2], [1, 2.0001]), ("nan", [np.nan], [np.nan]),
                         ("half_nan", [np.nan], [1]), ("inf", [np.inf, -np.inf], [np.inf, -np.inf]),
                         ("signs", [np.inf], [-np.inf]), ("left_inf", [np.inf], [1]), ("right_inf", [1], [np.inf]))),
    case("allclose_absolute", "_contrib_allclose", {"atol": 0.1, "rtol": 0.0}, [f32([1, 2]), f32([1, 2.05])]),
    case("allclose_relative", "_contrib_allclose", {"atol": 0.0, "rtol": 0.1}, [f32([1.1]), f32([1])]),
    case("allclose_shapes", "_contrib_allclose", {}, [f32([1, 2]), f32([[1, 2]])]),
    *(case(f"allclose_{dtype}{'' if limit == 1.0 else '_far'}", "_contrib_allclose", {"atol": limit, "rtol": 0.0},
           [np.array([1, 5], dtype), np.array([2, 4], dtype)]) for dtype in NUMBERS for limit in (1.0, 0.5)),
    *(case(f"cast_storage_{stype}", "cast_storage", {"stype": stype}, [ints((3, 2), 3)])
      for stype in ("default", "csr", "row_sparse")),
    *(case(f"cast_storage_{dtype}", "_sparse_cast_storage", {"stype": "csr"}, [ints((3, 2), 3).astype(dtype)])
      for dtype in NUMBERS),
]
