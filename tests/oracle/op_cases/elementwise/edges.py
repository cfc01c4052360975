"""Corners that operators of several families share: not-a-numbers, negative axes, empty arrays, reversed reshapes and
steps, and dtypes that only a few operators see."""
import numpy as np

from op_case import case, ints, rand

X = rand((2, 3, 4))
ODD = np.array([[np.nan, -np.inf, -0.0, 0.0, np.inf], [1, np.nan, -1, 2, np.nan]], "float32")
WITH = np.array([[1, 1, np.nan, 0, -np.inf], [np.nan, np.nan, np.inf, 2, 3]], "float32")
BOOL = np.array([[True, False, True], [False, False, False]])
RESHAPES = [((-4, 1, 2, -2), False), ((0, -3), False), ((-3, 0), True), ((-1, 0), True), ((0, -1), True), ((0, 0, -4, 2, -1), False),
            ((-2, 1), False), ((-4, -1, 1, 0, -2), False), ((-1, 2, 0), True), ((6, 0), True), ((-1,), True)]
SLICES = [((None, 3), (None, 0), (1, -1)), ((1, None, 3), (None, None, None), (-1, 2, -2)), ((-1,), (-3,), (-1,)),
          ((0, -2), (2, -1), ()), ((None, None, -1), (None, None, -9), (None, None, -3)), ((5,), (9,), ())]

CASES = [
    *(case(f"{op}_odd", op, {}, [ODD]) for op in ("relu", "sigmoid", "tanh", "exp", "abs", "sign", "round", "rint", "floor", "trunc",
                                                  "square", "softsign", "logical_not", "erf", "cbrt", "log1p", "_npx_relu")),
    *(case(f"{op}_odd", op, {}, [ODD, WITH]) for op in ("_maximum", "_minimum", "broadcast_maximum", "_equal", "_not_equal", "_greater",
                                                        "_lesser_equal", "_logical_and", "_mod", "_power", "_hypot")),
    *(case(f"{op}_odd", op, {"axis": 1}, [ODD]) for op in ("sum", "mean", "max", "min", "prod", "nansum", "nanprod", "argmax", "argmin")),
    *(case(f"{op}_scalar_odd", f"_{op}_scalar", {"scalar": 1.0}, [ODD]) for op in ("maximum", "minimum", "greater", "not_equal", "mod", "rpower")),
    case("clip_odd", "clip", {"a_min": -1, "a_max": 1}, [ODD]),
    case("softmax_infinite", "softmax", {}, [np.array([[-np.inf, 0, 1], [-np.inf, -np.inf, 2]], "float32")]),
    case("where_nan", "where", {}, [ODD, ODD, WITH]),
    *(case(f"cast_odd_{dtype}", "Cast", {"dtype": dtype}, [ODD]) for dtype in ("int32", "int64", "uint8", "int8", "bool", "float16")),
    *(case(f"reshape_{i}", "Reshape", {"shape": shape, "reverse": reverse}, [X]) for i, (shape, reverse) in enumerate(RESHAPES)),
    *(case(f"slice_{i}", "slice", {"begin": begin, "end": end, "step": step}, [X]) for i, (begin, end, step) in enumerate(SLICES)),
    *(case(f"slice_axis_{i}", "slice_axis", {"axis": axis, "begin": begin, "end": end}, [X])
      for i, (axis, begin, end) in enumerate([(-1, -3, None), (-2, 1, -1), (0, 0, 2), (2, -4, -1)])),
    *(case(f"negative_axis_{op}", op, attrs, [X]) for op, attrs in {
        "SliceChannel": {"num_outputs": 2, "axis": -1}, "expand_dims": {"axis": -1}, "SwapAxis": {"dim1": -1, "dim2": -3},
        "sum": {"axis": (-1, -3)}, "softmax": {"axis": -2}, "topk": {"axis": -2, "k": 2},
        "argmax": {"axis": -2}, "repeat": {"repeats": 2, "axis": -2}, "sort": {"axis": -3}, "norm": {"axis": (-1, -2)},
        "broadcast_axis": {"axis": (), "size": ()}, "log_softmax": {"axis": 0}, "diag": {"axis1": -1, "axis2": -2, "k": -1}}.items()),
    case("negative_axis_stack", "stack", {"num_args": 2, "axis": -2}, [X, X]),
    case("negative_axis_concat", "Concat", {"num_args": 2, "dim": -2}, [X, X]),
    case("negative_axis_split_v2", "_split_v2", {"indices": (0, 1), "axis": -2}, [X]),
    case("exclude_negative", "sum", {"axis": (-1,), "exclude": True, "keepdims": True}, [X]),
    *(case(f"empty_{op}", op, attrs, [np.zeros((0, 3), "float32")], np_shape=True) for op, attrs in {
        "relu": {}, "transpose": {}, "expand_dims": {"axis": 0}, "slice": {"begin": (0,), "end": (0,)}, "_mul_scalar": {"scalar": 2},
        "softmax": {}, "Cast": {"dtype": "int32"}, "reverse": {"axis": (1,)}, "tile": {"reps": (2, 2)}}.items()),
    case("empty_concat", "Concat", {"num_args": 2, "dim": 0}, [np.zeros((0, 3), "float32"), rand((2, 3))], np_shape=True),
    case("empty_add", "broadcast_add", {}, [np.zeros((0, 3), "float32"), rand((1, 3))], np_shape=True),
    case("empty_take", "take", {}, [rand((2, 3)), np.zeros((0,), "int32")], np_shape=True),
    *(case(f"{op}_bool", op, {"axis": 1}, [BOOL]) for op in ("sum", "mean", "prod", "max", "min", "nansum", "nanprod", "norm")),
    *(case(f"topk_{kind}_float16", "topk", {"k": 2, "ret_typ": kind}, [rand((2, 7), dtype="float16")]) for kind in ("both", "mask")),
    *(case(f"div_sqrt_dim_{dtype}", "_contrib_div_sqrt_dim", {}, [ints((2, 9), 90, low=1, dtype=dtype)])
      for dtype in ("int32", "uint8", "int64", "int8")),
    *(case(f"arange_{dtype}_wraps", "_arange", {"start": 5, "stop": -5, "step": -2, "dtype": dtype}, []) for dtype in ("uint8", "int8")),
    case("arange_float16", "_arange", {"start": 5.7, "stop": 12, "step": 1.5, "dtype": "float16"}, []),
    case("arange_float16_repeat", "_arange", {"start": 0, "stop": 4, "repeat": 2, "dtype": "float16"}, []),
    case("zeros_typed", "_zeros_without_dtype", {"shape": (2, 2), "dtype": 4}, []),
]
