from op_case import case, ints, rand

import numpy as np

N = None


def of(name, op, attrs, shape, **options):
    return case(name, op, attrs, [rand(shape)], **options)


SLICES = [((2,), (8,), (3,)), ((8,), (2,), (-2,)), ((-3,), (N,), ()), ((0,), (100,), ()), ((9,), (-11,), (-1,)),
          ((3,), (N,), (-1,)), ((N,), (N,), (-1,)), ((N,), (-2,), (N,)), ((-100,), (7,), (2,)), ((N,), (N,), (4,)),
          ((-1,), (-9,), (-3,)), ((1,), (2,), (5,))]

CASES = [
    *(of(f"slice_{i}", "slice", {"begin": b, "end": e, **({"step": s} if s else {})}, (10,))
      for i, (b, e, s) in enumerate(SLICES)),
    of("slice_3d", "slice", {"begin": (0, 1, 2), "end": (2, 3, 9)}, (3, 4, 10)),
    of("slice_fewer", "slice", {"begin": (1,), "end": (3,)}, (4, 3, 2)),
    of("slice_none", "slice", {"begin": (N, 1, N), "end": (N, N, -1), "step": (N, 2, -1)}, (2, 5, 7)),
    of("slice_crop_alias", "crop", {"begin": (0, 1), "end": (2, 3)}, (2, 4)),
    of("slice_all", "slice", {"begin": (0, 0), "end": (2, 4)}, (2, 4)),
    *(case(f"slice_{dtype}", "slice", {"begin": (1, 0), "end": (3, 5), "step": (1, 2)},
           [np.arange(24).reshape(4, 6).astype(dtype)])
      for dtype in ("uint8", "int8", "int32", "int64", "float16", "float64")),
    of("axis", "slice_axis", {"axis": 1, "begin": 1, "end": 3}, (2, 4, 5)),
    of("axis_none", "slice_axis", {"axis": -1, "begin": -3, "end": None}, (2, 4, 5)),
    of("axis_negative_end", "slice_axis", {"axis": 0, "begin": 0, "end": -1}, (3, 4)),
    of("axis_rows", "slice_axis", {"axis": 0, "begin": 1, "end": 2}, (3, 4)),
    case("like", "slice_like", {}, [rand((3, 4, 5)), rand((2, 4, 1))]),
    case("like_axes", "slice_like", {"axes": (1, -1)}, [rand((3, 4, 5)), rand((9, 2, 3))]),
    case("like_axes_rank", "slice_like", {"axes": (0, 1)}, [rand((3, 4, 5)), rand((2, 2))]),
    of("crop_h_w", "Crop", {"num_args": 1, "h_w": (2, 3)}, (2, 2, 5, 6)),
    of("crop_offset", "Crop", {"num_args": 1, "h_w": (2, 3), "offset": (1, 2)}, (2, 2, 5, 6)),
    of("crop_center", "Crop", {"num_args": 1, "h_w": (2, 3), "center_crop": True}, (2, 2, 5, 6)),
    case("crop_like", "Crop", {"num_args": 2}, [rand((1, 3, 6, 7)), rand((1, 1, 4, 5))]),
    case("crop_like_offset", "Crop", {"num_args": 2, "offset": (2, 1)}, [rand((1, 3, 6, 7)), rand((1, 1, 4, 5))]),
    case("crop_like_center", "Crop", {"num_args": 2, "center_crop": True}, [rand((1, 3, 6, 7)), rand((1, 1, 3, 2))]),
    of("split", "SliceChannel", {"num_outputs": 3}, (2, 6, 5)),
    of("split_squeeze", "SliceChannel", {"num_outputs": 3, "squeeze_axis": True}, (2, 3, 4)),
    of("split_last", "split", {"num_outputs": 5, "axis": -1}, (2, 3, 5)),
    of("split_one", "SliceChannel", {"num_outputs": 1}, (2, 3)),
    of("split_axis_0", "SliceChannel", {"num_outputs": 2, "axis": 0, "squeeze_axis": 1}, (2, 3)),
    of("split_v2_indices", "_split_v2", {"indices": (0, 1, 4), "axis": 1}, (2, 6, 3)),
    of("split_v2_sections", "_split_v2", {"indices": (), "sections": 3, "axis": -1}, (2, 6)),
    of("split_v2_uneven", "_split_v2", {"indices": (), "sections": 4, "axis": 0}, (10, 2)),
    of("split_v2_squeeze", "_split_v2", {"indices": (0, 1, 2), "axis": 1, "squeeze_axis": True}, (2, 3, 4)),
]
