from op_case import case, rand

import numpy as np


def of(name, op, attrs, *shapes, dtype="float32"):
    return case(name, op, attrs, [rand(shape, i, -100, 100).astype(dtype) for i, shape in enumerate(shapes)])


CASES = [
    of("broadcast_to", "broadcast_to", {"shape": (2, 3, 5)}, (1, 3, 1)),
    of("broadcast_to_keep", "broadcast_to", {"shape": (2, 0)}, (1, 3)),
    of("broadcast_to_same", "broadcast_to", {"shape": (2, 3)}, (2, 3)),
    of("broadcast_axis", "broadcast_axis", {"axis": (0, 2), "size": (2, 4)}, (1, 3, 1)),
    of("broadcast_axes", "broadcast_axes", {"axis": 1, "size": 17}, (2, 1, 3)),
    of("broadcast_like", "broadcast_like", {}, (1, 3, 1), (2, 3, 4)),
    of("broadcast_like_axes", "broadcast_like", {"lhs_axes": (0, -1), "rhs_axes": (1, 0)}, (1, 3, 1), (9, 8)),
    *(of(f"broadcast_to_{dtype}", "broadcast_to", {"shape": (2, 3)}, (2, 1), dtype=dtype)
      for dtype in ("float64", "int32", "int64", "uint8")),
    of("tile", "tile", {"reps": (2, 3)}, (2, 3)),
    of("tile_more", "tile", {"reps": (2, 1, 2)}, (2, 3)),
    of("tile_fewer", "tile", {"reps": (2,)}, (2, 2, 3)),
    of("tile_none", "tile", {"reps": ()}, (2, 3)),
    of("tile_int64", "tile", {"reps": (2, 2)}, (2, 3), dtype="int64"),
    of("repeat_flat", "repeat", {"repeats": 2}, (2, 3)),
    of("repeat_axis", "repeat", {"repeats": 3, "axis": 1}, (2, 3, 4)),
    of("repeat_last", "repeat", {"repeats": 2, "axis": -1}, (2, 3)),
    of("repeat_int32", "repeat", {"repeats": 2, "axis": 0}, (2, 3), dtype="int32"),
]
