"""NumPy's variance, average, positions of extremes, trace, running sums, percentiles, polynomials and histograms.

Left out: percentiles of NaN, of no elements, and of scalars (MXNet sorts NaN anywhere, reads memory that is not there,
and refuses them); bincount, whose output a symbol's executor gives no size.
"""
import numpy as np
from op_case import case, ints, rand

DTYPES = ("float16", "float32", "float64", "int8", "uint8", "int32", "int64")


def values(dtype, shape=(2, 3, 2), seed=1, high=9):
    return ints(shape, high, seed, 1).astype(dtype)


def np_case(*args, **kwargs):
    return case(*args, np_shape=True, **kwargs)


CASES = []
for name, op in {"var": "_npi_var", "std": "_npi_std"}.items():
    for dtype in DTYPES:
        CASES += [
            np_case(f"{name}_{dtype}", op, {}, [values(dtype)]),
            np_case(f"{name}_{dtype}_ddof", op, {"axis": 1, "ddof": 1}, [values(dtype)]),
            np_case(f"{name}_{dtype}_wraps", op, {}, [values(dtype, (2, 3), 1, 100)]),
        ]
        CASES += [np_case(f"{name}_{dtype}_to_{target}", op, {"dtype": target}, [values(dtype)])
                  for target in ("float16", "float32", "float64", "int8", "int32", "int64") if target != dtype]
    CASES += [
        np_case(f"{name}_two_keep", op, {"axis": (-1, 0), "keepdims": True}, [rand((2, 3, 4))]),
        np_case(f"{name}_none", op, {"axis": "()"}, [rand((2, 3))]),
        np_case(f"{name}_scalar", op, {}, [rand(())]),
        np_case(f"{name}_empty", op, {}, [rand((0,))]),
        np_case(f"{name}_empty_axis", op, {"axis": 1}, [rand((2, 0, 3))]),
        np_case(f"{name}_empty_kept", op, {"axis": 0}, [rand((2, 0, 3))]),
        np_case(f"{name}_ddof_above", op, {"axis": 1, "ddof": 4}, [rand((2, 3))]),
        np_case(f"{name}_ddof_equal", op, {"axis": 1, "ddof": 3}, [rand((2, 3))]),
        np_case(f"{name}_ddof_above_int", op, {"ddof": 5}, [values("int32", (4,))]),
        np_case(f"{name}_nan", op, {}, [np.array([1, np.nan], "float32")]),
        np_case(f"{name}_large", op, {"axis": 1}, [rand((3, 257, 5), 4, 9, 11)]),
    ]
for dtype in DTYPES:
    CASES += [
        np_case(f"average_{dtype}", "_npi_average", {"axis": 1}, [values(dtype), values(dtype, seed=2)]),
        np_case(f"average_{dtype}_plain", "_npi_average", {"weighted": False}, [values(dtype)]),
        np_case(f"average_{dtype}_wraps", "_npi_average", {}, [values(dtype, high=100), values(dtype, seed=2, high=100)]),
    ]
    for name in ("argmax", "argmin"):
        CASES += [
            np_case(f"{name}_{dtype}", f"_npi_{name}", {}, [values(dtype)]),
            np_case(f"{name}_{dtype}_axis", f"_npi_{name}", {"axis": 1}, [values(dtype)]),
        ]
    CASES += [
        np_case(f"trace_{dtype}", "_np_trace", {}, [values(dtype, (3, 4), 1, 100)]),
        np_case(f"cumsum_{dtype}", "_np_cumsum", {"axis": 1}, [values(dtype)]),
        # MXNet interpolates in float16 if the values or q are of that.
        np_case(f"percentile_{dtype}", "_npi_percentile", {"q_scalar": 30}, [values(dtype)],
                tol=1e-3 if dtype == "float16" else None),
        np_case(f"percentile_of_q_{dtype}", "_npi_percentile", {"axis": 0}, [rand((4, 3)), np.array([10, 50], dtype)],
                tol=1e-3 if dtype == "float16" else None),
        np_case(f"polyval_{dtype}", "_npi_polyval", {}, [np.array([1, 2, 3], dtype), np.array([[1, 2], [3, 0]], dtype)]),
    ]
