from op_case import case, rand

import numpy as np


def spd(shape, dtype, seed=0):
    """Symmetric positive definite matrices."""
    a = rand(shape, seed, dtype="float64")
    return (a @ np.swapaxes(a, -1, -2) + 2 * np.eye(shape[-1])).astype(dtype)


def square(shape, dtype="float32", seed=0):
    """Matrices that are far from singular, with signs of both kinds."""
    return (rand(shape, seed, dtype="float64") + np.eye(shape[-1]) * (-1) ** np.arange(shape[-1]) * 3).astype(dtype)


def product(name, op, shapes, dtype="float32", parameters=(), **attrs):
    return case(name, op, attrs, [rand(s, i, dtype=dtype) for i, s in enumerate(shapes)], parameters=parameters)


FLOATS = ("float32", "float64")
TRIANGLES = [(side, transpose, lower) for side in (False, True) for transpose in (False, True) for lower in (True, False)]

CASES = [
    product("gemm", "_linalg_gemm", [(3, 4), (4, 5), (3, 5)]),
    product("gemm_scaled", "linalg_gemm", [(3, 4), (4, 5), (3, 5)], alpha=2.5, beta=-0.5),
    product("gemm_no_c", "_linalg_gemm", [(3, 4), (4, 5), (3, 5)], beta=0.0),
    product("gemm_transposed", "_linalg_gemm", [(4, 3), (5, 4), (3, 5)], transpose_a=True, transpose_b=True),
    product("gemm_float64", "_linalg_gemm", [(2, 3, 4), (2, 4, 5), (2, 3, 5)], dtype="float64", alpha=2),
    product("gemm_stack", "_linalg_gemm", [(2, 3, 17, 9), (2, 3, 9, 4), (2, 3, 17, 4)], beta=3),
    product("gemm_axis_0", "_linalg_gemm", [(2, 4, 3), (3, 4, 2), (2, 4, 2)], axis=0),
    product("gemm_axis_1", "_linalg_gemm", [(2, 5, 3, 4), (2, 4, 3, 6), (2, 5, 3, 6)], axis=1, alpha=-1),
    product("gemm_axis_back", "_linalg_gemm", [(5, 2, 4), (6, 2, 4), (5, 2, 6)], axis=-3, transpose_b=True),
    product("gemm_axis_ta", "_linalg_gemm", [(4, 2, 5), (4, 2, 6), (5, 2, 6)], axis=0, transpose_a=True),
    product("gemm2_parameter", "_linalg_gemm2", [(3, 20), (20, 5)], parameters=[1]),
    product("gemm2_float64", "_linalg_gemm2", [(2, 3, 4), (2, 4, 5)], dtype="float64", alpha=0.3),
    product("gemm2_ta", "_linalg_gemm2", [(2, 4, 3), (2, 4, 5)], transpose_a=True),
    product("gemm2_axis", "_linalg_gemm2", [(2, 4, 3), (3, 4, 2)], axis=0),
    product("gemm2_axis_parameter", "_linalg_gemm2", [(2, 4, 3), (3, 4, 2)], axis=-3, parameters=[1]),
    product("syrk", "_linalg_syrk", [(3, 5)]),
    product("syrk_transpose", "linalg_syrk", [(2, 3, 5)], transpose=True, alpha=-2.0),
    product("syrk_float64", "_linalg_syrk", [(4, 3, 2)], dtype="float64"),
    *(case(f"potrf_{d}", "_linalg_potrf", {}, [spd((3, 5, 5), d)]) for d in FLOATS),
    case("potrf_upper", "linalg_potrf", {}, [np.array([[4, 99], [2, 5]], "float64")]),
    *(case(f"potrf_of_upper_{d}", "_linalg_potrf", {"lower": False}, [spd((3, 5, 5), d)]) for d in FLOATS),
    case("potrf_of_upper_alone", "linalg_potrf", {"lower": False}, [np.array([[4, 2], [99, 5]], "float64")]),
    case("potrf_one", "_linalg_potrf", {}, [np.array([[9]], "float32")]),
    case("potrf_nan", "_linalg_potrf", {}, [np.full((2, 2), np.nan)]),
    *(case(f"potri_{d}", "_linalg_potri", {}, [np.linalg.cholesky(spd((2, 3, 4, 4), "float64")).astype(d)]) for d in FLOATS),
    *(case(f"potri_of_upper_{d}", "_linalg_potri", {"lower": False},
           [np.swapaxes(np.linalg.cholesky(spd((2, 3, 4, 4), "float64")), -1, -2).astype(d)]) for d in FLOATS),
    case("potri_of_upper_alone", "linalg_potri", {"lower": False}, [np.array([[4, 2], [99, 5]], "float64")]),
    case("potri_upper", "linalg_potri", {}, [np.array([[4, 99], [2, 5]], "float64")]),
    *(case(f"{op}_{int(right)}{int(transpose)}{int(lower)}", f"_linalg_{op}",
           {"rightside": right, "transpose": transpose, "lower": lower, "alpha": 1.5},
           [square((2, 4, 4)), rand((2, 3, 4) if right else (2, 4, 3), 1)])
      for op in ("trmm", "trsm") for right, transpose, lower in TRIANGLES),
    *(case(f"{op}_default", f"linalg_{op}", {}, [square((3, 3), "float64"), rand((3, 1), 1, dtype="float64")])
      for op in ("trmm", "trsm")),
    case("trsm_singular", "_linalg_trsm", {}, [np.array([[1, 0], [2, 0]], "float64"), np.ones((2, 1))]),
    *(case(f"sumlogdiag_{d}", "_linalg_sumlogdiag", {}, [rand((2, 3, 4, 4), low=0.5, high=2, dtype=d)]) for d in FLOATS),
    case("sumlogdiag_one", "linalg_sumlogdiag", {}, [rand((2, 2), low=0.5, high=2)]),
    case("sumlogdiag_negative", "_linalg_sumlogdiag", {}, [np.array([[-1, 2], [3, 4]], "float32")]),
    *(case(f"gelqf_{d}", "_linalg_gelqf", {}, [rand((2, 3, 5), dtype=d)]) for d in FLOATS),
    case("gelqf_square", "linalg_gelqf", {}, [rand((4, 4), 2)]),
    case("gelqf_row", "_linalg_gelqf", {}, [rand((1, 6), 2)]),
    case("gelqf_simple", "_linalg_gelqf", {}, [np.array([[3, 0, 4], [0, 2, 0]], "float64")]),
    case("gelqf_identity", "_linalg_gelqf", {}, [np.stack([np.eye(2), -np.eye(2), np.zeros((2, 2))])]),
    case("gelqf_nan", "_linalg_gelqf", {}, [np.full((1, 3), np.nan)]),
    *(case(f"syevd_{d}", "_linalg_syevd", {}, [spd((3, 5, 5), d, 4)]) for d in FLOATS),
    case("syevd_large", "_linalg_syevd", {}, [spd((12, 12), "float64", 5) + np.diag(np.arange(12.0))]),
    case("syevd_signs", "_linalg_syevd", {}, [rand((4, 3, 3), 6, dtype="float64")]),
    case("syevd_ties", "_linalg_syevd", {}, [np.array([[[2, 99], [1, 2]], [[0, 99], [-1, 0]]], "float64")]),
    case("syevd_diagonal", "_linalg_syevd", {}, [np.diag([3, 1, 2]).astype("float64")]),
    case("syevd_identity", "_linalg_syevd", {}, [np.eye(3)]),
    case("syevd_one", "_linalg_syevd", {}, [np.array([[-5]], "float32")]),
    *(case(f"inverse_{d}", "_linalg_inverse", {}, [square((2, 2, 4, 4), d)]) for d in FLOATS),
    case("inverse_pivot", "linalg_inverse", {}, [np.array([[0, 2], [3, 0]], "float64")]),
    case("inverse_nan", "_linalg_inverse", {}, [np.full((2, 2), np.nan)]),
    *(case(f"det_{d}", "_linalg_det", {}, [square((2, 3, 4, 4), d)]) for d in FLOATS),
    case("det_one", "linalg_det", {}, [rand((3, 3), 8)]),
    case("det_singular", "_linalg_det", {}, [np.ones((2, 2), "float32")]),
    case("det_nan", "_linalg_det", {}, [np.full((2, 2), np.nan)]),
    *(case(f"slogdet_{d}", "_linalg_slogdet", {}, [square((5, 3, 3), d, 9)]) for d in FLOATS),
    case("slogdet_one", "linalg_slogdet", {}, [-np.eye(3)]),
    case("slogdet_singular", "_linalg_slogdet", {}, [np.ones((2, 2), "float32")]),
    *(case(f"extractdiag_{d}_{offset + 2}", "_linalg_extractdiag", {"offset": offset}, [rand((2, 4, 4), dtype=d)])
      for d, offset in (("float32", 0), ("float64", 1), ("float32", -2))),
    *(case(f"makediag_{d}_{offset + 2}", "linalg_makediag", {"offset": offset}, [rand((2, 3), dtype=d)])
      for d, offset in (("float32", 0), ("float64", 1), ("float32", -2))),
    *(case(f"extracttrian_{offset + 2}_{int(lower)}", "_linalg_extracttrian", {"offset": offset, "lower": lower},
           [rand((2, 4, 4))]) for offset in (0, 1, -2) for lower in (True, False)),
    *(case(f"maketrian_{offset + 2}_{int(lower)}", "_linalg_maketrian", {"offset": offset, "lower": lower},
           [rand((2, 2, 6))]) for offset in (0, 1, -2) for lower in (True, False)),
    case("extracttrian_float64", "linalg_extracttrian", {}, [rand((3, 3), dtype="float64")]),
    case("maketrian_float64", "linalg_maketrian", {}, [rand((3,), dtype="float64")]),
    *(case(f"{op}_none", f"_linalg_{op}", {}, [rand((0, 2, 2))], np_shape=True)
      for op in ("inverse", "det", "extractdiag")),
    case("gemm_nothing_summed", "_linalg_gemm", {}, [rand((2, 0)), rand((0, 2)), rand((2, 2))], np_shape=True),
]
