"""Plain values that mxinfer's objects return, with the names and meanings of the C++ structs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from . import _native
from .errors import Error

__all__ = [
    "Box",
    "BuildInfo",
    "CallMetrics",
    "Classification",
    "DataDesc",
    "DetectReport",
    "Detection",
    "DeviceMemory",
    "ItemError",
    "LatencyHistogram",
    "ModelMemory",
    "PlanInfo",
    "Point",
    "PredictorMemory",
    "PredictorStats",
    "QuantizeReport",
    "QuantizedLayer",
    "RejectedImplementation",
    "Setting",
    "StepInfo",
]


class Classification(NamedTuple):
    """A class of a sample, with its score.

    >>> label, score, index = mxinfer.ImageClassifier("models/digits.mxz").classify("examples/images/seven.jpg", top_k=1)[0]
    >>> label, index
    ('seven', 7)
    """

    label: str
    """The class name; the index as text if the model has no labels."""
    score: float
    """The model's output, after the option `activation`."""
    index: int  # type: ignore[assignment]
    """The index of the class in the output."""


class Box(NamedTuple):
    """A rectangle, in pixels of the image.

    >>> box = mxinfer.Box(left=10, top=20, right=50, bottom=60)
    >>> (box.right - box.left) * (box.bottom - box.top)
    1600
    """

    left: float
    top: float
    right: float
    bottom: float


class Point(NamedTuple):
    """A point, in pixels of the image.

    >>> x, y = mxinfer.Point(3.0, 4.0)
    """

    x: float
    y: float


class Detection(NamedTuple):
    """An object in an image.

    >>> for found in mxinfer.ObjectDetector("models/digit_detector").detect("models/digit_detector/scenes/08.jpg"):
    ...     assert found.score >= 0.5 and found.box.left < found.box.right
    """

    label: str
    """The class name; the index as text if the model has no labels."""
    score: float
    index: int  # type: ignore[assignment]
    """The index of the class in the labels."""
    box: Box
    landmarks: Tuple[Point, ...] = ()
    """Points of the object, such as the eyes of a face, in the model's order; empty if the model has none."""


@dataclass(frozen=True)
class DetectReport:
    """The detections in an image, and why the other candidates were dropped.

    A candidate is a row of the network's output that stands for an object. It is in `detections`, or counted once, in the first
    field below that applies to it. str() is one sentence.

    >>> report = mxinfer.ObjectDetector("models/digit_detector").report("models/digit_detector/scenes/08.jpg", score_threshold=0.9)
    >>> report.below_threshold > 0
    True
    """

    detections: List[Detection]
    rows: int
    """Rows of the network's outputs, including those that stand for nothing."""
    candidates: int
    nan_scores: int
    other_classes: int
    """Not in `classes`."""
    below_threshold: int
    nan_boxes: int
    empty_boxes: int
    outside: int
    """No part of the box is in the image."""
    suppressed: int
    beyond_most: int
    """More than `max_detections`."""
    histogram: Tuple[int, ...]
    """Scores of the candidates of wanted classes: below 0.1, 0.1 to 0.2, ..., 0.9 and above."""
    best: List[Classification]
    """The best score of each class that has candidates, best first."""
    text: str

    def __str__(self) -> str:
        return self.text


class QuantizedLayer(NamedTuple):
    """A convolution or dense layer, as quantize() found it.

    >>> layer = mxinfer.QuantizedLayer("conv0", "Convolution", 38.5, "")
    >>> layer.is_int8
    True
    """

    name: str
    op: str
    snr_db: float
    """The signal-to-noise ratio of the layer's output if the layer alone computes with 8 bits; NaN if it was not measured."""
    float_because: str
    """Why it stays float32; empty if it computes with 8 bits."""

    @property
    def is_int8(self) -> bool:
        """Whether it computes with 8 bits."""
        return not self.float_because


@dataclass(frozen=True)
class QuantizeReport:
    """What quantize() did.

    >>> sorted(field for field in mxinfer.QuantizeReport.__dataclass_fields__ if field.startswith("ms"))
    ['ms_after', 'ms_before']
    """

    method: str
    samples: int
    layers: List[QuantizedLayer]
    """In the order in which they run."""
    top1_agreement: Optional[float]
    """The share of rows whose best class is that of the float32 model; None if no output has scores of classes."""
    output_snr_db: Optional[float]
    """The signal-to-noise ratio of outputs that are not scores, the lowest of several; None if there are none."""
    parameter_bytes_before: int
    parameter_bytes_after: int
    ms_before: float
    """The median time of a call with the first sample."""
    ms_after: float
    warnings: List[str]


class ItemError(NamedTuple):
    """The error of one item of a list.

    >>> classifier = mxinfer.ImageClassifier("models/digits.mxz")
    >>> lists, errors = classifier.classify_batch(["examples/images/six.png", b"no image"], errors="collect")
    >>> [(wrong.item, wrong.error.code) for wrong in errors]
    [(1, 'malformed')]
    """

    item: int
    """The index of the item in the list, from 0."""
    error: Error


