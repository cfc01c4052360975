"""Neural operators under the names that MXNet's mx.npx writes, in NumPy's meaning of shapes: no element, scalars."""
import numpy as np
from op_case import case, ints, rand


def shaped(name, op, attrs, inputs, **options):
    return case(name, op, attrs, inputs, np_shape=True, **options)


CASES = []

# Element by element.
ELEMENTWISE = (("relu", "_npx_relu", {}), ("sigmoid", "_npx_sigmoid", {}),
               *((f"activation_{a}", "_npx_activation", {"act_type": a})
                 for a in ("relu", "sigmoid", "tanh", "softrelu", "softsign")),
               ("leaky", "_npx_leaky_relu", {"act_type": "leaky", "slope": 0.1}),
               ("elu", "_npx_leaky_relu", {"act_type": "elu", "slope": 0.3}),
               ("selu", "_npx_leaky_relu", {"act_type": "selu"}), ("gelu", "_npx_leaky_relu", {"act_type": "gelu"}),
               ("rrelu", "_npx_leaky_relu", {"act_type": "rrelu", "lower_bound": 0.1, "upper_bound": 0.3}),
               ("smooth_l1", "_npx_smooth_l1", {"scalar": 2.0}), ("dropout", "_npx_dropout", {"p": 0.3}))
for name, op, attrs in ELEMENTWISE:
    # MXNet's LeakyReLU takes no scalar.
    CASES += [shaped(f"{name}_{kind}", op, attrs, [rand(shape, 1, -2, 2)], outputs=[0])
              for kind, shape in (() if op == "_npx_leaky_relu" else (("scalar", ()),)) + (("empty", (0,)),
                                                                                           ("inside", (2, 0, 3)),
                                                                                           ("some", (2, 3)))]
CASES += [shaped("prelu", "_npx_leaky_relu", {"act_type": "prelu"}, [rand((2, 3, 4)), rand((3,), 1)]),
          shaped("prelu_one", "_npx_leaky_relu", {"act_type": "prelu"}, [rand((2, 3, 4)), rand((1,), 1)]),
          shaped("prelu_empty", "_npx_leaky_relu", {"act_type": "prelu"}, [rand((0, 3, 4)), rand((3,), 1)])]

