from op_case import case, ints, rand

import numpy as np


def moments(name, attrs, shape=(2, 3, 4, 5), dtype="float32", low=-1, high=1):
    return case(f"moments_{name}", "moments", attrs, [rand(shape, 0, low, high).astype(dtype)])


def hawkes(name, batch, length, marks, valid=None, dtype="float32"):
    valid = np.array([length] * batch if valid is None else valid)
    lags = rand((batch, length), 5, 0, 2)
    inputs = [rand((batch, marks), 0, 0.1, 1), rand((marks,), 1, 0.1, 0.9), rand((marks,), 2, 0.5, 2),
              rand((batch, marks), 3, 0, 1), lags]
    tail = [valid, lags.sum(1) + 1]
    return case(f"hawkes_{name}", "_contrib_hawkesll", {},
                [*(array.astype(dtype) for array in inputs), ints((batch, length), marks, 4, dtype="int32"),
                 *(array.astype(dtype) for array in tail)])


WITH_NAN = np.array([[1, np.nan, 2, 3], [3, 4, 5, 6]], "float32")

CASES = [
    moments("axis", {"axes": (1,)}),
    moments("axes", {"axes": (0, 2)}),
    moments("all", {"axes": (0, 1, 2, 3)}),
    moments("negative", {"axes": (-1, 1)}),
    moments("keep", {"axes": (0, 3), "keepdims": True}),
    moments("long", {"axes": (1,)}, (3, 257)),
    moments("far_from_0", {"axes": (1,)}, (3, 57), low=1000, high=1001),
    *(moments(dtype, {"axes": (1, 2)}, dtype=dtype, low=-9, high=9) for dtype in ("float64", "float16", "int32", "int64", "int8")),
    moments("uint8", {"axes": (1,)}, (3, 5), dtype="uint8", low=0, high=200),
    case("moments_nan", "moments", {"axes": (1,)}, [WITH_NAN]),
    case("cross_entropy", "softmax_cross_entropy", {}, [rand((5, 7), 0, -3, 3), ints((5,), 7, 1)]),
    case("cross_entropy_one", "softmax_cross_entropy", {}, [rand((1, 1)), ints((1,), 1, 1)]),
    case("cross_entropy_cut", "softmax_cross_entropy", {}, [rand((5, 7)), rand((5,), 1, 0, 7)]),
    case("cross_entropy_sure", "softmax_cross_entropy", {},
         [np.array([[200, -200, 0], [0, 90, 0]], "float32"), np.array([1, 1], "float32")]),
    case("cross_entropy_nan", "softmax_cross_entropy", {},
         [np.array([[np.nan, -2, 0], [0, 9, 0]], "float32"), np.array([1, 1], "float32")]),
    *(case(f"cross_entropy_{dtype}", "softmax_cross_entropy", {},
           [rand((4, 5)).astype(dtype), ints((4,), 5, 1, dtype=dtype)]) for dtype in ("float64", "float16")),
    *(case(f"quadratic_{dtype}", "_contrib_quadratic", {"a": 1.3, "b": -0.7, "c": 0.3},
           [rand((3, 5), 0, -5, 5).astype(dtype)]) for dtype in ("float32", "float64", "float16", "int32", "int64", "int8")),
    case("quadratic_uint8", "_contrib_quadratic", {"a": 2.5, "b": -1, "c": 0.3}, [ints((40,), 256, dtype="uint8")]),
    case("quadratic_defaults", "_contrib_quadratic", {}, [rand((3, 5))]),
    *(case(f"sparse_embedding_{dtype}", "_contrib_SparseEmbedding", {"input_dim": 4, "output_dim": 3, "dtype": dtype},
           [np.array([[0, 3, 1.5], [9, -1, 2]], "float32"), rand((4, 3), 1, -9, 9).astype(dtype)], parameters=[1])
      for dtype in ("float32", "float64", "float16", "int32")),
    *(case(f"sparse_embedding_{what}", "_contrib_SparseEmbedding", {"input_dim": 4, "output_dim": 3, "deterministic": what == "deterministic"},
           [np.array([[0, 3]], "float32"), rand((4, 3), 1)], parameters=[1]) for what in ("deterministic", "not_deterministic")),
    hawkes("small", 2, 5, 3),
    hawkes("one", 1, 1, 1),
    hawkes("ragged", 4, 7, 2, (7, 0, 3, 1)),
    hawkes("many", 3, 33, 5, (33, 20, 9)),
    hawkes("float64", 2, 5, 3, dtype="float64"),
]
