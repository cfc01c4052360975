"""Reductions, positions of extremes, and L2Normalization."""
import numpy as np

from op_case import case, ints, rand

X = rand((2, 3, 4, 5), low=-2, high=2)
POSITIVE = rand((2, 3, 4), low=0.5, high=1.5)
NAN = np.array([[1, np.nan, 2], [np.nan, np.nan, np.nan], [3, 1, 3]], "float32")
TIES = ints((3, 4, 7), 4)
FORMS = {"all": {}, "empty_axis": {"axis": "()"}, "axis_1": {"axis": 1}, "last": {"axis": -1, "keepdims": True},
         "outer_inner": {"axis": (0, 3)}, "middle": {"axis": (1, 2), "keepdims": True}, "alternate": {"axis": (0, 2)},
         "exclude": {"axis": 1, "exclude": True}, "exclude_keep": {"axis": (0, -1), "exclude": True, "keepdims": True},
         "exclude_none": {"exclude": True}, "exclude_all": {"axis": (0, 1, 2, 3), "exclude": True}, "none": {"axis": "None"}}
OPS = ("sum", "mean", "max", "min", "nansum", "prod", "nanprod")

CASES = [case(f"{op}_{name}", op, attrs, [X]) for op in ("sum", "mean", "max", "min") for name, attrs in FORMS.items()
         if name != "exclude_all"]
CASES += [case(f"{op}_{name}", op, FORMS[name], [POSITIVE]) for op in ("prod", "nansum", "nanprod") for name in ("all", "axis_1", "last")]
CASES += [case(f"{op}_nan", op, {"axis": 1}, [NAN]) for op in ("sum", "max", "nansum", "nanprod")]
CASES += [case(f"{op}_{t}", op, {"axis": 1}, [ints((3, 5, 2), 60, 1, 0 if t == "uint8" else -60, t)])
          for op in ("sum", "mean", "max", "min", "prod") for t in ("int32", "uint8", "int8", "int64")]
CASES += [case(f"{op}_float64", op, {"axis": 0}, [rand((5, 9), dtype="float64")]) for op in OPS]
CASES += [case(f"{op}_float16", op, {"axis": 1}, [ints((3, 5), 9, dtype="float16")]) for op in ("sum", "max", "min")]
CASES += [case("sum_long", "sum", {"axis": 1}, [rand((2, 5003))]), case("mean_long_columns", "mean", {"axis": 0}, [rand((301, 17))]),
          case("sum_axis", "sum_axis", {"axis": "(1,)"}, [X]), case("max_axis", "max_axis", {"axis": 2}, [X])]
CASES += [
    case("norm", "norm", {}, [X]),
    case("norm_keep", "norm", {"keepdims": True}, [X]),
    case("norm_axis", "norm", {"axis": 1}, [X]),
    case("norm_two_axes", "norm", {"axis": (1, 2), "keepdims": True}, [X]),
    case("norm_1", "norm", {"ord": 1}, [X]),
    case("norm_1_axis", "norm", {"ord": 1, "axis": -1}, [X]),
    *(case(f"norm_of_{name}_{axis}", "norm", {"axis": axis}, [rand((70, 37), 3) * scale])
      for name, scale in (("large", np.float32(1e37)), ("small", np.float32(1e-30))) for axis in (0, 1)),
    case("norm_of_both", "norm", {"axis": 1}, [np.array([[1e30, 1e-30, 1, 0], [3e-25, 4e-25, 0, 0], [0, 0, 0, 0]], "float32")]),
    case("norm_float64", "norm", {"axis": 1}, [rand((3, 5), dtype="float64")]),
]
# Without safe accumulation MXNet refuses results of another type.
SAFE = {"environment": {"MXNET_SAFE_ACCUMULATION": "1"}}
WHOLE = np.array([[3, -4, 5, 0], [60, 7, -80, 100]])
RESULTS = ("float16", "float32", "float64", "int32", "int64", "int8")
CASES += [case(f"norm_{order}_{t}_to_{out}", "norm", {"ord": order, "axis": 1, "out_dtype": out}, [rand((3, 40), order, -9, 9, t)],
               tol=1e-6 if (t, out) == ("float16", "float64") else None, **SAFE)
          for order in (1, 2) for t in ("float16", "float32", "float64") for out in RESULTS]
CASES += [case(f"norm_1_{t}_to_{out}", "norm", {"ord": 1, "axis": (0, 1), "keepdims": True, "out_dtype": out},
               [(WHOLE % 256 if t == "uint8" else WHOLE).astype(t)], **SAFE)
          for t in ("int32", "int64", "int8", "uint8") for out in RESULTS]
CASES += [case("norm_2_columns_to_float64", "norm", {"axis": 0, "out_dtype": "float64"}, [rand((70, 37), 3)], **SAFE),
          case("norm_2_float16_long", "norm", {"axis": 1, "out_dtype": "float32"}, [np.full((1, 5000), 1.1, "float16")], **SAFE)]
for op in ("argmax", "argmin"):
    CASES += [
        case(f"{op}_all", op, {}, [TIES]),
        case(f"{op}_keep_all", op, {"keepdims": True}, [TIES]),
        case(f"{op}_axis_0", op, {"axis": 0}, [TIES]),
        case(f"{op}_axis_1", op, {"axis": 1}, [TIES]),
        case(f"{op}_last_keep", op, {"axis": -1, "keepdims": True}, [TIES]),
        case(f"{op}_nan", op, {"axis": 1}, [NAN]),
        case(f"{op}_wide", op, {"axis": 1}, [rand((2, 5, 131))]),
    ]
    CASES += [case(f"{op}_{t}", op, {"axis": 1}, [ints((3, 9), 9, 1, dtype=t)]) for t in ("int32", "uint8", "int64", "float64", "float16")]
CASES += [case("argmax_channel", "argmax_channel", {}, [rand((3, 9))]), case("argmax_channel_3d", "argmax_channel", {}, [rand((2, 3, 5))])]
for mode in ("instance", "channel", "spatial"):
    CASES += [case(f"l2_{mode}", "L2Normalization", {"mode": mode}, [X]),
              case(f"l2_{mode}_eps", "L2Normalization", {"mode": mode, "eps": 0.5}, [X]),
              case(f"l2_{mode}_wide", "L2Normalization", {"mode": mode}, [rand((2, 3, 9, 11))]),
              case(f"l2_{mode}_float64", "L2Normalization", {"mode": mode}, [rand((2, 3, 4), dtype="float64")])]
CASES += [case("l2_two_dimensions", "L2Normalization", {}, [rand((3, 19))]), case("l2_float16", "L2Normalization", {}, [rand((3, 7), dtype="float16")], tol=3e-3)]
