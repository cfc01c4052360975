from op_case import case, rand

import numpy as np


def shaped(name, shape, attrs, op="Reshape", **options):
    return case(name, op, attrs, [rand(shape)], **options)


SPECS = [(0, -1), (-2,), (-3, -3), (-3, 4, 5), (0, -3, 0), (-4, 1, 2, -2), (-4, -1, 2, -2), (2, -4, -1, 3, -2),
         (0, 0, -4, 2, 2, 0), (-1, 0), (0, -2), (-2, 1), (120,), (-1,), (0, 0, 0, -2), (0, 0, 0, 0, -2),
         (-3, 0, -1), (4, -1, 5), (0, 0, 0, 0)]
REVERSED = [(0, -1), (-1, 0), (-3, -3), (-1, 0, 0), (0, -3, 0), (-1,)]

CASES = [
    *(shaped(f"codes_{i}", (2, 3, 4, 5), {"shape": spec}) for i, spec in enumerate(SPECS)),
    *(shaped(f"reverse_{i}", (2, 3, 4, 5), {"shape": spec, "reverse": True}) for i, spec in enumerate(REVERSED)),
    shaped("alias", (2, 6), {"shape": "(3L, -1L)"}, op="reshape"),
    shaped("target_infer", (2, 3, 4, 5), {"target_shape": (0, 60)}),
    shaped("target_infer_last", (2, 3, 4, 5), {"target_shape": (2, 0)}),
    shaped("target_keep_highest", (2, 3, 4, 5), {"target_shape": (5, 0, 4), "keep_highest": True}),
    shaped("target_full", (2, 3, 4, 5), {"target_shape": (6, 20)}),
    case("int8", "Reshape", {"shape": (-1,)}, [np.arange(6, dtype="int8").reshape(2, 3)]),
    case("int64", "Reshape", {"shape": (3, 2)}, [np.arange(6, dtype="int64").reshape(2, 3)]),
    shaped("flatten", (2, 3, 4, 5), {}, op="Flatten"),
    shaped("flatten_2d", (2, 3), {}, op="flatten"),
    shaped("flatten_1d", (3,), {}, op="Flatten"),
    *(shaped(f"expand_dims_{'m' if axis < 0 else ''}{abs(axis)}", (2, 3), {"axis": axis}, op="expand_dims")
      for axis in (0, 1, 2, -1, -3)),
    shaped("squeeze", (1, 2, 1, 3, 1), {}, op="squeeze"),
    shaped("squeeze_axis", (1, 2, 1, 3, 1), {"axis": 2}, op="squeeze"),
    shaped("squeeze_axes", (1, 2, 1, 3, 1), {"axis": (0, -1)}, op="squeeze"),
    shaped("squeeze_no_axes", (1, 2, 1), {"axis": ()}, op="squeeze"),
    shaped("squeeze_all", (1, 1, 1), {}, op="squeeze"),
    case("reshape_like", "reshape_like", {}, [rand((2, 3, 4)), rand((6, 4))]),
    case("reshape_like_range", "reshape_like", {"lhs_begin": 0, "lhs_end": 2, "rhs_begin": 0, "rhs_end": 1},
         [rand((2, 3, 4)), rand((6, 7))]),
    case("reshape_like_negative", "reshape_like", {"lhs_begin": -2, "lhs_end": None, "rhs_begin": 1, "rhs_end": None},
         [rand((2, 3, 4)), rand((9, 12))]),
    shaped("transpose", (2, 3, 4, 5), {}, op="transpose"),
    shaped("transpose_axes", (2, 3, 4, 5), {"axes": (0, 2, 3, 1)}, op="transpose"),
    shaped("transpose_back", (2, 9, 11, 5), {"axes": (0, 3, 1, 2)}, op="transpose"),
    shaped("transpose_shuffle", (2, 3, 4, 5, 6), {"axes": (0, 2, 1, 3, 4)}, op="transpose"),
    shaped("transpose_all", (3, 17, 2, 19), {"axes": (3, 1, 0, 2)}, op="transpose"),
    shaped("transpose_big", (37, 41), {}, op="transpose"),
    shaped("transpose_ones", (2, 1, 3, 1), {"axes": (1, 0, 3, 2)}, op="transpose"),
    shaped("transpose_1d", (5,), {}, op="transpose"),
    *(case(f"transpose_{dtype}", "transpose", {"axes": (2, 0, 1)}, [np.arange(5 * 6 * 7).reshape(5, 6, 7).astype(dtype)])
      for dtype in ("uint8", "int8", "int32", "int64", "float16", "float64")),
    shaped("swap_default", (2, 3), {}, op="SwapAxis"),
    shaped("swap", (2, 3, 4, 5), {"dim1": 1, "dim2": 3}, op="SwapAxis"),
    shaped("swap_alias", (2, 3, 4), {"dim1": 0, "dim2": 2}, op="swapaxes"),
    shaped("reverse_axis", (2, 3, 4), {"axis": 1}, op="reverse"),
    shaped("reverse_axes", (2, 3, 4), {"axis": (0, 2)}, op="flip"),
    shaped("reverse_last", (2, 33), {"axis": (1,)}, op="reverse"),
    shaped("diag", (4, 3), {}, op="diag"),
    shaped("diag_above", (3, 5), {"k": 2}, op="diag"),
    shaped("diag_below", (4, 3), {"k": -1}, op="diag"),
    shaped("diag_axes", (2, 3, 4), {"axis1": 0, "axis2": 2}, op="diag"),
    shaped("diag_axes_swapped", (2, 3, 4, 5), {"axis1": -1, "axis2": 1, "k": 1}, op="diag"),
    shaped("diag_vector", (3,), {}, op="diag"),
    shaped("diag_vector_above", (2,), {"k": 1}, op="diag"),
    shaped("diag_vector_below", (2,), {"k": -2}, op="diag"),
]
