"""ImageClassifier: classifies images."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, List, Optional, Tuple, Union, overload

from .. import _native, options as _options
from ._images import kind_of, run_batch
from ..classifier import Classifier, classes
from ..lists import one_item
from ..model import Model
from ..prediction import Prediction
from ..predictor import seconds_of, wants_errors
from ..records import ItemError
from ..types import Array, Classes, Collect, Deadline, ImageLike, PathText, Priority

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..types import ImageClassifierOptions

__all__ = ["ImageClassifier"]


class ImageClassifier(Classifier):
    """Classifies images.

    An image is one of these:

    - a path (str or os.PathLike), or an address (str, such as "https://photos.example/cat.jpg"); no copy of it is kept
    - the bytes of a JPEG or PNG file (bytes, bytearray, memoryview or any array of one dimension)
    - a PIL image of any mode
    - pixels, uint8 or uint16: (height, width) or (height, width, 1) is grey, (height, width, 3) is RGB, and one more channel
      is alpha

    Bytes never open a file, so you can pass what a client sent. Pixels are converted to the network's channels like those of a
    PNG; docs/how-to/images.md has the table.

    Args:
        model: as for Predictor.
        options: those of Classifier, and those of images: preset, resize, mean, std, height, ...

    >>> classifier = mxinfer.ImageClassifier("models/digits.mxz")
    >>> [classifier.classify("examples/images/" + name, top_k=1)[0].label for name in ("seven.jpg", "zero.png")]
    ['seven', 'zero']
    """

    _groups = _options.RUN_GROUPS | {"scores", "image"}
    _native_class: Any = _native.ImageClassifier

    def __init__(self, model: Union[Model, PathText], **options: Unpack[ImageClassifierOptions]) -> None:
        self._begin(model, options)

    def classify(  # type: ignore[override]
        self, image: ImageLike, top_k: Optional[int] = None
    ) -> Classes:
        """Classify an image.

        >>> classifier = mxinfer.ImageClassifier("models/digits.mxz")
        >>> classifier.classify("examples/images/seven.jpg", top_k=1)[0].label
        'seven'
        >>> with open("examples/images/two.png", "rb") as file:
        ...     print(classifier.classify(file.read(), top_k=1)[0].label)
        two
        """
        one_item(image, "image", "classify_batch")
        kind, value = kind_of(image)
        return classes(self._open().classify_image(kind, value, top_k))

    @overload  # type: ignore[override]
    def classify_batch(self, images: Iterable[ImageLike], top_k: Optional[int] = None, *, errors: None = None) -> List[Classes]: ...
    @overload
    def classify_batch(
        self, images: Iterable[ImageLike], top_k: Optional[int] = None, *, errors: Collect
    ) -> Tuple[List[Classes], List[ItemError]]: ...
    def classify_batch(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, images: Iterable[ImageLike], top_k: Optional[int] = None, *, errors: Optional[Collect] = None
    ) -> Union[List[Classes], Tuple[List[Classes], List[ItemError]]]:
        """Classify images of any sizes. Those of one kind (paths, bytes, pixels) run as one batch.

        Returns:
            A list of classes for each image. With errors="collect", also a list of ItemError; the list of an invalid image
            is empty. Without it, the first invalid image raises an exception.

        >>> classifier = mxinfer.ImageClassifier("models/digits.mxz")
        >>> lists = classifier.classify_batch(["examples/images/six.png", np.zeros((40, 50), np.uint8)], top_k=1)
        >>> lists[0][0].label
        'six'
        >>> lists, errors = classifier.classify_batch(["examples/images/six.png", "no such file"], errors="collect")
        >>> len(lists), [wrong.item for wrong in errors]
        (2, [1])
        """
        collect = wants_errors(errors)
        native = self._open()
        found, wrong = run_batch(images, collect, lambda *batch: _classified(native, top_k, *batch))
        return (found, wrong) if collect else found

    def classify_async(  # type: ignore[override]
        self, image: ImageLike, top_k: Optional[int] = None, *, deadline: Deadline = None, priority: Priority = "normal"
    ) -> Prediction[Classes]:
        """Submit classify to the queue. See Predictor.predict_async.

        >>> classifier = mxinfer.ImageClassifier("models/digits.mxz")
        >>> classifier.classify_async("examples/images/seven.jpg", top_k=1, deadline=30).result()[0].label
        'seven'
        """
        one_item(image, "image", "classify_batch")
        kind, value = kind_of(image)
        native, future = self._submission(classes)
        submitted = native.classify_image_async(future, kind, value, top_k, seconds_of(deadline), priority)
        return future._watch(submitted)

    async def aclassify(  # type: ignore[override]
        self, image: ImageLike, top_k: Optional[int] = None, *, deadline: Deadline = None, priority: Priority = "normal"
    ) -> Classes:
        """Await classify_async(...). This former name is kept for compatibility.

        >>> classifier = mxinfer.ImageClassifier("models/digits.mxz")
        >>> asyncio.run(classifier.aclassify("examples/images/seven.jpg", top_k=1))[0].label
        'seven'
        """
        return await self.classify_async(image, top_k, deadline=deadline, priority=priority)

    def preprocess(self, images: Iterable[ImageLike]) -> Array:
        """Return the array that classify passes to a bare network for pixels or PIL images.

        Its shape is (images, C, H, W) or (images, H, W, C).

        >>> classifier = mxinfer.ImageClassifier("models/digits", preset="unit")  # a bare network
        >>> classifier.preprocess([np.zeros((40, 50), np.uint8)]).shape
        (1, 1, 32, 32)
        """
        result: Array = self._open().preprocess([kind_of(image)[1] for image in images])
        return result


def _classified(native: Any, top_k: Optional[int], kind: str, images: List[Any], collect: bool) -> Any:
    found, errors = native.classify_images(kind, images, top_k, collect)
    return [classes(raw) for raw in found], errors
