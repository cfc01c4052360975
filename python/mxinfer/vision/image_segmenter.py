"""ImageSegmenter: labels every pixel of an image."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Union

from .. import _native, options as _options
from ._images import kind_of
from ..lists import one_item
from ..model import Model
from ..predictor import Predictor
from ..types import ImageLike, PathText

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from typing_extensions import Unpack

    from ..types import SegmenterOptions

__all__ = ["ImageSegmenter", "SegmentArea", "Segmentation", "UNKNOWN_LABEL"]

UNKNOWN_LABEL = 255
"""The label of an unknown pixel."""


class SegmentArea(NamedTuple):
    """How much of an image one class covers.

    >>> segmenter = mxinfer.ImageSegmenter("segmenter", labels=["red", "green", "blue"])
    >>> pixels = np.full((48, 64, 3), (200, 20, 20), np.uint8)
    >>> segmenter.segment(pixels).areas[0]
    SegmentArea(label='red', index=0, pixels=3072, part=1.0)
    """

    label: str
    """The class name; the index as text if the model has no labels."""
    index: int  # type: ignore[assignment]
    """The index of the class in the labels."""
    pixels: int
    part: float
    """The share of the image's pixels, from 0 to 1."""


class Segmentation(NamedTuple):
    """The labels of an image, and the area of each class.

    >>> segmenter = mxinfer.ImageSegmenter("segmenter", labels=["red", "green", "blue"])
    >>> pixels = np.full((48, 64, 3), (200, 20, 20), np.uint8)
    >>> labels, areas = segmenter.segment(pixels)
    >>> labels.shape
    (48, 64)
    """

    labels: npt.NDArray[np.uint8]
    """uint8, (height, width) of the image: indices of the labels, or UNKNOWN_LABEL."""
    areas: List[SegmentArea]
    """The areas, largest first."""


class ImageSegmenter(Predictor):
    """Labels every pixel of an image. Takes the images and the options of ImageClassifier.

    `activation` turns the network's outputs into scores, for `min_score` and for networks of one class.

    >>> segmenter = mxinfer.ImageSegmenter("segmenter", labels=["red", "green", "blue"])
    >>> pixels = np.full((48, 64, 3), (200, 20, 20), np.uint8)
    >>> [(area.label, area.part) for area in segmenter.segment(pixels).areas]
    [('red', 1.0)]
    """

    _groups = _options.RUN_GROUPS | {"image", "scores"}
    _native_class: Any = _native.ImageSegmenter

    def __init__(self, model: Union[Model, PathText], **options: Unpack[SegmenterOptions]) -> None:
        self._begin(model, options)

    def segment(self, image: ImageLike, *, min_score: Optional[float] = None, smooth: bool = True) -> Segmentation:
        """Label the pixels of an image.

        Args:
            image: as for ImageClassifier.
            min_score: a pixel gets UNKNOWN_LABEL if its best class scores less.
            smooth: whether to interpolate the scores at each pixel before taking the best class. Otherwise, each pixel gets the
                class of the nearest element of the network's map.

        >>> segmenter = mxinfer.ImageSegmenter("segmenter", labels=["red", "green", "blue"])
        >>> pixels = np.full((48, 64, 3), (200, 20, 20), np.uint8)
        >>> bool((segmenter.segment(pixels, min_score=201).labels == mxinfer.UNKNOWN_LABEL).all())
        True
        """
        one_item(image, "image")
        kind, value = kind_of(image)
        labels, areas = self._open().segment(kind, value, min_score, smooth)
        return Segmentation(labels, [SegmentArea(*area) for area in areas])
