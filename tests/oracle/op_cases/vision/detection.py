"""Boxes, non-maximum suppression and what single shot detectors end in."""
from op_case import case, ints, rand

import numpy as np

F = np.float32


def boxes(count, seed=0, size=40.0, batch=()):
    """Corners with positive sides, many of which overlap."""
    low = rand(batch + (count, 2), seed, 0, size)
    return np.concatenate([low, low + rand(batch + (count, 2), seed + 1, 4, size / 2)], axis=-1).astype(F)


def rows(count, seed=0, classes=3, batch=(), steps=0):
    """(class, score, corners); with `steps`, so many different scores, so that there are ties."""
    scores = rand(batch + (count, 1), seed + 2, -0.2, 1) if not steps else \
        ints(batch + (count, 1), steps, seed + 2) / F(steps)
    ids = ints(batch + (count, 1), classes, seed + 3)
    return np.concatenate([ids, scores, boxes(count, seed, batch=batch)], axis=-1).astype(F)


def nms(name, data, dtype="float32", op="_contrib_box_nms", **attrs):
    return case(name, op, attrs, [np.asarray(data).astype(dtype)])


def centers(data, start):
    out = data.copy()
    low, high = data[..., start:start + 2], data[..., start + 2:start + 4]
    out[..., start:start + 2], out[..., start + 2:start + 4] = (low + high) / 2, high - low
    return out


ROWS = rows(60)
SPECIAL = np.array([[0, .9, 0, 0, 2, 2], [0, .9, 0, 0, 2, 2.1], [1, .8, 0, 0, 2, 2], [-1, .7, 5, 5, 6, 6],
                    [2, .6, -1, 0, 2, 2], [0, np.nan, 0, 0, 9, 9], [3, 0, 1, 1, 2, 2], [0.4, .5, 0, 0, 2, 2],
                    [0, .55, 7, 7, 7, 9], [0, .55, 7, 7, 7, 9], [1, .54, 9, 9, 8, 8], [1, .53, 9, 9, 8, 8],
                    [2, np.inf, 11, 11, 12, 12], [2, -np.inf, 11, 11, 12, 12]], F)

NMS = [
    nms("nms", ROWS),
    nms("nms_alias", ROWS, op="_contrib_box_non_maximum_suppression"),
    nms("nms_classes", ROWS, id_index=0),
    nms("nms_force", ROWS, id_index=0, force_suppress=True),
    nms("nms_background", ROWS, id_index=0, background_id=1),
    nms("nms_background_without_class", ROWS, background_id=1),
    nms("nms_overlap", ROWS, overlap_thresh=0.1),
    nms("nms_overlap_one", ROWS, overlap_thresh=1),
    nms("nms_overlap_zero", ROWS, overlap_thresh=0),
    nms("nms_overlap_negative", ROWS, overlap_thresh=-1, id_index=0),
    nms("nms_valid", ROWS, valid_thresh=0.6),
    nms("nms_valid_all", ROWS, valid_thresh=-1),
    nms("nms_valid_none", ROWS, valid_thresh=2),
    nms("nms_topk", ROWS, topk=7),
    nms("nms_topk_classes", ROWS, topk=20, id_index=0),
    nms("nms_topk_zero", ROWS, topk=0),
    nms("nms_topk_beyond", ROWS, topk=1000),
    nms("nms_ties", rows(50, 7, steps=4), topk=17, id_index=0),
    nms("nms_ties_all", rows(50, 8, steps=2)),
    nms("nms_batch", rows(23, 5, batch=(3,)), id_index=0),
    nms("nms_batch_topk", rows(23, 6, batch=(2, 2), steps=5), id_index=0, topk=9),
    nms("nms_batch_one_empty", rows(11, 5, batch=(3,)) * np.array([1, -1, 1], F).reshape(3, 1, 1)),
    nms("nms_columns", np.concatenate([boxes(30), rand((30, 3), 4, 0, 1), ints((30, 1), 2)], -1), coord_start=0,
        score_index=5, id_index=7),
    nms("nms_five", np.concatenate([rand((9, 1), 4, 0, 1), boxes(9)], -1), coord_start=1, score_index=0),
    nms("nms_center_in", centers(ROWS, 2), in_format="center"),
    nms("nms_center_out", ROWS, out_format="center", id_index=0),
    nms("nms_center_both", centers(ROWS, 2), in_format="center", out_format="center", id_index=0),
    nms("nms_center_negative", centers(SPECIAL, 2), in_format="center", id_index=0),
    nms("nms_special", SPECIAL),
    nms("nms_special_classes", SPECIAL, id_index=0),
    nms("nms_special_background", SPECIAL, id_index=0, background_id=0, out_format="center"),
    nms("nms_one", SPECIAL[:1]),
    nms("nms_float64", ROWS, "float64", id_index=0),
    nms("nms_float16", ROWS, "float16", id_index=0),
    nms("nms_float16_center", ROWS, "float16", out_format="center", topk=12),
    nms("nms_many_blocks", np.repeat(np.round(rows(900, 9, classes=20, steps=50) * 4) / 4, 10, axis=0), id_index=0,
        topk=400, overlap_thresh=0.2, valid_thresh=0.7),
]

