"""Calls of mx.np and mx.npx: (name, function of the namespaces np and npx and of its arrays, the arrays).

Each function is called with the shapes and dtypes that it is used with: zero-dimensional and empty arrays, arrays that
broadcast, every dtype that MXNet takes.
"""
import itertools
import zlib

import numpy as onp

FLOATS = ("float16", "float32", "float64")
INTEGERS = ("int8", "uint8", "int32", "int64")
DTYPES = (*FLOATS, *INTEGERS, "bool")
SHAPES = ((), (1,), (0,), (4,), (2, 3), (2, 0, 3), (1, 3, 2), (2, 2, 1, 3))
PAIRS = (((), ()), ((), (3,)), ((2, 1), (1, 3)), ((2, 3), (3,)), ((2, 3, 4), (2, 3, 4)), ((4, 1), (3, 1, 1)), ((1,), (0,)),
         ((2, 0), (1, 1)), ((1, 0), (3, 0)))

UNARY = ("abs absolute fabs sign negative reciprocal square sqrt cbrt exp expm1 log log2 log10 log1p sin cos tan arcsin arccos "
         "arctan sinh cosh tanh arcsinh arccosh arctanh degrees radians rad2deg deg2rad rint ceil floor trunc fix logical_not "
         "isnan isinf isfinite isposinf isneginf nan_to_num around ravel zeros_like ones_like bitwise_not invert").split()
BINARY = ("add subtract multiply true_divide divide mod remainder power maximum minimum hypot arctan2 copysign ldexp lcm "
          "bitwise_and bitwise_or bitwise_xor equal not_equal greater greater_equal less less_equal").split()
REDUCTIONS = "sum prod max min mean std var any all argmax argmin".split()


def array(shape, dtype="float32", low=-2.0, high=2.0, seed=0):
    text = f"{shape} {dtype} {low} {high} {seed}"
    rng = onp.random.default_rng(zlib.crc32(text.encode()))
    if dtype == "bool":
        return onp.asarray(rng.integers(0, 2, shape)).astype("bool")
    if dtype in INTEGERS:
        low = max(low, 0) if dtype == "uint8" else low
        return onp.asarray(rng.integers(int(low * 3), int(high * 3) + 1, shape)).astype(dtype)
    return onp.asarray(rng.uniform(low, high, shape)).astype(dtype)


def special(dtype):
    return onp.array([[0.0, -0.0, 1.5, -2.5], [onp.inf, -onp.inf, onp.nan, 1e4]]).astype(dtype)


def method(name, **options):
    return lambda np, npx, *x: getattr(np, name)(*x, **options)


def axes_of(shape):
    rank = len(shape)
    yield from (None, *range(-rank, rank))
    if rank > 1:
        yield (0, 1)
        yield (-1, 0)


def unary():
    for name in UNARY:
        for dtype in DTYPES:
            for shape in SHAPES:
                low, high = (1, 2) if name == "arccosh" else (-0.9, 0.9) if name in ("arcsin", "arccos", "arctanh") else (-2, 2)
                low = 0.1 if name in ("sqrt", "log", "log2", "log10", "log1p") else low
                yield f"{name} {dtype} {shape}", method(name), [array(shape, dtype, low, high)]
        for dtype in FLOATS:
            yield f"{name} special {dtype}", method(name), [special(dtype)]


def binary():
    for name in BINARY:
        for left, right in PAIRS:
            yield f"{name} {left} {right}", method(name), [array(left), array(right, seed=1)]
            yield f"{name} int32 {left} {right}", method(name), [array(left, "int32"), array(right, "int32", 1, 2, seed=1)]
        for left, right in itertools.product(DTYPES, DTYPES):
            yield f"{name} {left} {right}", method(name), [array((2, 3), left), array((2, 1), right, 0.5, 2, seed=1)]
        for dtype in FLOATS:
            yield f"{name} special {dtype}", method(name), [special(dtype), special(dtype)[::-1].copy()]
        for dtype, scalar in itertools.product(DTYPES, (2, 1.5, -1, True, 0)):
            yield f"{name} scalar {dtype} {scalar}", (lambda np, npx, x, n=name, s=scalar: getattr(np, n)(x, s)), [array((2, 3), dtype)]
            yield f"{name} rscalar {dtype} {scalar}", (lambda np, npx, x, n=name, s=scalar: getattr(np, n)(s, x)), [array((3,), dtype, 1, 2)]


