"""Operators of mx.np that put the same elements in another order, or repeat them."""
from op_case import DTYPES, case, values

SHAPES = ((), (0,), (1,), (2, 0, 3), (4,), (2, 3), (2, 3, 4), (2, 1, 3, 2))


def of(name, op, attrs, shape, dtype="float32", **other):
    return case(name, op, attrs, [values(shape, dtype)], np_shape=True, **other)


MOVED = [t for t in DTYPES if t != "bool"]  # MXNet refuses the others

CASES = [of(f"transpose_{i}", "_np_transpose", {}, shape) for i, shape in enumerate(SHAPES)]
CASES += [of(f"transpose_axes_{i}", "_np_transpose", {"axes": axes}, shape) for i, (shape, axes) in enumerate([
    ((2, 3), (1, 0)), ((2, 3, 4), (0, 2, 1)), ((2, 3, 4), (-1, 0, 1)), ((2, 3, 4), "None"), ((2, 0, 3), (1, 2, 0)),
    ((5,), (0,)), ((2, 3, 4, 5), (1, 0, 2, 3)), ((2, 3, 2, 3, 2), (4, 1, 2, 0, 3)), ((2, 3, 2, 3, 2, 2), (5, 4, 1, 2, 0, 3))])]
CASES += [of(f"transpose_{t}", "_np_transpose", {}, (2, 3), dtype=t) for t in MOVED]
CASES += [of(f"moveaxis_{i}", "_np_moveaxis", {"source": source, "destination": destination}, shape)
          for i, (shape, source, destination) in enumerate([
              ((2, 3, 4), 0, 1), ((2, 3, 4), 0, -1), ((2, 3, 4), -1, 0), ((2, 3, 4), (0, 1), (-1, -2)),
              ((2, 3, 4, 5), (0, 2), (1, 3)), ((2, 3, 4, 5), (2, 0), (0, 1)), ((2, 0, 3), 0, 2), ((4,), 0, 0),
              ((2, 3, 4), (0, 1, 2), (2, 0, 1)), ((2, 3, 4), "()", "()"), ((4, 3, 2, 1), 3, 1)])]
CASES += [of(f"moveaxis_{t}", "_np_moveaxis", {"source": 0, "destination": 2}, (2, 3, 2), dtype=t) for t in MOVED]
CASES += [of(f"swapaxes_{i}", "_npi_swapaxes", {"dim1": a, "dim2": b}, shape) for i, (shape, a, b) in enumerate([
    ((2, 3), 0, 1), ((2, 3, 4), 0, -1), ((2, 0, 3), 1, 2), ((2, 3, 4), -2, -1), ((2, 3, 4, 2), 3, 1), ((2, 0), 0, 1)])]
CASES += [of(f"swapaxes_{t}", "_npi_swapaxes", {"dim1": 0, "dim2": 1}, (2, 3), dtype=t) for t in MOVED]
CASES += [of(f"roll_{i}", "_np_roll", attrs, shape) for i, (shape, attrs) in enumerate([
    ((10,), {"shift": 2}), ((2, 3, 4), {"shift": 5}), ((2, 3, 4), {"shift": -1}), ((2, 3, 4), {"shift": -30}),
    ((2, 3, 4), {"shift": 3, "axis": 1}), ((2, 3, 4), {"shift": -1, "axis": -1}), ((2, 3, 4), {"shift": (1, 2), "axis": (0, 1)}),
    ((2, 3, 4), {"shift": (1, 2, -3), "axis": (0, -1, 1)}), ((2, 3, 4), {"shift": 1, "axis": (0, 2)}),
    ((2, 0, 3), {"shift": 1}), ((0,), {"shift": 4, "axis": 0}),
    ((), {"shift": 1}), ((5,), {"shift": 0}), ((2, 3), {"shift": 7, "axis": "None"})])]
