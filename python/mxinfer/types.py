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

if TYPE_CHECKING:
    import PIL.Image
    from typing_extensions import Buffer

    from .records import Classification, DataDesc, Detection
    from .sequence.tokenizer import Tokenizer
    from .sequence.vocabulary import Vocabulary

__all__ = [
    "Activation",
    "Array",
    "ArrayLike",
    "Arrays",
    "BoxUnits",
    "CachePolicy",
    "ClassName",
    "Classes",
    "ClassifierOptions",
    "Color",
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
    "ImageOptions",
    "InputDescriptions",
    "Interpolation",
    "KeypointOptions",
    "LoadOptions",
    "LogLevel",
    "NamedArrays",
    "NmsMethod",
    "NmsOverlap",
    "OutputArray",
    "PathText",
    "Pixels",
    "PredictorOptions",
    "Precision",
    "Preset",
    "Priority",
    "Prompt",
    "QueueOptions",
    "RandomTransforms",
    "Resize",
    "RowErrors",
    "RunOptions",
    "Scheduling",
    "ScoreOptions",
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
    "Target",
    "TextClassifierOptions",
    "Transforms",
    "VectorsFormat",
    "VocabularyFormat",
    "WhenFull",
]


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

Precision = Literal["float32", "bfloat16", "tf32", "float16", "fp32", "float", "bf16", "fp16", "half"]
Scheduling = Literal["automatic", "latency", "throughput"]
Target = Literal["automatic", "ref", "reference", "baseline", "avx2", "avx512"]
WhenFull = Literal["reject", "block", "drop_oldest"]
RandomTransforms = Literal["reject", "identity", "execute"]
CachePolicy = Literal["use", "refresh", "offline", "none"]
Preset = Literal["raw", "imagenet", "imagenet_symbol", "unit", "minus_one_to_one", "insightface"]
Resize = Literal["stretch", "short_side_crop", "letterbox"]
Interpolation = Literal["nearest", "linear", "cubic", "area", "lanczos4"]
Color = Literal["rgb", "bgr"]
Activation = Literal["none", "softmax", "sigmoid"]
BoxUnits = Literal["automatic", "relative", "pixels"]
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
Texts = Union[str, Sequence[str], None]
Milliseconds = Union[int, timedelta, None]
Channels = Union[float, Sequence[float], npt.NDArray[Any], str, None]
Number = Union[float, str, None]


class LoadOptions(TypedDict, total=False):
    """Options of Model.load."""

    epoch: Union[int, None]
    graph: Union[str, None]
    inputs: Union[InputDescriptions, None]
    input_names: Texts
    outputs: Texts
    labels: Union[Sequence[str], None]
    load_transforms: Union[bool, None]
    verify: Union[bool, None]
    random_transforms: Union[RandomTransforms, None]
    seed: Union[int, None]
    read_weights_at_once: Union[bool, None]
    sha256: Texts
    cache: Union[CachePolicy, None]
    cache_folder: Union[PathText, None]
    cache_bytes: Union[int, None]
    connect_timeout: Milliseconds
    stall_timeout: Milliseconds
    retries: Union[int, None]
    connections: Union[int, None]
    max_file_bytes: Union[int, None]
    max_redirects: Union[int, None]
    allow_private_redirects: Union[bool, None]
    headers: Texts
    s3_region: Union[str, None]
    s3_endpoint: Union[str, None]
    s3_profile: Union[str, None]
    s3_path_style: Union[bool, None]
    s3_anonymous: Union[bool, None]
    s3_access_key_id: Union[str, None]
    s3_secret_access_key: Union[str, None]
    s3_session_token: Union[str, None]
    hdfs_user: Union[str, None]
    hdfs_delegation_token: Union[str, None]
    hdfs_name_nodes: Texts
    hdfs_kerberos: Union[bool, None]


class RunOptions(TypedDict, total=False):
    """How a model runs."""

    threads: Union[int, None]
    scheduling: Union[Scheduling, None]
    target: Union[Target, None]
    precision: Union[Precision, None]
    device: Union[str, None]
    cpu_fallback: Union[bool, None]
    tuning_file: Union[PathText, None]
    max_winograd_bytes: Union[int, None]
    max_plans: Union[int, None]
    max_plan_bytes: Union[int, None]
    max_idle_executors: Union[int, None]
    idle_limit: Milliseconds
    max_device_memory_bytes: Union[int, None]
    max_memory_bytes: Union[int, None]


class QueueOptions(TypedDict, total=False):
    """How the queue of asynchronous calls works."""

    max_in_flight: Union[int, None]
    when_full: Union[WhenFull, None]
    workers: Union[int, None]
    max_batch: Union[int, None]
    max_delay: Union[int, timedelta, None]


class ImageOptions(TypedDict, total=False):
    """How an image is converted to the input."""

    preset: Union[Preset, None]
    resize: Union[Resize, None]
    resize_short: Union[int, None]
    interpolation: Union[Interpolation, None]
    color: Union[Color, None]
    scale: Number
    mean: Channels
    std: Channels
    pad_value: Number
    network_size: Union[int, None]
    apply_exif: Union[bool, None]
    height: Union[int, None]
    width: Union[int, None]


class ScoreOptions(TypedDict, total=False):
    """How scores are computed and filtered."""

    activation: Union[Activation, None]
    min_score: Number


class PredictorOptions(LoadOptions, RunOptions, QueueOptions, total=False):
    """Options of Predictor, including those of Model.load, for a Predictor that loads the model."""


class ClassifierOptions(PredictorOptions, ScoreOptions, total=False):
    """Options of Classifier."""


class ImageClassifierOptions(ClassifierOptions, ImageOptions, total=False):
    """Options of ImageClassifier."""


class SegmenterOptions(ImageClassifierOptions, total=False):
    """Options of ImageSegmenter."""


class KeypointOptions(PredictorOptions, ImageOptions, total=False):
    """Options of KeypointDetector."""


class DetectorOptions(PredictorOptions, ImageOptions, total=False):
    """Options of ObjectDetector."""

    units: Union[BoxUnits, None]


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