def reductions():
    for name in REDUCTIONS:
        for shape in SHAPES:
            for axis in axes_of(shape):
                if name.startswith("arg") and isinstance(axis, tuple):
                    continue
                for keepdims in (False, True):
                    options = {"axis": axis} if name.startswith("arg") else {"axis": axis, "keepdims": keepdims}
                    yield f"{name} {shape} {options}", (lambda np, npx, x, n=name, o=options: getattr(np, n)(x, **o)), [array(shape)]
        for dtype in DTYPES:
            yield f"{name} {dtype}", method(name, axis=1), [array((3, 4), dtype)]
            yield f"{name} all {dtype}", method(name), [array((3, 4), dtype)]
            if name in ("sum", "prod", "mean", "std", "var"):
                for out in ("float16", "float32", "float64", "int32", "int64", "int8"):
                    yield f"{name} {dtype} to {out}", method(name, axis=0, dtype=out), [array((3, 2), dtype)]
        for dtype in FLOATS:
            yield f"{name} special {dtype}", method(name, axis=1), [special(dtype)]
    for ddof in (0, 1, 2):
        yield f"std ddof {ddof}", method("std", axis=0, ddof=ddof), [array((4, 3))]
        yield f"var ddof {ddof}", method("var", ddof=ddof, keepdims=True), [array((4, 3))]
    for axis in (None, 0, 1, -1):
        for dtype in ("float32", "float64", "int32", "int64", "int8"):
            yield f"cumsum {axis} {dtype}", (lambda np, npx, x, a=axis: x.cumsum(axis=a)), [array((3, 4), dtype)]
    for shape, axis in itertools.product(((5,), (3, 4), (2, 3, 4)), (None, 0, -1)):
        yield f"average {shape} {axis}", method("average", axis=axis), [array(shape)]
        yield f"average weights {shape} {axis}", (lambda np, npx, x, w, a=axis: np.average(x, axis=a, weights=w)), [array(shape), array(shape, low=0.1, high=1, seed=2)]
        yield f"average returned {shape} {axis}", (lambda np, npx, x, w, a=axis: np.average(x, axis=a, weights=w, returned=True)), [array(shape), array(shape, low=0.1, high=1, seed=2)]
    for dtype, way in itertools.product(("float32", "float64", "int32", "float16"), ("linear", "lower", "higher", "midpoint", "nearest")):
        for axis, keepdims in ((None, False), (0, True), ((0, 1), False), (-1, False)):
            yield f"percentile {dtype} {way} {axis} {keepdims}", method("percentile", q=30, axis=axis, interpolation=way, keepdims=keepdims), [array((3, 4, 2), dtype)]
            yield f"percentile q {dtype} {way} {axis} {keepdims}", (lambda np, npx, x, q, w=way, a=axis, k=keepdims: np.percentile(x, q, axis=a, interpolation=w, keepdims=k)), [array((3, 4, 2), dtype), onp.array([0, 25, 70, 100], dtype="float32")]
    for axis in (None, 0, 1):
        yield f"quantile {axis}", method("quantile", q=0.3, axis=axis), [array((3, 5))]
    for dtype in ("int32", "int64", "uint8", "int8"):
        for shape in ((7,), (1,), (0,)):
            yield f"bincount {dtype} {shape}", method("bincount"), [onp.abs(array(shape, dtype))]
            yield f"bincount minlength {dtype} {shape}", method("bincount", minlength=9), [onp.abs(array(shape, dtype))]
            yield f"bincount weights {dtype} {shape}", (lambda np, npx, x, w: np.bincount(x, weights=w)), [onp.abs(array(shape, dtype)), array(shape, "float64")]
    for bins in (5, 10):
        yield f"histogram {bins}", method("histogram", bins=bins, range=(-1, 2)), [array((20,))]
    for p, x in ((4, (3,)), (1, (2, 2)), (3, ()), (5, (0,))):
        for dtype in ("float32", "float64", "int32"):
            yield f"polyval {p} {x} {dtype}", method("polyval"), [array((p,), dtype), array(x, dtype, seed=1)]


