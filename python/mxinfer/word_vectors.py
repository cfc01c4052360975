"""WordVectors: a vector for each word of a vocabulary, and which words are near to one another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _native
from .model import path_bytes
from .types import ArrayLike, PathText, VectorsFormat
from .vocabulary import Vocabulary, native_of

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["NearWord", "WordVectors"]

Floats = npt.NDArray[np.float32]


class NearWord(NamedTuple):
    """A word that is near to another.

    >>> words = mxinfer.Vocabulary(["king", "man", "queen", "woman"])
    >>> vectors = mxinfer.WordVectors(words, [[1, 1, 0], [0, 1, 0], [1, 0, 1], [0, 0, 1]])
    >>> word, score, id = vectors.nearest("king", 1)[0]
    >>> word, id
    ('man', 1)
    """

    word: str
    score: float
    """The cosine of their vectors, -1 to 1."""
    id: int


class WordVectors:
    """The vectors (the embedding) of the words of a vocabulary. It never changes; any thread may use it.

    `matrix` is float32 (rows, dimensions), row i for the word with the id i; it is copied. `threads` are those of
    searches; 0: one for each core. Words are compared by the cosine of their vectors.

    >>> words = mxinfer.Vocabulary(["king", "man", "queen", "woman"])
    >>> vectors = mxinfer.WordVectors(words, [[1, 1, 0], [0, 1, 0], [1, 0, 1], [0, 0, 1]])
    >>> vectors.nearest("king", 1)[0].word
    'man'
    """

    def __init__(self, vocabulary: Vocabulary, matrix: ArrayLike, *, threads: int = 0) -> None:
        self._native: Any = _native.WordVectors.make(native_of(vocabulary), matrix, threads)

    @classmethod
    def load(
        cls,
        uri: PathText,
        *,
        format: VectorsFormat = "automatic",
        vocabulary: Optional[Vocabulary] = None,
        array: str = "",
        unknown: Optional[str] = None,
        read_at_once: bool = False,
        threads: int = 0,
    ) -> WordVectors:
        """Reads a file, by path or address: "text" (GloVe, fastText's .vec), "word2vec" (the binary form), "npz"
        (gluonnlp.embedding.TokenEmbedding.serialize()), or a matrix of a "npy" or "params" file, the one called `array`,
        for the words of `vocabulary`; "automatic" finds out. Raises NotFoundError, MalformedError, InvalidArgumentError.

        Matrices of .npy and .params files are mapped into memory, unless `read_at_once`: the file must not be written to.

        >>> vectors = mxinfer.WordVectors.load("vectors.txt")  # lines such as "king 1 1 0"
        >>> vectors.dimensions
        3
        """
        options = _options(format, vocabulary, array, unknown, read_at_once, threads)
        return cls._made(_native.WordVectors.load(path_bytes(uri), options))

    @classmethod
    def parse(
        cls,
        contents: Buffer,
        *,
        format: VectorsFormat = "automatic",
        vocabulary: Optional[Vocabulary] = None,
        array: str = "",
        unknown: Optional[str] = None,
        threads: int = 0,
    ) -> WordVectors:
        """As load, from the contents of a file.

        >>> vectors = mxinfer.WordVectors.parse(b"king 1 1 0\\nman 0 1 0\\n", format="text")
        >>> len(vectors.vocabulary)
        2
        """
        options = _options(format, vocabulary, array, unknown, True, threads)
        return cls._made(_native.WordVectors.parse(contents, options))

    @classmethod
    def _made(cls, native: Any) -> WordVectors:
        vectors = object.__new__(cls)
        vectors._native = native
        return vectors

    @property
    def vocabulary(self) -> Vocabulary:
        """The words."""
        return Vocabulary._made(self._native.vocabulary())

    @property
    def dimensions(self) -> int:
        """Numbers in each vector."""
        return int(self._native.dimensions())

    @property
    def matrix(self) -> Floats:
        """All of them, (rows, dimensions): a view that cannot be written to, and lives as long as somebody has it."""
        matrix: Floats = self._native.matrix()
        return matrix

    @property
    def skipped(self) -> int:
        """Lines of a file that were left out: words that were there before, or are not UTF-8."""
        return int(self._native.skipped())

    def vector(self, word: Union[str, int]) -> Floats:
        """The vector of a word or an id, as a view like `matrix`; of a word that is not there, that of the unknown token,
        or InvalidArgumentError.

        >>> words = mxinfer.Vocabulary(["king", "man", "queen", "woman"])
        >>> vectors = mxinfer.WordVectors(words, [[1, 1, 0], [0, 1, 0], [1, 0, 1], [0, 0, 1]])
        >>> vectors.vector("king").tolist()
        [1.0, 1.0, 0.0]
        """
        vector: Floats = self._native.vector(word)
        return vector

    def rows(self, words: Union[Iterable[str], Iterable[int], npt.NDArray[np.integer[Any]]]) -> Floats:
        """A row for each word or id, (n, dimensions), as an array of its own; errors as vector.

        >>> words = mxinfer.Vocabulary(["king", "man", "queen", "woman"])
        >>> vectors = mxinfer.WordVectors(words, [[1, 1, 0], [0, 1, 0], [1, 0, 1], [0, 0, 1]])
        >>> vectors.rows(["king", "man"]).shape, vectors.rows([0, 1]).shape
        ((2, 3), (2, 3))
        """
        rows: Floats = self._native.rows(words)
        return rows

    def similarity(self, a: str, b: str) -> float:
        """The cosine of two words. Raises NotFoundError for a word that is not there.

        >>> words = mxinfer.Vocabulary(["king", "man", "queen", "woman"])
        >>> vectors = mxinfer.WordVectors(words, [[1, 1, 0], [0, 1, 0], [1, 0, 1], [0, 0, 1]])
        >>> round(vectors.similarity("king", "man"), 3)
        0.707
        """
        return float(self._native.similarity(a, b))

    def nearest(
        self,
        word: Union[str, Sequence[float], npt.NDArray[np.floating[Any]]],
        k: int = 10,
        *,
        min_score: Optional[float] = None,
        first: int = 0,
        include_given: bool = False,
    ) -> List[NearWord]:
        """The k words nearest to a word or a vector, best first.

        Words of less than `min_score` are left out; `first`: only the first so many words are looked at, 0: all;
        `include_given`: the word itself may be among them.

        >>> words = mxinfer.Vocabulary(["king", "man", "queen", "woman"])
        >>> vectors = mxinfer.WordVectors(words, [[1, 1, 0], [0, 1, 0], [1, 0, 1], [0, 0, 1]])
        >>> [near.word for near in vectors.nearest("king", 2)]
        ['man', 'queen']
        >>> vectors.nearest([0.0, 0.0, 1.0], 1)[0].word
        'woman'
        """
        found = self._native.nearest(word, k, min_score, first, bool(include_given))
        return list(map(NearWord._make, found))

    def analogy(
        self,
        a: str,
        b: str,
        c: str,
        k: int = 10,
        *,
        min_score: Optional[float] = None,
        first: int = 0,
        include_given: bool = False,
    ) -> List[NearWord]:
        """What is to c as b is to a: the words nearest to b - a + c, each of length 1. Options as nearest.

        >>> words = mxinfer.Vocabulary(["king", "man", "queen", "woman"])
        >>> vectors = mxinfer.WordVectors(words, [[1, 1, 0], [0, 1, 0], [1, 0, 1], [0, 0, 1]])
        >>> vectors.analogy("man", "king", "woman", 1)[0].word
        'queen'
        """
        found = self._native.analogy(a, b, c, k, min_score, first, bool(include_given))
        return list(map(NearWord._make, found))

    def __repr__(self) -> str:
        return "<mxinfer.WordVectors of {} words, {} dimensions>".format(len(self.vocabulary), self.dimensions)

    def __reduce__(self) -> Tuple[Callable[..., Any], Tuple[Any, ...]]:
        return WordVectors, (self.vocabulary, np.array(self.matrix))


def _options(
    format: str,
    vocabulary: Optional[Vocabulary],
    array: str,
    unknown: Optional[str],
    read_at_once: bool,
    threads: int,
) -> Dict[str, Any]:
    return {
        "format": format,
        "vocabulary": None if vocabulary is None else native_of(vocabulary),
        "array": array,
        "unknown": unknown,
        "read_at_once": bool(read_at_once),
        "threads": threads,
    }
