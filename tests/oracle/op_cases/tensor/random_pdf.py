"""Densities; the first dimensions of the sample are those of the parameters."""
from op_case import case, ints, rand

import numpy as np

POSITIVE = {"uniform": 2, "normal": 2, "gamma": 2, "exponential": 1}
COUNTS = {"poisson": 1, "negative_binomial": 2, "generalized_negative_binomial": 2}


def parameters(name, shape, dtype):
    first = rand(shape, 1, 0.5, 3, dtype)
    second = rand(shape, 2, 0.2, 0.8, dtype) if name == "negative_binomial" else rand(shape, 2, 3.5, 5, dtype)
    return [first, second][:{**POSITIVE, **COUNTS}[name]]


def sample(name, shape, dtype):
    return ints(shape, 7, dtype=dtype) if name in COUNTS else rand(shape, 0, 0.1, 3, dtype)


CASES = [
    *(case(f"{name}_{dtype}{'_log' if log else ''}", f"_random_pdf_{name}", {"is_log": log},
           [sample(name, (2, 5), dtype), *parameters(name, (2,), dtype)])
      for name in (*POSITIVE, *COUNTS) for dtype in ("float32", "float64") for log in (False, True)),
    *(case(f"{name}_deep", f"random_pdf_{name}", {}, [sample(name, (2, 3, 4), "float64"), *parameters(name, (2, 3), "float64")])
      for name in (*POSITIVE, *COUNTS)),
    case("same_shape", "_random_pdf_normal", {}, [sample("normal", (2, 3), "float32"), *parameters("normal", (2, 3), "float32")]),
    case("float16", "_random_pdf_exponential", {}, [sample("exponential", (2, 3), "float16"), *parameters("exponential", (2,), "float16")], tol=3e-3),
    case("outside", "_random_pdf_uniform", {}, [np.array([[-9.0, 9]]), np.array([1.0]), np.array([3.0])]),
    case("negative_count", "_random_pdf_poisson", {}, [np.array([[-1.0, 2.5, 0]]), np.array([2.0])]),
    *(case(f"dirichlet{'_log' if log else ''}", "_random_pdf_dirichlet", {"is_log": log},
           [np.array([[[0.5, 0.25, 0.25], [0.1, 0.2, 0.7]]]), np.array([[1.0, 2, 3]])]) for log in (False, True)),
    case("dirichlet_float32", "_random_pdf_dirichlet", {}, [np.array([[0.5, 0.25, 0.25], [0.1, 0.2, 0.7]], "float32"), np.array([1, 2, 3], "float32")]),
]
