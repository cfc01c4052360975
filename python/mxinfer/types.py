"""Types of arguments, options and results, for annotations.

    from mxinfer.types import ImageLike

    def best_label(image: ImageLike) -> str:
        return classifier.classify(image, top_k=1)[0].label

The values of an option are Literals, and the options of each class are a TypedDict, so that editors complete them and type
checkers reject others. ImageLike is an image, ArrayLike is an input, and Array, Arrays and NamedArrays are outputs.
"""

from __future__ import annotations

import os
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Literal, Mapping, Protocol, Sequence, Tuple, TypedDict, Union

import numpy as np
import numpy.typing as npt

import mxinfer.option_types as option_types
from .option_types import *  # noqa: F403
from .option_types import BoxOptions, ImageOptions, LoadOptions, QueueOptions, RunOptions, ScoreOptions

if TYPE_CHECKING:
    import PIL.Image
    from typing_extensions import Buffer

    from .records import Classification, DataDesc, Detection
    from .sequence.tokenizer import Tokenizer
    from .sequence.vocabulary import Vocabulary

__all__ = [
    "Array",
    "ArrayLike",
    "Arrays",
    "ClassName",
    "Classes",
    "ClassifierOptions",
    "Collect",
    "Columns",
    "CtcLayout",
    "CtcScores",
    "Deadline",
    "DetectorOptions",
    "Descriptors",
    "Detections",
    "Dimensions",
    "GenerateOptions",
    "GeneratorOptions",
    "GluonBlock",
    "ImageClassifierOptions",
    "ImageLike",
    "InputDescriptions",
    "KeypointOptions",
    "LogLevel",
    "NamedArrays",
    "NmsMethod",
    "NmsOverlap",
    "OutputArray",
    "PathText",
    "Pixels",
    "PredictorOptions",
    "Priority",
    "Prompt",
    "QuantizeRunOptions",
    "RowErrors",
    "SegmenterOptions",
    "SequenceLike",
    "SequenceOptions",
    "Shapes",
    "Side",
    "SupportsArrowArray",
    "SupportsArrowSchema",
    "SupportsArrowStream",
    "SupportsCudaArray",
    "SupportsDLPack",
    "TextClassifierOptions",
    "Transforms",
    "VectorsFormat",
    "VocabularyFormat",
]
__all__ += option_types.__all__


class SupportsDLPack(Protocol):
    """An array of another library, such as a PyTorch tensor on the CPU."""

    def __dlpack__(self) -> object: ...


class SupportsCudaArray(Protocol):
    """An array in the memory of a GPU, such as one of CuPy, PyTorch, Numba or JAX."""

    @property
    def __cuda_array_interface__(self) -> Dict[str, Any]: ...


class SupportsArrowSchema(Protocol):
    """An Arrow schema, such as a pyarrow.Schema."""

    def __arrow_c_schema__(self) -> object: ...


class SupportsArrowArray(Protocol):
    """An Arrow record batch, such as a pyarrow.RecordBatch."""

    def __arrow_c_array__(self, requested_schema: object = None) -> Tuple[object, object]: ...


class SupportsArrowStream(Protocol):
    """An Arrow table, such as a pyarrow.Table or a DataFrame of pandas or polars."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


class GluonBlock(Protocol):
    """A HybridBlock of Gluon."""

    def export(self, path: str, epoch: int = 0) -> object: ...


PathText = Union[str, "os.PathLike[str]"]
"""A path, or an address as a str."""
Pixels = Union[npt.NDArray[np.uint8], npt.NDArray[np.uint16]]
"""(height, width) is grey, (height, width, channels) is grey or RGB, and one more channel is alpha."""
ImageLike = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, Pixels, "PIL.Image.Image"]
"""A path or an address, the bytes of a JPEG or PNG file, pixels, or a PIL image."""

ArrayLike = Union[npt.ArrayLike, SupportsDLPack]
"""An input: an array of NumPy or another library, a buffer, or nested lists of numbers."""
OutputArray = Union[npt.NDArray[Any], "Buffer"]
"""An array that predict_into writes to."""
Array = npt.NDArray[Any]
"""An output, with the model's dtype."""
Arrays = List[Array]
"""Outputs in the order of model.outputs."""
NamedArrays = Dict[str, Array]
"""Outputs by name."""
Classes = List["Classification"]
"""The classes of one sample, best first."""
Detections = List["Detection"]
"""The objects in one image, best first."""
Dimensions = Sequence[int]
"""A shape; -1 is a free size."""
Shapes = Mapping[str, Dimensions]
"""Shapes of inputs, by name."""

Deadline = Union[float, timedelta, None]
"""Seconds from now, or a timedelta."""
Priority = Literal["normal", "high"]
Collect = Literal["collect"]
"""Collect the errors of items, in addition to the results of the others."""
RowErrors = Literal["column", "raise"]
"""Whether a column holds the errors of invalid rows, or the first invalid row raises an exception."""

