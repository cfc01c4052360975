"""Run Apache MXNet models on CPUs and NVIDIA GPUs, without MXNet.

    import mxinfer

    classifier = mxinfer.ImageClassifier("models/digits.mxz")
    for label, score, index in classifier.classify("examples/images/seven.jpg", top_k=3):
        print(label, score)

Model.load reads a model, and Predictor runs it on arrays. Classifier, ImageClassifier, ObjectDetector, ImageSegmenter and
KeypointDetector interpret the outputs. SequencePredictor, TextClassifier and SequenceGenerator run on sequences and texts.
mxinfer.types has the types of the arguments, for annotations. docs/how-to/python.md describes the whole package.
"""

from __future__ import annotations

import atexit
import os

from . import _native
from .classifier import Classifier
from .errors import (
    CancelledError,
    DeadlineExceededError,
    DeviceError,
    Error,
    InternalError,
    InvalidArgumentError,
    MalformedError,
    NetworkError,
    NotFoundError,
    OutOfMemoryError,
    TooManyRequestsError,
    UnsupportedError,
)
from .export import export
from .log import set_log_callback
from .model import Model
from .options import settings_known
from .pinned import empty_pinned
from .prediction import Prediction
from .predictor import Predictor
from .quantize import quantize
from .records import (
    Box,
    BuildInfo,
    CallMetrics,
    Classification,
    DataDesc,
    Detection,
    DetectReport,
    DeviceMemory,
    ItemError,
    LatencyHistogram,
    ModelMemory,
    PlanInfo,
    Point,
    PredictorMemory,
    PredictorStats,
    QuantizedLayer,
    QuantizeReport,
    RejectedImplementation,
    Setting,
    StepInfo,
)
from .sequence.bucketed_model import BucketedModel
from .sequence.ctc import CtcSequence, ctc_beam_search, ctc_greedy
from .sequence.sequence_generator import Generated, Generation, SequenceGenerator
from .sequence.sequence_predictor import SequencePredictor
from .sequence.session import Session
from .sequence.text_classifier import TextClassifier
from .sequence.tokenizer import Tokenizer
from .sequence.vocabulary import Vocabulary
from .sequence.word_vectors import NearWord, WordVectors
from .table_predictor import TablePredictor
from .vision.image_classifier import ImageClassifier
from .vision.image_segmenter import UNKNOWN_LABEL, ImageSegmenter, SegmentArea, Segmentation
from .vision.keypoint_detector import Keypoint, KeypointDetector, Pose
from .vision.nms import NmsOptions
from .vision.object_detector import ObjectDetector

__all__ = [
    "Box",
    "BucketedModel",
    "BuildInfo",
    "CallMetrics",
    "CancelledError",
    "Classification",
    "Classifier",
    "CtcSequence",
    "DataDesc",
    "DeadlineExceededError",
    "DetectReport",
    "Detection",
    "DeviceError",
    "DeviceMemory",
    "Error",
    "Generated",
    "Generation",
    "ImageClassifier",
    "ImageSegmenter",
    "InternalError",
    "InvalidArgumentError",
    "ItemError",
    "Keypoint",
    "KeypointDetector",
    "LatencyHistogram",
    "MalformedError",
    "Model",
    "ModelMemory",
    "NearWord",
    "NetworkError",
    "NmsOptions",
    "NotFoundError",
    "ObjectDetector",
    "OutOfMemoryError",
    "PlanInfo",
    "Point",
    "Pose",
    "Prediction",
    "Predictor",
    "PredictorMemory",
    "PredictorStats",
    "QuantizeReport",
    "QuantizedLayer",
    "RejectedImplementation",
    "SegmentArea",
    "Segmentation",
    "SequenceGenerator",
    "SequencePredictor",
    "Session",
    "Setting",
    "StepInfo",
    "TablePredictor",
    "TextClassifier",
    "Tokenizer",
    "TooManyRequestsError",
    "UNKNOWN_LABEL",
    "UnsupportedError",
    "Vocabulary",
    "WordVectors",
    "build_info",
    "ctc_beam_search",
    "ctc_greedy",
    "empty_pinned",
    "export",
    "quantize",
    "set_log_callback",
    "settings_known",
    "__version__",
]


def build_info() -> BuildInfo:
    """Return how the library was built, for bug reports.

    >>> info = mxinfer.build_info()
    >>> info.best_target in info.targets and info.version == mxinfer.__version__
    True
    """
    version, commit, compiler, targets, best_target = _native.build_info()
    return BuildInfo(version, commit, compiler, tuple(targets), best_target)


__version__: str = build_info().version

atexit.register(_native.end_calls)
os.register_at_fork(after_in_child=_native.after_fork_in_child)
