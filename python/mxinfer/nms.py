"""NmsOptions: how a detector suppresses objects that overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable, Mapping, Optional, Tuple, Union

__all__ = ["NmsOptions"]

ClassName = Union[str, int]
"""A label, or its position in the labels."""


@dataclass(frozen=True)
class NmsOptions:
    """How objects that overlap are suppressed, beyond what the network does itself."""

    iou_threshold: float = 0.5
    """The part of the area that boxes may share, 0 to 1; no effect on "gaussian"."""
    all_classes: bool = False
    """Objects of different classes suppress each other."""
    method: str = "hard"
    """"hard" leaves objects out; "linear" and "gaussian" lower their scores (soft-NMS)."""
    sigma: float = 0.5
    """Of "gaussian", above 0."""
    score_threshold: float = 0.0
    """What scores less, perhaps once its score is lowered, is left out."""
    max_detections: Optional[int] = None
    """So many, the best ones; None: all."""
    overlap: str = "iou"
    """"iou", or "min": the shared part of the smaller box."""


def wanted(
    score_threshold: float,
    max_detections: Optional[int],
    classes: Optional[Iterable[ClassName]],
    class_thresholds: Optional[Mapping[ClassName, float]],
    nms: Optional[NmsOptions],
) -> Tuple[Any, ...]:
    """What the native module takes for the keywords of ObjectDetector.detect."""
    if isinstance(classes, str):
        raise TypeError(f"classes is the text {classes!r}; give a list of classes, such as [{classes!r}]")
    if nms is not None and not isinstance(nms, NmsOptions):
        raise TypeError(f"nms is {type(nms).__name__}; give mxinfer.NmsOptions(...)")
    names = [str(name) for name in classes or ()]
    thresholds = [(str(name), float(least)) for name, least in (class_thresholds or {}).items()]
    suppression = None
    if nms is not None:
        suppression = (
            nms.iou_threshold,
            nms.all_classes,
            nms.method,
            nms.sigma,
            nms.score_threshold,
            nms.max_detections,
            nms.overlap,
        )
    return score_threshold, max_detections, names, thresholds, suppression