# Layers.
for batch in (0, 1, 2):
    CASES += [
        shaped(f"fully_connected_{batch}", "_npx_fully_connected", {"num_hidden": 4},
               [rand((batch, 3, 2)), rand((4, 6), 1), rand((4,), 2)], parameters=[1, 2]),
        shaped(f"fully_connected_rows_{batch}", "_npx_fully_connected", {"num_hidden": 4, "flatten": False},
               [rand((batch, 3, 2)), rand((4, 2), 1), rand((4,), 2)], parameters=[1, 2]),
        shaped(f"fully_connected_plain_{batch}", "_npx_fully_connected",
               {"num_hidden": 4, "no_bias": True, "flatten": True}, [rand((batch, 6)), rand((4, 6), 1)], parameters=[1]),
        shaped(f"convolution_{batch}", "_npx_convolution",
               {"kernel": (3, 3), "num_filter": 4, "stride": (2, 2), "pad": (1, 1)},
               [rand((batch, 3, 7, 7)), rand((4, 3, 3, 3), 1), rand((4,), 2)], parameters=[1, 2]),
        shaped(f"convolution_1d_{batch}", "_npx_convolution", {"kernel": (3,), "num_filter": 4, "no_bias": True},
               [rand((batch, 3, 7)), rand((4, 3, 3), 1)], parameters=[1]),
        shaped(f"convolution_grouped_{batch}", "_npx_convolution",
               {"kernel": (1, 1), "num_filter": 4, "num_group": 2, "no_bias": True},
               [rand((batch, 4, 3, 3)), rand((4, 2, 1, 1), 1)], parameters=[1]),
        shaped(f"deconvolution_{batch}", "_npx_deconvolution",
               {"kernel": (3, 3), "num_filter": 4, "stride": (2, 2), "no_bias": True},
               [rand((batch, 3, 4, 4)), rand((3, 4, 3, 3), 1)], parameters=[1]),
        shaped(f"batch_norm_{batch}", "_npx_batch_norm", {"fix_gamma": False},
               [rand((batch, 3, 4, 4)), rand((3,), 1, 0.5, 2), rand((3,), 2), rand((3,), 3), rand((3,), 4, 0.5, 2)],
               parameters=[1, 2, 3, 4], outputs=[0]),
        shaped(f"batch_norm_last_{batch}", "_npx_batch_norm", {"axis": -1, "eps": 1e-5},
               [rand((batch, 4, 3)), rand((3,), 1, 0.5, 2), rand((3,), 2), rand((3,), 3), rand((3,), 4, 0.5, 2)],
               parameters=[1, 2, 3, 4], outputs=[0]),
        shaped(f"layer_norm_{batch}", "_npx_layer_norm", {}, [rand((batch, 3, 5)), rand((5,), 1), rand((5,), 2)],
               parameters=[1, 2], outputs=[0]),
        shaped(f"pooling_max_{batch}", "_npx_pooling", {"kernel": (2, 2), "stride": (2, 2), "pool_type": "max"},
               [rand((batch, 3, 5, 5))]),
        shaped(f"pooling_avg_{batch}", "_npx_pooling",
               {"kernel": (3, 3), "pool_type": "avg", "pad": (1, 1), "count_include_pad": False},
               [rand((batch, 3, 5, 5))]),
        shaped(f"pooling_global_{batch}", "_npx_pooling", {"kernel": (1, 1), "global_pool": True, "pool_type": "avg"},
               [rand((batch, 3, 5, 5))]),
        shaped(f"pooling_1d_{batch}", "_npx_pooling", {"kernel": (2,), "stride": (2,), "pool_type": "max"},
               [rand((batch, 3, 6))]),
        shaped(f"softmax_{batch}", "_npx_softmax", {}, [rand((batch, 3, 5))]),
        shaped(f"softmax_axis_{batch}", "_npx_softmax", {"axis": 1, "temperature": 2.0}, [rand((batch, 3, 5))]),
        shaped(f"softmax_first_{batch}", "_npx_softmax", {"axis": 0}, [rand((batch, 3))]),
        shaped(f"softmax_dtype_{batch}", "_npx_softmax", {"axis": -1, "dtype": "float64"}, [rand((batch, 3))], tol=1e-6),
        shaped(f"softmax_length_{batch}", "_npx_softmax", {"axis": -1, "use_length": True},
               [rand((batch, 3, 4)), ints((batch, 3), 5, 1, 1, "int32")]),
        shaped(f"log_softmax_{batch}", "_npx_log_softmax", {"axis": -1}, [rand((batch, 3, 5))]),
        shaped(f"log_softmax_temperature_{batch}", "_npx_log_softmax", {"axis": 1, "temperature": 0.5},
               [rand((batch, 3, 5))]),
        shaped(f"embedding_{batch}", "_npx_embedding", {"input_dim": 7, "output_dim": 3},
               [ints((batch, 4), 7), rand((7, 3), 1)], parameters=[1]),
        shaped(f"embedding_int32_{batch}", "_npx_embedding", {"input_dim": 7, "output_dim": 3, "dtype": "float32"},
               [ints((batch,), 7, dtype="int32"), rand((7, 3), 1)], parameters=[1]),
        shaped(f"batch_dot_{batch}", "_npx_batch_dot", {}, [rand((batch, 3, 4)), rand((batch, 4, 5), 1)]),
        shaped(f"batch_dot_turned_{batch}", "_npx_batch_dot", {"transpose_a": True, "transpose_b": True},
               [rand((batch, 4, 3)), rand((batch, 5, 4), 1)]),
        shaped(f"batch_flatten_{batch}", "_npx_batch_flatten", {}, [rand((batch, 3, 4))]),
        shaped(f"rnn_lstm_{batch}", "_npx_rnn", {"state_size": 3, "num_layers": 1, "mode": "lstm", "state_outputs": True},
               [rand((4, batch, 2)), rand((84,), 1), rand((1, batch, 3), 2), rand((1, batch, 3), 3)], parameters=[1]),
        shaped(f"rnn_gru_{batch}", "_npx_rnn", {"state_size": 3, "num_layers": 1, "mode": "gru"},
               [rand((4, batch, 2)), rand((63,), 1), rand((1, batch, 3), 2)], parameters=[1]),
        shaped(f"roi_pooling_{batch}", "_npx_roi_pooling", {"pooled_size": (2, 2), "spatial_scale": 1.0},
               [rand((1, 3, 6, 6)), np.array([[0, 0, 0, 4, 4]] * batch, "f4").reshape(batch, 5)]),
        shaped(f"multibox_prior_{batch}", "_npx_multibox_prior", {"sizes": (0.5, 0.25), "ratios": (1, 2)},
               [rand((batch, 3, 2, 2))]),
        shaped(f"multibox_detection_{batch}", "_npx_multibox_detection", {},
               [rand((batch, 3, 4), 0, 0, 1), rand((batch, 16), 1), np.sort(rand((1, 4, 4), 2, 0, 1))]),
    ]
    # MXNet divides by zero for no sequence, and refuses no sample of which it reduces an axis but the last.
    if batch > 0:
        CASES += [
            shaped(f"layer_norm_axis_{batch}", "_npx_layer_norm", {"axis": 1, "eps": 1e-3},
                   [rand((batch, 3, 5)), rand((3,), 1), rand((3,), 2)], parameters=[1, 2], outputs=[0]),
            shaped(f"sequence_mask_none_{batch}", "_npx_sequence_mask", {}, [rand((4, batch, 3))]),
            shaped(f"sequence_mask_{batch}", "_npx_sequence_mask", {"use_sequence_length": True, "value": -1.0},
                   [rand((4, batch, 3)), ints((batch,), 5)]),
            shaped(f"sequence_mask_axis_{batch}", "_npx_sequence_mask", {"use_sequence_length": True, "axis": 1},
                   [rand((batch, 4, 3)), ints((batch,), 5)]),
        ]
