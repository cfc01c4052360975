"""Classifier: a Predictor whose first output holds one score for each class of each sample."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Optional, Union

from . import _native, options as _options
from .model import Model
from .prediction import Prediction
from .predictor import Predictor, seconds_of
from .records import Classification
from .types import ArrayLike, Classes, Deadline, PathText, Priority

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .types import ClassifierOptions

__all__ = ["Classifier"]



class Classifier(Predictor):
    """Classifies samples that are already in the network's input format.

    With `top_k`, a method returns that many classes, best first. Without it, it returns all classes in label order.

    Args:
        model: as for Predictor.
        options: those of Predictor, and activation and min_score.

    >>> classifier = mxinfer.Classifier("models/digits")
    >>> sample = np.zeros((1, 32, 32), np.float32)
    >>> sum(each.score for each in classifier.classify(sample)) > 0.99
    True
    """

    _groups = _options.RUN_GROUPS | {"scores"}
    _native_class: Any = _native.Classifier

    def __init__(self, model: Union[Model, PathText], **options: Unpack[ClassifierOptions]) -> None:
        self._begin(model, options)

    def classify(self, sample: ArrayLike, top_k: Optional[int] = None) -> Classes:
        """Classify one float32 sample. It may have any shape with as many elements as a sample of the first input.

        >>> classifier = mxinfer.Classifier("models/digits")
        >>> sample = np.zeros((1, 32, 32), np.float32)
        >>> len(classifier.classify(sample)), len(classifier.classify(sample, top_k=3))
        (10, 3)
        """
        return classes(self._open().classify(sample, top_k))

    def classify_batch(self, batch: ArrayLike, top_k: Optional[int] = None) -> List[Classes]:
        """Classify a batch of the input's dtype. Returns a list for each sample.

        >>> classifier = mxinfer.Classifier("models/digits")
        >>> lists = classifier.classify_batch(np.zeros((2, 1, 32, 32), np.float32), top_k=1)
        >>> lists[0] == lists[1]
        True
        """
        return batches(self._open().classify_batch(batch, top_k))

    def classify_async(
        self, sample: ArrayLike, top_k: Optional[int] = None, *, deadline: Deadline = None, priority: Priority = "normal"
    ) -> Prediction[Classes]:
        """Submit classify to the queue. See Predictor.predict_async.

        >>> classifier = mxinfer.Classifier("models/digits")
        >>> sample = np.zeros((1, 32, 32), np.float32)
        >>> len(classifier.classify_async(sample, top_k=3).result())
        3
        """
        native, future = self._submission(classes)
        submitted = native.classify_async(future, sample, top_k, seconds_of(deadline), priority)
        return future._watch(submitted)

    def classify_batch_async(
        self, batch: ArrayLike, top_k: Optional[int] = None, *, deadline: Deadline = None, priority: Priority = "normal"
    ) -> Prediction[List[Classes]]:
        """Submit classify_batch to the queue. See Predictor.predict_async.

        >>> classifier = mxinfer.Classifier("models/digits")
        >>> len(classifier.classify_batch_async(np.zeros((2, 1, 32, 32), np.float32), top_k=1).result())
        2
        """
        native, future = self._submission(batches)
        submitted = native.classify_batch_async(future, batch, top_k, seconds_of(deadline), priority)
        return future._watch(submitted)

    async def aclassify(
        self, sample: ArrayLike, top_k: Optional[int] = None, *, deadline: Deadline = None, priority: Priority = "normal"
    ) -> Classes:
        """Await classify_async(...). This former name is kept for compatibility.

        >>> classifier = mxinfer.Classifier("models/digits")
        >>> sample = np.zeros((1, 32, 32), np.float32)
        >>> len(asyncio.run(classifier.aclassify(sample, top_k=3)))
        3
        """
        return await self.classify_async(sample, top_k, deadline=deadline, priority=priority)

    async def aclassify_batch(
        self, batch: ArrayLike, top_k: Optional[int] = None, *, deadline: Deadline = None, priority: Priority = "normal"
    ) -> List[Classes]:
        """Await classify_batch_async(...). This former name is kept for compatibility.

        >>> classifier = mxinfer.Classifier("models/digits")
        >>> len(asyncio.run(classifier.aclassify_batch(np.zeros((2, 1, 32, 32), np.float32))))
        2
        """
        return await self.classify_batch_async(batch, top_k, deadline=deadline, priority=priority)


def classes(raw: Any) -> Classes:
    return list(map(Classification._make, raw))


def batches(raw: Any) -> List[Classes]:
    return [classes(sample) for sample in raw]