@dataclass(frozen=True)
class DataDesc:
    """An input or output of a model.

    >>> mxinfer.Model.load("models/digits").inputs[0].shape
    (-1, 1, 32, 32)
    >>> image = mxinfer.DataDesc("data", (-1, 3, 224, 224), "float32", layout="NCHW")  # for Model.load(..., inputs=[image])
    """

    name: str
    shape: Tuple[int, ...]
    """-1 is free: batch, height, width, length."""
    dtype: str = "float32"
    """NumPy's name, or bfloat16, which NumPy lacks."""
    layout: str = ""
    """One letter for each dimension, such as "NCHW". Empty: "NCHW" for four dimensions, otherwise the batch comes first."""
    meaning: str = ""
    """"image", "encoded_image", "image_path", "scores", "ids", "boxes", "landmarks", "text" or ""."""
    is_guess: bool = False
    """For an input: its sizes were guessed, and others work too; Model.warnings lists them."""
    is_optional: bool = False
    """For an input: it may be left out, and is then zeros."""
    is_nullable: bool = False
    """For an input: a row may be null, which is NaN in numbers and a row of zero bytes in text."""


@dataclass(frozen=True)
class ModelMemory:
    """The memory of a model's weights, in bytes. All of its predictors share them.

    >>> memory = mxinfer.Model.load("models/digits").memory()
    >>> memory.total == memory.stored_weights + memory.packed_weights
    True
    """

    stored_weights: int
    packed_weights: int
    """Copies that plans packed for their kernels."""

    @property
    def total(self) -> int:
        """Stored and packed weights."""
        return self.stored_weights + self.packed_weights


@dataclass(frozen=True)
class DeviceMemory:
    """The memory of a predictor that is for one GPU, in bytes.

    >>> mxinfer.DeviceMemory("cuda:0", weights=46_000_000, workspaces=0, staging=600_000, pooled=9_000_000).device
    'cuda:0'
    """

    device: str
    weights: int
    """On the GPU, shared with the model's other predictors."""
    workspaces: int
    """On the GPU, where running calls work."""
    staging: int
    """Pinned memory of the process, for copies to the GPU and back."""
    pooled: int
    """On the GPU, waiting for calls of any predictor in the process; Predictor.trim() releases it."""


@dataclass(frozen=True)
class PredictorMemory:
    """The memory of a predictor, in bytes.

    >>> predictor = mxinfer.Predictor("models/digits")
    >>> predictor.warmup()
    >>> memory = predictor.memory()
    >>> memory.total > memory.weights.total > 0
    True
    """

    weights: ModelMemory
    plans: int
    workspaces: int
    """Memory that calls work in, including idle workspaces."""
    idle_workspaces: int
    """The part that no call uses; Predictor.trim() releases it."""
    devices: Tuple[DeviceMemory, ...] = ()
    """For each of its GPUs; none on the CPU. All but what is pooled is also counted above."""

    @property
    def total(self) -> int:
        """The sum of weights, plans and workspaces."""
        return self.weights.total + self.plans + self.workspaces


@dataclass(frozen=True)
class PredictorStats:
    """What a predictor has done, and what it holds.

    >>> predictor = mxinfer.Predictor("models/digits")
    >>> predictor.warmup()
    >>> predictor.stats().plans
    1
    """

    calls: int
    """Runs of a plan that have started, including those of warmup."""
    plan_misses: int
    plans_made: int
    """If this is much larger than `plans`, the option max_plans is too small."""
    plans: int
    running: int
    idle_executors: int
    executor_bytes: int
    weight_bytes: int


@dataclass(frozen=True)
class LatencyHistogram:
    """A histogram of the times of calls.

    >>> predictor = mxinfer.Predictor("models/digits")
    >>> outputs = predictor.predict(np.zeros((1, 1, 32, 32), np.float32))
    >>> predictor.metrics().run_time.calls
    1
    """

    counts: Tuple[int, ...]
    """The calls in each bucket, not cumulative; the last bucket is above all bounds."""
    sum_seconds: float

    @property
    def bounds(self) -> Tuple[float, ...]:
        """The inclusive upper bounds in seconds."""
        return _native.histogram_bounds()

    @property
    def calls(self) -> int:
        """The number of calls in all buckets."""
        return sum(self.counts)

    def quantile_seconds(self, part: float) -> float:
        """Return the time that a share of all calls, from 0 to 1, stayed below; 0 if there are no calls.

        >>> predictor = mxinfer.Predictor("models/digits")
        >>> outputs = predictor.predict(np.zeros((1, 1, 32, 32), np.float32))
        >>> predictor.metrics().run_time.quantile_seconds(0.99) > 0
        True
        """
        return _native.quantile_seconds(list(self.counts), part)


