from op_case import case, rand

import numpy as np


def several(name, op, attrs, *shapes, dtype="float32"):
    return case(name, op, {"num_args": len(shapes), **attrs},
                [rand(shape, i, low=-100, high=100).astype(dtype) for i, shape in enumerate(shapes)])


CASES = [
    several("defaults", "Concat", {}, (2, 3, 4, 5), (2, 1, 4, 5), (2, 2, 4, 5)),
    several("dim0", "Concat", {"dim": 0}, (2, 3), (1, 3)),
    several("dim2", "concat", {"dim": 2}, (2, 3, 4), (2, 3, 1), (2, 3, 17)),
    several("last", "Concat", {"dim": -1}, (2, 3, 4), (2, 3, 2)),
    several("one", "Concat", {"dim": 1}, (2, 3)),
    several("one_d", "Concat", {"dim": 0}, (2,), (3,)),
    several("large", "Concat", {}, (1, 64, 9, 9), (1, 32, 9, 9)),
    *(several(dtype, "Concat", {"dim": 1}, (2, 3), (2, 5), dtype=dtype)
      for dtype in ("float64", "float16", "int8", "uint8", "int32", "int64")),
    several("rnn_param_concat", "_rnn_param_concat", {"dim": 0}, (4,), (5,)),
    several("stack", "stack", {}, (2, 3), (2, 3), (2, 3)),
    several("stack_1", "stack", {"axis": 1}, (2, 3, 4), (2, 3, 4)),
    several("stack_last", "stack", {"axis": -1}, (2, 3), (2, 3)),
    several("stack_int64", "stack", {"axis": 1}, (2, 3), (2, 3), dtype="int64"),
]
