"""WordVectors: a vector for each word of a vocabulary, to find similar words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from .. import _native
from ..model import path_bytes
from ..types import ArrayLike, PathText, VectorsFormat
from .vocabulary import Vocabulary, native_of

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["NearWord", "WordVectors"]

Floats = npt.NDArray[np.float32]


class NearWord(NamedTuple):
    """A word that is similar to another.

    >>> words = mxinfer.Vocabulary(["king", "man", "queen", "woman"])
    >>> vectors = mxinfer.WordVectors(words, [[1, 1, 0], [0, 1, 0], [1, 0, 1], [0, 0, 1]])
    >>> word, score, id = vectors.nearest("king", 1)[0]
    >>> word, id
    ('man', 1)
    """

    word: str
    score: float
    """The cosine of their vectors, from -1 to 1."""
    id: int


class WordVectors:
    """The vectors (the embedding) of the words of a vocabulary. They are immutable, and any thread may use them.

    Words are compared by the cosine of their vectors.

    Args:
        vocabulary: the words.
        matrix: float32 (rows, dimensions), with row i for the word with id i. It is copied.
        threads: threads for searches; 0: one for each core.

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
        """Read a file.

        Args:
            uri: a path or an address.
            format: "text" (GloVe, fastText's .vec), "word2vec" (the binary form), "npz"
                (gluonnlp.embedding.TokenEmbedding.serialize()), "npy", "params", or "automatic", which detects it.
            vocabulary: the words of a "npy" or "params" file.
            array: the name of the matrix in a "params" file.
            unknown: the token for words that are not in the file.
            read_at_once: whether to read the matrix of a .npy or .params file. Otherwise, it is mapped into memory, and you
                must not write to the file.
            threads: as in the constructor.

        Raises:
            NotFoundError, MalformedError, InvalidArgumentError

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
        """Read the contents of a file. The arguments are those of load.

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
        """The number of elements of each vector."""
        return int(self._native.dimensions())

    @property
    def matrix(self) -> Floats:
        """All vectors, (rows, dimensions), as a read-only view, valid for as long as you keep it."""
        matrix: Floats = self._native.matrix()
        return matrix

    @property
    def skipped(self) -> int:
        """The number of lines of the file that were skipped: repeated words, and words that are not UTF-8."""
        return int(self._native.skipped())

    def vector(self, word: Union[str, int]) -> Floats:
        """Return the vector of a word or an id, as a view like `matrix`.

        For a word that is not in the vocabulary, it is the vector of the unknown token.

        Raises:
            InvalidArgumentError: The word is not in the vocabulary, and there is no unknown token.

        >>> words = mxinfer.Vocabulary(["king", "man", "queen", "woman"])
        >>> vectors = mxinfer.WordVectors(words, [[1, 1, 0], [0, 1, 0], [1, 0, 1], [0, 0, 1]])
        >>> vectors.vector("king").tolist()
        [1.0, 1.0, 0.0]
        """
        vector: Floats = self._native.vector(word)
        return vector

    def rows(self, words: Union[Iterable[str], Iterable[int], npt.NDArray[np.integer[Any]]]) -> Floats:
        """Return a copy of the row of each word or id, (n, dimensions). Raises the exceptions of vector.

        >>> words = mxinfer.Vocabulary(["king", "man", "queen", "woman"])
        >>> vectors = mxinfer.WordVectors(words, [[1, 1, 0], [0, 1, 0], [1, 0, 1], [0, 0, 1]])
        >>> vectors.rows(["king", "man"]).shape, vectors.rows([0, 1]).shape
        ((2, 3), (2, 3))
        """
        rows: Floats = self._native.rows(words)
        return rows

    def similarity(self, a: str, b: str) -> float:
        """Return the cosine of two words.

        Raises:
            NotFoundError: A word is not in the vocabulary.

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
        """Return the k words nearest to a word or a vector, best first.

        Args:
            word: a word or a vector.
            k: the number of words.
            min_score: words with a lower score are left out.
            first: search only this many words from the start; 0: all.
            include_given: whether the result may include the word itself.

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
        """Return the words that are to c as b is to a: those nearest to b - a + c, each scaled to length 1.

        The other arguments are those of nearest.

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