@dataclass(frozen=True)
class CallMetrics:
    """Counts and times of a predictor's calls, synchronous and asynchronous.

    >>> predictor = mxinfer.Predictor("models/digits")
    >>> outputs = predictor.predict(np.zeros((1, 1, 32, 32), np.float32))
    >>> metrics = predictor.metrics()
    >>> metrics.done, metrics.failed
    (1, 0)
    """

    submitted: int
    """The sum of waiting, running, done, failed, cancelled and expired."""
    waiting: int
    running: int
    done: int
    failed: int
    cancelled: int
    expired: int
    refused: int
    """Calls that were not accepted; `submitted` does not include them."""
    failed_callbacks: int
    batches: int
    """Batches that joined several calls (max_batch)."""
    batched: int
    """Calls that ran in such a batch."""
    queue_time: LatencyHistogram
    run_time: LatencyHistogram


@dataclass(frozen=True)
class RejectedImplementation:
    """An implementation that cannot compute a node, and the reason.

    >>> step = mxinfer.Predictor("models/digits").explain().steps[0]
    >>> [(other.name, other.reason) for other in step.rejected]  # doctest: +ELLIPSIS
    [...]
    """

    name: str
    reason: str


@dataclass(frozen=True)
class StepInfo:
    """A step of a plan.

    >>> plan = mxinfer.Predictor("models/digits").explain()
    >>> any(step.op == "Convolution" for step in plan.steps)
    True
    """

    node: str
    op: str
    output: str
    kernel: str
    reason: str
    device: str
    rejected: Tuple[RejectedImplementation, ...]
    notes: Tuple[str, ...]
    flops: float
    inner: bool
    predicted_ms: float


@dataclass(frozen=True)
class PlanInfo:
    """What runs for one set of input shapes, and why. `str(plan)` is the output of `mxinfer explain`.

    >>> plan = mxinfer.Predictor("models/digits", threads=1).explain({"data": (4, 1, 32, 32)})
    >>> plan.precision, plan.threads
    ('float32', 1)
    """

    steps: Tuple[StepInfo, ...]
    target: str
    precision: str
    threads: int
    arena_bytes: int
    intermediate_bytes: int
    packed_weight_bytes: int
    warnings: Tuple[str, ...]
    text: str

    def __str__(self) -> str:
        return self.text

    def as_dict(self) -> Dict[str, Any]:
        """Return the plan as plain dicts and tuples, without the text."""
        values = asdict(self)
        del values["text"]
        return values


@dataclass(frozen=True)
class Setting:
    """An option.

    >>> precision = next(setting for setting in mxinfer.settings_known() if setting.name == "precision")
    >>> precision.value
    'float32, bfloat16, tf32 or float16'
    """

    name: str
    group: str
    """load: for Model.load; run, queue: for every predictor; image, scores, detector: for the classes of these."""
    value: str
    """The values that it takes."""
    default: str
    """The default; "" if that is not a value."""
    help: str


@dataclass(frozen=True)
class BuildInfo:
    """How the library was built, for bug reports.

    >>> mxinfer.build_info().version == mxinfer.__version__
    True
    """

    version: str
    commit: str
    compiler: str
    targets: Tuple[str, ...]
    best_target: str


def descriptors(values: List[Any]) -> List[DataDesc]:
    return [DataDesc(*value) for value in values]


def predictor_memory(values: Any) -> PredictorMemory:
    weights, plans, workspaces, idle_workspaces, devices = values
    return PredictorMemory(
        ModelMemory(*weights), plans, workspaces, idle_workspaces, tuple(DeviceMemory(*device) for device in devices)
    )


def call_metrics(values: Any) -> CallMetrics:
    queue_time, run_time = values[-2:]
    fields: Tuple[Any, ...] = (*values[:-2], LatencyHistogram(*queue_time), LatencyHistogram(*run_time))
    return CallMetrics(*fields)


def _step(values: Any) -> StepInfo:
    node, op, output, kernel, reason, device, rejected, notes, flops, inner, predicted_ms = values
    others = tuple(RejectedImplementation(*other) for other in rejected)
    return StepInfo(node, op, output, kernel, reason, device, others, tuple(notes), flops, inner, predicted_ms)


def plan_info(values: Any) -> PlanInfo:
    steps, target, precision, threads, arena, intermediate, packed, warnings, text = values
    made = tuple(_step(step) for step in steps)
    return PlanInfo(made, target, precision, threads, arena, intermediate, packed, tuple(warnings), text)


def detection(values: Any) -> Detection:
    label, score, index, box, landmarks = values
    return Detection(label, score, index, Box._make(box), tuple(Point._make(point) for point in landmarks))


def detect_report(values: Any) -> DetectReport:
    found, counts, histogram, best, text = values
    classes = [Classification._make(each) for each in best]
    fields: Tuple[Any, ...] = ([detection(each) for each in found], *counts, tuple(histogram), classes, text)
    return DetectReport(*fields)
