from op_case import case, rand


def dense(name, attrs, data, weight, bias=None, dtype="float32"):
    inputs = [rand(data, 0, dtype=dtype), rand(weight, 1, dtype=dtype)]
    if bias is None:
        attrs = {**attrs, "no_bias": True}
    else:
        inputs.append(rand(bias, 2, dtype=dtype))
    attrs = {"num_hidden": weight[0], **attrs}
    return case(name, "FullyConnected", attrs, inputs, parameters=list(range(1, len(inputs))))


CASES = [
    dense("defaults", {}, (2, 5), (3, 5), (3,)),
    dense("no_bias", {}, (3, 17), (19, 17)),
    dense("flatten", {}, (2, 3, 4), (5, 12), (5,)),
    dense("keep_dimensions", {"flatten": False}, (2, 3, 4), (5, 4), (5,)),
    dense("vector", {}, (5,), (3, 1), (3,)),
    dense("vector_keep", {"flatten": False}, (5,), (3, 5), (3,)),
    dense("one_row", {}, (1, 100), (33, 100), (33,)),
    dense("many_rows", {}, (37, 70), (21, 70), (21,)),
    dense("one_column", {}, (4, 9), (1, 9), (1,)),
    dense("float64", {}, (4, 9), (7, 9), (7,), dtype="float64"),
]
