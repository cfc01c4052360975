from op_case import case, ints, rand

import numpy as np


def pool(name, attrs, shape, op="Pooling", dtype="float32", low=-1.0, **options):
    return case(name, op, attrs, [rand(shape, 0, low=low, dtype=dtype)], **options)


def convention_cases():
    """Every convention and kind over geometries where windows are cut, empty, or leave a rest."""
    geometries = [(3, 2, 0), (3, 2, 1), (2, 2, 0), (2, 3, 1), (3, 3, 2), (1, 4, 0), (2, 5, 1), (2, 2, 3), (5, 1, 2)]
    for convention in ("valid", "full"):
        for kernel, stride, pad in geometries:
            for kind in ("max", "avg", "sum"):
                attrs = {"kernel": (kernel, kernel), "stride": (stride, stride), "pad": (pad, pad),
                         "pool_type": kind, "pooling_convention": convention}
                yield pool(f"{convention}_{kind}_k{kernel}_s{stride}_p{pad}", attrs, (1, 2, 7, 9))


def v1_cases():
    for convention in ("valid", "full"):
        for kernel, stride, pad in [(3, 2, 1), (2, 2, 0), (2, 3, 1), (3, 1, 1)]:
            for kind in ("max", "avg", "sum"):
                attrs = {"kernel": (kernel, kernel), "stride": (stride, stride), "pad": (pad, pad),
                         "pool_type": kind, "pooling_convention": convention}
                yield case(f"v1_{convention}_{kind}_k{kernel}_s{stride}_p{pad}", "Pooling_v1", attrs,
                           [rand((2, 2, 7, 8), 3, low=-2, high=0.5)])


SAME = {"pooling_convention": "same", "pad": (0, 0, 0)}
NAN = np.array([np.nan, 1, 2, 3, np.nan, 5, 6, np.nan, np.nan, np.nan, np.nan, np.nan], "float32").reshape(1, 1, 1, 12)

