"""ObjectDetector: a Predictor that finds objects in images."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, List, Mapping, Optional, Tuple, Union, overload

from . import _native, options as _options
from ._images import kind_of, run_batch
from .lists import one_item
from .model import Model
from .nms import NmsOptions, wanted
from .prediction import Prediction
from .predictor import Predictor, seconds_of, wants_errors
from .records import DetectReport, ItemError, detect_report, detection
from .types import ClassName, Collect, Deadline, Detections, ImageLike, PathText, Priority

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .types import DetectorOptions

__all__ = ["ObjectDetector"]



class ObjectDetector(Predictor):
    """Finds objects: what they are, how sure the network is, and where, in pixels of the image that was given.

    Options beside those of Predictor are those of images (preset, resize, ...) and units. What an image is says
    ImageClassifier. Objects that score less than `score_threshold` are left out; `max_detections` are the best so
    many of each image. `classes` are labels, or their positions: objects of others are left out. `class_thresholds` are
    what objects of single classes must score in place of `score_threshold`; `nms` suppresses objects that overlap,
    beyond what the network does itself.

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
        """The objects in one image, by falling score.

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
        """What detect finds in an image, and what became of everything else that the network gave: for the question why an
        object is missing. print() of it is one sentence.

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
        """The objects in images of any sizes, run as one batch for each kind; errors as ImageClassifier.classify_batch.

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
        """As detect, through the queue (Predictor.predict_async says how).

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
        """`await detect_async(...)` as a coroutine, by its former name.

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
