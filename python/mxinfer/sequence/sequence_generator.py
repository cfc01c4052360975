"""SequenceGenerator: generates sequences token by token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Literal, Mapping, NamedTuple, Optional, Union

from .. import _native
from ..errors import InvalidArgumentError
from ..model import Model
from ..predictor import Predictor, by_name, check_kinds
from .tokenizer import Tokenizer
from ..types import PathText, Prompt
from .vocabulary import Vocabulary

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..types import GenerateOptions, GeneratorOptions

__all__ = ["Generated", "Generation", "SequenceGenerator"]


class Generated(NamedTuple):
    """A generated sequence.

    >>> words = mxinfer.Vocabulary.load("models/sentences/vocab.json")
    >>> generator = mxinfer.SequenceGenerator("models/sentences", vocabulary=words)
    >>> made = generator.generate("the cat", max_length=20)[0]
    >>> made.text == generator.text(made.ids)
    True
    """

    ids: List[int]
    """The ids, without the prompt and the token that ended the sequence."""
    text: str
    """The text of `ids`; empty without a tokenizer or a vocabulary."""
    score: float
    """The score that orders beams; for samples, log_probability."""
    log_probability: float
    """The sum over the tokens, including the end token."""
    finish: Literal["end", "length", "stopped"]
    """Why it ended: "end" (the end token or one of stop_ids), "length" (max_length) or "stopped" (the function stop)."""
    end_id: Optional[int]
    """The token that ended it, if `finish` is "end"."""


class Generation:
    """An iterator over the ids of a sequence while it is generated. The token that ends it is left out.

    SequenceGenerator.start returns one. Threads that share it wait for each other.

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
        """Yield the text that each further token adds.

        Empty pieces are skipped. If the last character stays incomplete, the last piece is U+FFFD.
        """
        while True:
            id, self._piece = self._native.next()
            if self._piece:
                yield self._piece
            if id is None:
                return

    @property
    def piece(self) -> str:
        """The text that the last token adds. Empty without a vocabulary, or if it depends on later tokens."""
        return self._piece

    def result(self) -> Generated:
        """Return the sequence so far. Its `finish` is valid once there are no more tokens."""
        return Generated._make(self._native.result())


class SequenceGenerator(Predictor):
    """Generates sequences token by token: translations, texts, captions.

        generator = mxinfer.SequenceGenerator("language_model", vocabulary=mxinfer.Vocabulary.load("vocab.json"))
        print(generator.generate("The ship")[0].text)
        for piece in generator.start("The ship", search="sample", temperature=0.8).pieces():
            print(piece, end="", flush=True)

    The network takes the token of one step and its states, and returns a score for each token and the next states; or it
    takes all tokens so far. generate, generate_batch and start take these keyword arguments:

    - search: "greedy", "beam" or "sample"
    - max_length: the most tokens (100)
    - num_sequences: the number of sequences for each prompt
    - stop_ids: ids that end a sequence, in addition to end_id
    - stop: a function of the tokens so far that returns True to end the sequence
    - beam, alpha, length_k: for "beam"
    - temperature, top_k, top_p, seed: for "sample"; the same seed gives the same tokens
    - repetition_penalty: for every search
    - inputs: other inputs of the network and initial states, by name, with a row for each prompt

    Args:
        model: as for Predictor.
        options: those of Predictor, and token_input, token_layout, step, score_output, scores, states ({input: output}),
            position_input, length_input, buckets, pad_value, vocabulary, tokenizer, begin_id, end_id. Those that you leave out
            are found in the model; found() returns them (docs/how-to/generation.md).

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
        """Continue a prompt.

        Args:
            prompt: a text or ids; the ids may be empty if there is a begin id.
            options: see SequenceGenerator.

        Returns:
            The sequences. Those of a beam are best first.

        Raises:
            InvalidArgumentError: An option is out of range, the network has no score for an id, or an input does not fit.
            The exceptions of `stop` propagate.

        >>> words = mxinfer.Vocabulary.load("models/sentences/vocab.json")
        >>> generator = mxinfer.SequenceGenerator("models/sentences", vocabulary=words)
        >>> best = generator.generate("the old", search="beam", num_sequences=3, max_length=20)
        >>> len(best), best[0].score >= best[1].score
        (3, True)
        """
        return list(map(Generated._make, self._open().generate(_one_prompt(prompt), _choices(options))))

    def generate_batch(self, prompts: Union[Iterable[str], Iterable[Iterable[int]]], **options: Unpack[GenerateOptions]) -> List[List[Generated]]:
        """Continue many prompts, all texts or all ids, as batches. Returns what generate returns for each.

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
        """Start one sequence, with "greedy" or "sample". Nothing runs before you ask for the first token.

        >>> words = mxinfer.Vocabulary.load("models/sentences/vocab.json")
        >>> generator = mxinfer.SequenceGenerator("models/sentences", vocabulary=words)
        >>> generation = generator.start("the little bird", search="sample", seed=7, max_length=20)
        >>> text = "".join(generation.pieces())  # or print each as it comes
        >>> text == generation.result().text
        True
        """
        return Generation._made(self._open().start(_one_prompt(prompt), _choices(options)))

    def ids(self, text: str) -> List[int]:
        """Return the ids of a text, from the tokenizer, or of its words at white space. There is no begin id.

        >>> words = mxinfer.Vocabulary.load("models/sentences/vocab.json")
        >>> generator = mxinfer.SequenceGenerator("models/sentences", vocabulary=words)
        >>> generator.ids("the cat") == words.ids(["the", "cat"])
        True
        """
        return list(self._open().ids(text))

    def text(self, ids: Iterable[int]) -> str:
        """Return the text of ids.

        >>> words = mxinfer.Vocabulary.load("models/sentences/vocab.json")
        >>> generator = mxinfer.SequenceGenerator("models/sentences", vocabulary=words)
        >>> generator.text(generator.ids("the cat"))
        'the cat'
        """
        return str(self._open().text(ids))

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary; empty if there is neither a vocabulary nor a tokenizer."""
        return Vocabulary._made(self._open().vocabulary())

    def found(self) -> Dict[str, object]:
        """Return the options that you may leave out as they were found: names, states, kinds, ids."""
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
    """Raise InvalidArgumentError if this is a list of prompts."""
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
