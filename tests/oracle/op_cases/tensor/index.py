from op_case import case, ints, rand

import numpy as np


def f32(values):
    return np.array(values, "float32")


W = np.arange(12, dtype="float32").reshape(4, 3)
TIES = ints((40,), 4)
LONG_TIES = ints((3, 300), 20)

CASES = [
    case("embedding", "Embedding", {"input_dim": 4, "output_dim": 3}, [f32([[0, 3], [5, -1]]), W], parameters=[1]),
    case("embedding_fraction", "Embedding", {"input_dim": 4, "output_dim": 3}, [f32([0.9, 1.7, -0.5]), W]),
    case("embedding_not_numbers", "Embedding", {"input_dim": 4, "output_dim": 3}, [f32([np.nan, -np.inf, 1]), W]),
    case("embedding_int32", "Embedding", {"input_dim": 4, "output_dim": 3, "sparse_grad": True},
         [np.array([[1, 2, 9]], "int32"), W]),
    case("embedding_wide", "Embedding", {"input_dim": 10, "output_dim": 65}, [ints((3, 7), 10), rand((10, 65))]),
    case("embedding_float64", "Embedding", {"input_dim": 4, "output_dim": 3, "dtype": "float64"},
         [np.array([1, 2], "float64"), W.astype("float64")]),
    case("take", "take", {}, [W, f32([-1, 0, 5, 3.9])]),
    case("take_wrap", "take", {"mode": "wrap"}, [W, f32([-9, 9, -4, -5, -0.5])]),
    case("take_raise", "take", {"mode": "raise"}, [W, f32([[1, 0], [3, 2]])]),
    case("take_axis", "take", {"axis": 1}, [rand((2, 3, 4)), f32([[-4, 2], [3, 1]])]),
    case("take_axis_wrap", "take", {"axis": -1, "mode": "wrap"}, [rand((2, 3, 4)), f32([5, -1, 2])]),
    case("take_int8", "take", {"axis": -1}, [W.astype("int8"), np.array([1, 0], "int64")]),
    case("take_int64", "take", {}, [W.astype("int64"), np.array([[3]], "uint8")]),
    case("take_float16", "take", {}, [W.astype("float16"), f32([2, 1])]),
    case("pick", "pick", {}, [W, f32([0, 1, 2, 5])]),
    case("pick_clip", "pick", {}, [W, f32([0, -1, 2.9, 1])]),
    case("pick_wrap", "pick", {"mode": "wrap"}, [W, f32([0, -1, 3, 4])]),
    case("pick_axis", "pick", {"axis": 0, "keepdims": True}, [W, f32([0, 3, 2])]),
    case("pick_kept_index", "pick", {"axis": 1}, [W, f32([[0], [1], [2], [1]])]),
    case("pick_middle", "pick", {"axis": 1}, [rand((2, 3, 4)), ints((2, 4), 3)]),
    case("pick_int32", "choose_element_0index", {}, [W.astype("int32"), np.array([0, 1, 2, 1], "int32")]),
    case("batch_take", "batch_take", {}, [W, np.array([0, 1, 2, 9], "int32")]),
    case("batch_take_negative", "batch_take", {}, [W, np.array([[0], [-1], [2], [1]], "int32")]),
    case("gather", "gather_nd", {}, [W, f32([[0, 1, 3], [2, 0, 1]])]),
    case("gather_rows", "gather_nd", {}, [W, np.array([[0, 3, -1]], "int64")]),
    case("gather_blocks", "gather_nd", {}, [rand((2, 3, 4)), np.array([[[0, 1]], [[2, -3]]], "int32")]),
    case("gather_int32", "gather_nd", {}, [W.astype("int32"), f32([[1], [1]])]),
    case("one_hot", "one_hot", {"depth": 3}, [f32([0, 2, 5, -1, 1.9, -0.5])]),
    case("one_hot_values", "one_hot", {"depth": 2, "on_value": 3, "off_value": -1, "dtype": "int32"},
         [np.array([[0, 1], [1, 7]], "int64")]),
    *(case(f"one_hot_{dtype}", "one_hot", {"depth": 4, "dtype": dtype}, [ints((3,), 4)])
      for dtype in ("float64", "float16", "uint8", "int8", "int64")),
    case("mask", "SequenceMask", {"use_sequence_length": True, "value": -1}, [rand((4, 3, 2)), f32([1, 4, 2])]),
    case("mask_unused", "SequenceMask", {}, [rand((4, 3, 2))]),
    case("mask_axis", "SequenceMask", {"use_sequence_length": True, "axis": 1}, [rand((3, 4, 2)), f32([0, 4, 2])]),
    case("mask_fraction", "SequenceMask", {"use_sequence_length": True}, [rand((4, 3, 2)), f32([1.9, 9, 2.1])]),
    case("mask_2d", "SequenceMask", {"use_sequence_length": True}, [rand((4, 3)), f32([1, 3, 2])]),
    case("mask_int32", "SequenceMask", {"use_sequence_length": True, "value": 7},
         [ints((4, 3, 2), 99, dtype="int32"), np.array([1, 3, 2], "int32")]),
    case("last", "SequenceLast", {"use_sequence_length": True}, [rand((4, 3, 2)), f32([1, 4, 2])]),
    case("last_unused", "SequenceLast", {}, [rand((4, 3, 2))]),
    case("last_axis", "SequenceLast", {"use_sequence_length": True, "axis": 1}, [rand((3, 4, 2, 2)), f32([1, 4, 2])]),
    case("last_axis_unused", "SequenceLast", {"axis": 1}, [rand((3, 4, 2))]),
    case("last_2d", "SequenceLast", {"use_sequence_length": True}, [rand((4, 3)), f32([1, 3.9, 2])]),
    case("reverse", "SequenceReverse", {"use_sequence_length": True}, [rand((4, 3, 2)), f32([1, 4, 2])]),
    case("reverse_unused", "SequenceReverse", {}, [rand((4, 3, 2))]),
    case("reverse_none", "SequenceReverse", {"use_sequence_length": True}, [rand((4, 2)), f32([0, 3.9])]),
    *(case(f"topk_{kind}{'_ascending' if up else ''}", "topk", {"k": 2, "ret_typ": kind, "is_ascend": up},
           [f32([[3, 1, 2, 3, 1], [5, 5, 5, 5, 5]])])
      for kind in ("value", "indices", "mask", "both") for up in (False, True)),
    case("topk_default", "topk", {}, [rand((3, 7))]),
    case("topk_all", "topk", {"k": 0, "ret_typ": "both"}, [rand((3, 7))]),
    case("topk_axis_0", "topk", {"k": 2, "axis": 0, "ret_typ": "both", "dtype": "int32"}, [rand((5, 3))]),
    case("topk_middle", "topk", {"k": 2, "axis": 1, "ret_typ": "mask"}, [rand((2, 5, 3))]),
    case("topk_flat", "topk", {"k": 3, "axis": None, "ret_typ": "both"}, [rand((3, 7))]),
    case("topk_flat_mask", "topk", {"k": 3, "axis": None, "ret_typ": "mask"}, [rand((3, 7))]),
    case("topk_ties_partial", "topk", {"k": 5}, [TIES]),
    case("topk_ties_full", "topk", {"k": 6}, [TIES]),
    case("topk_ties_long", "topk", {"k": 30, "ret_typ": "both", "dtype": "int64"}, [LONG_TIES]),
    case("topk_ties_mask", "topk", {"k": 70, "ret_typ": "mask", "is_ascend": True}, [LONG_TIES]),
    *(case(f"topk_{dtype}", "topk", {"k": 3, "ret_typ": "both", "dtype": "int32"}, [ints((2, 9), 50).astype(dtype)])
      for dtype in ("float64", "int32", "int64", "uint8")),
    case("sort", "sort", {}, [rand((3, 20))]),
    case("sort_descending", "sort", {"is_ascend": False, "axis": 0}, [rand((20, 3))]),
    case("sort_flat", "sort", {"axis": None}, [rand((3, 5))]),
    case("sort_int32", "sort", {}, [ints((3, 20), 9, dtype="int32")]),
    case("argsort", "argsort", {}, [rand((3, 20))]),
    case("argsort_ties", "argsort", {}, [TIES]),
    case("argsort_ties_descending", "argsort", {"is_ascend": False, "dtype": "int64"}, [LONG_TIES]),
    case("argsort_flat", "argsort", {"axis": None, "dtype": "int32"}, [rand((3, 5))]),
    case("argsort_axis_0", "argsort", {"axis": 0, "dtype": "float64"}, [rand((6, 4))]),
]
