from op_case import case, rand


def im2col(name, attrs, shape, dtype="float32"):
    return case(name, "im2col", attrs, [rand(shape).astype(dtype)])


def col2im(name, attrs, shape, dtype="float32"):
    return case(name, "col2im", attrs, [rand(shape).astype(dtype)])


ALL = {"kernel": (3, 2), "stride": (2, 1), "dilate": (1, 2), "pad": (1, 2)}  # (5, 6) has 3 x 8 places

CASES = [
    im2col("im2col", {"kernel": (2, 3)}, (2, 3, 5, 6)),
    im2col("im2col_all", ALL, (2, 3, 5, 6)),
    im2col("im2col_1x1", {"kernel": (1, 1), "stride": (2, 2)}, (1, 2, 5, 6)),
    im2col("im2col_whole", {"kernel": (5, 6)}, (2, 1, 5, 6)),
    im2col("im2col_float64", ALL, (2, 3, 5, 6), dtype="float64"),
    im2col("im2col_float16", ALL, (2, 3, 5, 6), dtype="float16"),
    col2im("col2im", {"kernel": (2, 3), "output_size": (5, 6)}, (2, 18, 16)),
    col2im("col2im_all", {**ALL, "output_size": (5, 6)}, (2, 18, 24)),
    col2im("col2im_1x1", {"kernel": (1, 1), "stride": (2, 2), "output_size": (5, 6)}, (1, 2, 9)),
    col2im("col2im_float64", {**ALL, "output_size": (5, 6)}, (2, 18, 24), dtype="float64"),
    col2im("col2im_float16", {**ALL, "output_size": (5, 6)}, (2, 18, 24), dtype="float16"),
]
