"""KeypointDetector: locates the key points of objects by heat maps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, List, Literal, NamedTuple, Sequence, Set, Union

from .. import _native, options as _options
from ._images import kind_of
from ..errors import InvalidArgumentError
from ..lists import one_item
from ..model import Model
from .object_detector import ObjectDetector
from ..predictor import Predictor
from ..records import Box
from ..types import ImageLike, PathText

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..types import KeypointOptions

__all__ = ["Keypoint", "KeypointDetector", "Pose"]


class Keypoint(NamedTuple):
    """A point of an object, in pixels of the image.

    >>> network = mxinfer.KeypointDetector("segmenter", labels=["nose", "left hand", "right hand"])
    >>> pixels = np.full((48, 64, 3), (200, 20, 20), np.uint8)
    >>> network.detect_keypoints(pixels)[0].points[0].label
    'nose'
    """

    x: float
    y: float
    score: float
    """The largest element of the heat map."""
    label: str


class Pose(NamedTuple):
    """An object and its points, in the model's order.

    >>> network = mxinfer.KeypointDetector("segmenter", labels=["nose", "left hand", "right hand"])
    >>> pixels = np.full((48, 64, 3), (200, 20, 20), np.uint8)
    >>> box, score, points = network.detect_keypoints(pixels)[0]
    >>> box.right, len(points)
    (64.0, 3)
    """

    box: Box
    score: float
    """The detector's score; 1 without a detector."""
    points: List[Keypoint]


class KeypointDetector(Predictor):
    """Locates key points, such as the joints of people.

    A detector finds the objects; then the network runs on the part of the image around each. Takes the images and the options
    of ImageClassifier, except those of scores. If a preset crops images, resize is "stretch" instead.

    >>> network = mxinfer.KeypointDetector("segmenter", labels=["nose", "left hand", "right hand"])
    >>> pixels = np.full((48, 64, 3), (200, 20, 20), np.uint8)
    >>> [point.label for point in network.detect_keypoints(pixels)[0].points]
    ['nose', 'left hand', 'right hand']
    """

    _groups = _options.RUN_GROUPS | {"image"}
    _native_class: Any = _native.KeypointDetector

    def __init__(self, model: Union[Model, PathText], **options: Unpack[KeypointOptions]) -> None:
        self._begin(model, options)

    def detect_keypoints(
        self,
        image: ImageLike,
        boxes: Union[None, ObjectDetector, Iterable[Sequence[float]]] = None,
        *,
        box_scale: float = 1.25,
        peak: Literal["cell", "quarter"] = "cell",
        classes: Iterable[str] = ("person",),
        score_threshold: float = 0.5,
    ) -> List[Pose]:
        """Locate the points of the object in each box, as one batch.

        Args:
            image: as for ImageClassifier.
            boxes: (left, top, right, bottom) in pixels, or an ObjectDetector that finds them. None: one object fills the image.
            box_scale: how much larger than its box the part of the image is.
            peak: "cell", the largest element of a heat map, or "quarter", a quarter of an element from there towards the
                larger neighbour.
            classes: the labels of the detector's objects to use; empty: all.
            score_threshold: the lowest score of the detector's objects to use.

        >>> network = mxinfer.KeypointDetector("segmenter", labels=["nose", "left hand", "right hand"])
        >>> pixels = np.full((48, 64, 3), (200, 20, 20), np.uint8)
        >>> len(network.detect_keypoints(pixels, [(0, 0, 32, 48), (32, 0, 64, 48)], box_scale=1))
        2
        >>> detector = mxinfer.ObjectDetector("models/digit_detector")
        >>> poses = network.detect_keypoints("models/digit_detector/scenes/08.jpg", detector, classes=["6", "9"])
        """
        if peak not in ("cell", "quarter"):
            raise InvalidArgumentError("peak is {!r}; it can be cell or quarter".format(peak))
        one_item(image, "image")
        kind, value = kind_of(image)
        is_quarter = peak == "quarter"
        if isinstance(boxes, ObjectDetector):
            wanted = sorted(_known_classes(boxes, classes))
            found = self._open().detect_keypoints_of(
                kind, value, boxes._open(), wanted, score_threshold, box_scale, is_quarter
            )
        else:
            parts = None if boxes is None else [_corners(box) for box in boxes]
            found = self._open().detect_keypoints(kind, value, parts, box_scale, is_quarter)
        return [Pose(Box._make(box), score, [Keypoint(*point) for point in points]) for box, score, points in found]


def _known_classes(detector: ObjectDetector, classes: Iterable[str]) -> Set[str]:
    if isinstance(classes, str):
        raise TypeError("classes is the text {!r}; give a list of classes, such as [{!r}]".format(classes, classes))
    wanted, labels = set(classes), detector.model.labels
    found = wanted & set(labels) if labels else {name for name in wanted if name.isdigit()}
    if wanted and not found:
        raise InvalidArgumentError(
            "the detector '{}' has {} labels, and none is one of classes, {}; name some of its labels (positions, such "
            "as '0', if it has none), or leave classes empty for all objects".format(
                detector.model.name, len(labels), ", ".join(sorted(map(repr, wanted)))
            )
        )
    return wanted


def _corners(box: Sequence[float]) -> List[float]:
    corners = [float(corner) for corner in box]
    if len(corners) != 4:
        raise InvalidArgumentError(
            "a box of {} numbers was given; expected (left, top, right, bottom) in pixels".format(len(corners))
        )
    return corners
