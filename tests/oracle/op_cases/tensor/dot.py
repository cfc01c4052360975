from op_case import case, rand


def product(name, op, a, b, parameters=(), dtype="float32", **attrs):
    return case(name, op, attrs, [rand(a, 0, dtype=dtype), rand(b, 1, dtype=dtype)], parameters=parameters)


CASES = [
    product("vectors", "dot", (7,), (7,)),
    product("vector_matrix", "dot", (4,), (4, 5)),
    product("vector_matrix_tb", "dot", (4,), (5, 4), transpose_b=True),
    product("matrix_vector", "dot", (3, 4), (4,)),
    product("matrices", "dot", (3, 20), (20, 5)),
    product("matrices_parameter", "dot", (3, 20), (20, 5), parameters=[1]),
    product("matrices_ta", "dot", (20, 3), (20, 5), transpose_a=True),
    product("matrices_tb", "dot", (3, 20), (5, 20), transpose_b=True),
    product("matrices_tab", "dot", (20, 3), (5, 20), transpose_a=True, transpose_b=True),
    product("higher", "dot", (2, 3, 4), (4, 5, 6)),
    product("higher_ta", "dot", (4, 2, 3), (4, 5, 6), transpose_a=True),
    product("higher_tb", "dot", (2, 3, 4), (5, 6, 4), transpose_b=True),
    product("float64", "dot", (3, 20), (20, 5), dtype="float64"),
    product("batch", "batch_dot", (3, 5, 17), (3, 17, 9)),
    product("batch_ta", "batch_dot", (3, 17, 5), (3, 17, 9), transpose_a=True),
    product("batch_tb", "batch_dot", (3, 5, 17), (3, 9, 17), transpose_b=True),
    product("batch_tab", "batch_dot", (3, 17, 5), (3, 9, 17), transpose_a=True, transpose_b=True),
    product("batch_two", "batch_dot", (2, 3, 5, 7), (2, 3, 7, 4)),
    product("gemm2", "_linalg_gemm2", (3, 4), (4, 5), alpha=2.5),
    product("gemm2_batch", "_linalg_gemm2", (2, 3, 4), (2, 5, 4), transpose_b=True),
]
