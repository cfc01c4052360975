"""Operators of mx.np that only give the same elements another shape."""
from op_case import DTYPES, case, values

SHAPES = ((), (0,), (1,), (2, 0, 3), (2, 3, 4), (1, 3, 1))


def of(name, op, attrs, *shapes, dtype="float32"):
    return case(name, op, attrs, [values(shape, dtype, i) for i, shape in enumerate(shapes)], np_shape=True)


RESHAPE = [((2, 3, 5, 5), "(-2, -1)"), ((2, 3, 5, 5), "(2, -1)"), ((5, 4, 3, 2), "(2, -1, 1)"), ((5, 4, 3, 2), "(-1,)"),
           ((2, 0, 3), "(0,)"), ((2, 0, 3), "(0, 7)"), ((2, 0, 3), "(-1, 2)"), ((), "(1,)"), ((), "()"), ((1,), "()"),
           ((1, 1), "()"), ((), "(1, -1, 1)"), ((8, 3, 3, 3, 4, 4), "(8, -1)"), ((2, 6), "(3, 4)"),
           ((2, 6), "[4, 3]"), ((0,), "(3, 0)"), ((0,), "(0, 2)"), ((0, 2), "(-1, 5)")]
# -2 copies a size, -3 leaves one of 1 out, -4 copies all that are left, -5 multiplies two, -6 splits one.
NPX_RESHAPE = [((2, 3, 5, 5), "(-2, -1)"), ((8, 3, 3, 3, 4, 4), "(-6, 2, -1, -4)"), ((8, 3, 3, 3, 4, 4), "(-5, -4)"),
               ((1, 8, 3, 3, 3, 4), "(-3, -5, -4)"), ((8, 1, 3, 4), "(-2, -3, -4)"), ((8, 2, 3, 4), "(-5, -5)"),
               ((8, 4, 1, 3), "(-2, -1, -3, -2)"), ((8, 4), "(-6, 4, 2, -4)"), ((8, 4), "(-6, -1, 2, -2)"),
               ((8, 4), "(-2, -6, 2, -1)"), ((8, 4), "(-4,)"), ((8, 4), "(-4, 1)"), ((8, 4), "-1"),
               ((1, 4), "(-3, -4)"), ((1,), "(-3,)"), ((1,), "(-3, -4)"), ((), "(-4,)"),
               ((), "(-1,)"), ((), "(1, 1)"), ((2, 0, 3), "(-2, -4)"), ((2, 0, 3), "(-5, -2)"), ((0, 3), "(-2, 3)"),
               ((0, 3), "(0, 9)"), ((2, 3, 4), "(-2, -5)"), ((2, 3, 4), "(-5, -2)"), ((2, 3), "(-2, -2, 1)"),
               ((6, 4), "(2, 3, -1)"), ((0,), "(-2,)"),
               ((1, 2, 1, 3), "(-3, -2, -3, -2)"), ((5, 5), "(-2, -2)")]
REVERSED = [((8, 3, 3, 3, 4, 8), "(-4, -1, 2, -6)"), ((8, 3, 3, 3, 4, 8), "(-4, -5)"), ((8, 3, 3, 3, 8), "(-4, 2, -1, -6)"),
            ((8, 3, 2, 4, 8), "(-4, -1, 2, -6)"), ((8, 3, 2, 4, 8), "(-2, -1, -2)"), 
            ((10, 5, 4), "(-1, -2)"), ((10, 5, 4), "(-2, -1)"),
            ((), "(-4,)"), ((2, 0, 3), "(-4, -2)"), ((8, 4, 1), "(-4, -3)")]

CASES = [of(f"reshape_{i}", "_np_reshape", {"newshape": new}, shape) for i, (shape, new) in enumerate(RESHAPE)
         if "-2" not in new]
CASES += [of(f"reshape_{t}", "_np_reshape", {"newshape": (3, 2)}, (2, 3), dtype=t) for t in DTYPES]
CASES += [of("reshape_order", "_np_reshape", {"newshape": (3, 2), "order": "C"}, (2, 3))]
CASES += [of(f"npx_reshape_{i}", "_npx_reshape", {"newshape": new}, shape) for i, (shape, new) in enumerate(NPX_RESHAPE)]
CASES += [of(f"npx_reverse_{i}", "_npx_reshape", {"newshape": new, "reverse": True}, shape)
          for i, (shape, new) in enumerate(REVERSED)]
CASES += [of(f"npx_reshape_{t}", "_npi_reshape", {"newshape": (3, -1), "order": "C"}, (2, 3), dtype=t) for t in DTYPES]
CASES += [of(f"squeeze_{i}", "_np_squeeze", {"axis": axis}, shape) for i, (shape, axis) in enumerate([
    ((1, 3, 1), "None"), ((1, 1), "None"), ((1,), "None"), ((), "None"), ((2, 3), "None"), ((1, 0, 1), "None"),
    ((1, 3, 1), 0), ((1, 3, 1), -1), ((1, 3, 1), (0, 2)), ((1, 3, 1), (-1, 0)), ((1, 1), (0, 1)), ((1,), 0), ((2, 3), "()"),
    ((1, 0, 1), (2,))])]
CASES += [of("squeeze_default", "_np_squeeze", {}, (1, 3, 1))]
CASES += [of(f"squeeze_{t}", "_np_squeeze", {"axis": 1}, (2, 1), dtype=t) for t in DTYPES]
CASES += [of(f"legacy_squeeze_{i}", "squeeze", attrs, shape) for i, (shape, attrs) in enumerate([
    ((1, 1), {}), ((1,), {"axis": 0}), ((1, 0), {})])]
CASES += [of(f"expand_dims_{i}", "_npi_expand_dims", {"axis": axis}, shape) for i, (shape, axis) in enumerate([
    ((), 0), ((), -1), ((0,), 0), ((0,), 1), ((2, 0, 3), -1), ((2, 0, 3), 1), ((2, 3), 2), ((2, 3), -3), ((1,), -2)])]
CASES += [of(f"expand_dims_{t}", "_npi_expand_dims", {"axis": 0}, (2, 1), dtype=t) for t in DTYPES]
for d in (1, 2, 3):
    CASES += [of(f"atleast_{d}d_{i}", f"_np_atleast_{d}d", {"num_args": 1}, shape)
              for i, shape in enumerate(SHAPES + ((5,), (2, 3), (2, 3, 1, 4)))]
    CASES += [of(f"atleast_{d}d_several", f"_np_atleast_{d}d", {"num_args": 4}, (), (3,), (2, 3), (0, 1, 2, 3))]
    CASES += [of(f"atleast_{d}d_{t}", f"_np_atleast_{d}d", {"num_args": 1}, (2,), dtype=t) for t in DTYPES]
CASES += [of(f"flatten_{i}", "_npx_batch_flatten", {}, shape) for i, shape in enumerate([(3,), (2, 0, 3), (0, 3), (2, 3, 4)])]
CASES += [of(f"reshape_like_{i}", "_npx_reshape_like", attrs, *shapes) for i, (attrs, *shapes) in enumerate([
    ({}, (30, 7), (15, 2, 7)), ({"lhs_begin": 0, "lhs_end": 1, "rhs_begin": 0, "rhs_end": 2}, (30, 7), (15, 2, 4)),
    ({}, (0, 2), (3, 0))])]
