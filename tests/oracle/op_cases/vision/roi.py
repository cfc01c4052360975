"""Regions of feature maps."""
from op_case import case, ints, rand

import numpy as np

F = np.float32


def regions(count, batch, seed=0, size=20.0, border=4.0):
    """(batch index, corners): of any size, some beyond the edges of a map of `size`, some inside out."""
    corners = rand((count, 4), seed, -border, size + border)
    corners[: count * 3 // 4].sort(axis=1)
    corners[: count * 3 // 4] = corners[: count * 3 // 4][:, [0, 1, 2, 3]]
    return np.concatenate([ints((count, 1), batch, seed + 1), corners], axis=1).astype(F)


SPECIAL = np.array([[0, 0, 0, 2, 2], [1, 1.5, .5, 2.5, 3.5], [0, -9, -9, -2, -2], [1, 3, 2, 0, 0], [0, 2, 2, 40, 40],
                    [1, 0.5, 1.5, 0.5, 1.5], [0, -100, -100, 100, 100], [1, 12, 9, 12, 9]], F)
DATA = rand((2, 3, 9, 12), 1)


def roi(name, op, attrs, rois=None, data=DATA, dtype="float32", tol=None, trans=None):
    rois = regions(9, data.shape[0], 3, 12.0) if rois is None else np.asarray(rois, F)
    inputs = [data, rois] + ([] if trans is None else [trans])
    return case(name, op, attrs, [array.astype(dtype) for array in inputs], tol=tol)


def pool(name, size=(2, 3), scale=1.0, op="ROIPooling", **options):
    return roi(name, op, {"pooled_size": size, "spatial_scale": scale}, **options)


POOL = [
    pool("pool"), pool("pool_one", (1, 1)), pool("pool_large", (7, 7)), pool("pool_special", rois=SPECIAL),
    pool("pool_scale", (3, 2), 0.0625, rois=regions(9, 2, 5, 180.0)),
    pool("pool_rounds_half", (1, 1), 0.5, rois=[[0, 1, 1, 3, 5], [0, -1, -1, 3, 5], [1, -3, 5, 7, 9]]),
    pool("pool_outside_batch", rois=[[-1, 0, 0, 2, 2], [2, 0, 0, 2, 2], [0.9, 0, 0, 2, 2], [-0.5, 0, 0, 2, 2]]),
    pool("pool_nan_data", (1, 1), data=DATA * np.where(rand(DATA.shape, 4) > -0.5, np.nan, 1).astype(F)),
    pool("pool_all_nan", data=DATA * F(np.nan)), pool("pool_infinite", data=np.full_like(DATA, -np.inf)),
    pool("pool_nan_region", rois=[[0, np.nan, 0, 2, 2], [0, 0, np.nan, 2, 2], [0, 0, 0, np.nan, 2],
                                  [0, 1e30, 0, 2, 2], [0, 0, 0, 1e30, 2], [0, -1e30, 0, 1e30, 2]]),
    pool("pool_scale_zero", scale=0.0), pool("pool_alias", op="_npx_roi_pooling"),
    pool("pool_float64", dtype="float64"),
    pool("pool_float16", (2, 2), rois=[[0, 1, 1, 4, 6], [1, 0, 2, 7, 5]], dtype="float16"),
]


def align(name, size=(2, 3), scale=1.0, rois=None, data=DATA, dtype="float32", tol=None, **attrs):
    return roi(name, "_contrib_ROIAlign", {"pooled_size": size, "spatial_scale": scale, **attrs}, rois, data, dtype,
               tol)


UPRIGHT = np.concatenate([ints((6, 1), 2, 1), rand((6, 2), 2, -1, 6), rand((6, 2), 3, 7, 13)], 1).astype(F)
ALIGN = [
    align("align"), align("align_one", (1, 1)), align("align_large", (7, 7), rois=UPRIGHT),
    align("align_special", rois=SPECIAL), align("align_scale", (3, 2), 0.0625, regions(9, 2, 5, 180.0)),
    align("align_samples", sample_ratio=2), align("align_samples_one", sample_ratio=1, rois=SPECIAL),
    align("align_samples_zero", sample_ratio=0), align("align_aligned", aligned=True, rois=UPRIGHT),
    align("align_aligned_samples", aligned=True, sample_ratio=3, rois=UPRIGHT, scale=0.5),
    align("align_position_sensitive", (2, 2), data=rand((2, 12, 5, 6), 2), position_sensitive=True),
    align("align_position_sensitive_aligned", (1, 3), data=rand((2, 6, 5, 6), 2), position_sensitive=True,
          aligned=True, sample_ratio=2, rois=UPRIGHT),
    align("align_one_pixel", data=rand((1, 2, 1, 1)), rois=[[0, 0, 0, 1, 1], [0, -1, -1, 2, 2]]),
    align("align_far", rois=[[0, 1e6, 1e6, 1.0001e6, 1.0001e6], [1, -5e3, -5e3, 5e3, 5e3]], size=(2, 2)),
    align("align_scale_zero", scale=0.0, rois=UPRIGHT), align("align_float64", dtype="float64"),
    # MXNet computes positions in float16 too; here they are exact.
    align("align_float16", (2, 2), rois=[[0, 1, 1, 5, 5], [1, 0, 2, 4, 4]], dtype="float16", sample_ratio=2),
]

TURNED = np.concatenate([ints((8, 1), 2, 1), rand((8, 2), 2, 0, 10), rand((8, 2), 3, 0.2, 9), rand((8, 1), 4, -200, 400)],
                        1).astype(F)


def rotated(name, size=(2, 3), scale=1.0, rois=TURNED, dtype="float32", **attrs):
    return roi(name, "_contrib_RROIAlign", {"pooled_size": size, "spatial_scale": scale, **attrs}, rois, dtype=dtype)


ROTATED = [
    rotated("rotated"), rotated("rotated_one", (1, 1)), rotated("rotated_large", (7, 5)),
    rotated("rotated_scale", scale=0.5), rotated("rotated_samples", sampling_ratio=3),
    rotated("rotated_samples_zero", sampling_ratio=0), rotated("rotated_float64", dtype="float64"),
    rotated("rotated_right_angles", rois=[[0, 5, 4, 4, 6, 0], [0, 5, 4, 4, 6, 90], [1, 5, 4, 4, 6, 180],
                                          [1, 5, 4, 4, 6, 270], [0, 5, 4, -3, 0, 45]], sampling_ratio=2),
]


def psroi(name, out=2, size=3, group=None, scale=1.0, rois=None, dtype="float32"):
    groups = size if not group else group
    attrs = {"spatial_scale": scale, "output_dim": out, "pooled_size": size}
    if group is not None:
        attrs["group_size"] = group
    return roi(name, "_contrib_PSROIPooling", attrs, rois, rand((2, out * groups ** 2, 6, 7), 2), dtype)


def deformable(name, out=4, size=3, group=2, scale=1.0, rois=None, classes=None, dtype="float32", data=None, **attrs):
    rois = regions(5, 2, 3, 7.0) if rois is None else rois
    parts = attrs.get("part_size", 0) or size
    trans = None if classes is None else rand((len(rois), 2 * classes, parts, parts), 6)
    attrs = {"spatial_scale": scale, "output_dim": out, "pooled_size": size, "group_size": group, **attrs}
    if classes is None:
        attrs["no_trans"] = True
    return roi(name, "_contrib_DeformablePSROIPooling", attrs, rois, rand((2, out * group ** 2, 6, 7), 2), dtype,
               trans=trans)


PSROI = [
    psroi("psroi"), psroi("psroi_group", group=2), psroi("psroi_group_zero", group=0), psroi("psroi_one", 3, 1),
    psroi("psroi_group_above", 1, 2, 3), psroi("psroi_scale", scale=0.25, rois=regions(9, 2, 5, 28.0)),
    psroi("psroi_special", rois=SPECIAL), psroi("psroi_float64", dtype="float64"),
    psroi("psroi_float16", 1, 2, rois=[[0, 1, 1, 4, 5], [1, 0, 0, 3, 3]], dtype="float16"),
    deformable("deformable"), deformable("deformable_samples", sample_per_part=4),
    deformable("deformable_trans", classes=1, trans_std=0.1, sample_per_part=2),
    deformable("deformable_classes", classes=2, trans_std=0.3, sample_per_part=2),
    deformable("deformable_all_classes", classes=4, trans_std=1),
    deformable("deformable_parts", classes=2, part_size=2, trans_std=0.2, size=4, sample_per_part=2),
    deformable("deformable_parts_above", classes=1, part_size=5, trans_std=0.2, size=3),
    deformable("deformable_no_std", classes=1), deformable("deformable_group_one", group=1, size=2),
    deformable("deformable_scale", scale=0.5, sample_per_part=3, rois=regions(5, 2, 8, 14.0)),
    deformable("deformable_special", rois=SPECIAL, classes=2, trans_std=0.1, sample_per_part=3),
    deformable("deformable_float64", classes=2, trans_std=0.1, dtype="float64"),
]

CASES = [*POOL, *ALIGN, *ROTATED, *PSROI]