def movement():
    anything = [(shape, dtype) for shape in SHAPES for dtype in ("float32", "int64", "bool", "float16")]
    for shape, dtype in anything:
        x, size, rank = array(shape, dtype), int(onp.prod(shape)), len(shape)
        named = f"{shape} {dtype}"
        yield f"reshape flat {named}", (lambda np, npx, x, s=size: np.reshape(x, (s,))), [x]
        if size:
            yield f"reshape -1 {named}", (lambda np, npx, x: x.reshape(-1)), [x]
            yield f"reshape 1,-1 {named}", (lambda np, npx, x: np.reshape(x, (1, -1))), [x]
        yield f"transpose {named}", method("transpose"), [x]
        for axis in range(-rank, rank):
            yield f"flip {axis} {named}", method("flip", axis=axis), [x]
            yield f"roll {axis} {named}", method("roll", shift=2, axis=axis), [x]
            yield f"moveaxis {axis} {named}", method("moveaxis", source=axis, destination=0), [x]
            yield f"swapaxes {axis} {named}", (lambda np, npx, x, a=axis: np.swapaxes(x, a, 0)), [x]
            yield f"expand_dims {axis} {named}", (lambda np, npx, x, a=axis: np.expand_dims(x, a)), [x]
            yield f"repeat {axis} {named}", (lambda np, npx, x, a=axis: np.repeat(x, 2, axis=a)), [x]
            for other in (1, 2):
                yield f"concatenate {axis} {other} {named}", (lambda np, npx, *xs, a=axis: np.concatenate(xs, axis=a)), [x] * (other + 1)
        for axis in range(-rank - 1, rank + 1):
            yield f"stack {axis} {named}", (lambda np, npx, *xs, a=axis: np.stack(xs, axis=a)), [x, x, x]
        yield f"flip None {named}", method("flip", axis=None), [x]
        yield f"roll None {named}", method("roll", shift=-1), [x]
        yield f"repeat None {named}", (lambda np, npx, x: np.repeat(x, 3)), [x]
        yield f"concatenate None {named}", (lambda np, npx, *xs: np.concatenate(xs, axis=None)), [x, x]
        yield f"squeeze {named}", method("squeeze"), [x]
        yield f"copy {named}", method("copy"), [x]
        for name in ("atleast_1d", "atleast_2d", "atleast_3d"):
            yield f"{name} {named}", method(name), [x]
        for name in ("vstack", "hstack", "dstack", "column_stack", "row_stack"):
            yield f"{name} {named}", (lambda np, npx, *xs, n=name: getattr(np, n)(xs)), [x, x]
        for reps in ((2,), 3, (2, 1, 2), (1, 2), ()):
            yield f"tile {reps} {named}", (lambda np, npx, x, r=reps: np.tile(x, r)), [x]
        yield f"broadcast_to {named}", (lambda np, npx, x, s=(2, *shape): np.broadcast_to(x, s)), [x]
        yield f"where {named}", method("where"), [array(shape, "bool", seed=3), x, array(shape, dtype, seed=4)]
        yield f"where scalar {named}", (lambda np, npx, c, x: np.where(c, x, 1.5)), [array(shape, "bool", seed=3), x]
        yield f"where lscalar {named}", (lambda np, npx, c, x: np.where(c, 2, x)), [array(shape, dtype, seed=3), x]
        yield f"where scalars {named}", (lambda np, npx, c: np.where(c, 2, 3)), [array(shape, "bool", seed=3)]
        yield f"full_like {named}", method("full_like", fill_value=3), [x]
        yield f"full_like float64 {named}", method("full_like", fill_value=1.5, dtype="float64"), [x]
        yield f"nonzero {named}", (lambda np, npx, x: npx.nonzero(x)), [x]
        if rank == 1 or rank == 2:
            for k in (-1, 0, 2):
                yield f"diag {k} {named}", method("diag", k=k), [x]
                yield f"diagflat {k} {named}", method("diagflat", k=k), [x]
                yield f"tril {k} {named}", method("tril", k=k), [x]
        if rank >= 2:
            yield f"diagonal {named}", method("diagonal", offset=1), [x]
            yield f"trace {named}", method("trace", offset=0), [x]
            for k in (-1, 1, 2, 3, 4):
                yield f"rot90 {k} {named}", method("rot90", k=k, axes=(0, 1)), [x]
            yield f"transpose order {named}", (lambda np, npx, x, o=tuple(reversed(range(rank))): np.transpose(x, o)), [x]
        if rank:
            for n, axis in itertools.product((1, 2), range(-rank, rank)):
                yield f"diff {n} {axis} {named}", method("diff", n=n, axis=axis), [x]
            yield f"ediff1d {named}", method("ediff1d"), [x]
            yield f"ediff1d ends {named}", method("ediff1d", to_begin=1, to_end=2), [x]
            for mode in ("clip", "wrap"):
                yield f"take {mode} {named}", (lambda np, npx, x, i, m=mode: np.take(x, i, axis=0, mode=m)), [x, onp.array([[0, 1], [5, -1]], "int32")]
            yield f"unique {named}", method("unique"), [x]
            yield f"unique axis {named}", (lambda np, npx, x: np.unique(x, return_index=True, return_inverse=True, return_counts=True, axis=0)), [x]
            yield f"sort {named}", method("sort"), [x]
            yield f"argsort {named}", method("argsort"), [x]
            yield f"index {named}", (lambda np, npx, x: x[0] if shape[0] else x), [x]
            yield f"slice {named}", (lambda np, npx, x: x[::-1]), [x]
    for parts, axis in itertools.product((2, (1, 3), 4), (0, 1, -1)):
        x = array((4, 4, 4))
        yield f"split {parts} {axis}", (lambda np, npx, x, p=parts, a=axis: np.split(x, p, axis=a)), [x]
        yield f"array_split {parts} {axis}", (lambda np, npx, x, p=parts, a=axis: np.array_split(x, p, axis=a)), [array((5, 6, 7))]
        for name in ("hsplit", "vsplit", "dsplit"):
            yield f"{name} {parts}", (lambda np, npx, x, p=parts, n=name: getattr(np, n)(x, p)), [x]
    for mode, width in itertools.product(("constant", "edge", "reflect", "symmetric", "maximum", "minimum"), (1, ((1, 2), (0, 1)), ((2, 3), (2, 3)))):
        for dtype in ("float32", "int32", "float64", "int64", "float16"):
            more = {"constant_values": 3} if mode == "constant" else {}
            yield f"pad {mode} {width} {dtype}", method("pad", pad_width=width, mode=mode, **more), [array((4, 3), dtype)]
    for codes in ((-2, -1), (-4,), (-5, -2), (-6, 2, -1, -4), (-2, -2, -6, -1, 2), (6, -4), (-1,), (-3, -2, -1)):
        for reverse in (False, True):
            yield f"npx.reshape {codes} {reverse}", (lambda np, npx, x, c=codes, r=reverse: npx.reshape(x, c, reverse=r)), [array((2, 3, 4))]
            yield f"npx.reshape 1 {codes} {reverse}", (lambda np, npx, x, c=codes, r=reverse: npx.reshape(x, c, reverse=r)), [array((1, 6, 4))]
    for obj in (0, -1, slice(0, 3, 2), slice(None, None, -1)):
        for axis in (None, 0, 1, -1):
            for dtype in ("float32", "int64"):
                x = array((4, 3), dtype)
                yield f"delete {obj} {axis} {dtype}", (lambda np, npx, x, o=obj, a=axis: np.delete(x, o, axis=a)), [x]
                yield f"insert scalar {obj} {axis} {dtype}", (lambda np, npx, x, o=obj, a=axis: np.insert(x, o, 7, axis=a)), [x]
                yield f"insert array {obj} {axis} {dtype}", (lambda np, npx, x, v, o=obj, a=axis: np.insert(x, o, v, axis=a)), [x, array((1,), dtype, seed=5)]
    for axis in (None, 0, 1):
        yield f"delete array {axis}", (lambda np, npx, x, o, a=axis: np.delete(x, o, axis=a)), [array((4, 3)), onp.array([0, 2], "int64")]
        yield f"insert at {axis}", (lambda np, npx, x, v, o, a=axis: np.insert(x, o, v, axis=a)), [array((4, 3)), array((2, 1) if axis == 0 else (2,)), onp.array([0, 2], "int64")]
    for shape, new in (((12,), (3, 4)), ((2, 3), (4, 5))):
        yield f"resize {new}", (lambda np, npx, x, s=new: np.resize(x, s)), [array(shape)]
    yield "unravel_index", (lambda np, npx, x: np.unravel_index(x, (3, 4))), [onp.array([1, 5, 11], "int64")]
    yield "diag_indices_from", method("diag_indices_from"), [array((3, 3))]


