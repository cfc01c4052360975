"""Vocabulary: the words that a network knows, with their ids."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, Optional, Tuple, Union

from .. import _native
from ..errors import InvalidArgumentError
from ..model import path_bytes
from ..types import PathText, VocabularyFormat

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["Vocabulary"]


class Vocabulary:
    """The words (or subwords, or characters) of a network. It is immutable, and any thread may use it.

    Args:
        words: the words in the order of their ids, from 0 on. For "", the id has no word.
        unknown: the token for every word that is not in the vocabulary, or None. It must be one of the words.
        padding, begin, end: other special tokens, or None. They must be words too.

    Raises:
        InvalidArgumentError: Two words are equal, or a token is not one of the words.

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
        """Read a file.

        Args:
            uri: a path or an address.
            format: "gluonnlp_json" (gluonnlp.Vocab.to_json()), "word_index" (lines "word id"), "words" (one per line), or
                "automatic", which detects it.
            unknown, padding, begin, end: special tokens. Without them, those of the file.

        Raises:
            NotFoundError, MalformedError

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
        """Read the contents of a file. The arguments are those of load.

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
        except InvalidArgumentError:  # a lone surrogate
            return False

    def __iter__(self) -> Iterator[str]:
        """Iterate over the words in the order of their ids."""
        return iter(self._native.all_words())

    def find(self, word: str) -> Optional[int]:
        """Return the id of a word, or None if it is not in the vocabulary.

        >>> words = mxinfer.Vocabulary(["<unk>", "the", "ship", "sails"], unknown="<unk>")
        >>> words.find("ship"), words.find("sinks")
        (2, None)
        """
        found: Optional[int] = self._native.find(word)
        return found

    def id(self, word: str) -> int:
        """Return the id of a word, or the id of the unknown token if the word is not in the vocabulary.

        Raises:
            InvalidArgumentError: The word is not in the vocabulary, and there is no unknown token.

        >>> words = mxinfer.Vocabulary(["<unk>", "the", "ship", "sails"], unknown="<unk>")
        >>> words.id("ship"), words.id("sinks")
        (2, 0)
        """
        return int(self._native.id(word))

    def ids(self, words: Iterable[str]) -> List[int]:
        """Return the ids of words. See id.

        >>> words = mxinfer.Vocabulary(["<unk>", "the", "ship", "sails"], unknown="<unk>")
        >>> words.ids("the ship sails".split())
        [1, 2, 3]
        """
        return list(self._native.ids(words))

    def word(self, id: int) -> str:
        """Return the word of an id, or "" if the id has no word.

        Raises:
            InvalidArgumentError: The id is not below len().

        >>> words = mxinfer.Vocabulary(["<unk>", "the", "ship", "sails"], unknown="<unk>")
        >>> words.word(2)
        'ship'
        """
        return str(self._native.word(id))

    def words(self, ids: Iterable[int]) -> List[str]:
        """Return the words of ids, which may be an array. See word.

        >>> words = mxinfer.Vocabulary(["<unk>", "the", "ship", "sails"], unknown="<unk>")
        >>> words.words([1, 2])
        ['the', 'ship']
        """
        return list(self._native.words(ids))

    @property
    def unknown_id(self) -> Optional[int]:
        """The id of the token for words that are not in the vocabulary."""
        return _id(self._native.unknown_id())

    @property
    def padding_id(self) -> Optional[int]:
        """The id of the padding token."""
        return _id(self._native.padding_id())

    @property
    def begin_id(self) -> Optional[int]:
        """The id of the token that begins a sequence."""
        return _id(self._native.begin_id())

    @property
    def end_id(self) -> Optional[int]:
        """The id of the token that ends a sequence."""
        return _id(self._native.end_id())

    def to_json(self) -> str:
        """Return JSON that gluonnlp.Vocab.from_json reads."""
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
    """Return the object of the extension. None is an empty vocabulary."""
    if vocabulary is None:
        vocabulary = Vocabulary()
    if not isinstance(vocabulary, Vocabulary):
        raise InvalidArgumentError(
            "vocabulary: a {} is none; expected a mxinfer.Vocabulary".format(type(vocabulary).__name__)
        )
    return vocabulary._native


def encoded(contents: Any) -> Any:
    """Return the contents of a file as bytes: text is encoded as UTF-8."""
    return contents.encode("utf-8", "surrogatepass") if isinstance(contents, str) else contents


def _id(value: Any) -> Optional[int]:
    return None if value is None else operator.index(value)


def _remake(words: List[str], specials: Dict[str, Optional[str]]) -> Vocabulary:
    return Vocabulary(words, **specials)