CASES = [
    pool("defaults", {"kernel": (2, 2)}, (2, 3, 7, 9)),
    pool("max_3x3_s2", {"kernel": (3, 3), "stride": (2, 2), "pad": (1, 1)}, (2, 2, 18, 37)),
    pool("max_3x3_s2_full", {"kernel": (3, 3), "stride": (2, 2), "pooling_convention": "full"}, (1, 2, 19, 36)),
    pool("max_2x2_s2", {"kernel": (2, 2), "stride": (2, 2)}, (1, 3, 16, 35)),
    pool("max_3x3_s1", {"kernel": (3, 3), "stride": (1, 1), "pad": (1, 1)}, (1, 2, 9, 33)),
    pool("max_5x3_s1_2", {"kernel": (5, 3), "stride": (1, 2), "pad": (2, 1)}, (1, 2, 9, 33)),
    pool("avg_3x3_s1", {"kernel": (3, 3), "pad": (1, 1), "pool_type": "avg"}, (1, 2, 9, 33)),
    pool("avg_3x3_s2", {"kernel": (3, 3), "stride": (2, 2), "pad": (1, 1), "pool_type": "avg"}, (1, 2, 9, 40)),
    pool("avg_4x4_s2", {"kernel": (4, 4), "stride": (2, 2), "pad": (1, 1), "pool_type": "avg"}, (1, 2, 9, 40)),
    pool("avg_exclude_pad", {"kernel": (3, 3), "pad": (1, 1), "pool_type": "avg", "count_include_pad": False},
         (1, 2, 7, 19)),
    pool("avg_exclude_pad_full", {"kernel": (3, 3), "stride": (2, 2), "pad": (1, 1), "pool_type": "avg",
                                  "count_include_pad": False, "pooling_convention": "full"}, (1, 2, 8, 20)),
    pool("avg_include_pad", {"kernel": (3, 3), "pad": (1, 1), "pool_type": "avg", "count_include_pad": True},
         (1, 2, 7, 9)),
    pool("avg_none_pad", {"kernel": (3, 3), "pad": (1, 1), "pool_type": "avg", "count_include_pad": None},
         (1, 2, 7, 9)),
    pool("global_max", {"kernel": (1, 1), "global_pool": True}, (2, 3, 7, 9)),
    pool("global_avg", {"global_pool": True, "pool_type": "avg"}, (2, 5, 7, 7)),
    pool("global_sum", {"global_pool": True, "pool_type": "sum"}, (2, 3, 5, 1)),
    pool("global_avg_ignores_window", {"kernel": (2, 2), "stride": (2, 2), "pad": (1, 1), "global_pool": True,
                                       "pool_type": "avg"}, (1, 3, 6, 6)),
    pool("whole_window", {"kernel": (6, 7), "pool_type": "avg"}, (2, 3, 6, 7)),
    pool("kernel_over_padded", {"kernel": (8, 8), "pad": (1, 1)}, (1, 1, 7, 7)),
    pool("lp1", {"kernel": (3, 3), "pool_type": "lp", "p_value": 1}, (1, 2, 7, 9)),
    pool("lp2", {"kernel": (3, 3), "stride": (2, 2), "pad": (1, 1), "pool_type": "lp", "p_value": 2}, (1, 2, 7, 9)),
    pool("lp3", {"kernel": (2, 3), "pool_type": "lp", "p_value": 3}, (1, 2, 7, 9)),
    pool("lp2_global", {"pool_type": "lp", "p_value": 2, "global_pool": True}, (2, 2, 5, 6)),
    pool("one_d", {"kernel": (3,), "stride": (2,), "pad": (1,)}, (2, 3, 21)),
    pool("one_d_avg_full", {"kernel": (2,), "stride": (3,), "pad": (1,), "pool_type": "avg",
                            "pooling_convention": "full"}, (2, 3, 20)),
    pool("one_d_global", {"global_pool": True, "pool_type": "avg"}, (2, 3, 20)),
    pool("same_max", {"kernel": (3,), "stride": (2,), **SAME}, (2, 2, 7)),
    pool("same_avg", {"kernel": (2,), "stride": (2,), "pool_type": "avg", **SAME}, (2, 2, 7)),
    pool("same_sum_s1", {"kernel": (3,), "pool_type": "sum", **SAME}, (1, 2, 7)),
    pool("three_d", {"kernel": (2, 2, 2), "stride": (1, 2, 2), "pad": (1, 1, 1), "pool_type": "avg"}, (1, 2, 4, 5, 12)),
    pool("three_d_max_full", {"kernel": (3, 2, 2), "stride": (2, 2, 3), "pad": (0, 1, 1),
                              "pooling_convention": "full"}, (2, 2, 5, 5, 8)),
    pool("three_d_global", {"global_pool": True}, (1, 3, 3, 4, 5)),
    pool("nhwc_max", {"kernel": (3, 3), "stride": (2, 2), "pad": (1, 1), "layout": "NHWC"}, (2, 7, 9, 37)),
    pool("nhwc_avg_full", {"kernel": (2, 2), "stride": (2, 2), "pool_type": "avg", "layout": "NHWC",
                           "pooling_convention": "full"}, (1, 5, 7, 9)),
    pool("nhwc_avg_exclude", {"kernel": (3, 3), "pad": (1, 1), "pool_type": "avg", "layout": "NHWC",
                              "count_include_pad": False}, (1, 4, 5, 10)),
    pool("nhwc_global", {"global_pool": True, "pool_type": "avg", "layout": "NHWC"}, (2, 5, 7, 6)),
    pool("nhwc_lp", {"kernel": (2, 2), "pool_type": "lp", "p_value": 2, "layout": "NHWC"}, (1, 4, 5, 3)),
    pool("nwc", {"kernel": (3,), "layout": "NWC"}, (2, 9, 5)),
    pool("ndhwc", {"kernel": (2, 2, 2), "layout": "NDHWC", "pool_type": "avg"}, (1, 3, 4, 5, 6)),
    pool("layout_nchw", {"kernel": (2, 2), "layout": "NCHW"}, (1, 2, 4, 5)),
    pool("float64_max", {"kernel": (3, 3), "pad": (1, 1)}, (1, 2, 5, 6), dtype="float64"),
    pool("float64_avg", {"kernel": (3, 3), "pad": (1, 1), "pool_type": "avg"}, (1, 2, 5, 6), dtype="float64"),
    case("minus_infinity", "Pooling", {"kernel": (2, 2)}, [np.full((1, 1, 3, 20), -np.inf, "float32")]),
    case("nan", "Pooling", {"kernel": (1, 3), "stride": (1, 3)}, [NAN]),
    case("nan_s1", "Pooling", {"kernel": (1, 2)}, [np.tile(NAN, (1, 1, 1, 3))]),
    case("nan_s2", "Pooling", {"kernel": (1, 2), "stride": (1, 2)}, [np.tile(NAN, (1, 1, 1, 3))]),
    case("equal_values", "Pooling", {"kernel": (2, 2), "stride": (2, 2)}, [ints((1, 1, 4, 34), 3)]),
    case("v1_global", "Pooling_v1", {"kernel": (3, 3), "pad": (1, 1), "global_pool": True, "pool_type": "avg"},
         [rand((2, 2, 7, 7))]),
    *(pool(f"adaptive_{i}", {"output_size": size}, (2, 3, 6, 8), op="_contrib_AdaptiveAvgPooling2D")
      for i, size in enumerate([(), (1,), (3,), (2, 4), (5, 3), (7, 9), (6, 8)])),
    pool("adaptive_default", {}, (1, 3, 5, 7), op="_contrib_AdaptiveAvgPooling2D"),
    pool("adaptive_float64", {"output_size": (2, 3)}, (1, 3, 5, 7), op="_contrib_AdaptiveAvgPooling2D",
         dtype="float64"),
    *v1_cases(),
    *convention_cases(),
]