LogLevel = Literal["debug", "info", "warning"]
NmsMethod = Literal["hard", "linear", "gaussian"]
NmsOverlap = Literal["iou", "min"]
CtcScores = Literal["probabilities", "log_probabilities", "logits"]
CtcLayout = Literal["ntc", "tnc", "NTC", "TNC"]
VocabularyFormat = Literal["automatic", "gluonnlp_json", "word_index", "words"]
VectorsFormat = Literal["automatic", "text", "word2vec", "npz", "npy", "params"]
Side = Literal["left", "right"]

ClassName = Union[str, int]
"""A label, or its index in the labels."""
Prompt = Union[str, Iterable[int]]
"""A text, or ids."""
SequenceLike = Union[Sequence[int], ArrayLike, Mapping[str, ArrayLike]]
"""Ids, an array (length, features...), or arrays by the names of inputs."""
Columns = Union[str, Sequence[str], Mapping[str, Union[str, Sequence[str]]], None]
"""The names of the columns that feed the inputs."""
InputDescriptions = Union[
    str, "DataDesc", "Sequence[DataDesc]", "Mapping[str, Union[Dimensions, DataDesc]]", Sequence[Tuple[str, Dimensions]]
]
"""A description of a model's inputs: {name: shape}, or DataDescs."""
Transforms = Union[str, Mapping[str, object], Sequence[object], Callable[..., object], None]
"""Gluon transforms, or steps such as {"op": "resize", "size": 224}; one, or a list."""
Descriptors = Union[Mapping[str, Dimensions], Sequence[Union["DataDesc", Mapping[str, object]]]]
"""The inputs or outputs of a signature: {name: shape}, or descriptors."""


class PredictorOptions(LoadOptions, RunOptions, QueueOptions, total=False):
    """Options of Predictor, including those of Model.load, for a Predictor that loads the model."""


class ClassifierOptions(PredictorOptions, ScoreOptions, total=False):
    """Options of Classifier."""


class ImageClassifierOptions(ClassifierOptions, ImageOptions, total=False):
    """Options of ImageClassifier."""


class QuantizeRunOptions(PredictorOptions, ImageOptions, total=False):
    """Options of quantize."""


class SegmenterOptions(ImageClassifierOptions, total=False):
    """Options of ImageSegmenter."""


class KeypointOptions(PredictorOptions, ImageOptions, total=False):
    """Options of KeypointDetector."""


class DetectorOptions(PredictorOptions, ImageOptions, BoxOptions, total=False):
    """Options of ObjectDetector."""


class SequenceOptions(PredictorOptions, total=False):
    """Options of SequencePredictor."""

    buckets: Union[Sequence[int], None]
    pad_side: Union[Side, None]
    pad_value: Union[float, None]
    too_long: Union[Literal["truncate", "error"], None]
    truncate_side: Union[Side, None]
    sequence_input: Union[str, None]
    length_input: Union[str, None]
    states: Union[Mapping[str, str], None]
    cut_outputs: Union[bool, None]


class TextClassifierOptions(SequenceOptions, ScoreOptions, total=False):
    """Options of TextClassifier."""

    tokenizer: Union[Tokenizer, None]
    begin: Union[str, None]
    end: Union[str, None]
    segment_input: Union[str, None]


class GeneratorOptions(PredictorOptions, total=False):
    """Options of SequenceGenerator."""

    token_input: Union[str, None]
    token_layout: Union[Literal["N", "NT", "TN", "n", "nt", "tn"], None]
    step: Union[Literal["automatic", "one_token", "whole_prefix"], None]
    score_output: Union[str, None]
    scores: Union[Literal["automatic", "logits", "log_probabilities", "probabilities"], None]
    states: Union[Mapping[str, str], None]
    position_input: Union[str, None]
    length_input: Union[str, None]
    buckets: Union[Sequence[int], None]
    pad_value: Union[float, None]
    vocabulary: Union[Vocabulary, None]
    tokenizer: Union[Tokenizer, None]
    begin_id: Union[int, None]
    end_id: Union[int, None]


class GenerateOptions(TypedDict, total=False):
    """How the tokens of one call are chosen."""

    search: Union[Literal["greedy", "beam", "sample"], None]
    max_length: Union[int, None]
    num_sequences: Union[int, None]
    stop_ids: Union[Iterable[int], None]
    stop: Union[Callable[[List[int]], bool], None]
    beam: Union[int, None]
    alpha: Union[float, None]
    length_k: Union[float, None]
    temperature: Union[float, None]
    top_k: Union[int, None]
    top_p: Union[float, None]
    seed: Union[int, None]
    repetition_penalty: Union[float, None]
    inputs: Union[Mapping[str, ArrayLike], None]
