"""What mxinfer's objects tell: plain values, with the names and meanings of the C++ structs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Dict, List, NamedTuple, Tuple

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
    "ItemError",
    "LatencyHistogram",
    "ModelMemory",
    "PlanInfo",
    "Point",
    "PredictorMemory",
    "PredictorStats",
    "RejectedImplementation",
    "Setting",
    "StepInfo",
]


class Classification(NamedTuple):
    """One class of one sample.

    >>> label, score, index = mxinfer.ImageClassifier("models/digits.mxz").classify("examples/images/seven.jpg", top_k=1)[0]
    >>> label, index
    ('seven', 7)
    """

    label: str
    """The class name; the index as text if the model has no labels."""
    score: float
    """As the model gives it, or behind the option `activation`."""
    index: int  # type: ignore[assignment]
    """The class's position in the output."""


class Box(NamedTuple):
    """A rectangle, in pixels of the image that was given.

    >>> box = mxinfer.Box(left=10, top=20, right=50, bottom=60)
    >>> (box.right - box.left) * (box.bottom - box.top)
    1600
    """

    left: float
    top: float
    right: float
    bottom: float


class Point(NamedTuple):
    """A place, in pixels of the image that was given.

    >>> x, y = mxinfer.Point(3.0, 4.0)
    """

    x: float
    y: float


class Detection(NamedTuple):
    """One object in one image.

    >>> for found in mxinfer.ObjectDetector("models/digit_detector").detect("models/digit_detector/scenes/08.jpg"):
    ...     assert found.score >= 0.5 and found.box.left < found.box.right
    """

    label: str
    """The class name; the index as text if the model has no labels."""
    score: float
    index: int  # type: ignore[assignment]
    """The class's position in the labels."""
    box: Box
    landmarks: Tuple[Point, ...] = ()
    """Points of the object, such as the eyes of a face, in the model's order; empty where the model gives none."""


@dataclass(frozen=True)
class DetectReport:
    """What became of everything that a network gave for an image. Each candidate, a row that stands for an object, is among
    `detections` or counted once, by the first field below that applies to it. str() is one sentence.

    >>> report = mxinfer.ObjectDetector("models/digit_detector").report("models/digit_detector/scenes/08.jpg", score_threshold=0.9)
    >>> report.below_threshold > 0
    True
    """

    detections: List[Detection]
    rows: int
    """Of the network's outputs, with those that stand for nothing."""
    candidates: int
    nan_scores: int
    other_classes: int
    """Not of `classes`."""
    below_threshold: int
    nan_boxes: int
    empty_boxes: int
    outside: int
    """No part of the box is in the image."""
    suppressed: int
    beyond_most: int
    """More than `max_detections`."""
    histogram: Tuple[int, ...]
    """Scores of candidates of wanted classes: below 0.1, of 0.1 to 0.2, ..., of 0.9 and more."""
    best: List[Classification]
    """The best score of each class that has candidates, by falling score."""
    text: str

    def __str__(self) -> str:
        return self.text


class ItemError(NamedTuple):
    """What went wrong with one item of a list.

    >>> classifier = mxinfer.ImageClassifier("models/digits.mxz")
    >>> lists, errors = classifier.classify_batch(["examples/images/six.png", b"no image"], errors="collect")
    >>> [(wrong.item, wrong.error.code) for wrong in errors]
    [(1, 'malformed')]
    """

    item: int
    """Its position in the list, from 0."""
    error: Error


@dataclass(frozen=True)
class DataDesc:
    """One input or output of a model.

    >>> mxinfer.Model.load("models/digits").inputs[0].shape
    (-1, 1, 32, 32)
    >>> image = mxinfer.DataDesc("data", (-1, 3, 224, 224), "float32", layout="NCHW")  # for Model.load(..., inputs=[image])
    """

    name: str
    shape: Tuple[int, ...]
    """-1 is free: batch, height, width, length."""
    dtype: str = "float32"
    """NumPy's name; bfloat16 too, which NumPy has not."""
    layout: str = ""
    """One letter a dimension, such as "NCHW"; empty: "NCHW" for four dimensions, else the batch comes first."""
    meaning: str = ""
    """"image", "encoded_image", "image_path", "scores", "ids", "boxes", "landmarks", "text" or ""."""
    is_guess: bool = False
    """Of an input: its sizes were guessed, and others would do as well; Model.warnings says which."""
    is_optional: bool = False
    """Of an input: it may be left out, and is then zeros."""
    is_nullable: bool = False
    """Of an input: a row may be null, which is NaN in numbers and a row of zero bytes in text."""