# Reading and counting.
for name, shape in (("scalar", ()), ("empty", (0,)), ("some", (2, 3)), ("inside", (2, 0, 3))):
    CASES += [
        shaped(f"one_hot_{name}", "_npx_one_hot", {"depth": 4}, [ints(shape, 5)]),
        shaped(f"one_hot_int_{name}", "_npx_one_hot", {"depth": 4, "on_value": 2.0, "off_value": -1.0, "dtype": "int32"},
               [ints(shape, 5, dtype="int64")]),
        shaped(f"shape_array_{name}", "_npx_shape_array", {}, [rand(shape)]),
        shaped(f"cast_{name}", "_npx_cast", {"dtype": "float16"}, [rand(shape)]),
        shaped(f"arange_like_{name}", "_npx_arange_like", {"start": 1.0, "step": 2.0}, [rand(shape)]),
    ]
CASES += [
    shaped("one_hot_nothing", "_npx_one_hot", {"depth": 0}, [ints((2, 3), 5)]),
    shaped("arange_like_axis", "_npx_arange_like", {"axis": -1}, [rand((2, 3))]),
    shaped("arange_like_empty_axis", "_npx_arange_like", {"axis": 1}, [rand((2, 0, 3))]),
    shaped("pick", "_npx_pick", {}, [rand((2, 3)), ints((2,), 3)]),
    shaped("pick_keep", "_npx_pick", {"axis": 1, "keepdims": True, "mode": "wrap"},
           [rand((2, 3, 4)), ints((2, 4), 9, 0, -4)]),
    shaped("pick_int", "_npx_pick", {"axis": -1}, [rand((2, 3)), ints((2,), 3, dtype="int32")]),
    shaped("pick_vector", "_npx_pick", {"axis": 0}, [rand((3,)), np.array(1, "f4")]),
    shaped("pick_empty", "_npx_pick", {"axis": -1}, [rand((0, 3)), ints((0,), 3)]),
    shaped("topk", "_npx_topk", {"k": 2}, [rand((2, 5))]),
    shaped("topk_both", "_npx_topk", {"k": 2, "ret_typ": "both", "axis": 0, "is_ascend": True}, [rand((4, 3))]),
    shaped("topk_value", "_npx_topk", {"k": 2, "ret_typ": "value"}, [rand((2, 5))]),
    shaped("topk_mask", "_npx_topk", {"k": 2, "ret_typ": "mask"}, [rand((2, 5))]),
    shaped("topk_int", "_npx_topk", {"k": 1, "dtype": "int64"}, [rand((2, 5))]),
    shaped("topk_empty", "_npx_topk", {"k": 1, "axis": -1}, [rand((0, 5))]),
    shaped("gather_nd", "_npx_gather_nd", {}, [rand((3, 4, 2)), np.array([[0, 2], [1, 3]], "int64")]),
    shaped("gather_nd_all", "_npx_gather_nd", {}, [rand((3, 4)), np.array([[0, 2], [1, 3]], "int32")]),
    shaped("gather_nd_none", "_npx_gather_nd", {}, [rand((3, 4)), np.zeros((2, 0), "int64")]),
    shaped("slice", "_npx_slice", {"begin": (0, 1), "end": (2, 3)}, [rand((3, 4))]),
    shaped("slice_none", "_npx_slice", {"begin": "(None, 1)", "end": "(None, None)", "step": "(-1, 2)"}, [rand((3, 4))]),
    shaped("slice_of_empty", "_npx_slice", {"begin": (0,), "end": (2,)}, [rand((3, 0))]),
    shaped("slice_to_empty", "_npx_slice", {"begin": (1,), "end": (1,)}, [rand((3, 4))]),
    shaped("reshape_like", "_npx_reshape_like", {}, [rand((2, 6)), rand((3, 4), 1)]),
    shaped("reshape_like_empty", "_npx_reshape_like", {}, [rand((0, 6)), rand((3, 0), 1)]),
    shaped("softmax_scalar", "_npx_softmax", {"axis": -1}, [rand((1,))]),
    shaped("softmax_empty_axis", "_npx_softmax", {"axis": -1}, [rand((2, 0))]),
    shaped("log_softmax_empty_axis", "_npx_log_softmax", {"axis": -1}, [rand((2, 0))]),
    shaped("softmax_half", "_npx_softmax", {"axis": -1, "dtype": "float32"}, [rand((2, 5)).astype("float16")], tol=1e-3),
    shaped("fully_connected_no_features", "_npx_fully_connected", {"num_hidden": 4, "no_bias": True},
           [rand((2, 0)), rand((4, 0), 1)], parameters=[1]),
    shaped("batch_dot_nothing", "_npx_batch_dot", {}, [rand((2, 3, 0)), rand((2, 0, 5), 1)]),
    shaped("batch_dot_no_rows", "_npx_batch_dot", {}, [rand((2, 0, 4)), rand((2, 4, 5), 1)]),
]
# Those under legacy names that mx.npx and gluon write too.
CASES += [
    shaped("group_norm", "GroupNorm", {"num_groups": 2}, [rand((2, 4, 3)), rand((2,), 1), rand((2,), 2)],
           parameters=[1, 2], outputs=[0]),
]