def creation():
    x = array((1,))

    def made(name, *arguments, **options):
        return f"{name} {arguments} {options}", (lambda np, npx, x: getattr(np, name)(*arguments, **options)), [x]

    for dtype in (None, *DTYPES):
        for shape in ((), (0,), (2, 3), (2, 0)):
            yield made("zeros", shape, dtype=dtype or "float32")
            yield made("ones", shape, dtype=dtype or "float32")
            yield made("full", shape, 2, dtype=dtype)
        if dtype != "bool":
            yield made("arange", 5, dtype=dtype)
            yield made("arange", 1, 8, 3, dtype=dtype)
            yield made("arange", 0, dtype=dtype)
            yield made("eye", 3, dtype=dtype or "float32")
            yield made("eye", 3, 4, k=-1, dtype=dtype or "float32")
            yield made("identity", 3, dtype=dtype or "float32")
            yield made("linspace", 0, 10, 5, dtype=dtype)
            yield made("linspace", 3, -4, 6, endpoint=False, dtype=dtype)
        if dtype is None or dtype in FLOATS:
            yield made("logspace", 0, 2, 5, dtype=dtype)
            yield made("logspace", 0, 2, 4, endpoint=False, base=2, dtype=dtype)
        for shape in ((2, 3), (4,), (0,), (1, 2, 2)):
            yield made("indices", shape, dtype=dtype if dtype in ("int32", "int64") else "int32")
    for window, size in itertools.product(("hanning", "hamming", "blackman"), (1, 2, 7, 0)):
        yield made(window, size)


