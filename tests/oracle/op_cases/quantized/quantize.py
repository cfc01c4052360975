"""Between floats, sums of 32 bits and 8-bit values."""
import numpy as np
from op_case import case, ints, rand

# Halves are rounded to even; what lies outside the range is limited.
HALVES = (np.arange(-9, 10) * 0.25).astype("float32")
WIDE = np.array([-1e30, -300, -128.7, -127.6, -1.5, -0.5, 0, 0.5, 1.5, 127.4, 127.6, 254.6, 300, 1e30], "float32")


def scalar(value):
    return np.array([value], "float32")


def calibrated(low, high, out_type):
    return {"min_calib_range": low, "max_calib_range": high, "out_type": out_type}


CASES = [
    *(case(f"v2_{kind}", "_contrib_quantize_v2", {"out_type": kind}, [rand((2, 3, 4, 5), low=-2, high=3)])
      for kind in ("int8", "uint8", "auto")),
    case("v2_default", "_contrib_quantize_v2", {}, [rand((7, 5), 1)]),
    *(case(f"v2_{kind}_calibrated", "_contrib_quantize_v2", calibrated(-1.0, 2.0, kind), [rand((3, 9), 2, -3, 3)])
      for kind in ("int8", "uint8", "auto")),
    case("v2_auto_positive", "_contrib_quantize_v2", calibrated(0.0, 2.0, "auto"), [rand((3, 9), 2, -3, 3)]),
    case("v2_auto_minus_zero", "_contrib_quantize_v2", calibrated("-0.000000", 2.0, "auto"), [rand((3, 9), 2, -3, 3)]),
    *(case(f"v2_{kind}_halves", "_contrib_quantize_v2", calibrated(0.0, high, kind), [HALVES])
      for kind, high in (("int8", 127.5), ("uint8", 255.5))),
    *(case(f"v2_{kind}_wide", "_contrib_quantize_v2", calibrated(0.0, high, kind), [WIDE])
      for kind, high in (("int8", 127.5), ("uint8", 255.5))),
    case("v2_min_above_max", "_contrib_quantize_v2", calibrated(2.0, 1.0, "int8"), [rand((9,), 2, -3, 3)]),
    case("v2_no_width", "_contrib_quantize_v2", calibrated(0.0, 0.0, "int8"), [HALVES]),
    case("v2_zeros", "_contrib_quantize_v2", {}, [np.zeros((3, 5), "float32")]),
    case("v2_of_int8", "_contrib_quantize_v2", {}, [ints((3, 5), 127, 1, -128, "int8")]),
    case("v2_of_int8_calibrated", "_contrib_quantize_v2", calibrated(-3.0, 2.0, "int8"),
         [ints((3, 5), 127, 1, -128, "int8")]),
    case("v2_of_uint8", "_contrib_quantize_v2", {"out_type": "uint8"}, [ints((3, 5), 256, 1, 0, "uint8")]),
    *(case(f"v1_{kind}_{name}", "_contrib_quantize", {"out_type": kind}, [data, scalar(low), scalar(high)])
      for kind in ("int8", "uint8")
      for name, data, low, high in (("range", rand((2, 3, 4, 5), 3, -2, 3), -1, 2),
                                    ("halves", HALVES, 0, 127 if kind == "int8" else 255),
                                    ("wide", WIDE, -127, 127))),
    case("v1_default", "_contrib_quantize", {}, [rand((2, 9), 4, 0, 3), scalar(0), scalar(3)]),
    *(case(f"dequantize_{dtype}_{k}", "_contrib_dequantize", {},
           [ints((4, 9), 128 if dtype == "int8" else 256, 5, -128 if dtype == "int8" else 0, dtype), scalar(low),
            scalar(high)])
      for dtype in ("int8", "uint8") for k, (low, high) in enumerate(((-3, 2), (0, 2), (-2, 1.5), (0, 0)))),
    *(case(f"requantize_{kind}{name}", "_contrib_requantize", {"out_type": kind, **attrs},
           [ints((3, 4, 5), 100000, 6, -100000, "int32"), scalar(-2147483.647), scalar(2147483.647)])
      for kind in ("int8", "uint8", "auto")
      for name, attrs in (("", {}), ("_calibrated", {"min_calib_range": -40.0, "max_calib_range": 50.0}),
                          ("_positive", {"min_calib_range": 0.0, "max_calib_range": 50.0}))),
    case("requantize_halves", "_contrib_requantize", {"min_calib_range": -254.0, "max_calib_range": 254.0},
         [np.arange(-9, 10).astype("int32"), scalar(-2147483647), scalar(2147483647)]),
    case("requantize_zeros", "_contrib_requantize", {},
         [np.zeros((3,), "int32"), scalar(-1), scalar(1)]),
    # MXNet crashes on other ranks.
    *(case(f"asym_{k}", "_contrib_quantize_asym", attrs, [rand((2, 3, 5), 7, -2, 3)])
      for k, attrs in enumerate(({}, {"min_calib_range": -2.0, "max_calib_range": 3.0}))),
]