TINY = np.array([[0, 0, 2, 2], [1, 1, 1, 1], [2, 2, 0, 0], [-1, -1, 1, 3]], F)
IOU = [
    case("iou", "_contrib_box_iou", {}, [boxes(7), boxes(5, 3)]),
    case("iou_center", "_contrib_box_iou", {"format": "center"}, [centers(boxes(7), 0), centers(boxes(5, 3), 0)]),
    case("iou_corner", "_contrib_box_iou", {"format": "corner"}, [TINY, TINY]),
    case("iou_center_negative", "_contrib_box_iou", {"format": "center"}, [TINY, TINY]),
    case("iou_batch", "_contrib_box_iou", {}, [boxes(4, batch=(2,)), boxes(3, 3, batch=(1, 2))]),
    case("iou_nan", "_contrib_box_iou", {}, [TINY, np.array([[np.nan, 0, 2, 2], [0, 0, np.inf, 1]], F)]),
    case("iou_float64", "_contrib_box_iou", {}, [boxes(7).astype("f8"), boxes(5, 3).astype("f8")]),
    case("iou_float16", "_contrib_box_iou", {}, [TINY.astype("f2"), (TINY + F(0.5)).astype("f2")]),
]


def encode(name, batch, anchors, references, dtype="float32", tol=None):
    inputs = [ints((batch, anchors), 3, 1, -1), ints((batch, anchors), references, 2),
              boxes(anchors, 3, batch=(batch,)), boxes(references, 5, batch=(batch,)),
              rand((4,), 6, -0.2, 0.2), rand((4,), 7, 0.1, 0.3)]
    return case(name, "_contrib_box_encode", {}, [array.astype(dtype) for array in inputs], tol=tol)


def decode(name, attrs, batch=2, count=7, dtype="float32"):
    return case(name, "_contrib_box_decode", attrs,
                [rand((batch, count, 4), 1, dtype=dtype), boxes(count, 2, batch=(1,)).astype(dtype)])


STD = {"std0": 0.1, "std1": 0.15, "std2": 0.2, "std3": 0.25}
CODES = [
    encode("encode", 1, 9, 4), encode("encode_batch", 3, 7, 5), encode("encode_one", 2, 5, 1),
    encode("encode_float64", 2, 6, 3, "float64"),
    encode("encode_float16", 1, 6, 3, "float16", tol=1e-2),  # MXNet rounds every step
    decode("decode", {}), decode("decode_corner", {"format": "corner"}), decode("decode_std", STD),
    decode("decode_clip", {"clip": 0.3, "format": "corner"}), decode("decode_clip_zero", {"clip": 0}),
    decode("decode_float64", STD, dtype="float64"), decode("decode_float16", STD, 1, 5, "float16"),
]


def matching(name, data, dtype="float32", **attrs):
    return case(name, "_contrib_bipartite_matching", {"threshold": 0.1, **attrs}, [np.asarray(data).astype(dtype)])


MATCHING = [
    matching("matching", rand((5, 7), 1, 0)),
    matching("matching_batch", rand((3, 6, 4), 2, 0), threshold=0.4),
    matching("matching_deep_batch", rand((2, 2, 4, 3), 2, 0), threshold=1e-12),
    matching("matching_ascend", rand((2, 6, 4), 3, 0), is_ascend=True, threshold=0.4),
    matching("matching_topk", rand((2, 6, 6), 4, 0), topk=2),
    matching("matching_topk_zero", rand((6, 6), 4, 0), topk=0),
    matching("matching_ties", ints((2, 6, 5), 3, 5)),
    matching("matching_none", rand((2, 3, 4), 6), threshold=2),
    matching("matching_one", [[0.5]]),
    matching("matching_float64", rand((2, 3, 4), 6, 0), "float64"),
    matching("matching_float16", rand((2, 3, 4), 6, 0), "float16"),
]


def prior(name, shape=(1, 2, 3, 5), **attrs):
    return case(name, "_contrib_MultiBoxPrior", attrs, [rand(shape)])