PRODUCTS = (((3,), (3,)), ((2, 3), (3, 4)), ((2, 3), (3,)), ((3,), (3, 4)), ((2, 2, 3), (3, 4)), ((2, 2, 3), (2, 3, 4)), ((1, 2, 3), (5, 3, 4)),
            ((4, 1, 2, 3), (5, 3, 2)), ((3,), (2, 3, 4)), ((2, 3, 4), (4,)), ((0,), (0,)), ((2, 0), (0, 3)), ((0, 3), (3, 2)), ((2, 3), (3, 0)))


def products():
    for left, right in PRODUCTS:
        for dtype in ("float32", "float64", "float16", "int32", "int64"):
            x, y = array(left, dtype), array(right, dtype, seed=1)
            yield f"matmul {left} {right} {dtype}", method("matmul"), [x, y]
            yield f"dot {left} {right} {dtype}", method("dot"), [x, y]
    for shapes in (((), (2, 3)), ((2, 3), ()), ((), ())):
        yield f"dot {shapes}", method("dot"), [array(shapes[0]), array(shapes[1], seed=1)]
    for left, right, axes in (((2, 3), (3, 2), 1), ((2, 3, 4), (3, 4, 5), 2), ((2, 3), (2, 3), 2), ((2,), (3,), 0), ((3, 5, 4), (5, 4, 3, 2), ([1, 2], [0, 1])),
                              ((3, 4), (4, 3), ([0], [1])), ((2, 0), (0, 3), 1), ((2, 3), (4,), 0), ((4, 3), (4, 2), (0, 0)), ((2, 3, 4), (4, 2), (-1, 0)), ((3, 5, 4, 3, 2), (2, 3, 5, 1, 2), ([1, 3, 4], [2, 1, 0])),
                              ((3, 5, 4), (5, 3, 4), ([2, 0], [-1, -2])), ((2, 3, 4), (4, 3, 2), ([], [])), ((2,), (2, 3), 1), ((0, 3), (5, 0), ([0], [1]))):
        for dtype in ("float32", "float64"):
            yield f"tensordot {left} {right} {axes} {dtype}", method("tensordot", axes=axes), [array(left, dtype), array(right, dtype, seed=1)]
    for name, shapes in (("inner", ((3,), (3,))), ("inner", ((2, 3), (4, 3))), ("outer", ((3,), (4,))), ("vdot", ((2, 3), (2, 3))), ("outer", ((2, 2), (3,))), ("kron", ((2, 2), (3, 1)))):
        yield f"{name} {shapes}", method(name), [array(shapes[0]), array(shapes[1], seed=1)]
    for text, shapes in (("ii", ((4, 4),)), ("ii->i", ((4, 4),)), ("ij->j", ((3, 4),)), ("ij->ji", ((3, 4),)), ("ji", ((3, 4),)), ("ij,jk", ((2, 3), (3, 4))), ("ij,jk->ik", ((2, 3), (3, 4))),
                         ("ij,j->i", ((2, 3), (3,))), ("i,i", ((5,), (5,))), ("i,j", ((2,), (3,))), ("ijk,jil->kl", ((3, 4, 5), (4, 3, 2))), ("...ij,...jk->...ik", ((2, 3, 4), (2, 4, 5))),
                         ("ij...,jk...->ik...", ((2, 3, 2), (3, 4, 2))), ("bij,bjk->bik", ((2, 3, 4), (2, 4, 5))), ("bhid,bhjd->bhij", ((2, 2, 3, 4), (2, 2, 5, 4))), ("ij,jk,kl->il", ((2, 3), (3, 4), (4, 2))),
                         ("ij->", ((3, 4),)), ("...->...", ((2, 3),)), ("i...->...", ((2, 3),)), ("abc,cd,def->abef", ((2, 3, 4), (4, 5), (5, 2, 3))), (" i j , j k -> i k ", ((2, 3), (3, 4))), ("i,->i", ((3,), ())),
                         (",", ((), ())), ("ij,ij->ij", ((0, 3), (0, 3))), ("ea,fb,abcd,gc,hd->efgh", ((2, 2), (2, 2), (2, 2, 2, 2), (2, 2), (2, 2)))):
        for dtype, optimize in itertools.product(("float32", "float64", "int32"), (False, True)):
            yield f"einsum {text} {shapes} {dtype} {optimize}", (lambda np, npx, *x, t=text, o=optimize: np.einsum(t, *x, optimize=o)), [array(s, dtype, seed=i) for i, s in enumerate(shapes)]