CASES += [of(f"roll_{t}", "_np_roll", {"shift": 1, "axis": 0}, (3, 2), dtype=t) for t in MOVED]
CASES += [of(f"rot90_{i}", "_npi_rot90", {"k": k, "axes": axes}, shape) for i, (shape, k, axes) in enumerate([
    ((2, 3), 0, (0, 1)), ((2, 3), 1, (0, 1)), ((2, 3), 2, (0, 1)), ((2, 3), 3, (0, 1)), ((2, 3), 5, (0, 1)), ((2, 3), -1, (0, 1)),
    ((2, 3), -6, (0, 1)), ((2, 3), 1, (1, 0)), ((2, 3, 4), 1, (0, 2)), ((2, 3, 4), 1, (2, 1)), ((2, 3, 4), 3, (-1, 0)),
    ((2, 3, 4, 2), 2, (-2, 1)), ((2, 0, 3), 1, (0, 1)), ((2, 0), 2, (0, 1)), ((2, 3, 4), 1, (-1, -3))])]
CASES += [of("rot90_default", "_npi_rot90", {"axes": (0, 1)}, (2, 3))]
CASES += [of(f"rot90_{t}", "_npi_rot90", {"k": 1, "axes": (0, 1)}, (2, 3), dtype=t) for t in MOVED]
CASES += [of(f"flip_{i}", "_npi_flip", {"axis": axis}, shape) for i, (shape, axis) in enumerate([
    ((2, 3, 4), 0), ((2, 3, 4), 2), ((2, 3, 4), (0, 1)), ((2, 3, 4), (0, 2, 1)), ((5,), 0), ((2, 3), "()"),
    ((2, 0, 3), 0), ((0,), 0), ((2, 3), (1,)), ((2, 3, 4, 2), (0, 3)), ((), "()")])]
CASES += [of(f"flip_{t}", "_npi_flip", {"axis": 1}, (2, 3), dtype=t) for t in MOVED]
CASES += [of(f"broadcast_to_{i}", "_npi_broadcast_to", {"shape": to}, shape) for i, (shape, to) in enumerate([
    ((), "()"), ((), (1, 2, 0)), ((), (2, 3)), ((1,), (1,)), ((1,), (4,)), ((3,), (2, 3)), ((2, 1, 3), (2, 4, 3)), ((0,), (2, 0)),
    ((1, 0), (3, 0)), ((5, 1), (2, 5, 3)), ((2, 3), (2, 3)), ((1, 2, 3, 1, 1), (2, 2, 3, 2, 4)), ((1,), (0,)),
    ((2, 1, 3), (-2, 4, -2)), ((3,), (2, -2))])]
CASES += [of(f"broadcast_to_{t}", "_npi_broadcast_to", {"shape": (2, 3)}, (3,), dtype=t) for t in DTYPES]
CASES += [of(f"repeat_{i}", "_np_repeat", attrs, shape) for i, (shape, attrs) in enumerate([
    ((), {"repeats": 3}), ((), {"repeats": 0}), ((2, 3), {"repeats": 2}), ((2, 3), {"repeats": 2, "axis": 0}),
    ((2, 3), {"repeats": 2, "axis": -1}), ((2, 3), {"repeats": 0, "axis": 1}), ((2, 0, 3), {"repeats": 2, "axis": 0}),
    ((0,), {"repeats": 2}), ((2, 3, 4), {"repeats": 3, "axis": 1}), ((2, 3), {"repeats": 1, "axis": "None"})])]
CASES += [of(f"repeat_{t}", "_np_repeat", {"repeats": 2, "axis": 1}, (2, 3), dtype=t) for t in DTYPES]
CASES += [of(f"tile_{i}", "_npi_tile", {"reps": reps}, shape) for i, (shape, reps) in enumerate([
    ((), "()"), ((), 2), ((), (2, 3)), ((), 0), ((3,), 2), ((3,), (2, 2)), ((2, 3), (2,)), ((2, 3), (1, 2)), ((2, 3), (2, 1, 3)),
    ((2, 3), "()"), ((2, 3), 0), ((2, 3), (0, 2)), ((2, 0, 3), (2, 2, 2)), ((0,), 3), ((2, 3, 4), (2, 1, 1))])]
CASES += [of(f"tile_{t}", "_npi_tile", {"reps": 2}, (2, 3), dtype=t) for t in DTYPES]
