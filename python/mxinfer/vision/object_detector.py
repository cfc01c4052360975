"""ObjectDetector: finds objects in images."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, List, Mapping, Optional, Tuple, Union, overload

from .. import _native, options as _options
from ._images import kind_of, run_batch
from ..lists import one_item
from ..model import Model
from .nms import NmsOptions, wanted
from ..prediction import Prediction
from ..predictor import Predictor, seconds_of, wants_errors
from ..records import DetectReport, ItemError, detect_report, detection
from ..types import ClassName, Collect, Deadline, Detections, ImageLike, PathText, Priority

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..types import DetectorOptions

__all__ = ["ObjectDetector"]



class ObjectDetector(Predictor):
    """Finds objects in images: their classes, scores and boxes, in pixels of the image.

    Takes the images of ImageClassifier. The methods take these keyword arguments:

    - score_threshold: objects that score less are left out
    - max_detections: the number of objects to keep for each image, best first
    - classes: labels or their indices; objects of other classes are left out
    - class_thresholds: for single classes, the score to reach instead of score_threshold
    - nms: suppresses overlapping objects, in addition to what the network does

    Args:
        model: as for Predictor.
        options: those of Predictor, those of images (preset, resize, ...), and units.

    >>> detector = mxinfer.ObjectDetector("models/digit_detector")
    >>> for label, score, index, box, landmarks in detector.detect("models/digit_detector/scenes/08.jpg"):
    ...     assert label in detector.model.labels
    """

    _groups = _options.RUN_GROUPS | {"image", "detector"}
    _native_class: Any = _native.ObjectDetector

    def __init__(self, model: Union[Model, PathText], **options: Unpack[DetectorOptions]) -> None:
        self._begin(model, options)

    def detect(
        self,
        image: ImageLike,
        *,
        score_threshold: float = 0.5,
        max_detections: Optional[int] = None,
        classes: Optional[Iterable[ClassName]] = None,
        class_thresholds: Optional[Mapping[ClassName, float]] = None,
        nms: Optional[NmsOptions] = None,
    ) -> Detections:
        """Find the objects in an image. Returns them best first.

        >>> detector = mxinfer.ObjectDetector("models/digit_detector")
        >>> found = detector.detect("models/digit_detector/scenes/08.jpg", score_threshold=0.4, max_detections=3)
        >>> len(found) <= 3
        True
        >>> {each.label for each in detector.detect("models/digit_detector/scenes/08.jpg", classes=["6"])} <= {"6"}
        True
        """
        options = wanted(score_threshold, max_detections, classes, class_thresholds, nms)
        one_item(image, "image", "detect_batch")
        kind, value = kind_of(image)
        return objects(self._open().detect(kind, value, options))

    def report(
        self,
        image: ImageLike,
        *,
        score_threshold: float = 0.5,
        max_detections: Optional[int] = None,
        classes: Optional[Iterable[ClassName]] = None,
        class_thresholds: Optional[Mapping[ClassName, float]] = None,
        nms: Optional[NmsOptions] = None,
    ) -> DetectReport:
        """Find out why an object is missing: count the rows of the network's output that detect drops, by reason.

        print() shows the report as one sentence.

        >>> detector = mxinfer.ObjectDetector("models/digit_detector")
        >>> report = detector.report("models/digit_detector/scenes/08.jpg", classes=["6"])
        >>> report.other_classes > 0
        True
        """
        options = wanted(score_threshold, max_detections, classes, class_thresholds, nms)
        one_item(image, "image")
        kind, value = kind_of(image)
        return detect_report(self._open().report(kind, value, options))

    @overload
    def detect_batch(
        self,
        images: Iterable[ImageLike],
        *,
        score_threshold: float = 0.5,
        max_detections: Optional[int] = None,
        classes: Optional[Iterable[ClassName]] = None,
        class_thresholds: Optional[Mapping[ClassName, float]] = None,
        nms: Optional[NmsOptions] = None,
        errors: None = None,
    ) -> List[Detections]: ...
    @overload
    def detect_batch(
        self,
        images: Iterable[ImageLike],
        *,
        score_threshold: float = 0.5,
        max_detections: Optional[int] = None,
        classes: Optional[Iterable[ClassName]] = None,
        class_thresholds: Optional[Mapping[ClassName, float]] = None,
        nms: Optional[NmsOptions] = None,
        errors: Collect,
    ) -> Tuple[List[Detections], List[ItemError]]: ...
    def detect_batch(
        self,
        images: Iterable[ImageLike],
        *,
        score_threshold: float = 0.5,
        max_detections: Optional[int] = None,
        classes: Optional[Iterable[ClassName]] = None,
        class_thresholds: Optional[Mapping[ClassName, float]] = None,
        nms: Optional[NmsOptions] = None,
        errors: Optional[Collect] = None,
    ) -> Union[List[Detections], Tuple[List[Detections], List[ItemError]]]:
        """Find the objects in images of any sizes. Those of one kind (paths, bytes, pixels) run as one batch.

        `errors` is as in ImageClassifier.classify_batch.

        >>> detector = mxinfer.ObjectDetector("models/digit_detector")
        >>> lists, errors = detector.detect_batch(["models/digit_detector/scenes/08.jpg", "no such file"], errors="collect")
        >>> len(lists), [wrong.item for wrong in errors]
        (2, [1])
        """
        collect = wants_errors(errors)
        options = wanted(score_threshold, max_detections, classes, class_thresholds, nms)
        native = self._open()

        def run(kind: str, batch: List[Any], collected: bool) -> Any:
            found, wrong = native.detect_batch(kind, batch, options, collected)
            return [objects(raw) for raw in found], wrong

        found, wrong = run_batch(images, collect, run)
        return (found, wrong) if collect else found

    def detect_async(
        self,
        image: ImageLike,
        *,
        score_threshold: float = 0.5,
        max_detections: Optional[int] = None,
        classes: Optional[Iterable[ClassName]] = None,
        class_thresholds: Optional[Mapping[ClassName, float]] = None,
        nms: Optional[NmsOptions] = None,
        deadline: Deadline = None,
        priority: Priority = "normal",
    ) -> Prediction[Detections]:
        """Submit detect to the queue. See Predictor.predict_async.

        >>> detector = mxinfer.ObjectDetector("models/digit_detector")
        >>> found = detector.detect_async("models/digit_detector/scenes/08.jpg", deadline=60).result()
        """
        options = wanted(score_threshold, max_detections, classes, class_thresholds, nms)
        one_item(image, "image", "detect_batch")
        kind, value = kind_of(image)
        native, future = self._submission(objects)
        submitted = native.detect_async(future, kind, value, options, seconds_of(deadline), priority)
        return future._watch(submitted)

    async def adetect(
        self,
        image: ImageLike,
        *,
        score_threshold: float = 0.5,
        max_detections: Optional[int] = None,
        classes: Optional[Iterable[ClassName]] = None,
        class_thresholds: Optional[Mapping[ClassName, float]] = None,
        nms: Optional[NmsOptions] = None,
        deadline: Deadline = None,
        priority: Priority = "normal",
    ) -> Detections:
        """Await detect_async(...). This former name is kept for compatibility.

        >>> detector = mxinfer.ObjectDetector("models/digit_detector")
        >>> found = asyncio.run(detector.adetect("models/digit_detector/scenes/08.jpg"))
        """
        return await self.detect_async(
            image,
            score_threshold=score_threshold,
            max_detections=max_detections,
            classes=classes,
            class_thresholds=class_thresholds,
            nms=nms,
            deadline=deadline,
            priority=priority,
        )


def objects(raw: Any) -> Detections:
    return [detection(values) for values in raw]
