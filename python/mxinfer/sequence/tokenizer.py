"""Tokenizer: splits a text into tokens, and returns their ids."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Optional, Tuple, Union

from .. import _native
from ..model import absolute, path_bytes
from ..types import PathText
from .vocabulary import Vocabulary, native_of

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["Tokenizer"]


class Tokenizer:
    """Splits texts into words, subwords or characters. It is immutable, and any thread may use it.

    To make one, call Tokenizer.whitespace, characters, basic, wordpiece or sentencepiece.

    >>> words = mxinfer.Vocabulary(["<unk>", "the", "ship", "sails"], unknown="<unk>")
    >>> mxinfer.Tokenizer.whitespace(words).ids("the ship sails")
    [1, 2, 3]
    """

    _native: Any
    _origin: Tuple[str, Tuple[Any, ...], Dict[str, Any]]

    def __init__(self) -> None:
        raise TypeError("a Tokenizer is made by Tokenizer.whitespace, characters, basic, wordpiece or sentencepiece")

    @classmethod
    def whitespace(cls, vocabulary: Optional[Vocabulary] = None, *, lower: bool = False) -> Tokenizer:
        """Make a tokenizer that splits at white space, like str.split.

        >>> mxinfer.Tokenizer.whitespace(lower=True).tokens("The ship sails.")
        ['the', 'ship', 'sails.']
        """
        native = _native.Tokenizer.whitespace(native_of(vocabulary), bool(lower))
        return cls._made(native, "whitespace", (vocabulary,), lower=lower)

    @classmethod
    def characters(cls, vocabulary: Optional[Vocabulary] = None, *, lower: bool = False) -> Tokenizer:
        """Make a tokenizer with one token for each character, including white space.

        >>> mxinfer.Tokenizer.characters().tokens("a ship")
        ['a', ' ', 's', 'h', 'i', 'p']
        """
        native = _native.Tokenizer.characters(native_of(vocabulary), bool(lower))
        return cls._made(native, "characters", (vocabulary,), lower=lower)

    @classmethod
    def basic(cls, vocabulary: Optional[Vocabulary] = None, *, lower: bool = True) -> Tokenizer:
        """Make a tokenizer like gluonnlp.data.BERTBasicTokenizer: words, and single punctuation and CJK characters.

        It removes accents, whether or not `lower` is set.

        >>> mxinfer.Tokenizer.basic().tokens("The ship sails.")
        ['the', 'ship', 'sails', '.']
        """
        native = _native.Tokenizer.basic(native_of(vocabulary), bool(lower))
        return cls._made(native, "basic", (vocabulary,), lower=lower)

    @classmethod
    def wordpiece(
        cls,
        vocabulary: Vocabulary,
        *,
        basic: bool = True,
        lower: bool = True,
        max_word_length: int = 200,
        prefix: str = "##",
    ) -> Tokenizer:
        """Make a tokenizer like gluonnlp.data.BERTTokenizer: the longest pieces that are in the vocabulary.

        Args:
            vocabulary: the pieces. It must have an unknown token.
            basic: whether the basic tokenizer makes the words. Otherwise, they are split at white space.
            lower: whether to lower the case.
            max_word_length: 1 to 4096; a word of more characters becomes the unknown token.
            prefix: the prefix of pieces that continue a word.

        >>> pieces = mxinfer.Vocabulary(["[UNK]", "ship", "##s"], unknown="[UNK]")
        >>> mxinfer.Tokenizer.wordpiece(pieces).tokens("ships")
        ['ship', '##s']
        """
        native = _native.Tokenizer.wordpiece(native_of(vocabulary), bool(basic), bool(lower), max_word_length, prefix)
        options = {"basic": basic, "lower": lower, "max_word_length": max_word_length, "prefix": prefix}
        return cls._made(native, "wordpiece", (vocabulary,), **options)

    @classmethod
    def sentencepiece(cls, model: Union[PathText, Buffer]) -> Tokenizer:
        """Make a tokenizer from a SentencePiece model, unigram or BPE.

        Args:
            model: the path or address of the .model file, or its bytes.

        Raises:
            MalformedError: The model is invalid.
            UnsupportedError: The library was built without SentencePiece.

        >>> tokenizer = mxinfer.Tokenizer.sentencepiece("sentences.model")  # doctest: +SKIP
        """
        if isinstance(model, (str, os.PathLike)):
            return cls._made(_native.Tokenizer.sentencepiece(path_bytes(model)), "sentencepiece", (absolute(model),))
        return cls._made(_native.Tokenizer.sentencepiece_model(model), "sentencepiece", (bytes(memoryview(model)),))

    @classmethod
    def _made(cls, native: Any, name: str, arguments: Tuple[Any, ...], **options: Any) -> Tokenizer:
        tokenizer = object.__new__(cls)
        tokenizer._native = native
        tokenizer._origin = (name, arguments, options)
        return tokenizer

    def tokens(self, text: str) -> List[str]:
        """Split a text into tokens.

        >>> mxinfer.Tokenizer.basic().tokens("Ahoy!")
        ['ahoy', '!']
        """
        return list(self._native.tokens(text))

    def ids(self, text: str) -> List[int]:
        """Return the ids of a text's tokens.

        Raises:
            InvalidArgumentError: There is no vocabulary, or a token is not in it and it has no unknown token.

        >>> words = mxinfer.Vocabulary(["<unk>", "the", "ship", "sails"], unknown="<unk>")
        >>> tokenizer = mxinfer.Tokenizer.whitespace(words)
        >>> tokenizer.ids("the ship sinks")
        [1, 2, 0]
        """
        return list(self._native.ids(text))

    def text(self, ids: Iterable[int]) -> str:
        """Return the text of ids: words are joined by spaces, subwords are joined, and special tokens are left out.

        >>> words = mxinfer.Vocabulary(["<unk>", "the", "ship", "sails"], unknown="<unk>")
        >>> tokenizer = mxinfer.Tokenizer.whitespace(words)
        >>> tokenizer.text([1, 2, 3])
        'the ship sails'
        """
        return str(self._native.text(ids))

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary; for SentencePiece, its pieces."""
        return Vocabulary._made(self._native.vocabulary())

    def transforms(self) -> List[Dict[str, str]]:
        """Return the steps that do the same in a graph, with their attributes as texts. The last one returns ids and lengths."""
        return [{"op": op, **attrs} for op, attrs in self._native.transforms()]

    def __repr__(self) -> str:
        return "<mxinfer.Tokenizer.{} of {} words>".format(self._origin[0], len(self.vocabulary))

    def __reduce__(self) -> Tuple[Callable[..., Any], Tuple[Any, ...]]:
        return _remake, self._origin


def _remake(name: str, arguments: Tuple[Any, ...], options: Dict[str, Any]) -> Tokenizer:
    tokenizer: Tokenizer = getattr(Tokenizer, name)(*arguments, **options)
    return tokenizer
