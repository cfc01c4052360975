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
    """Ranks the classes of samples that are as the network takes them. Options beside those of Predictor: activation,
    min_score.

    `top_k` is everywhere: that many classes, the best first; without, every class in label order.

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
        """Classifies one sample of float32, of any shape with the elements of the first input's sample.

        >>> classifier = mxinfer.Classifier("models/digits")
        >>> sample = np.zeros((1, 32, 32), np.float32)
        >>> len(classifier.classify(sample)), len(classifier.classify(sample, top_k=3))
        (10, 3)
        """
        return classes(self._open().classify(sample, top_k))

    def classify_batch(self, batch: ArrayLike, top_k: Optional[int] = None) -> List[Classes]:
        """Classifies a batch, of the dtype that the input has; one list for each sample.

        >>> classifier = mxinfer.Classifier("models/digits")
        >>> lists = classifier.classify_batch(np.zeros((2, 1, 32, 32), np.float32), top_k=1)
        >>> lists[0] == lists[1]
        True
        """
        return batches(self._open().classify_batch(batch, top_k))

    def classify_async(
        self, sample: ArrayLike, top_k: Optional[int] = None, *, deadline: Deadline = None, priority: Priority = "normal"
    ) -> Prediction[Classes]:
        """As classify, through the queue (Predictor.predict_async says how).

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
        """As classify_batch, through the queue.

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
        """`await classify_async(...)` as a coroutine, by its former name.

        >>> classifier = mxinfer.Classifier("models/digits")
        >>> sample = np.zeros((1, 32, 32), np.float32)
        >>> len(asyncio.run(classifier.aclassify(sample, top_k=3)))
        3
        """
        return await self.classify_async(sample, top_k, deadline=deadline, priority=priority)

    async def aclassify_batch(
        self, batch: ArrayLike, top_k: Optional[int] = None, *, deadline: Deadline = None, priority: Priority = "normal"
    ) -> List[Classes]:
        """`await classify_batch_async(...)` as a coroutine, by its former name.

        >>> classifier = mxinfer.Classifier("models/digits")
        >>> len(asyncio.run(classifier.aclassify_batch(np.zeros((2, 1, 32, 32), np.float32))))
        2
        """
        return await self.classify_batch_async(batch, top_k, deadline=deadline, priority=priority)


def classes(raw: Any) -> Classes:
    return list(map(Classification._make, raw))


def batches(raw: Any) -> List[Classes]:
    return [classes(sample) for sample in raw]
