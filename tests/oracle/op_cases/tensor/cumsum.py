"""_np_cumsum, which mx.sym.cumsum and F.cumsum write. MXNet refuses an axis below 0."""
import numpy as np
from op_case import case, ints, rand

X = rand((2, 3, 4), low=-4, high=4)


def cumsum(name, attrs, data, np_shape=False):
    return case(name, "_np_cumsum", attrs, [data], np_shape=np_shape)


CASES = [
    cumsum("flat", {}, X),
    *(cumsum(f"axis_{axis}", {"axis": axis}, X) for axis in (0, 1, 2)),
    cumsum("wide", {"axis": 0}, rand((5, 300), 1)),
    cumsum("long", {"axis": 1}, rand((3, 2000), 2)),
    cumsum("none", {"axis": "None", "dtype": "None"}, X),
    *(cumsum(f"of_{dtype}", {"axis": 1}, ints((2, 5, 3), 100, dtype=dtype)) for dtype in ("float64", "float16", "int8", "uint8", "int32", "int64", "bool")),
    *(cumsum(f"to_{dtype}", {"dtype": dtype}, X) for dtype in ("float16", "float32", "float64", "int8", "int32", "int64")),
    *(cumsum(f"{dtype}_to_float64", {"axis": 0, "dtype": "float64"}, ints((3, 4), 100, dtype=dtype)) for dtype in ("float16", "uint8", "int64", "bool")),
    cumsum("float16_rounds", {}, np.array([2048, 1, 1, 1, 3], "float16")),
    cumsum("float16_in_float32", {"dtype": "float32"}, np.array([2048, 1, 1, 1, 3], "float16")),
    cumsum("float32_rounds", {"axis": 0}, np.array([[16777216], [1], [1], [3]], "float32")),
    cumsum("nan", {}, np.array([1, np.inf, 2, -np.inf, 3, np.nan, 1], "float32")),
    cumsum("empty", {}, np.zeros((0, 3), "float32"), np_shape=True),
    cumsum("no_lines", {"axis": 0}, np.zeros((2, 0), "float32"), np_shape=True),
    cumsum("scalar", {}, np.array(3, "float32"), np_shape=True),
]
