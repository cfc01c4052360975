# Written from the list of options, src/api/options/setting_list.cpp; see docs/design/adding-an-option.md.
"""Types of the options that all languages have. mxinfer.types exports them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Literal, Sequence, TypedDict, Union

import numpy.typing as npt

if TYPE_CHECKING:
    from .types import InputDescriptions, PathText

__all__ = [
    "Activation",
    "BoxOptions",
    "BoxUnits",
    "CachePolicy",
    "Color",
    "ImageOptions",
    "Interpolation",
    "LoadOptions",
    "Precision",
    "Preset",
    "QueueOptions",
    "RandomTransforms",
    "Resize",
    "RunOptions",
    "Scheduling",
    "ScoreOptions",
    "Target",
    "WhenFull",
]

RandomTransforms = Literal["reject", "identity", "execute"]
CachePolicy = Literal["use", "refresh", "offline", "none"]
Scheduling = Literal["automatic", "latency", "throughput"]
Target = Literal["automatic", "ref", "baseline", "avx2", "avx512", "reference"]
Precision = Literal["float32", "bfloat16", "tf32", "float16", "fp32", "float", "bf16", "fp16", "half"]
WhenFull = Literal["reject", "block", "drop_oldest"]
Preset = Literal["raw", "imagenet", "imagenet_symbol", "unit", "minus_one_to_one", "insightface"]
Resize = Literal["stretch", "short_side_crop", "letterbox"]
Interpolation = Literal["nearest", "linear", "cubic", "area", "lanczos4"]
Color = Literal["rgb", "bgr"]
Activation = Literal["none", "softmax", "sigmoid"]
BoxUnits = Literal["automatic", "relative", "pixels"]

Texts = Union[str, Sequence[str], None]
Duration = Union[int, timedelta, None]
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
    connect_timeout: Duration
    stall_timeout: Duration
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
    idle_limit: Duration
    max_device_memory_bytes: Union[int, None]
    max_memory_bytes: Union[int, None]


class QueueOptions(TypedDict, total=False):
    """How the queue of asynchronous calls works."""

    max_in_flight: Union[int, None]
    when_full: Union[WhenFull, None]
    workers: Union[int, None]
    max_batch: Union[int, None]
    max_delay: Duration


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
    scaled_decoding: Union[bool, None]
    batch_size: Union[int, None]


class ScoreOptions(TypedDict, total=False):
    """How scores are computed and filtered."""

    activation: Union[Activation, None]
    min_score: Number


class BoxOptions(TypedDict, total=False):
    """How the boxes of a detector are read."""

    units: Union[BoxUnits, None]