PRIOR = [
    prior("prior"), prior("prior_sizes", sizes=(0.2, 0.272)), prior("prior_ratios", ratios=(1, 2, 0.5)),
    prior("prior_first_ratio", sizes=(0.5, 0.3), ratios=(2, 0.5, 3)), prior("prior_clip", sizes=(0.9,), clip=True),
    prior("prior_steps", steps=(0.3, 0.1)), prior("prior_offsets", offsets=(0.1, 0.8), sizes=(0.3,)),
    prior("prior_steps_zero", steps=(0, 0)), prior("prior_batch", (3, 1, 4, 2), sizes=(0.4, 0.6), ratios=(1, 2)),
    prior("prior_one", (1, 1, 1, 1)), prior("prior_five_dimensions", (1, 1, 2, 3, 2)),
    case("prior_alias", "_npx_multibox_prior", {"sizes": "[0.5, 0.25]", "ratios": "(1.0, 2.0)"},
         [rand((1, 1, 2, 2))]),
]


def detection(name, batch=1, classes=4, anchors=30, seed=0, steps=0, **attrs):
    prob = rand((batch, classes, anchors), seed, 0, 1) if not steps else \
        ints((batch, classes, anchors), steps, seed) / F(steps)
    low = rand((1, anchors, 2), seed + 1, -0.1, 0.7)
    anchor = np.concatenate([low, low + rand((1, anchors, 2), seed + 2, 0.1, 0.5)], -1).astype(F)
    return case(name, "_contrib_MultiBoxDetection", attrs,
                [prob.astype(F), rand((batch, anchors * 4), seed + 3), anchor])


DETECTION = [
    detection("detection"), detection("detection_batch", 3, seed=5), detection("detection_no_clip", clip=False),
    detection("detection_threshold", threshold=0.8), detection("detection_nothing", threshold=2),
    detection("detection_everything", threshold=-2), detection("detection_background_ignored", background_id=2),
    detection("detection_force", force_suppress=True), detection("detection_nms", nms_threshold=0.2),
    detection("detection_nms_one", nms_threshold=1), detection("detection_no_nms", nms_threshold=0),
    detection("detection_no_nms_above_one", nms_threshold=1.5, nms_topk=3),
    detection("detection_variances", variances=(0.2, 0.3, 0.4, 0.5)), detection("detection_topk", nms_topk=9),
    detection("detection_topk_force", 2, nms_topk=5, force_suppress=True), detection("detection_topk_zero", nms_topk=0),
    detection("detection_topk_beyond", nms_topk=1000),
    detection("detection_ties", 2, steps=3, nms_topk=12), detection("detection_one_class", classes=1),
    detection("detection_two_classes", classes=2, seed=7),
    detection("detection_many_blocks", 1, 3, 1100, 9, threshold=0.97, nms_topk=100),
    case("detection_nan", "_contrib_MultiBoxDetection", {},
         [np.array([[[.1, .1], [np.nan, .3], [.2, np.nan]]], F), np.zeros((1, 8), F),
          np.array([[[.1, .1, .5, .5], [.2, .1, .5, .5]]], F)]),
    case("detection_empty_boxes", "_npx_multibox_detection", {"nms_threshold": 0.1},
         [np.array([[[.1, .1, .1], [.7, .6, .5]]], F), np.zeros((1, 12), F),
          np.array([[[.1, .1, .1, .5], [.1, .1, .1, .5], [.3, .3, .2, .2]]], F)]),
]


def target(name, batch=2, anchors=20, objects=4, width=5, classes=3, seed=0, present=None, **attrs):
    """Labels with `present` objects in each image, then rows of -1."""
    low = rand((1, anchors, 2), seed, 0, 0.7)
    anchor = np.concatenate([low, low + rand((1, anchors, 2), seed + 1, 0.1, 0.5)], -1).astype(F)
    low = rand((batch, objects, 2), seed + 2, 0, 0.6)
    label = np.concatenate([ints((batch, objects, 1), classes - 1, seed + 3), low,
                            low + rand((batch, objects, 2), seed + 4, 0.1, 0.4),
                            rand((batch, objects, width - 5), seed + 5)], -1).astype(F)
    for image, count in enumerate(present or ()):
        label[image, count:] = -1
    return case(name, "_contrib_MultiBoxTarget", attrs, [anchor, label, rand((batch, classes, anchors), seed + 6)])


TARGET = [
    target("target"), target("target_absent", present=[0, 2]), target("target_wide", width=7),
    target("target_threshold", overlap_threshold=0.2), target("target_no_threshold", overlap_threshold=0),
    target("target_mining", negative_mining_ratio=2, negative_mining_thresh=0.4),
    target("target_mining_all", negative_mining_ratio=100, negative_mining_thresh=2),
    target("target_mining_absent", negative_mining_ratio=1.5, present=[3, 1]),
    target("target_minimum_ignored", negative_mining_ratio=1, minimum_negative_samples=9, present=[1, 1]),
    target("target_ignore", negative_mining_ratio=1, ignore_label=-7), target("target_variances", variances=(1, 2, 3, 4)),
    target("target_crowded", anchors=3, objects=6), target("target_one", 1, 1, 1),
]

CASES = [*TARGET, *NMS, *IOU, *CODES, *MATCHING, *PRIOR, *DETECTION]
