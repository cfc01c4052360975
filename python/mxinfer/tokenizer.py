"""Tokenizer: cuts a text into tokens, and gives their ids."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Optional, Tuple, Union

from . import _native
from .model import absolute, path_bytes
from .types import PathText
from .vocabulary import Vocabulary, native_of

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["Tokenizer"]


class Tokenizer:
    """Cuts texts into words, subwords or characters. It never changes; any thread may use it.

    Make one with Tokenizer.whitespace, characters, basic, wordpiece or sentencepiece.

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
        """Splits at white space, as str.split does.

        >>> mxinfer.Tokenizer.whitespace(lower=True).tokens("The ship sails.")
        ['the', 'ship', 'sails.']
        """
        native = _native.Tokenizer.whitespace(native_of(vocabulary), bool(lower))
        return cls._made(native, "whitespace", (vocabulary,), lower=lower)

    @classmethod
    def characters(cls, vocabulary: Optional[Vocabulary] = None, *, lower: bool = False) -> Tokenizer:
        """One token a character, white space included.

        >>> mxinfer.Tokenizer.characters().tokens("a ship")
        ['a', ' ', 's', 'h', 'i', 'p']
        """
        native = _native.Tokenizer.characters(native_of(vocabulary), bool(lower))
        return cls._made(native, "characters", (vocabulary,), lower=lower)

    @classmethod
    def basic(cls, vocabulary: Optional[Vocabulary] = None, *, lower: bool = True) -> Tokenizer:
        """As gluonnlp.data.BERTBasicTokenizer: words, punctuation and CJK characters one by one. Accents are removed
        either way.

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
        """As gluonnlp.data.BERTTokenizer: the longest pieces that the vocabulary has, `prefix` in front of those that go on
        a word. `basic`: words are what the basic tokenizer gives, else what white space parts. A word of more characters
        than `max_word_length` (1 to 4096) is the unknown token, which the vocabulary needs.

        >>> pieces = mxinfer.Vocabulary(["[UNK]", "ship", "##s"], unknown="[UNK]")
        >>> mxinfer.Tokenizer.wordpiece(pieces).tokens("ships")
        ['ship', '##s']
        """
        native = _native.Tokenizer.wordpiece(native_of(vocabulary), bool(basic), bool(lower), max_word_length, prefix)
        options = {"basic": basic, "lower": lower, "max_word_length": max_word_length, "prefix": prefix}
        return cls._made(native, "wordpiece", (vocabulary,), **options)

    @classmethod
    def sentencepiece(cls, model: Union[PathText, Buffer]) -> Tokenizer:
        """A model of SentencePiece, unigram or BPE: the path or address of its .model file, or its bytes. Raises
        MalformedError; UnsupportedError in a build without SentencePiece.

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
        """The tokens of a text.

        >>> mxinfer.Tokenizer.basic().tokens("Ahoy!")
        ['ahoy', '!']
        """
        return list(self._native.tokens(text))

    def ids(self, text: str) -> List[int]:
        """Their ids. InvalidArgumentError if there is no vocabulary, or a token is not in it and it has no unknown token.

        >>> words = mxinfer.Vocabulary(["<unk>", "the", "ship", "sails"], unknown="<unk>")
        >>> tokenizer = mxinfer.Tokenizer.whitespace(words)
        >>> tokenizer.ids("the ship sinks")
        [1, 2, 0]
        """
        return list(self._native.ids(text))

    def text(self, ids: Iterable[int]) -> str:
        """The text that ids stand for: words joined by spaces, subwords put together, special tokens left out.

        >>> words = mxinfer.Vocabulary(["<unk>", "the", "ship", "sails"], unknown="<unk>")
        >>> tokenizer = mxinfer.Tokenizer.whitespace(words)
        >>> tokenizer.text([1, 2, 3])
        'the ship sails'
        """
        return str(self._native.text(ids))

    @property
    def vocabulary(self) -> Vocabulary:
        """That it was made with; of SentencePiece its pieces."""
        return Vocabulary._made(self._native.vocabulary())

    def transforms(self) -> List[Dict[str, str]]:
        """The steps that do in a graph what it does, with their attributes as texts; the last one gives ids and lengths."""
        return [{"op": op, **attrs} for op, attrs in self._native.transforms()]

    def __repr__(self) -> str:
        return "<mxinfer.Tokenizer.{} of {} words>".format(self._origin[0], len(self.vocabulary))

    def __reduce__(self) -> Tuple[Callable[..., Any], Tuple[Any, ...]]:
        return _remake, self._origin


def _remake(name: str, arguments: Tuple[Any, ...], options: Dict[str, Any]) -> Tokenizer:
    tokenizer: Tokenizer = getattr(Tokenizer, name)(*arguments, **options)
    return tokenizer
