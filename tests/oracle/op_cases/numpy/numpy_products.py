"""NumPy's products: matmul, dot, tensordot and einsum.

Left out: what MXNet refuses on CPUs (products other than einsum of anything but float32 and float64), einsum whose
output lacks the inputs' ..., and tensordot over axes of different sizes (MXNet crashes).
"""
import numpy as np
from op_case import case, ints, rand


def np_case(*args, **kwargs):
    return case(*args, np_shape=True, **kwargs)


CASES = []
SHAPES = [((3,), (3,)), ((3,), (3, 4)), ((2, 3), (3,)), ((2, 3), (3, 4)), ((5, 2, 3), (3, 4)), ((5, 2, 3), (3,)),
          ((3,), (5, 3, 4)), ((5, 2, 3), (5, 3, 4)), ((1, 2, 3), (5, 3, 4)), ((5, 2, 3), (1, 3, 4)),
          ((6, 1, 2, 3), (5, 3, 4)), ((2, 2, 3), (5, 2, 3, 4)), ((2, 3), (5, 3, 4)), ((5, 1, 2, 3), (1, 6, 3, 4)),
          ((0, 3), (3, 4)), ((2, 0), (0, 4)), ((2, 3), (3, 0)), ((0, 2, 3), (3, 4)), ((0,), (0,)), ((0, 2, 3), (0, 3, 4)),
          ((33, 17), (17, 21)), ((2, 9, 13), (2, 13, 11)), ((2, 3, 12, 7), (2, 3, 7, 10)), ((3, 12, 7), (7, 19)),
          ((2, 3, 12, 7), (3, 7, 10)), ((1, 1), (1, 1))]
for k, (a, b) in enumerate(SHAPES):
    for dtype in ("float32", "float64"):
        CASES += [np_case(f"matmul_{k}_{dtype}", "_npi_matmul", {}, [rand(a, 1, dtype=dtype), rand(b, 2, dtype=dtype)])]
        if len(a) + len(b) <= 6:
            CASES += [np_case(f"dot_{k}_{dtype}", "_np_dot", {}, [rand(a, 1, dtype=dtype), rand(b, 2, dtype=dtype)])]
for k in (3, 4, 6, 7, 13, 20, 21, 23, 24):
    a, b = SHAPES[k]
    CASES += [
        np_case(f"matmul_{k}_parameter", "_npi_matmul", {}, [rand(a, 1), rand(b, 2)], parameters=[1]),
        np_case(f"matmul_{k}_parameter_float64", "_npi_matmul", {},
                [rand(a, 1, dtype="float64"), rand(b, 2, dtype="float64")], parameters=[1]),
        np_case(f"matmul_{k}_left_parameter", "_npi_matmul", {}, [rand(a, 1), rand(b, 2)], parameters=[0]),
    ]
for k, (a, b) in enumerate([((), (3,)), ((3,), ()), ((), ()), ((2, 3), ()), ((), (2, 0))]):
    CASES += [np_case(f"dot_scalar_{k}", "_np_dot", {}, [rand(a, 1), rand(b, 2)])]
for k, (a, b, x, y) in enumerate([
        ((2, 3, 4), (4, 3, 5), (1, 2), (1, 0)), ((2, 3, 4), (4, 3, 5), (-1,), (0,)),
        ((2, 3, 4), (2, 3, 4), (0, 1, 2), (0, 1, 2)), ((2, 3), (4, 5), (), ()), ((2, 0), (0, 5), (1,), (0,)),
        ((2, 3), (4,), (), ()), ((), (), (), ()), ((3, 3), (3,), (1,), (0,)), ((3, 4), (3, 5), (0,), (0,)),
        ((2, 3), (3, 2), (1, 0), (0, 1)), ((0, 3), (3, 2), (1,), (0,)), ((9, 3, 10), (3, 7, 9), (1, 0), (0, 2)),
        ((3, 9, 4, 5), (5, 3, 11), (3, 0), (0, 1)), ((2, 3), (4, 3), (-1,), (-1,))]):
    attrs = {"a_axes_summed": x, "b_axes_summed": y}
    CASES += [np_case(f"tensordot_{k}", "_npi_tensordot", attrs, [rand(a, 1), rand(b, 2)]),
              np_case(f"tensordot_{k}_parameter", "_npi_tensordot", attrs, [rand(a, 1), rand(b, 2)], parameters=[1]),
              np_case(f"tensordot_{k}_float64", "_npi_tensordot", attrs,
                      [rand(a, 1, dtype="float64"), rand(b, 2, dtype="float64")])]
for k, (a, b, n) in enumerate([((2, 3, 4), (3, 4, 5), 2), ((2, 3), (4, 5), 0), ((), (3,), 0), ((3,), (3,), 1),
                               ((2, 0), (0, 5), 1), ((2, 3), (2, 3), 2), ((2, 3), (3, 4), -1), ((12, 3), (3, 4), 1)]):
    CASES += [np_case(f"tensordot_int_{k}", "_npi_tensordot_int_axes", {"axes": n}, [rand(a, 1), rand(b, 2)])]

