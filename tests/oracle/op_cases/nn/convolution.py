from op_case import case, rand

OP = "Convolution"


def conv(name, attrs, data, weight, bias=None, op=OP, dtype="float32"):
    """A case with its arrays made from shapes; without a bias shape there is no bias."""
    inputs = [rand(data, 0, dtype=dtype), rand(weight, 1, dtype=dtype)]
    if bias is None:
        attrs = {**attrs, "no_bias": True}
    else:
        inputs.append(rand(bias, 2, dtype=dtype))
    attrs = {"num_filter": weight[0], "kernel": tuple(weight[2:]), **attrs}
    return case(name, op, attrs, inputs, parameters=list(range(1, len(inputs))))


CASES = [
    conv("defaults", {}, (1, 2, 6, 7), (4, 2, 3, 3), (4,)),
    conv("no_bias", {}, (2, 2, 6, 7), (4, 2, 3, 3)),
    conv("pad_stride", {"pad": (1, 2), "stride": (2, 3)}, (2, 3, 11, 13), (5, 3, 3, 3), (5,)),
    conv("dilate", {"dilate": (2, 3), "pad": (2, 3)}, (1, 3, 12, 13), (4, 3, 3, 3), (4,)),
    conv("dilate_stride", {"dilate": (2, 1), "stride": (2, 2)}, (1, 3, 12, 13), (4, 3, 3, 2), (4,)),
    conv("pointwise", {}, (2, 17, 5, 5), (19, 17, 1, 1), (19,)),
    conv("pointwise_stride", {"stride": (2, 2)}, (2, 9, 7, 7), (8, 9, 1, 1), (8,)),
    conv("pointwise_pad", {"pad": (1, 1)}, (1, 3, 4, 5), (4, 3, 1, 1), (4,)),
    conv("even_kernel", {"pad": (1, 1)}, (1, 3, 9, 8), (4, 3, 4, 2), (4,)),
    conv("stem", {"pad": (3, 3), "stride": (2, 2)}, (1, 3, 19, 21), (8, 3, 7, 7), (8,)),
    conv("groups", {"num_group": 2, "pad": (1, 1)}, (2, 6, 7, 9), (8, 3, 3, 3), (8,)),
    conv("groups_dilate", {"num_group": 3, "dilate": (2, 2)}, (1, 6, 9, 9), (6, 2, 3, 3), (6,)),
    conv("depthwise", {"num_group": 5, "pad": (1, 1)}, (2, 5, 9, 11), (5, 1, 3, 3), (5,)),
    conv("depthwise_stride", {"num_group": 5, "pad": (2, 2), "stride": (2, 2)}, (2, 5, 9, 11), (5, 1, 5, 5)),
    conv("depthwise_multiplier", {"num_group": 4, "pad": (1, 1)}, (1, 4, 7, 8), (8, 1, 3, 3), (8,)),
    conv("depthwise_dilate", {"num_group": 4, "pad": (2, 2), "dilate": (2, 2)}, (1, 4, 9, 18), (4, 1, 3, 3)),
    conv("one_output", {}, (3, 4, 3, 3), (7, 4, 3, 3), (7,)),
    conv("stride_leaves_rest", {"stride": (3, 3)}, (1, 2, 10, 12), (3, 2, 2, 2), (3,)),
    conv("layout_nchw", {"layout": "NCHW"}, (1, 2, 6, 6), (4, 2, 3, 3), (4,)),
    conv("ignored", {"workspace": 512, "cudnn_tune": "off", "cudnn_off": True}, (1, 2, 6, 6), (4, 2, 3, 3)),
    conv("one_d", {}, (2, 3, 20), (4, 3, 5), (4,)),
    conv("one_d_all", {"stride": (2,), "pad": (3,), "dilate": (2,), "num_group": 2, "layout": "NCW"}, (2, 4, 20),
         (6, 2, 3), (6,)),
    conv("three_d", {}, (1, 2, 5, 6, 7), (3, 2, 3, 3, 3), (3,)),
    conv("three_d_stride_pad", {"stride": (2, 1, 2), "pad": (1, 0, 2), "layout": "NCDHW"}, (2, 2, 5, 6, 7),
         (3, 2, 3, 2, 3), (3,)),
    conv("three_d_groups_dilate", {"num_group": 2, "dilate": (2, 1, 2)}, (1, 4, 5, 5, 6), (4, 2, 2, 3, 2)),
    conv("float64", {"pad": (1, 1)}, (1, 2, 6, 7), (4, 2, 3, 3), (4,), dtype="float64"),
    conv("v1", {"pad": (1, 1), "stride": (2, 2)}, (1, 2, 6, 7), (4, 2, 3, 3), (4,), op="Convolution_v1"),
]
