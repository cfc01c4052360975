"""TextClassifier: classifies texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, List, Optional, Tuple, Union, overload

from .. import _native, options as _options
from .bucketed_model import BucketedModel
from ..classifier import batches, classes
from ..lists import one_item
from ..model import Model
from ..prediction import Prediction
from ..predictor import check_kinds, seconds_of, wants_errors, with_errors
from ..records import ItemError
from .sequence_predictor import SEQUENCE_FIELDS, SequencePredictor, many
from .tokenizer import Tokenizer
from ..types import Classes, Collect, Deadline, PathText, Priority

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..types import TextClassifierOptions

__all__ = ["TextClassifier"]


class TextClassifier(SequencePredictor):
    """Classifies texts. A model with a tokenizer in its file needs no options.

    With `top_k`, a method returns that many classes, best first. Without it, it returns all classes in label order.

    Options in addition to those of SequencePredictor and of Classifier (activation, min_score), for a network that takes ids:

    - tokenizer: a Tokenizer with a vocabulary
    - begin, end: tokens before and after each text, such as "[CLS]" and "[SEP]"; a pair is begin, first, end, second, end
    - segment_input: the input that takes 0 for each token of the first text and 1 for those of the second

    Args:
        model: as for SequencePredictor.

    >>> classifier = mxinfer.TextClassifier("models/language_id")
    >>> classifier.classify("Wo ist der Bahnhof?", top_k=1)[0].label
    'German'
    """

    _groups = _options.RUN_GROUPS | {"scores"}
    _native_class: Any = _native.TextClassifier
    _fields = SEQUENCE_FIELDS | {"tokenizer", "begin", "end", "segment_input"}

    def __init__(self, model: Union[Model, BucketedModel, PathText], **options: Unpack[TextClassifierOptions]) -> None:
        check_kinds(options, tokenizer=Tokenizer)
        self._begin(model, options)

    def classify(self, text: str, top_k: Optional[int] = None) -> Classes:
        """Classify a text.

        Raises:
            InvalidArgumentError: The text has no token, and neither `begin` nor `end` is set.

        >>> classifier = mxinfer.TextClassifier("models/language_id")
        >>> classifier.classify("Where is the station?", top_k=1)[0].label
        'English'
        """
        one_item(text, "text", "classify_texts")
        return classes(self._open().classify(text, top_k))

    def classify_pair(self, first: str, second: str, top_k: Optional[int] = None) -> Classes:
        """Classify two texts together, such as a question and an answer.

        >>> words = mxinfer.Vocabulary(["<unk>", "<pad>", "the", "ship", "sails"], unknown="<unk>", padding="<pad>")
        >>> tokenizer = mxinfer.Tokenizer.whitespace(words, lower=True)
        >>> classifier = mxinfer.TextClassifier("bag", tokenizer=tokenizer, labels=["calm", "storm", "night"])
        >>> len(classifier.classify_pair("The ship", "sails", top_k=2))
        2
        """
        one_item(first, "first", "classify_pairs")
        one_item(second, "second", "classify_pairs")
        return classes(self._open().classify_pair(first, second, top_k))

    def classify_tokens(self, tokens: Iterable[str], top_k: Optional[int] = None) -> Classes:
        """Classify the tokens of a text. Adds `begin` and `end`.

        >>> words = mxinfer.Vocabulary(["<unk>", "<pad>", "the", "ship", "sails"], unknown="<unk>", padding="<pad>")
        >>> tokenizer = mxinfer.Tokenizer.whitespace(words, lower=True)
        >>> classifier = mxinfer.TextClassifier("bag", tokenizer=tokenizer, labels=["calm", "storm", "night"])
        >>> classifier.classify_tokens(["the", "ship"]) == classifier.classify("The ship")
        True
        """
        return classes(self._open().classify_tokens(tokens, top_k))

    def classify_ids(self, ids: Iterable[int], top_k: Optional[int] = None) -> Classes:
        """Classify ids as ids() returns them. Adds nothing.

        >>> classifier = mxinfer.TextClassifier("models/language_id")
        >>> classifier.classify_ids(classifier.ids("Wo ist der Bahnhof?"), top_k=1)[0].label
        'German'
        """
        return classes(self._open().classify_ids(ids, top_k))

    @overload
    def classify_texts(self, texts: Iterable[str], top_k: Optional[int] = None, *, errors: None = None) -> List[Classes]: ...
    @overload
    def classify_texts(
        self, texts: Iterable[str], top_k: Optional[int] = None, *, errors: Collect
    ) -> Tuple[List[Classes], List[ItemError]]: ...
    def classify_texts(
        self, texts: Iterable[str], top_k: Optional[int] = None, *, errors: Optional[Collect] = None
    ) -> Union[List[Classes], Tuple[List[Classes], List[ItemError]]]:
        """Classify many texts. Those of one bucket run as batches.

        Returns:
            A list of classes for each text. With errors="collect", also a list of ItemError; the list of an invalid text is
            empty. Without it, the first invalid text raises an exception.

        >>> classifier = mxinfer.TextClassifier("models/language_id")
        >>> [found[0].label for found in classifier.classify_texts(["Where is the station?", "Wo ist der Bahnhof?"], top_k=1)]
        ['English', 'German']
        >>> lists, errors = classifier.classify_texts(["Where?", ""], errors="collect")
        >>> [wrong.item for wrong in errors]
        [1]
        """
        collect = wants_errors(errors)
        return _found(self._open().classify_texts(list(many(texts)), top_k, collect), collect)

    @overload
    def classify_pairs(
        self, pairs: Iterable[Tuple[str, str]], top_k: Optional[int] = None, *, errors: None = None
    ) -> List[Classes]: ...
    @overload
    def classify_pairs(
        self, pairs: Iterable[Tuple[str, str]], top_k: Optional[int] = None, *, errors: Collect
    ) -> Tuple[List[Classes], List[ItemError]]: ...
    def classify_pairs(
        self, pairs: Iterable[Tuple[str, str]], top_k: Optional[int] = None, *, errors: Optional[Collect] = None
    ) -> Union[List[Classes], Tuple[List[Classes], List[ItemError]]]:
        """Classify many pairs of texts. The result is as in classify_texts.

        >>> words = mxinfer.Vocabulary(["<unk>", "<pad>", "the", "ship", "sails"], unknown="<unk>", padding="<pad>")
        >>> tokenizer = mxinfer.Tokenizer.whitespace(words, lower=True)
        >>> classifier = mxinfer.TextClassifier("bag", tokenizer=tokenizer, labels=["calm", "storm", "night"])
        >>> len(classifier.classify_pairs([("The ship", "sails"), ("the", "ship")], top_k=1))
        2
        """
        collect = wants_errors(errors)
        return _found(self._open().classify_pairs(list(many(pairs)), top_k, collect), collect)

    def classify_async(
        self, text: str, top_k: Optional[int] = None, *, deadline: Deadline = None, priority: Priority = "normal"
    ) -> Prediction[Classes]:
        """Submit classify to the queue. See Predictor.predict_async.

        >>> classifier = mxinfer.TextClassifier("models/language_id")
        >>> classifier.classify_async("Wo ist der Bahnhof?", top_k=1).result()[0].label
        'German'
        """
        one_item(text, "text", "classify_texts")
        native, future = self._submission(classes)
        return future._watch(native.classify_async(future, text, top_k, seconds_of(deadline), priority))

    async def aclassify(
        self, text: str, top_k: Optional[int] = None, *, deadline: Deadline = None, priority: Priority = "normal"
    ) -> Classes:
        """Await classify_async(...). This former name is kept for compatibility.

        >>> classifier = mxinfer.TextClassifier("models/language_id")
        >>> asyncio.run(classifier.aclassify("Wo ist der Bahnhof?", top_k=1))[0].label
        'German'
        """
        return await self.classify_async(text, top_k, deadline=deadline, priority=priority)

    def ids(self, text: str) -> List[int]:
        """Return the ids of a text as the network gets them: with `begin` and `end`, before padding.

        >>> classifier = mxinfer.TextClassifier("models/language_id")
        >>> len(classifier.ids("Wo ist der Bahnhof?")) > 0
        True
        """
        return list(self._open().ids(text))


def _found(raw: Any, collect: bool) -> Union[List[Classes], Tuple[List[Classes], List[ItemError]]]:
    lists, wrong = raw
    return with_errors(batches(lists), wrong, collect)