A = rand((2, 3, 4))
CASES += [
    np_case("average_plain_returned", "_npi_average", {"weighted": False, "returned": True, "axis": 1}, [A]),
    np_case("average_plain_int_returned", "_npi_average", {"weighted": False, "returned": True}, [values("int32")]),
    np_case("average_returned", "_npi_average", {"returned": True}, [A, rand((2, 3, 4), 1, 0.5)]),
    np_case("average_axis_returned", "_npi_average", {"returned": True, "axis": 0}, [A, rand((2, 3, 4), 1, 0.5)]),
    np_case("average_vector", "_npi_average", {"axis": 1}, [A, rand((3,), 1, 0.5)]),
    np_case("average_vector_returned", "_npi_average", {"axis": -1, "returned": True}, [A, rand((4,), 1, 0.5)]),
    np_case("average_two", "_npi_average", {"axis": (0, 2)}, [A, rand((2, 3, 4), 1, 0.5)]),
    np_case("average_none", "_npi_average", {"axis": "()"}, [A, rand((2, 3, 4), 1, 0.5)]),
    np_case("average_empty_axis", "_npi_average", {"axis": 1}, [rand((2, 0, 4)), rand((0,))]),
    np_case("average_scalar", "_npi_average", {}, [rand(()), rand((), 1, 0.5)]),
    np_case("average_plain_scalar", "_npi_average", {"weighted": False}, [rand(())]),
    np_case("average_plain_empty", "_npi_average", {"weighted": False}, [rand((0,))]),
    np_case("average_no_weight", "_npi_average", {}, [rand((2,)), np.array([1, -1], "float32")]),
]
for name in ("argmax", "argmin"):
    op = f"_npi_{name}"
    CASES += [
        np_case(f"{name}_keep", op, {"keepdims": True}, [A]),
        np_case(f"{name}_axis_keep", op, {"axis": -3, "keepdims": True}, [A]),
        np_case(f"{name}_scalar", op, {}, [rand(())]),
        np_case(f"{name}_scalar_axis", op, {"axis": 0}, [rand(())]),
        np_case(f"{name}_empty_kept", op, {"axis": 0}, [rand((2, 0, 3))]),
        np_case(f"{name}_nan", op, {}, [np.array([1, np.nan, 3, np.nan], "float32")]),
        np_case(f"{name}_infinite", op, {"axis": 0}, [np.array([1, -np.inf, 3, np.inf], "float32")]),
        np_case(f"{name}_ties", op, {}, [np.array([1, 3, 3, 1, 1], "float32")]),
        np_case(f"{name}_large", op, {}, [np.array([2**53, 2**53 + 1, 2], "int64")]),
        np_case(f"{name}_far", op, {}, [(np.arange(3000) * 7 % 2999).astype("float16")]),
    ]
T = ints((3, 4, 5), 100, 1)
for name, attrs in {"offset": {"offset": 1}, "below": {"offset": -1}, "outside": {"offset": 5},
                    "swapped": {"axis1": 1, "axis2": 0}, "negative": {"axis1": -1, "axis2": 0, "offset": 1},
                    "inner": {"axis1": 1, "axis2": 2}, "inner_swapped": {"axis1": 2, "axis2": 1, "offset": -1}}.items():
    CASES += [np_case(f"trace_{name}", "_np_trace", attrs, [T])]
CASES += [
    np_case("trace_empty", "_np_trace", {}, [rand((0, 4))]),
    np_case("trace_empty_kept", "_np_trace", {}, [rand((3, 4, 0))]),
]
for source in DTYPES + ("bool",):
    CASES += [np_case(f"cumsum_{source}_to_{target}", "_np_cumsum", {"dtype": target, "axis": 0}, [
        ints((2, 3), 2, 1).astype("bool") if source == "bool" else values(source)])
              for target in ("float16", "float32", "float64", "int8", "int32", "int64") if target != source]
CASES += [
    np_case("cumsum_flat", "_np_cumsum", {}, [A]),
    np_case("cumsum_bool", "_np_cumsum", {}, [ints((2, 3), 2, 1).astype("bool")]),
    np_case("cumsum_scalar", "_np_cumsum", {}, [rand(())]),
    np_case("cumsum_empty", "_np_cumsum", {}, [rand((2, 0, 3))]),
    np_case("cumsum_empty_axis", "_np_cumsum", {"axis": 2}, [rand((2, 0, 3))]),
]
for kind in ("higher", "linear", "lower", "midpoint", "nearest"):
    attrs = {"interpolation": kind}
    CASES += [np_case(f"percentile_{kind}_{q}", "_npi_percentile", {**attrs, "q_scalar": q}, [ints((6,), 99, 3)])
              for q in (0, 25, 50, 60, 75, 100)]
    CASES += [
        np_case(f"percentile_{kind}_int", "_npi_percentile", {**attrs, "q_scalar": 37.5}, [values("int32", (5,))]),
        np_case(f"percentile_{kind}_axes", "_npi_percentile", {**attrs, "q_scalar": 40, "axis": (0, -1), "keepdims": True},
                [A]),
        np_case(f"percentile_{kind}_many", "_npi_percentile", {**attrs, "axis": 1}, [A, np.array([1, 50.5, 99], "float32")]),
    ]
CASES += [
    np_case("percentile_q_scalar_input", "_npi_percentile", {"axis": 1}, [A, np.array(50, "float32")]),
    np_case("percentile_none", "_npi_percentile", {"axis": "()"}, [A, np.array([50], "float64")]),
    np_case("percentile_q_none", "_npi_percentile", {"axis": 1, "q_scalar": None}, [A, np.array([], "float32")]),
    np_case("percentile_keep", "_npi_percentile", {"keepdims": True}, [A, np.array([20, 90], "float32")]),
    np_case("percentile_one", "_npi_percentile", {"q_scalar": 50}, [rand((1,))]),
    np_case("percentile_empty_kept", "_npi_percentile", {"q_scalar": 50, "axis": 0}, [rand((2, 0))]),
    np_case("polyval_constant", "_npi_polyval", {}, [np.array([], "float32"), rand((2,))]),
    np_case("polyval_scalar", "_npi_polyval", {}, [rand((4,)), rand((), 1)]),
    np_case("polyval_empty", "_npi_polyval", {}, [rand((4,)), rand((0, 2), 1)]),
    np_case("polyval_many", "_npi_polyval", {}, [rand((6,)), rand((3, 4, 5), 1)]),
    np_case("histogram_even", "_npi_histogram", {"bin_cnt": 5, "range": (-0.5, 0.75)}, [A]),
    np_case("histogram_bounds", "_npi_histogram", {}, [A, np.array([-0.5, 0, 0.1, 0.75], "float32")]),
]
