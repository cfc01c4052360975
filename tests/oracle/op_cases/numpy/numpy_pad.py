"""Padding by mx.np."""
import numpy as np

from op_case import DTYPES, case, values

MODES = ("constant", "edge", "reflect", "symmetric", "maximum", "minimum")


def pad(name, shape, widths, mode, dtype="float32", **attrs):
    return case(name, "_npi_pad", dict(pad_width=widths, mode=mode, **attrs), [values(shape, dtype)], np_shape=True)


# MXNet reads the widths of a vector only without the inner brackets.
CASES = []
for mode in MODES:
    CASES += [pad(f"{mode}_{i}", shape, widths, mode) for i, (shape, widths) in enumerate([
        ((2, 3), "((1, 2), (2, 1))"), ((3,), "(2, 2)"), ((2, 3), "((0, 0), (0, 1))"), ((2, 3), "((3, 4), (5, 6))"),
        ((1, 3), "((2, 1), (1, 1))"), ((2, 2, 2), "((0, 1), (0, 0), (2, 1))"), ((1, 2, 1, 2), "((1, 1), (0, 2), (0, 0), (2, 1))"),
        ((2, 3), "((0, 0), (0, 0))"), ((2, 0, 3), "((1, 2), (0, 0), (0, 1))"), ((2, 3), "[[1, 0], [0, 2]]")])]
    CASES += [pad(f"{mode}_{t}", (2, 3), "((1, 1), (2, 1))", mode, t) for t in DTYPES
              if t != "bool" or mode not in ("maximum", "minimum")]
CASES += [pad(f"value_{t}", (2, 3), "((1, 1), (2, 1))", "constant", t, constant_value=3.7) for t in DTYPES]
CASES += [pad("value_negative_uint8", (2, 3), "((1, 1), (2, 1))", "constant", "uint8", constant_value=-1),
          pad("empty_constant", (0, 3), "((1, 2), (0, 1))", "constant"), pad("empty_edge", (0, 3), "((0, 0), (1, 1))", "edge"),
          pad("reflect_type", (2, 3), "((1, 1), (2, 1))", "reflect", reflect_type="even")]
NAN = np.array([[1, np.nan, 2], [np.nan, 0, 5]], "float32")
CASES += [case(f"{mode}_nan_{axis}", "_npi_pad", {"pad_width": widths, "mode": mode}, [NAN], np_shape=True)
          for mode in ("maximum", "minimum") for axis, widths in (("rows", "((1, 1), (0, 0))"), ("columns", "((0, 0), (1, 1))"))]