def positive(shape, dtype):
    x = array(shape, dtype)
    return (x @ onp.swapaxes(x, -1, -2) + 3 * onp.eye(shape[-1])).astype(dtype)


def linalg():
    for dtype in ("float32", "float64"):
        for shape in ((3, 3), (1, 1), (2, 4, 4), (2, 1, 3, 3), (0, 0), (0, 2, 2)):
            x = positive(shape, dtype)
            def of(name, *more, **options):
                return lambda np, npx, *x: getattr(np.linalg, name)(*x, *more, **options)
            yield f"cholesky {shape} {dtype}", of("cholesky"), [x]
            yield f"inv {shape} {dtype}", of("inv"), [x]
            yield f"det {shape} {dtype}", of("det"), [x]
            yield f"slogdet {shape} {dtype}", of("slogdet"), [x]
            yield f"eigvalsh {shape} {dtype}", of("eigvalsh"), [x]
            yield f"eigvals {shape} {dtype}", of("eigvals"), [x]
            yield f"eigh {shape} {dtype}", of("eigh"), [x]
            yield f"svd values {shape} {dtype}", (lambda np, npx, x: np.linalg.svd(x)[1]), [x]
            yield f"pinv {shape} {dtype}", of("pinv"), [x]
            yield f"solve {shape} {dtype}", of("solve"), [x, array((*shape[:-1], 2), dtype, seed=1)]
        yield f"solve vector {dtype}", of("solve"), [positive((3, 3), dtype), array((3,), dtype, seed=1)]
        yield f"pinv wide {dtype}", of("pinv"), [array((2, 3, 5), dtype)]
        yield f"pinv rcond {dtype}", (lambda np, npx, x, r: np.linalg.pinv(x, r)), [array((3, 4), dtype), onp.array(0.1, dtype)]
        yield f"tensorinv {dtype}", of("tensorinv", ind=2), [positive((6, 6), dtype).reshape(2, 3, 2, 3)]
        yield f"tensorsolve {dtype}", of("tensorsolve"), [positive((6, 6), dtype).reshape(2, 3, 2, 3), array((2, 3), dtype, seed=1)]
        for order, axis in itertools.product((None, 1, 2, -1, "fro", float("inf"), -float("inf"), 0, 3, "nuc"), (None, 0, (0, 1), -1)):
            yield f"norm {order} {axis} {dtype}", (lambda np, npx, x, o=order, a=axis: np.linalg.norm(x, o, a)), [array((3, 4), dtype)]
        yield f"lstsq {dtype}", (lambda np, npx, a, b: np.linalg.lstsq(a, b, rcond=None)), [array((4, 3), dtype), array((4, 2), dtype, seed=1)]


