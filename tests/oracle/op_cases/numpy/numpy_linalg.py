"""NumPy's linear algebra.

Left out: float16 and complex eigenvalues, which MXNet refuses; determinants of empty matrices, which it does not write;
2-norms and nuclear norms of matrices with more rows than columns, which it refuses.
"""
import itertools

import numpy as np
from op_case import case, rand


def np_case(*args, **kwargs):
    return case(*args, np_shape=True, **kwargs)


def positive(n, stack=(), dtype="float32", seed=1):
    a = rand(stack + (n, n), seed, dtype="float64")
    return (a @ np.swapaxes(a, -1, -2) + np.diag(np.arange(1, n + 1))).astype(dtype)


def symmetric(n, stack=(), dtype="float32", seed=1):
    a = rand(stack + (n, n), seed, dtype="float64")
    return (a + np.swapaxes(a, -1, -2)).astype(dtype)


def real_eigen(n, stack=(), dtype="float32", seed=1):
    """Not symmetric, with eigenvalues 1, 2, 3, ..."""
    v = rand(stack + (n, n), seed, dtype="float64") + 2 * np.eye(n)
    return (v @ np.diag(np.arange(1.0, n + 1)) @ np.linalg.inv(v)).astype(dtype)


CASES = []
TOL = {"float32": 2e-4, "float64": 1e-9}
for dtype in ("float32", "float64"):
    tol = TOL[dtype]
    for name, n, stack in (("one", 1, ()), ("three", 3, ()), ("eight", 8, ()), ("stack", 3, (2,)), ("stacks", 4, (2, 3)),
                           ("empty", 0, ()), ("empties", 0, (2,)), ("none", 3, (0,))):
        def add(op, array, **attrs):
            label = "_".join([op.lower(), name, dtype, *attrs.values()]).replace("1e-05", "r")
            CASES.append(np_case(label, f"_npi_{op}", attrs, [array], tol=tol))

        add("cholesky", positive(n, stack, dtype))
        add("svd", rand(stack + (n, n), 1, dtype=dtype))
        add("eigvals", positive(n, stack, dtype))
        if n < 8 or dtype == "float64":  # the order of many eigenvalues in float32 depends on rounding
            add("eig", real_eigen(n, stack, dtype))
        for uplo in "LU":
            add("eigh", symmetric(n, stack, dtype), UPLO=uplo)
            add("eigvalsh", rand(stack + (n, n), 3, dtype=dtype), UPLO=uplo)
        add("inv", positive(n, stack, dtype))
        add("pinv_scalar_rcond", rand(stack + (n, n), 4, dtype=dtype))
        if n > 0 and stack:
            add("det", rand(stack + (n, n), 4, dtype=dtype))
            add("slogdet", rand(stack + (n, n), 4, dtype=dtype))
    for k, shape in enumerate([(3, 4), (2, 3, 4), (0, 3), (2, 0, 3), (1, 5), (3, 9), (2, 2, 4, 11)]):
        CASES += [np_case(f"svd_wide_{k}_{dtype}", "_npi_svd", {}, [rand(shape, 5, dtype=dtype)], tol=tol)]
    for k, shape in enumerate([(3, 4), (4, 3), (2, 3, 4), (2, 5, 3), (0, 3), (3, 0), (2, 0, 3)]):
        for rcond in ("1e-5", "0.5"):
            CASES += [np_case(f"pinv_{k}_{dtype}_{rcond.replace('.', '_').replace('-', '_')}", "_npi_pinv_scalar_rcond",
                              {"rcond": rcond}, [rand(shape, 5, dtype=dtype)], tol=tol)]
    CASES += [
        np_case(f"pinv_hermitian_{dtype}", "_npi_pinv_scalar_rcond", {"rcond": 1e-5, "hermitian": True},
                [symmetric(3, (2,), dtype)], tol=tol),
        np_case(f"pinv_of_scalar_{dtype}", "_npi_pinv", {}, [rand((2, 3, 4), 5, dtype=dtype), np.array(0.4, dtype)], tol=tol),
        np_case(f"pinv_of_vector_{dtype}", "_npi_pinv", {}, [rand((2, 3, 4), 5, dtype=dtype), np.array([1e-5, 0.6], dtype)],
                tol=tol),
        np_case(f"pinv_of_hermitian_{dtype}", "_npi_pinv", {"hermitian": True},
                [symmetric(3, (2,), dtype), np.array([1e-5, 0.6], dtype)], tol=tol),
    ]
    for k, (a, b) in enumerate([((3, 3), (3,)), ((3, 3), (3, 2)), ((2, 3, 3), (2, 3, 4)), ((2, 3, 3), (2, 3)),
                                ((0, 0), (0, 2)), ((3, 3), (3, 0)), ((0, 3, 3), (0, 3, 2)), ((1, 1), (1,)),
                                ((2, 2, 4, 4), (2, 2, 4, 1))]):
        CASES += [np_case(f"solve_{k}_{dtype}", "_npi_solve", {},
                          [positive(a[-1], a[:-2], dtype), rand(b, 2, dtype=dtype)], tol=tol)]
    for k, (shape, ind) in enumerate([((4, 6, 8, 3), 2), ((24, 8, 3), 1), ((2, 2), 1), ((1, 1), 1), ((4, 2, 2), 1),
                                      ((2, 3, 6), 2)]):
        CASES += [np_case(f"tensorinv_{k}_{dtype}", "_npi_tensorinv", {"ind": ind}, [rand(shape, 6, dtype=dtype)],
                          tol=5 * tol)]
    for k, (a, b, axes) in enumerate([((2, 3, 6), (2, 3), None), ((6, 2, 3), (6,), "()"), ((2, 3, 6), (2, 3), "()"),
                                      ((3, 6, 2), (6,), (0, 2)), ((4, 6, 8, 3), (4, 6), None), ((1, 1), (1,), None),
                                      ((3, 3), (3,), None), ((3, 6, 2), (6,), (-1, 0))]):
        CASES += [np_case(f"tensorsolve_{k}_{dtype}", "_npi_tensorsolve", {} if axes is None else {"a_axes": axes},
                          [rand(a, 6, dtype=dtype), rand(b, 2, dtype=dtype)], tol=20 * tol)]
    y = rand((2, 3, 4), 7, -5, 5, dtype)
    for k, attrs in enumerate([
            dict(ord=2, flag=-2), dict(ord=2, flag=-2, keepdims=True), dict(ord=2, flag=1, axis=(1,)),
            dict(ord=3, flag=-1, axis=(1,)), dict(ord=-3, flag=-1, axis=(1,), keepdims=True), dict(ord=1, flag=-1, axis=(-1,)),
            dict(ord=0.5, flag=-1, axis=(-1,)), dict(ord=0, flag=-1, axis=(0,)), dict(ord=2, flag=-1, axis=(0,)),
            dict(ord=2, flag=1, axis=(0, 2)), dict(ord=2, flag=1, axis=(2, 0), keepdims=True), dict(ord=2, flag=1),
            dict(ord=2, flag=0, axis=(1, 2)), dict(ord=-2, flag=0, axis=(0, 2), keepdims=True), dict(ord=2, flag=-1),
            dict(ord=-2, flag=-1), dict(ord=2, flag=2, axis=(1, 2)), dict(ord=2, flag=2, axis=(0, 1), keepdims=True)]):
        CASES += [np_case(f"norm_{k}_{dtype}", "_npi_norm", attrs, [y], tol=TOL[dtype])]
    for k, (order, axis) in enumerate(itertools.product((1, -1, "inf", "-inf", 0, 3), ((1, 2), (2, 0), None))):
        CASES += [np_case(f"norm_sums_{k}_{dtype}", "_npi_norm", {"ord": order, "flag": -1, "keepdims": k % 2 == 1, **({"axis": axis} if axis else {})},
                          [y], tol=TOL[dtype])]
    for k, (shape, attrs) in enumerate([((5,), dict(flag=-2)), ((), dict(flag=-2)), ((0,), dict(flag=-2)), ((2, 0), dict(flag=-2)),
                                        ((5,), dict(ord=3, flag=-1)), ((0,), dict(ord=3, flag=-1)), ((5,), dict(flag=1)),
                                        ((0, 3), dict(flag=1, axis=(0,))), ((0, 3), dict(ord=2, flag=0, axis=(0, 1)))]):
        CASES += [np_case(f"norm_small_{k}_{dtype}", "_npi_norm", {"ord": 2, **attrs}, [rand(shape, 7, dtype=dtype)])]
for k, a in enumerate([[[2, 1], [1, 3]], [[5, 0, 1], [0, 3, 0], [1, 0, 4]]]):
    a = np.array(a)
    for dtype in ("int32", "int64", "int8", "uint8"):
        CASES += [np_case(f"{op}_{k}_{dtype}", f"_npi_{op}", {}, [a.astype(dtype)], tol=1e-9)
                  for op in ("eig", "eigvals", "eigh", "eigvalsh")]
        CASES += [
            np_case(f"solve_{k}_{dtype}", "_npi_solve", {}, [a.astype(dtype), a[:, :1].astype(dtype)], tol=1e-9),
            np_case(f"tensorsolve_{k}_{dtype}", "_npi_tensorsolve", {}, [a.astype(dtype), a[0].astype(dtype)], tol=1e-9),
        ]
