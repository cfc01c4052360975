"""ImageSegmenter: a Predictor that says of every pixel of an image what it shows."""

from __future__ import annotations

from typing import Any, List, NamedTuple, Optional

from . import _native, options as _options
from ._images import kind_of
from .predictor import Array, Predictor

__all__ = ["ImageSegmenter", "SegmentArea", "Segmentation", "UNKNOWN_LABEL"]

UNKNOWN_LABEL = 255
"""The label of a pixel of which nothing is known."""


class SegmentArea(NamedTuple):
    """How much of an image shows one class."""

    label: str
    """The class name; the index as text if the model has no labels."""
    index: int  # type: ignore[assignment]
    """The class's position in the labels."""
    pixels: int
    part: float
    """Of all pixels of the image, 0..1."""


class Segmentation(NamedTuple):
    """What an image shows."""

    labels: Array
    """uint8 (height, width) of the image that was given: positions in the labels, UNKNOWN_LABEL where nothing is known."""
    areas: List[SegmentArea]
    """The largest first."""


class ImageSegmenter(Predictor):
    """Says of every pixel what it shows. Options are those of ImageClassifier; what an image is, too.

    `activation` makes scores of a network's numbers, for `min_score` and for networks of one class.
    """

    _groups = _options.RUN_GROUPS | {"image", "scores"}
    _native_class: Any = _native.ImageSegmenter

    def segment(self, image: Any, *, min_score: Optional[float] = None, smooth: bool = True) -> Segmentation:
        """The label of each pixel of one image.

        Pixels whose best class scores less than `min_score` are UNKNOWN_LABEL. With `smooth`, scores are interpolated
        at each pixel before the best is taken; else each pixel takes the class of the nearest element of the
        network's map.
        """
        kind, value = kind_of(image)
        labels, areas = self._open().segment(kind, value, min_score, smooth)
        return Segmentation(labels, [SegmentArea(*area) for area in areas])
