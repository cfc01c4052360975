"""NumPy's reductions: all dtypes, axes, empty arrays and scalars.

Left out: initial (MXNet refuses it), max and min of no elements (it refuses them), sums of booleans in float16 or int8
(likewise).
"""
import numpy as np
from op_case import case, ints, rand

DTYPES = ("float16", "float32", "float64", "int8", "uint8", "int32", "int64", "bool")
SUMS = {"sum": "_np_sum", "prod": "_np_prod", "mean": "_npi_mean"}
EXTREMES = {"max": "_np_max", "min": "_np_min"}
TRUTHS = {"any": "_np_any", "all": "_np_all"}
ALL = {**SUMS, **EXTREMES, **TRUTHS}


def values(dtype, shape=(2, 3, 2), seed=1):
    return ints(shape, 2, seed).astype(dtype) if dtype == "bool" else ints(shape, 5, seed, 1).astype(dtype)


def np_case(*args, **kwargs):
    return case(*args, np_shape=True, **kwargs)


CASES = []
for name, op in ALL.items():
    for dtype in DTYPES:
        CASES += [
            np_case(f"{name}_{dtype}", op, {}, [values(dtype)]),
            np_case(f"{name}_{dtype}_axis", op, {"axis": 1}, [values(dtype)]),
            np_case(f"{name}_{dtype}_last_keep", op, {"axis": -1, "keepdims": True}, [values(dtype)]),
        ]
        if not (name == "any" and dtype == "int32"):
            CASES += [np_case(f"{name}_{dtype}_none", op, {"axis": "()"}, [values(dtype)])]
    CASES += [
        np_case(f"{name}_two", op, {"axis": (0, 2)}, [values("float32")]),
        np_case(f"{name}_two_backwards_keep", op, {"axis": (-1, 0), "keepdims": True}, [values("float32")]),
        np_case(f"{name}_all_axes", op, {"axis": (0, 1, 2)}, [values("int32")]),
        np_case(f"{name}_all_keep", op, {"keepdims": True}, [values("float32")]),
        np_case(f"{name}_scalar", op, {}, [values("float32", ())]),
        np_case(f"{name}_scalar_keep", op, {"keepdims": True}, [values("int64", ())]),
        np_case(f"{name}_one", op, {}, [values("float32", (1,))]),
        np_case(f"{name}_empty_kept", op, {"axis": 0}, [values("float32", (2, 0, 3))]),
        np_case(f"{name}_nan", op, {"axis": 0}, [np.array([[1, np.nan, np.inf], [np.nan, 2, -np.inf]], "float32")]),
        np_case(f"{name}_large", op, {"axis": 1}, [rand((3, 257, 5), 4, 0.9, 1.1)]),
        np_case(f"{name}_large_last", op, {"axis": 2}, [rand((3, 5, 257), 4, 0.9, 1.1)]),
    ]
    if name not in EXTREMES:
        CASES += [
            np_case(f"{name}_empty", op, {}, [values("float32", (0,))]),
            np_case(f"{name}_empty_int", op, {}, [values("int32", (2, 0, 3))]),
            np_case(f"{name}_empty_axis", op, {"axis": 1}, [values("float32", (2, 0, 3))]),
            np_case(f"{name}_empty_keep", op, {"keepdims": True}, [values("float64", (2, 0, 3))]),
            np_case(f"{name}_scalar_axis", op, {"axis": 0}, [values("float32", ())]),
        ]
for name, op in SUMS.items():
    for source in DTYPES:
        for target in ("float16", "float32", "float64", "int8", "int32", "int64", "bool"):
            if source == target or (source == "bool" and name != "mean" and target in ("float16", "int8")):
                continue
            CASES += [np_case(f"{name}_{source}_to_{target}", op, {"dtype": target, "axis": 0}, [values(source)])]
    CASES += [np_case(f"{name}_fractions_to_{target}", op, {"dtype": target},
                      [np.array([[0.6, 0.6, 1.7], [2.5, -1.7, 3.9]], "float32")]) for target in ("int32", "int8", "bool")]
CASES += [
    np_case("sum_wraps", "_np_sum", {}, [np.full((7,), 100, "int8")]),
    np_case("prod_wraps", "_np_prod", {}, [np.full((40,), 3, "int32")]),
    np_case("product_alias", "_np_product", {"axis": 0}, [values("float32")]),
    np_case("amax_alias", "_np_amax", {"axis": 0}, [values("float32")]),
    np_case("amin_alias", "_np_amin", {"axis": 0}, [values("float32")]),
    np_case("sometrue_alias", "_np_sometrue", {"axis": 0}, [values("bool")]),
]