EINSUMS = [
    ("ii", [(3, 3)]), ("ii->i", [(3, 3)]), ("ij->ji", [(2, 3)]), ("ji", [(2, 3)]), ("i->", [(3,)]), ("ij->i", [(2, 3)]),
    ("i,i", [(3,), (3,)]), ("i,j->ij", [(2,), (3,)]), ("ij,j", [(2, 3), (3,)]), ("...j,j", [(2, 4, 3), (3,)]),
    ("i...->...", [(2, 3, 4)]), ("i...,i...->...", [(2, 3), (2, 3)]), ("...ij,...jk->...ik", [(2, 3, 4), (1, 4, 5)]),
    ("ij,jk,kl", [(2, 3), (3, 4), (4, 5)]), ("ij,jk,kl->il", [(2, 3), (3, 4), (4, 5)]),
    ("bhqd,bhkd->bhqk", [(2, 3, 4, 5), (2, 3, 6, 5)]), ("bqhd,bkhd->bhqk", [(2, 9, 3, 5), (2, 8, 3, 5)]),
    ("bhqk,bkhd->bqhd", [(2, 3, 9, 8), (2, 8, 3, 5)]), ("iij->j", [(3, 3, 2)]), ("i,i->i", [(3,), (1,)]),
    ("ij,jk", [(2, 1), (3, 4)]), (",", [(), ()]), ("->", [()]), ("", [()]), (",ij->ij", [(), (2, 3)]),
    ("ij,jk", [(2, 0), (0, 4)]), ("ij,jk", [(0, 3), (3, 4)]), ("ijj->i", [(2, 3, 3)]), ("ij", [(0, 3)]), ("ij->", [(2, 0)]),
    ("i...", [(2, 3)]), ("...", [(2, 3)]), (" i , j -> i j ", [(2,), (3,)]), ("Ab,bC", [(2, 3), (3, 4)]),
    ("ij,kl", [(2, 3), (4, 5)]), ("ba,cb", [(2, 3), (4, 2)]), ("a,a,a->a", [(3,), (3,), (3,)]),
    ("ij...,jk...->ik...", [(2, 3, 2), (3, 4, 2)]), ("...i,...i", [(2, 3), (4, 1, 3)]), ("ij->i...", [(2, 3)]),
    ("ea,fb,abcd,gc,hd->efgh", [(3, 3), (3, 3), (3, 3, 3, 3), (3, 3), (3, 3)]), ("ii,ij->j", [(9, 9), (9, 12)]),
    ("ij,jk->ki", [(12, 9), (9, 10)]), ("ijk,kl->ijl", [(2, 12, 9), (9, 10)]), ("ijk,jil->kl", [(4, 3, 9), (3, 4, 10)]),
    ("ij,k->j", [(12, 9), (5,)]), ("abc,abd->abdc", [(2, 3, 10), (2, 3, 12)]), ("i,i,i", [(5,), (5,), (5,)]),
    ("...ab,...bc->...ca", [(2, 3, 10, 4), (3, 4, 9)]), ("ijk,ilm,njm,nlk,abc->", [(2, 3, 4), (2, 5, 6), (7, 3, 6), (7, 5, 4), (2, 2, 2)]),
]
for k, (subscripts, shapes) in enumerate(EINSUMS):
    arrays = [rand(shape, i + 1) for i, shape in enumerate(shapes)]
    attrs = {"num_args": len(shapes), "subscripts": subscripts, "optimize": 0}
    CASES += [np_case(f"einsum_{k}", "_npi_einsum", attrs, arrays)]
    CASES += [np_case(f"einsum_{k}_optimized", "_npi_einsum", {**attrs, "optimize": 1}, arrays)]
    if len(shapes) > 1:
        CASES += [np_case(f"einsum_{k}_parameter", "_npi_einsum", attrs, arrays, parameters=[1]),
                  np_case(f"einsum_{k}_float64", "_npi_einsum", attrs, [a.astype("float64") for a in arrays])]
for dtype in ("float16", "int8", "uint8", "int32", "int64", "bool"):
    def small(shape, seed):
        return ints(shape, 2 if dtype == "bool" else 5, seed).astype(dtype)

    CASES += [
        np_case(f"einsum_{dtype}_pair", "_npi_einsum", {"num_args": 2, "subscripts": "ij,jk->ik"},
                [small((2, 3), 1), small((3, 4), 2)]),
        np_case(f"einsum_{dtype}_sum", "_npi_einsum", {"num_args": 1, "subscripts": "ij->j"}, [small((40, 3), 1)]),
        np_case(f"einsum_{dtype}_transpose", "_npi_einsum", {"num_args": 1, "subscripts": "ijk->kij"}, [small((2, 3, 4), 1)]),
        np_case(f"einsum_{dtype}_three", "_npi_einsum", {"num_args": 3, "subscripts": "ij,jk,kl->il"},
                [small((2, 3), 1), small((3, 4), 2), small((4, 2), 3)]),
    ]
