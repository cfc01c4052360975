"""Vocabulary: the words that a network knows, each at its number, the id."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, Optional, Tuple, Union

from . import _native
from .errors import InvalidArgumentError
from .model import path_bytes
from .types import PathText, VocabularyFormat

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["Vocabulary"]


class Vocabulary:
    """The words (or subwords, or characters) of a network. It never changes; any thread may use it.

    `words` are in the order of their ids, from 0 on; an id of "" has no word. `unknown`, the token that stands for every
    word that is not there, `padding`, `begin` and `end` are words of it, or None. Raises InvalidArgumentError: two equal
    words, a token that is none of them.

    >>> words = mxinfer.Vocabulary(["<unk>", "the", "ship", "sails"], unknown="<unk>")
    >>> words.ids(["the", "ship", "sinks"]), len(words), "sails" in words
    ([1, 2, 0], 4, True)
    """

    def __init__(
        self,
        words: Iterable[str] = (),
        *,
        unknown: Optional[str] = None,
        padding: Optional[str] = None,
        begin: Optional[str] = None,
        end: Optional[str] = None,
    ) -> None:
        options = {"unknown": unknown, "padding": padding, "begin": begin, "end": end}
        self._native: Any = _native.Vocabulary.make(words, options)

    @classmethod
    def load(
        cls,
        uri: PathText,
        *,
        format: VocabularyFormat = "automatic",
        unknown: Optional[str] = None,
        padding: Optional[str] = None,
        begin: Optional[str] = None,
        end: Optional[str] = None,
    ) -> Vocabulary:
        """Reads a file, by path or address: "gluonnlp_json" (gluonnlp.Vocab.to_json()), "word_index" (lines "word id") or
        "words" (one a line); "automatic" finds out. Special tokens that are not given are those of the file. Raises
        NotFoundError, MalformedError.

        >>> mxinfer.Vocabulary.load("models/sentences/vocab.json").find("cat") is not None
        True
        """
        options = {"format": format, "unknown": unknown, "padding": padding, "begin": begin, "end": end}
        return cls._made(_native.Vocabulary.load(path_bytes(uri), options))

    @classmethod
    def parse(
        cls,
        contents: Union[str, Buffer],
        *,
        format: VocabularyFormat = "automatic",
        unknown: Optional[str] = None,
        padding: Optional[str] = None,
        begin: Optional[str] = None,
        end: Optional[str] = None,
    ) -> Vocabulary:
        """As load, from the contents of a file.

        >>> mxinfer.Vocabulary.parse("the\\nship\\n", format="words").words([1, 0])
        ['ship', 'the']
        """
        options = {"format": format, "unknown": unknown, "padding": padding, "begin": begin, "end": end}
        return cls._made(_native.Vocabulary.parse(encoded(contents), options))

    @classmethod
    def _made(cls, native: Any) -> Vocabulary:
        vocabulary = object.__new__(cls)
        vocabulary._native = native
        return vocabulary

    def __len__(self) -> int:
        return int(self._native.size())

    def __contains__(self, word: object) -> bool:
        try:
            return isinstance(word, str) and self._native.find(word) is not None
        except InvalidArgumentError:  # half a surrogate pair
            return False

    def __iter__(self) -> Iterator[str]:
        """The words, by their ids."""
        return iter(self._native.all_words())

    def find(self, word: str) -> Optional[int]:
        """The id of a word; None if it is not one of them.

        >>> words = mxinfer.Vocabulary(["<unk>", "the", "ship", "sails"], unknown="<unk>")
        >>> words.find("ship"), words.find("sinks")
        (2, None)
        """
        found: Optional[int] = self._native.find(word)
        return found

    def id(self, word: str) -> int:
        """The id of a word, or that of the unknown token; InvalidArgumentError if there is none.

        >>> words = mxinfer.Vocabulary(["<unk>", "the", "ship", "sails"], unknown="<unk>")
        >>> words.id("ship"), words.id("sinks")
        (2, 0)
        """
        return int(self._native.id(word))

    def ids(self, words: Iterable[str]) -> List[int]:
        """The ids of words; as id.

        >>> words = mxinfer.Vocabulary(["<unk>", "the", "ship", "sails"], unknown="<unk>")
        >>> words.ids("the ship sails".split())
        [1, 2, 3]
        """
        return list(self._native.ids(words))

    def word(self, id: int) -> str:
        """The word of an id, "" if it has none; InvalidArgumentError if it is not below len().

        >>> words = mxinfer.Vocabulary(["<unk>", "the", "ship", "sails"], unknown="<unk>")
        >>> words.word(2)
        'ship'
        """
        return str(self._native.word(id))

    def words(self, ids: Iterable[int]) -> List[str]:
        """The words of ids, which may be an array; as word.

        >>> words = mxinfer.Vocabulary(["<unk>", "the", "ship", "sails"], unknown="<unk>")
        >>> words.words([1, 2])
        ['the', 'ship']
        """
        return list(self._native.words(ids))

    @property
    def unknown_id(self) -> Optional[int]:
        """The id of the token that stands for all words that are not there."""
        return _id(self._native.unknown_id())

    @property
    def padding_id(self) -> Optional[int]:
        """The id of the token that fills sequences up."""
        return _id(self._native.padding_id())

    @property
    def begin_id(self) -> Optional[int]:
        """The id of the token that stands in front of a sequence."""
        return _id(self._native.begin_id())

    @property
    def end_id(self) -> Optional[int]:
        """The id of the token that ends a sequence."""
        return _id(self._native.end_id())

    def to_json(self) -> str:
        """As gluonnlp.Vocab.from_json reads it."""
        return str(self._native.to_json())

    def __repr__(self) -> str:
        return "<mxinfer.Vocabulary of {} words>".format(len(self))

    def __reduce__(self) -> Tuple[Callable[..., Any], Tuple[Any, ...]]:
        specials = {
            name: None if id is None else self.word(id)
            for name, id in [
                ("unknown", self.unknown_id),
                ("padding", self.padding_id),
                ("begin", self.begin_id),
                ("end", self.end_id),
            ]
        }
        return _remake, (self._native.all_words(), specials)


def native_of(vocabulary: Any) -> Any:
    """What a Vocabulary is made of; of None an empty one."""
    if vocabulary is None:
        vocabulary = Vocabulary()
    if not isinstance(vocabulary, Vocabulary):
        raise InvalidArgumentError(
            "vocabulary: a {} is none; expected a mxinfer.Vocabulary".format(type(vocabulary).__name__)
        )
    return vocabulary._native


def encoded(contents: Any) -> Any:
    """Contents of a file: text as UTF-8, bytes as they are."""
    return contents.encode("utf-8", "surrogatepass") if isinstance(contents, str) else contents


def _id(value: Any) -> Optional[int]:
    return None if value is None else operator.index(value)


def _remake(words: List[str], specials: Dict[str, Optional[str]]) -> Vocabulary:
    return Vocabulary(words, **specials)