def networks():
    x = array((2, 3, 8, 8))
    for dtype in ("float32",):
        yield "npx.relu", (lambda np, npx, x: npx.relu(x)), [x]
        yield "npx.sigmoid", (lambda np, npx, x: npx.sigmoid(x)), [x]
        for act in ("relu", "sigmoid", "tanh", "softrelu", "softsign"):
            yield f"npx.activation {act}", (lambda np, npx, x, a=act: npx.activation(x, act_type=a)), [x]
        for act in ("leaky", "elu", "selu", "gelu"):
            yield f"npx.leaky_relu {act}", (lambda np, npx, x, a=act: npx.leaky_relu(x, act_type=a)), [x]
        for axis in (-1, 1, 0):
            yield f"npx.softmax {axis}", (lambda np, npx, x, a=axis: npx.softmax(x, axis=a)), [x]
            yield f"npx.log_softmax {axis}", (lambda np, npx, x, a=axis: npx.log_softmax(x, axis=a)), [x]
        yield "npx.softmax length", (lambda np, npx, x, n: npx.softmax(x, length=n, use_length=True, axis=1)), [array((2, 5)), onp.array([2, 5], "int32")]
        yield "npx.softmax empty", (lambda np, npx, x: npx.softmax(x)), [array((3, 0))]
        yield "npx.softmax scalar", (lambda np, npx, x: npx.softmax(x)), [array((1,))]
        yield "npx.one_hot", (lambda np, npx, x: npx.one_hot(x, 5)), [onp.array([[1, 4], [0, 7]], "int32")]
        yield "npx.pick", (lambda np, npx, x, i: npx.pick(x, i, axis=-1)), [array((3, 4)), onp.array([0, 3, 2], "int32")]
        yield "npx.topk", (lambda np, npx, x: npx.topk(x, k=2, axis=-1, ret_typ="value")), [array((3, 4))]
        yield "npx.embedding", (lambda np, npx, i, w: npx.embedding(i, w, input_dim=6, output_dim=3)), [onp.array([[1, 5], [0, 2]], "int32"), array((6, 3))]
        yield "npx.layer_norm", (lambda np, npx, x, g, b: npx.layer_norm(x, g, b, axis=-1)), [array((3, 4)), array((4,), seed=1), array((4,), seed=2)]
        yield "npx.fully_connected", (lambda np, npx, x, w, b: npx.fully_connected(x, w, b, num_hidden=5, flatten=False)), [array((2, 3, 4)), array((5, 4), seed=1), array((5,), seed=2)]
        yield "npx.fully_connected no bias", (lambda np, npx, x, w: npx.fully_connected(x, w, num_hidden=5, no_bias=True)), [array((2, 3, 4)), array((5, 12), seed=1)]
        yield "npx.convolution", (lambda np, npx, x, w, b: npx.convolution(x, w, b, kernel=(3, 3), num_filter=4)), [x, array((4, 3, 3, 3), seed=1), array((4,), seed=2)]
        yield "npx.deconvolution", (lambda np, npx, x, w: npx.deconvolution(x, w, kernel=(2, 2), stride=(2, 2), num_filter=4, no_bias=True)), [x, array((3, 4, 2, 2), seed=1)]
        for kind in ("max", "avg"):
            yield f"npx.pooling {kind}", (lambda np, npx, x, k=kind: npx.pooling(x, kernel=(2, 2), stride=(2, 2), pool_type=k)), [x]
        yield "npx.batch_dot", (lambda np, npx, x, y: npx.batch_dot(x, y, transpose_b=True)), [array((2, 3, 4)), array((2, 5, 4), seed=1)]
        yield "npx.sequence_mask", (lambda np, npx, x, n: npx.sequence_mask(x, n, use_sequence_length=True, axis=1)), [array((2, 4, 3)), onp.array([1, 3], "float32")]
        yield "npx.gather_nd", (lambda np, npx, x, i: npx.gather_nd(x, i)), [array((3, 4)), onp.array([[0, 2], [1, 3]], "int32")]
        yield "npx.reshape_like", (lambda np, npx, x, y: npx.reshape_like(x, y)), [array((2, 6)), array((3, 4))]
        yield "npx.arange_like", (lambda np, npx, x: npx.arange_like(x, axis=1)), [array((2, 6))]
        yield "npx.smooth_l1", (lambda np, npx, x: npx.smooth_l1(x, scalar=1.0)), [x]
        yield "npx.erf", (lambda np, npx, x: npx.erf(x)), [x]
        yield "npx.gamma", (lambda np, npx, x: npx.gamma(x)), [array((3,), low=1, high=4)]
        yield "npx.cast", (lambda np, npx, x: npx.cast(x, dtype="int32")), [x]
        yield "npx.broadcast_like", (lambda np, npx, x, y: npx.broadcast_like(x, y)), [array((1, 3)), array((2, 3))]
        yield "npx.slice", (lambda np, npx, x: npx.slice(x, begin=(0, 1), end=(1, 3))), [array((2, 4))]
    for dtype, axis in itertools.product(DTYPES, (0, 1)):
        yield f"clip {dtype} {axis}", (lambda np, npx, x: np.clip(x, -1, 2)), [array((2, 3), dtype)]
        yield f"astype {dtype} {axis}", (lambda np, npx, x: x.astype("int32" if axis else "float32")), [special("float32")[0][:3] if axis else array((2, 3), dtype)]
    for op in ("x + 2", "2 - x", "x * x", "x / 2", "2 / x", "x % 2", "x ** 2", "2 ** x", "-x", "x > 1", "x == x", "x <= 0", "x.T", "x.mean()", "x[1]", "x[:, 1]", "x[0, 1:3]", "x[..., None]", "x[None]", "x[-1, ::2]"):
        for dtype in ("float32", "float64", "int32", "int64"):
            yield f"{op} {dtype}", (lambda np, npx, x, o=op: eval(o)), [array((2, 4), dtype, 1, 2)]


