"""Triangles and diagonals of mx.np."""
import numpy as np

from op_case import DTYPES, case, values

NUMBERS = [t for t in DTYPES if t != "bool"]  # MXNet refuses it


def of(name, op, attrs, shape, dtype="float32"):
    return case(name, op, attrs, [values(shape, dtype)], np_shape=True)


CASES = [of(f"tril_{i}", "_npi_tril", {"k": k}, shape) for i, (shape, k) in enumerate([
    ((3, 4), 0), ((3, 4), 1), ((3, 4), -1), ((3, 4), 5), ((3, 4), -5), ((4,), 0), ((3,), 1), ((3,), -1), ((2, 2, 3), 0), ((0, 3), 0),
    ((0,), 0), ((2, 0, 3), 1), ((2, 3, 3), -1), ((4, 2), 0), ((1,), 0)])]
CASES += [of("tril_default", "_npi_tril", {}, (3, 3))]
CASES += [of(f"tril_{t}", "_npi_tril", {"k": 0}, (3, 3), t) for t in NUMBERS]
CASES += [case("tril_nan", "_npi_tril", {"k": 0}, [np.array([[np.nan, np.inf], [1, 2]], "float32")], np_shape=True)]
for k in (0, 1, -1, 2, 3, -3):
    suffix = str(k).replace("-", "m")
    CASES += [of(f"diag_vector_{suffix}", "_np_diag", {"k": k}, (3,)), of(f"diag_matrix_{suffix}", "_np_diag", {"k": k}, (2, 3)),
              of(f"diagflat_{suffix}", "_np_diagflat", {"k": k}, (2, 2)), of(f"diagonal_{suffix}", "_np_diagonal", {"offset": k}, (2, 3))]
CASES += [of(f"diag_{i}", "_np_diag", attrs, shape) for i, (shape, attrs) in enumerate([
    ((0,), {}), ((0,), {"k": 2}), ((0, 3), {}), ((0, 3), {"k": 1}), ((3, 0), {}), ((1,), {}), ((4, 2), {"k": -2})])]
CASES += [of(f"diag_{t}", "_np_diag", {}, (3,), t) for t in NUMBERS]
CASES += [of(f"diagonal_of_{t}", "_np_diag", {}, (3, 3), t) for t in NUMBERS]
CASES += [of(f"diagflat_of_{i}", "_np_diagflat", attrs, shape) for i, (shape, attrs) in enumerate([
    ((0,), {"k": 1}), ((2, 1, 2), {}), ((1,), {})])]  # MXNet crashes where there is nothing and k=0
CASES += [of(f"diagflat_{t}", "_np_diagflat", {}, (2, 1), t) for t in NUMBERS]
CASES += [of(f"diagonal_in_{i}", "_np_diagonal", attrs, shape) for i, (shape, attrs) in enumerate([
    ((2, 2, 3), {"axis1": 1, "axis2": 2}), ((2, 2, 3), {"axis1": -1, "axis2": 0, "offset": 1}), ((0, 3), {}), ((2, 2, 0), {}),
    ((2, 3, 4, 2), {"axis1": 2, "axis2": 0}), ((2, 3, 4), {"offset": -1, "axis1": 0, "axis2": 2})])]
CASES += [of(f"diagonal_{t}", "_np_diagonal", {}, (3, 3), t) for t in NUMBERS]
CASES += [of(f"indices_from_{i}", "_npi_diag_indices_from", {}, shape) for i, shape in enumerate([(3, 3), (2, 2, 2), (0, 0), (1, 1)])]
CASES += [of(f"indices_from_{t}", "_npi_diag_indices_from", {}, (2, 2), t) for t in NUMBERS]
