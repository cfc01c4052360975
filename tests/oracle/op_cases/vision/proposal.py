"""Region proposals."""
from op_case import case, ints, rand

import numpy as np

F = np.float32


def proposal(name, op="_contrib_Proposal", batch=1, height=4, width=5, scales=(2, 4), ratios=(0.5, 1), info=None,
             seed=0, steps=0, spread=0.3, **attrs):
    anchors = len(scales) * len(ratios)
    stride = attrs.get("feature_stride", 16)
    info = np.array([[height * stride, width * stride, 1.0]] * batch if info is None else info, F)
    shape = (batch, 2 * anchors, height, width)
    prob = rand(shape, seed, 0, 1) if not steps else ints(shape, steps, seed) / F(steps)
    code = (np.random.RandomState(seed + 1).randn(batch, 4 * anchors, height, width) * spread).astype(F)
    attrs = {"scales": scales, "ratios": ratios, "rpn_min_size": 4, "rpn_pre_nms_top_n": 40, "rpn_post_nms_top_n": 12,
             **attrs}
    return case(name, op, {key: value for key, value in attrs.items() if value is not None},
                [prob.astype(F), code, info])


def multi(name, **options):
    return proposal(name, "_contrib_MultiProposal", **options)


DEFAULTS = {"scales": (4, 8, 16, 32), "ratios": (0.5, 1, 2), "rpn_min_size": None, "rpn_pre_nms_top_n": None,
            "rpn_post_nms_top_n": None}

CASES = [
    proposal("proposal"), proposal("defaults", **DEFAULTS), proposal("score", output_score=True),
    proposal("iou_loss", iou_loss=True, spread=8.0), proposal("threshold", threshold=0.3),
    proposal("threshold_one", threshold=1.0), proposal("threshold_zero", threshold=0.0),
    proposal("stride", feature_stride=8), proposal("min_size", rpn_min_size=50, output_score=True),
    proposal("min_size_all", rpn_min_size=500, output_score=True, rpn_post_nms_top_n=80, threshold=0.9),
    proposal("min_size_zero", rpn_min_size=0), proposal("image_scale", info=[[64, 80, 2.5]], rpn_min_size=16),
    proposal("padded_image", info=[[40, 55, 1]], output_score=True, rpn_post_nms_top_n=30),
    proposal("pre_nms", rpn_pre_nms_top_n=5), proposal("pre_nms_all", rpn_pre_nms_top_n=-1),
    proposal("pre_nms_zero", rpn_pre_nms_top_n=0, rpn_post_nms_top_n=3),
    proposal("repeated", rpn_post_nms_top_n=90, output_score=True, threshold=0.2),
    proposal("ties", steps=3, output_score=True), proposal("ties_all", steps=1, rpn_pre_nms_top_n=-1),
    proposal("one_pixel", height=1, width=1, scales=(1,), ratios=(1,), rpn_min_size=1),
    proposal("odd_ratios", ratios=(0.3, 0.77, 3.1), scales=(1.5, 3)),
    multi("multi", batch=3, seed=5), multi("multi_one", output_score=True),
    multi("multi_score", batch=2, output_score=True, rpn_post_nms_top_n=60, threshold=0.3),
    multi("multi_images", batch=2, info=[[64, 80, 1], [40, 60, 2]], output_score=True),
    multi("multi_iou_loss", batch=2, iou_loss=True, spread=8.0), multi("multi_ties", batch=2, steps=2),
    multi("multi_defaults", batch=2, **DEFAULTS),
]
