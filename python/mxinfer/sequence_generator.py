"""SequenceGenerator: a Predictor that writes sequences token by token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Literal, Mapping, NamedTuple, Optional, Union

from . import _native
from .errors import InvalidArgumentError
from .model import Model
from .predictor import Predictor, by_name, check_kinds
from .tokenizer import Tokenizer
from .types import PathText, Prompt
from .vocabulary import Vocabulary

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .types import GenerateOptions, GeneratorOptions

__all__ = ["Generated", "Generation", "SequenceGenerator"]


class Generated(NamedTuple):
    """A sequence that was generated.

    >>> words = mxinfer.Vocabulary.load("models/sentences/vocab.json")
    >>> generator = mxinfer.SequenceGenerator("models/sentences", vocabulary=words)
    >>> made = generator.generate("the cat", max_length=20)[0]
    >>> made.text == generator.text(made.ids)
    True
    """

    ids: List[int]
    """Without the prompt, and without the token that ended it."""
    text: str
    """Of `ids`; empty without a tokenizer or a vocabulary."""
    score: float
    """What beams are ordered by; of samples log_probability."""
    log_probability: float
    """The sum of those of its tokens, the end token included."""
    finish: Literal["end", "length", "stopped"]
    """Why it ends: "end" (with the end token, or one of stop_ids), "length" (at max_length) or "stopped" (as stop wanted)."""
    end_id: Optional[int]
    """The token that ended it, of "end"."""


class Generation:
    """A sequence that is being generated: an iterator of its tokens' ids, without the token that ends it.

    SequenceGenerator.start makes one. Threads that share one wait for one another.

    >>> words = mxinfer.Vocabulary.load("models/sentences/vocab.json")
    >>> generator = mxinfer.SequenceGenerator("models/sentences", vocabulary=words)
    >>> generation = generator.start("the cat", max_length=20)
    >>> ids = list(generation)
    >>> ids == generation.result().ids
    True
    """

    _native: Any
    _piece: str

    def __init__(self) -> None:
        raise TypeError("a Generation is made by SequenceGenerator.start")

    @classmethod
    def _made(cls, native: Any) -> Generation:
        generation = object.__new__(cls)
        generation._native = native
        generation._piece = ""
        return generation

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        id, self._piece = self._native.next()
        if id is None:
            raise StopIteration
        return int(id)

    def pieces(self) -> Iterator[str]:
        """What each further token adds to the text, and at the end U+FFFD for a character that stays incomplete;
        pieces that are empty are passed over."""
        while True:
            id, self._piece = self._native.next()
            if self._piece:
                yield self._piece
            if id is None:
                return

    @property
    def piece(self) -> str:
        """What the last token adds to the text; empty without a vocabulary, and where only later tokens decide."""
        return self._piece

    def result(self) -> Generated:
        """The sequence so far; its `finish` holds once there are no more tokens."""
        return Generated._make(self._native.result())


class SequenceGenerator(Predictor):
    """Writes sequences token by token: translations, texts, captions.

        generator = mxinfer.SequenceGenerator("language_model", vocabulary=mxinfer.Vocabulary.load("vocab.json"))
        print(generator.generate("The ship")[0].text)
        for piece in generator.start("The ship", search="sample", temperature=0.8).pieces():
            print(piece, end="", flush=True)

    Its network takes the token of one step and its states, and gives a score for each token and the next states; or it
    takes all tokens so far. Options beside those of Predictor: token_input, token_layout, step, score_output, scores,
    states ({input: output}), position_input, length_input, buckets, pad_value, vocabulary, tokenizer, begin_id, end_id;
    what is left open is found in the model, and found() tells it (docs/how-to/generation.md).

    How tokens are chosen, of generate, generate_batch and start:

    - search: "greedy", "beam" or "sample"; max_length: tokens at most (100); num_sequences: how many for each prompt
    - stop_ids: ids that end a sequence beside end_id; stop: a function of the tokens so far that ends it by True
    - beam, alpha, length_k: of "beam"
    - temperature, top_k, top_p, seed: of "sample"; the same seed, the same tokens
    - repetition_penalty: of all
    - inputs: what the network takes beside tokens, and states to begin with, by name, a row for each prompt

    >>> words = mxinfer.Vocabulary.load("models/sentences/vocab.json")
    >>> generator = mxinfer.SequenceGenerator("models/sentences", vocabulary=words)
    >>> made = generator.generate("the cat", max_length=20)[0]
    >>> made.finish in ("end", "length") and len(made.ids) <= 20
    True
    """

    _native_class: Any = _native.SequenceGenerator
    _fields = frozenset(
        {
            "token_input",
            "token_layout",
            "step",
            "score_output",
            "scores",
            "states",
            "position_input",
            "length_input",
            "buckets",
            "pad_value",
            "vocabulary",
            "tokenizer",
            "begin_id",
            "end_id",
        }
    )

    def __init__(self, model: Union[Model, PathText], **options: Unpack[GeneratorOptions]) -> None:
        check_kinds(options, vocabulary=Vocabulary, tokenizer=Tokenizer)
        self._begin(model, options)

    def generate(self, prompt: Prompt, **options: Unpack[GenerateOptions]) -> List[Generated]:
        """Goes on with a prompt, a text or ids; empty ids if there is a begin id. Of a beam the best sequence is first.

        Raises InvalidArgumentError: options out of their ranges, ids that the network has no score for, inputs that do not
        fit. What `stop` raises is raised.

        >>> words = mxinfer.Vocabulary.load("models/sentences/vocab.json")
        >>> generator = mxinfer.SequenceGenerator("models/sentences", vocabulary=words)
        >>> best = generator.generate("the old", search="beam", num_sequences=3, max_length=20)
        >>> len(best), best[0].score >= best[1].score
        (3, True)
        """
        return list(map(Generated._make, self._open().generate(_one_prompt(prompt), _choices(options))))

    def generate_batch(self, prompts: Union[Iterable[str], Iterable[Iterable[int]]], **options: Unpack[GenerateOptions]) -> List[List[Generated]]:
        """Goes on with many prompts, all texts or all ids, as batches: for each what generate gives for it alone.

        >>> words = mxinfer.Vocabulary.load("models/sentences/vocab.json")
        >>> generator = mxinfer.SequenceGenerator("models/sentences", vocabulary=words)
        >>> lists = generator.generate_batch(["the cat", "the old bird"], max_length=20)
        >>> len(lists)
        2
        """
        if isinstance(prompts, (str, bytes)):
            raise InvalidArgumentError("prompts: a list of them is wanted, not one text; put it into a list")
        found = self._open().generate_batch(list(prompts), _choices(options))
        return [list(map(Generated._make, each)) for each in found]

    def start(self, prompt: Prompt, **options: Unpack[GenerateOptions]) -> Generation:
        """One sequence, token by token, by "greedy" or "sample". Nothing runs before the first token is asked for.

        >>> words = mxinfer.Vocabulary.load("models/sentences/vocab.json")
        >>> generator = mxinfer.SequenceGenerator("models/sentences", vocabulary=words)
        >>> generation = generator.start("the little bird", search="sample", seed=7, max_length=20)
        >>> text = "".join(generation.pieces())  # or print each as it comes
        >>> text == generation.result().text
        True
        """
        return Generation._made(self._open().start(_one_prompt(prompt), _choices(options)))

    def ids(self, text: str) -> List[int]:
        """The ids of a text: by the tokenizer, or its words, parted by white space. The begin id is not there.

        >>> words = mxinfer.Vocabulary.load("models/sentences/vocab.json")
        >>> generator = mxinfer.SequenceGenerator("models/sentences", vocabulary=words)
        >>> generator.ids("the cat") == words.ids(["the", "cat"])
        True
        """
        return list(self._open().ids(text))

    def text(self, ids: Iterable[int]) -> str:
        """The text of ids.

        >>> words = mxinfer.Vocabulary.load("models/sentences/vocab.json")
        >>> generator = mxinfer.SequenceGenerator("models/sentences", vocabulary=words)
        >>> generator.text(generator.ids("the cat"))
        'the cat'
        """
        return str(self._open().text(ids))

    @property
    def vocabulary(self) -> Vocabulary:
        """Empty if there is neither a vocabulary nor a tokenizer."""
        return Vocabulary._made(self._open().vocabulary())

    def found(self) -> Dict[str, object]:
        """The options that may be left open, as they were found: names, states, kinds, ids."""
        return dict(self._open().found())


_CHOICES = frozenset(
    {
        "search",
        "max_length",
        "num_sequences",
        "stop_ids",
        "stop",
        "beam",
        "alpha",
        "length_k",
        "temperature",
        "top_k",
        "top_p",
        "seed",
        "repetition_penalty",
        "inputs",
    }
)


def _one_prompt(prompt: Prompt) -> Prompt:
    """Raises InvalidArgumentError for a list of prompts."""
    if isinstance(prompt, (list, tuple)) and any(isinstance(each, (str, list, tuple)) for each in prompt[:1]):
        raise InvalidArgumentError(
            "prompt: a {} of {} was given, and one prompt is expected, a text or ids; call generate_batch for many".format(
                type(prompt).__name__, type(prompt[0]).__name__
            )
        )
    return prompt


def _choices(options: Mapping[str, Any]) -> Dict[str, Any]:
    for name in options:
        if name not in _CHOICES:
            raise TypeError("there is no option '{}' of generation; there are {}".format(name, ", ".join(sorted(_CHOICES))))
    chosen = dict(options)
    if chosen.get("stop") is not None and not callable(chosen["stop"]):
        raise TypeError("option 'stop': a {} cannot be called".format(type(chosen["stop"]).__name__))
    if chosen.get("inputs") is not None:
        chosen["inputs"] = by_name(chosen["inputs"], "inputs")
    return chosen
