"""Differences of neighbours by mx.np."""
from op_case import DTYPES, case, rand, values

NUMBERS = [t for t in DTYPES if t != "bool"]  # MXNet refuses it


def diff(name, shape, dtype="float32", **attrs):
    return case(name, "_npi_diff", attrs, [values(shape, dtype)], np_shape=True)


def ediff(name, *shapes, dtype="float32", begin="None", end="None", begin_array=False, end_array=False):
    return case(name, "_npi_ediff1d", {"to_begin_arr_given": begin_array, "to_end_arr_given": end_array, "to_begin_scalar": begin,
                                       "to_end_scalar": end},
                [values(shape, dtype, i) for i, shape in enumerate(shapes)], np_shape=True)


CASES = [diff(f"diff_{i}", shape, **attrs) for i, (shape, attrs) in enumerate([
    ((2, 4), {"n": 0, "axis": -1}), ((2, 4), {"n": 1, "axis": -1}), ((2, 4), {"n": 2}), ((2, 4), {"n": 3}), ((2, 4), {"n": 5}),
    ((3, 2), {"axis": 0}), ((3,), {}), ((0,), {}), ((2, 0), {"axis": 1}), ((2, 0), {"axis": 0}), ((2, 3, 2), {"axis": 1}),
    ((3, 3, 2), {"axis": -3, "n": 2}), ((1,), {}), ((2, 4), {"n": 4})])]
CASES += [diff(f"diff_{t}", (6,), t, n=n) for t in NUMBERS for n in (2,)]
CASES += [case(f"diff_many_{t}", "_npi_diff", {"n": 7}, [rand((2, 12), dtype=t)], np_shape=True, tol=tol)
          for t, tol in (("float16", 2e-3), ("float32", None), ("float64", None))]
CASES += [ediff(f"ediff1d_{i}", shape) for i, shape in enumerate([(5,), (2, 3), (1,), (0,), (), (2, 0)])]
CASES += [ediff(f"ediff1d_{t}", (5,), dtype=t, begin=1.5, end=-2.7 if t != "uint8" else 2.7) for t in NUMBERS]
CASES += [ediff("ediff1d_numbers", (4,), begin=1.5, end=2), ediff("ediff1d_numbers_one", (1,), begin=1.5, end=2),
          ediff("ediff1d_numbers_none", (0,), begin=1.5, end=2), ediff("ediff1d_begin", (4,), (2,), begin_array=True),
          ediff("ediff1d_end", (4,), (2, 2), end_array=True), ediff("ediff1d_both", (4,), (2,), (1,), begin_array=True, end_array=True),
          ediff("ediff1d_array_number", (4,), (2,), begin_array=True, end=4),
          ediff("ediff1d_number_array", (4,), (2,), end_array=True, begin=4),
          ediff("ediff1d_end_one", (1,), (2,), end_array=True), ediff("ediff1d_begin_empty", (4,), (0,), begin_array=True)]
