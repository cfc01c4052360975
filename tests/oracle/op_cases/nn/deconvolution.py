from op_case import case, rand


def deconv(name, attrs, data, weight, filters, bias=False, dtype="float32"):
    inputs = [rand(data, 0, dtype=dtype), rand(weight, 1, dtype=dtype)]
    if bias:
        attrs = {**attrs, "no_bias": False}
        inputs.append(rand((filters,), 2, dtype=dtype))
    attrs = {"num_filter": filters, "kernel": tuple(weight[2:]), **attrs}
    return case(name, "Deconvolution", attrs, inputs, parameters=list(range(1, len(inputs))))


CASES = [
    deconv("defaults", {}, (1, 3, 5, 6), (3, 4, 3, 3), 4),
    deconv("bias", {}, (2, 3, 5, 6), (3, 4, 3, 3), 4, bias=True),
    deconv("stride_pad", {"stride": (2, 2), "pad": (1, 1)}, (1, 3, 5, 6), (3, 4, 4, 4), 4),
    deconv("stride_pad_adj", {"stride": (2, 3), "pad": (1, 2), "adj": (1, 2)}, (2, 3, 5, 6), (3, 4, 3, 5), 4, bias=True),
    deconv("target_shape", {"stride": (2, 2), "target_shape": (10, 11)}, (1, 3, 5, 6), (3, 4, 4, 4), 4),
    deconv("target_shape_over_pad", {"stride": (2, 2), "target_shape": (9, 12), "pad": (3, 3), "adj": (1, 1)},
           (1, 3, 5, 6), (3, 4, 4, 4), 4),
    deconv("groups", {"num_group": 2, "stride": (2, 2)}, (1, 4, 5, 6), (4, 3, 3, 3), 6),
    deconv("bilinear_upsampling", {"num_group": 3, "stride": (2, 2), "pad": (1, 1)}, (1, 3, 5, 6), (3, 1, 4, 4), 3),
    # Together with a stride, MXNet's plain code disagrees with its oneDNN code and with the definition.
    deconv("dilate", {"dilate": (2, 3)}, (1, 3, 5, 6), (3, 4, 3, 3), 4),
    deconv("stride_beyond_kernel", {"stride": (3, 3)}, (1, 3, 4, 4), (3, 4, 2, 2), 4, bias=True),
    deconv("one_d", {"stride": (2,), "pad": (1,), "adj": (1,)}, (2, 3, 9), (3, 4, 3), 4),
    deconv("many_channels", {"stride": (2, 2), "pad": (1, 1)}, (1, 20, 7, 7), (20, 9, 4, 4), 9),
    deconv("float64", {"stride": (2, 2)}, (1, 3, 4, 4), (3, 2, 3, 3), 2, dtype="float64"),
]
