"""Forms of layers that networks use less often: layouts, dtypes and numbers of dimensions."""
from op_case import case, ints, rand

import numpy as np

LAYOUTS = {"NWC": (2, 7, 3), "NHWC": (2, 7, 6, 3), "NDHWC": (1, 7, 6, 5, 2), "NCDHW": (1, 2, 7, 6, 5)}
SPATIAL = (6, 5, 4)


def pools():
    for layout, shape in LAYOUTS.items():
        rank = len(layout) - 2
        for kind in ("max", "avg", "sum", "lp"):
            more = {"p_value": 3} if kind == "lp" else {"count_include_pad": False} if kind == "avg" else {}
            attrs = {"kernel": (3,) * rank, "stride": (2,) * rank, "pad": (1,) * rank, "pool_type": kind,
                     "pooling_convention": "full", "layout": layout, **more}
            yield case(f"pool_{layout}_{kind}", "Pooling", attrs, [rand(shape)])
            yield case(f"pool_{layout}_{kind}_global", "Pooling",
                       {"global_pool": True, "pool_type": kind, "layout": layout, **more}, [rand(shape)])


def deconvolutions():
    for rank in (1, 2):
        for dtype in ("float32", "float64"):
            spatial, kernel = SPATIAL[:rank], (3, 2)[:rank]
            shared = {"kernel": kernel, "num_filter": 6, "num_group": 2, "stride": (2,) * rank,
                      "layout": ("NCW", "NCHW")[rank - 1]}
            arrays = [rand((2, 4, *spatial), 0, dtype=dtype), rand((4, 3, *kernel), 1, dtype=dtype),
                      rand((6,), 2, dtype=dtype)]
            yield case(f"deconv_{rank}d_{dtype}", "Deconvolution",
                       {**shared, "pad": (1,) * rank, "adj": (1,) * rank, "no_bias": False}, arrays)
            yield case(f"deconv_{rank}d_target_{dtype}", "Deconvolution",
                       {**shared, "target_shape": tuple(2 * n for n in spatial)}, arrays[:2])


def sequences():
    for op in ("SequenceMask", "SequenceLast", "SequenceReverse"):
        for dtype in ("float64", "float16", "int32", "int64", "uint8", "int8"):
            yield case(f"{op}_{dtype}", op, {"use_sequence_length": True}, [rand((4, 3, 2), 0, 0, 9).astype(dtype),
                                                                          ints((3,), 4, 1, 1)])
        for dtype in ("int32", "int64", "float64", "uint8"):
            yield case(f"{op}_length_{dtype}", op, {"use_sequence_length": True},
                       [rand((4, 3)), ints((3,), 4, 1, 1, dtype=dtype)])


def softmaxes():
    for op in ("softmax", "log_softmax", "softmin"):
        # MXNet computes float16 and what comes of float32 in those types, whatever the output's.
        yield case(f"{op}_float64_to_float32", op, {"dtype": "float32", "axis": 1}, [rand((2, 5, 3), 0, -3, 3, "float64")])
        yield case(f"{op}_float32_to_float16", op, {"dtype": "float16", "axis": 1}, [rand((2, 5, 3), 0, -3, 3)])
        yield case(f"{op}_temperature_float64", op, {"temperature": 0.7, "axis": 0}, [rand((2, 5, 3), 0, -3, 3, "float64")],
                   tol=1e-7)
        yield case(f"{op}_infinite", op, {}, [np.array([[1, np.nan, 2], [-np.inf, -np.inf, 1]], "float32")])


CASES = [
    *pools(),
    *deconvolutions(),
    *sequences(),
    *softmaxes(),
    case("batch_norm_axis_2", "BatchNorm", {"axis": 2, "fix_gamma": False, "output_mean_var": True, "use_global_stats": True},
         [rand((2, 3, 4, 5)), *(rand((4,), seed, 0.2, 1) for seed in range(1, 5))]),
    case("batch_norm_1d", "BatchNorm", {"axis": 0}, [rand((7,)), *(rand((7,), seed, 0.2, 1) for seed in range(1, 5))]),
    case("layer_norm_1d", "LayerNorm", {}, [rand((6,)), rand((6,), 1), rand((6,), 2)]),
    *(case(f"embedding_ids_{dtype}", "Embedding", {"input_dim": 5, "output_dim": 3},
           [ints((2, 4), 5, dtype=dtype), rand((5, 3), 1)], parameters=[1])
      for dtype in ("float64", "float16", "int32", "int64", "uint8", "int8")),
    *(case(f"embedding_weight_{dtype}", "Embedding", {"input_dim": 5, "output_dim": 3, "dtype": dtype},
           [ints((2, 4), 5), rand((5, 3), 1, 0, 9).astype(dtype)], parameters=[1])
      for dtype in ("float64", "float16", "int32", "int64", "uint8", "int8")),
    *(case(f"leaky_{kind}_infinite", "LeakyReLU", {"act_type": kind},
           [np.array([np.nan, np.inf, -np.inf, 0], "float32")], outputs=[0])
      for kind in ("leaky", "elu", "selu", "rrelu", "gelu")),
]
