"""Operators of mx.np that put arrays side by side, or cut one in pieces."""
from op_case import DTYPES, case, values

NUMBERS = [t for t in DTYPES if t != "bool"]  # MXNet refuses it


def join(name, op, attrs, *shapes, dtype="float32"):
    return case(name, op, dict(num_args=len(shapes), **attrs), [values(shape, dtype, i) for i, shape in enumerate(shapes)],
                np_shape=True)


CASES = [join(f"concatenate_{i}", "_npi_concatenate", attrs, *shapes) for i, (attrs, *shapes) in enumerate([
    ({}, (2, 2), (2, 2)), ({"axis": 0}, (0,), (2,), (1,)), ({"axis": 1}, (2, 2), (2, 3)), ({"axis": -1}, (2, 0, 3), (2, 0, 1)),
    ({"axis": -2}, (2, 2, 3), (2, 1, 3)), ({"axis": "None"}, (2, 2), (3,), ()), ({"axis": "None"}, (), ()),
    ({"axis": "None"}, (0, 2), (2, 0)), ({"axis": 0}, (3, 2)), ({"axis": 0}, (0, 2), (0, 2)), ({"axis": "None"}, (3, 2)),
    ({"axis": 1}, (2, 1, 2), (2, 2, 2), (2, 0, 2), (2, 3, 2))])]
CASES += [join(f"concatenate_{t}", "_npi_concatenate", {"axis": 1}, (2, 1), (2, 2), dtype=t) for t in DTYPES]
CASES += [join(f"concatenate_flat_{t}", "_npi_concatenate", {"axis": "None"}, (2, 1), (2, 2), dtype=t) for t in DTYPES]
CASES += [join(f"stack_{i}", "_npi_stack", attrs, *shapes) for i, (attrs, *shapes) in enumerate([
    ({}, (), ()), ({"axis": -1}, (), ()), ({"axis": 1}, (2,), (2,), (2,)), ({"axis": -2}, (2, 3), (2, 3)), ({"axis": 0}, (0,), (0,)),
    ({"axis": 2}, (2, 0), (2, 0)), ({"axis": -1}, (2, 3, 4), (2, 3, 4)), ({"axis": 0}, (2, 3))])]
CASES += [join(f"stack_{t}", "_npi_stack", {"axis": 1}, (2, 3), (2, 3), dtype=t) for t in DTYPES]
STACKS = {
    "vstack": ([(), ()], [(), (1, 1)], [(3,), (3,)], [(3,), (2, 3)], [(3, 2, 4), (1, 2, 4)], [(0,), (2, 0)], [(0, 2), (1, 2)], [(2, 3)]),
    "hstack": ([(), ()], [(), (2,)], [(2,), (3,)], [(0,), (2,)], [(2, 2), (2, 1)], [(2, 2, 3), (2, 1, 3)], [(2, 0), (2, 1)], [(0, 1), (0, 3)]),
    "dstack": ([(), ()], [(2,), (2,)], [(2, 2), (2, 2)], [(2, 2), (2, 2, 1)], [(2, 2, 2), (2, 2, 1)], [(2, 0), (2, 0)],
               [(2, 1, 2, 3), (2, 1, 1, 3)], [(1, 1), ()]),
    "column_stack": ([(), ()], [(2,), (2, 3)], [(2,), (2,)], [(2, 1, 3), (2, 2, 3)], [(0,), (0,)], [(0,), (0, 2)], [(2, 2)], [(1, 2), ()]),
}
for op, lists in STACKS.items():
    CASES += [join(f"{op}_{i}", f"_npi_{op}", {}, *shapes) for i, shapes in enumerate(lists)]
    CASES += [join(f"{op}_{t}", f"_npi_{op}", {}, (2, 2), (2, 2), dtype=t) for t in NUMBERS]


def split(name, op, shape, axis, sections=0, indices="[]", squeeze=False, dtype="float32"):
    return case(name, op, {"indices": indices, "axis": axis, "squeeze_axis": squeeze, "sections": sections},
                [values(shape, dtype)], np_shape=True)


CUTS = {
    "hsplit": ([(4,), 1, 2], [(2, 4), 1, 2], [(2, 4), 1, 0, "[0, 1, 3]"], [(4,), 1, 0, "[0, 1, 3]"], [(2, 4), 1, 3],
               [(2, 4), 1, 0, "[0]"], [(2, 3), 1, 0, "[0, 1, 3]"], [(2, 3), 1, 0, "[0, 0, 1]"], [(2, 0), 1, 2], [(0, 2), 1, 2],
               [(2, 4, 3), 1, 0, "[0, 2]"], [(0,), 1, 1], [(1,), 1, 0, "[0, 1]"]),
    "dsplit": ([(2, 2, 4), 2, 2], [(2, 2, 4), 2, 0, "[0, 1]"], [(2, 0, 4), 2, 2], [(2, 3, 0), 2, 2], [(2, 1, 3, 2), 2, 3]),
    "split": ([(7,), 0, 3], [(2,), 0, 3], [(2, 4), -1, 1], [(2, 4), -1, 0, "[0]"], [(2, 0), 0, 2], [(2, 0), 1, 2],
              [(2, 3), 1, 0, "[0, 3, 3]"], [(2,), 0, 2, "[]", True], [(2, 3), 1, 3, "[]", True], [(4, 3), 0, 0, "[0, 1, 3]"],
              [(2, 6, 3), -2, 2], [(0, 2), 0, 2]),
}
for op, lists in CUTS.items():
    CASES += [split(f"{op}_{i}", f"_npi_{op}", *what) for i, what in enumerate(lists)]
    CASES += [split(f"{op}_{t}", f"_npi_{op}", (2, 2, 2), 2 if op == "dsplit" else 1, 2, dtype=t) for t in NUMBERS]
