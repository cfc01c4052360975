from op_case import case, rand

import numpy as np

OP = "_contrib_BilinearResize2D"


def to(name, attrs, *shapes, dtype="float32"):
    return case(name, OP, attrs, [rand(shape, i).astype(dtype) for i, shape in enumerate(shapes)])


def with_nan():
    data = rand((1, 1, 4, 4), 3)
    data[0, 0, 1, 1] = np.nan
    data[0, 0, 3, 3] = np.inf
    return data


CASES = [
    to("defaults", {}, (2, 3, 5, 4)),
    to("up", {"height": 9, "width": 11}, (2, 3, 5, 4)),
    to("down", {"height": 3, "width": 2}, (2, 3, 7, 9)),
    to("mixed", {"height": 3, "width": 21}, (1, 2, 8, 6)),
    to("same", {"height": 5, "width": 4}, (2, 3, 5, 4)),
    to("wide", {"height": 7, "width": 71}, (1, 5, 4, 37)),
    *(to(f"corners_free_{h}_{w}", {"height": h, "width": w, "align_corners": False}, (2, 3, 5, 4))
      for h, w in ((10, 8), (9, 11), (3, 2), (1, 1), (5, 4), (5, 7))),
    to("from_one_pixel", {"height": 3, "width": 5}, (2, 3, 1, 1)),
    to("from_one_pixel_free", {"height": 3, "width": 5, "align_corners": False}, (2, 3, 1, 1)),
    to("size_scale", {"scale_height": 1.7, "scale_width": 0.6}, (2, 3, 5, 9)),
    to("size_scale_free", {"scale_height": 2, "scale_width": 3, "align_corners": False}, (1, 3, 5, 4)),
    to("size_scale_and_size", {"scale_height": 2, "scale_width": 3, "height": 3, "width": 3}, (1, 3, 5, 4)),
    to("odd_scale", {"mode": "odd_scale", "scale_height": 2, "scale_width": 3}, (1, 2, 5, 4)),
    to("odd_scale_down", {"mode": "odd_scale", "scale_height": 0.5, "scale_width": 0.4}, (1, 2, 6, 9)),
    to("like", {"mode": "like"}, (2, 3, 5, 4), (2, 1, 8, 9)),
    to("like_other_batch", {"mode": "like", "align_corners": False}, (2, 3, 5, 4), (1, 7, 3, 9)),
    *(to(f"{mode}_{h}{w}", {"mode": mode}, (1, 2, h, w))
      for mode in ("to_even_down", "to_even_up", "to_odd_down", "to_odd_up") for h, w in ((5, 6), (4, 7))),
    to("float64", {"height": 9, "width": 11}, (2, 3, 5, 4), dtype="float64"),
    to("float64_free", {"height": 4, "width": 11, "align_corners": False}, (2, 3, 5, 4), dtype="float64"),
    to("float16", {"height": 9, "width": 11}, (2, 3, 5, 4), dtype="float16"),
    to("float16_free", {"height": 4, "width": 11, "align_corners": False}, (2, 3, 5, 4), dtype="float16"),
    case("not_finite", OP, {"height": 7, "width": 7}, [with_nan()]),
]
