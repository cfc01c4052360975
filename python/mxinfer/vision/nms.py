"""NmsOptions: how a detector suppresses overlapping objects."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any, Iterable, Mapping, Optional, Tuple

from ..errors import InvalidArgumentError
from ..types import ClassName, NmsMethod, NmsOverlap

__all__ = ["NmsOptions"]

_MOST = 2**31 - 1


@dataclass(frozen=True)
class NmsOptions:
    """How to suppress overlapping objects, in addition to what the network does.

    >>> detector = mxinfer.ObjectDetector("models/digit_detector")
    >>> softer = mxinfer.NmsOptions(iou_threshold=0.3, all_classes=True)
    >>> found = detector.detect("models/digit_detector/scenes/08.jpg", nms=softer)
    """

    iou_threshold: float = 0.5
    """The share of their area that boxes may have in common, from 0 to 1. No effect with "gaussian"."""
    all_classes: bool = False
    """Whether objects of different classes suppress each other."""
    method: NmsMethod = "hard"
    """"hard" drops objects; "linear" and "gaussian" lower their scores (soft-NMS)."""
    sigma: float = 0.5
    """For "gaussian": above 0."""
    score_threshold: float = 0.0
    """Objects with a lower score, perhaps after soft-NMS, are dropped."""
    max_detections: Optional[int] = None
    """The number of objects to keep, best first; None: all."""
    overlap: NmsOverlap = "iou"
    """"iou", or "min": the common area as a share of the smaller box."""


def wanted(
    score_threshold: float,
    max_detections: Optional[int],
    classes: Optional[Iterable[ClassName]],
    class_thresholds: Optional[Mapping[ClassName, float]],
    nms: Optional[NmsOptions],
) -> Tuple[Any, ...]:
    """Check the keywords of ObjectDetector.detect, and return them as the extension takes them."""
    if isinstance(classes, str):
        raise TypeError(f"classes is the text {classes!r}; give a list of classes, such as [{classes!r}]")
    if nms is not None and not isinstance(nms, NmsOptions):
        raise TypeError(f"nms is {type(nms).__name__}; give mxinfer.NmsOptions(...)")
    names = [_class_name(name) for name in classes or ()]
    thresholds = [(_class_name(name), _number("class_thresholds", least)) for name, least in (class_thresholds or {}).items()]
    suppression = None
    if nms is not None:
        suppression = (
            _number("NmsOptions.iou_threshold", nms.iou_threshold),
            bool(nms.all_classes),
            _text("NmsOptions.method", nms.method),
            _number("NmsOptions.sigma", nms.sigma),
            _number("NmsOptions.score_threshold", nms.score_threshold),
            _count("NmsOptions.max_detections", nms.max_detections),
            _text("NmsOptions.overlap", nms.overlap),
        )
    return (
        _number("score_threshold", score_threshold),
        _count("max_detections", max_detections),
        names,
        thresholds,
        suppression,
    )


def _number(name: str, value: Any) -> float:
    if isinstance(value, (str, bytes)) or not hasattr(value, "__float__") and not hasattr(value, "__index__"):
        raise TypeError(f"{name} is {value!r}; give a number")
    return float(value)


def _count(name: str, value: Any) -> Optional[int]:
    if value is None:
        return None
    try:
        count = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}; give a whole number, or None for all") from None
    return max(min(count, _MOST), -_MOST)


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} is {value!r}; give a text")
    return value


def _class_name(value: Any) -> str:
    name = str(value)
    try:
        name.encode()
    except UnicodeEncodeError:
        raise InvalidArgumentError(f"the class {name!r} is no text that can be written as UTF-8") from None
    return name