@dataclass(frozen=True)
class ModelMemory:
    """What the weights of a model take, in bytes; all of its predictors share them.

    >>> memory = mxinfer.Model.load("models/digits").memory()
    >>> memory.total == memory.stored_weights + memory.packed_weights
    True
    """

    stored_weights: int
    packed_weights: int
    """What plans made of them, for their kernels."""

    @property
    def total(self) -> int:
        """Both."""
        return self.stored_weights + self.packed_weights


@dataclass(frozen=True)
class PredictorMemory:
    """What a predictor holds, in bytes.

    >>> predictor = mxinfer.Predictor("models/digits")
    >>> predictor.warmup()
    >>> memory = predictor.memory()
    >>> memory.total > memory.weights.total > 0
    True
    """

    weights: ModelMemory
    plans: int
    workspaces: int
    """What calls work in, idle ones too."""
    idle_workspaces: int
    """Of these, those that wait for a call: Predictor.trim() releases them."""

    @property
    def total(self) -> int:
        """Weights, plans and workspaces."""
        return self.weights.total + self.plans + self.workspaces


@dataclass(frozen=True)
class PredictorStats:
    """What a predictor has done and holds.

    >>> predictor = mxinfer.Predictor("models/digits")
    >>> predictor.warmup()
    >>> predictor.stats().plans
    1
    """

    calls: int
    """Runs of a plan that were begun, those of warmup among them."""
    plan_misses: int
    plans_made: int
    """Many more than `plans` mean that the option max_plans is too small."""
    plans: int
    running: int
    idle_executors: int
    executor_bytes: int
    weight_bytes: int


@dataclass(frozen=True)
class LatencyHistogram:
    """How many calls took how long.

    >>> predictor = mxinfer.Predictor("models/digits")
    >>> outputs = predictor.predict(np.zeros((1, 1, 32, 32), np.float32))
    >>> predictor.metrics().run_time.calls
    1
    """

    counts: Tuple[int, ...]
    """Calls of each bucket alone, not of those below it; the last one is of those above all bounds."""
    sum_seconds: float

    @property
    def bounds(self) -> Tuple[float, ...]:
        """Upper bounds in seconds, inclusive."""
        return _native.histogram_bounds()

    @property
    def calls(self) -> int:
        """All of them."""
        return sum(self.counts)

    def quantile_seconds(self, part: float) -> float:
        """The time that a part of all calls, 0..1, stayed below; 0 without calls.

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
    """waiting + running + done + failed + cancelled + expired"""
    waiting: int
    running: int
    done: int
    failed: int
    cancelled: int
    expired: int
    refused: int
    """Not taken; none of submitted."""
    failed_callbacks: int
    batches: int
    """That calls ran together in (max_batch)."""
    batched: int
    """Calls that ran in one."""
    queue_time: LatencyHistogram
    run_time: LatencyHistogram


@dataclass(frozen=True)
class RejectedImplementation:
    """An implementation that does not compute a node.

    >>> step = mxinfer.Predictor("models/digits").explain().steps[0]
    >>> [(other.name, other.reason) for other in step.rejected]  # doctest: +ELLIPSIS
    [...]
    """

    name: str
    reason: str


@dataclass(frozen=True)
class StepInfo:
    """One step of a plan.

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
    """What runs for one set of input shapes, and why. `str(plan)` is what `mxinfer explain` prints.

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
        """The same as plain dicts and tuples, without the text."""
        values = asdict(self)
        del values["text"]
        return values


@dataclass(frozen=True)
class Setting:
    """One option that there is, by its name as a keyword.

    >>> precision = next(setting for setting in mxinfer.settings_known() if setting.name == "precision")
    >>> precision.value
    'float32, bfloat16, tf32 or float16'
    """

    name: str
    group: str
    """load: of Model.load; run, queue: of every predictor; image, scores, detector: of the classes for these."""
    value: str
    """What it takes."""
    default: str
    """What it is if nothing sets it; "" if that is not a value."""
    help: str


@dataclass(frozen=True)
class BuildInfo:
    """How the library was built, for reports of errors.

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
    weights, *rest = values
    return PredictorMemory(ModelMemory(*weights), *rest)


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