KEYS = ("0", "-1", "..., 0", "1:", "::-1", "::2, 1", "None", "..., None", "0, None, 1:", ":, -1", "1, 2", "[0, 1]", "[1, 0, 1], [0, 1, 2]", "0, [1, 2]",
        ":, [0, 2]", "[[0, 1], [1, 0]]", "x > 0", "x[:, 0] > 0", "1:1", "..., ::-1", "[0], :, None", "[-1, 0]", "[0, 1], 1:", "[0, 1], ..., [1, 2]")


def indexing():
    for shape in ((2, 3), (2, 3, 4)):
        for dtype in ("float32", "int64", "bool", "float64"):
            for key in KEYS:
                yield f"x[{key}] {shape} {dtype}", (lambda np, npx, x, k=key: eval(f"x[{k}]", {"x": x, "np": np})), [array(shape, dtype)]
                yield f"x[{key}] = 1 {shape} {dtype}", (lambda np, npx, x, k=key: exec(f"x[{k}] = 1", {"x": x, "np": np})), [array(shape, dtype)]
    for dtype in ("float32", "int32"):
        yield f"mask {dtype}", (lambda np, npx, x: x[np.array([True, False, True])]), [array((3, 2), dtype)]
        yield f"mask = x {dtype}", (lambda np, npx, x, y: exec("x[m] = y", {"x": x, "y": y, "m": np.array([True, False, True])})), [array((3, 2), dtype), array((2, 2), dtype, seed=1)]
        yield f"method calls {dtype}", (lambda np, npx, x: (x.max(), x.min(axis=0), x.prod(), x.argsort(), x.flatten(), x.clip(0, 1), x.repeat(2), x.round(), x.squeeze(), x.T, x.tolist() and x.cumsum())), [array((2, 3), dtype)]


FAMILIES = {"unary": unary, "binary": binary, "reductions": reductions, "movement": movement, "creation": creation, "products": products,
            "linalg": linalg, "networks": networks, "indexing": indexing}
