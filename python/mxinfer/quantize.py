"""quantize: write a model whose convolutions and dense layers compute with 8-bit integers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Iterable, List, Literal, Mapping, Optional, Sequence

from . import _native, options as _options
from .errors import InvalidArgumentError
from .model import path_bytes
from .records import QuantizedLayer, QuantizeReport
from .types import ArrayLike, PathText

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .types import QuantizeRunOptions

__all__ = ["quantize"]

_GROUPS = _options.RUN_GROUPS | {"image"}


def quantize(
    network: PathText,
    output: PathText,
    *,
    images: Optional[Iterable[PathText]] = None,
    arrays: Optional[Mapping[str, ArrayLike]] = None,
    method: Literal["minmax", "entropy", "percentile"] = "minmax",
    percentile: float = 99.99,
    max_drop: float = 0.01,
    keep_float: Sequence[str] = (),
    **options: Unpack[QuantizeRunOptions],
) -> QuantizeReport:
    """Calibrate a model with samples, and write it as a bundle with 8-bit layers.

    Args:
        network: what Model.load takes.
        output: the bundle to write.
        images: paths of images to calibrate with, prepared as ImageClassifier does.
        arrays: arrays to calibrate with instead, by input; each row is a sample.
        method: how ranges follow from the samples.
        percentile: the share of the values inside the range, of method="percentile".
        max_drop: the share of the samples whose best class may be another than the float32 model's; for outputs that are not
            scores, the share of noise in their power. Layers with the most noise stay float32 until this holds.
        keep_float: names of nodes of layers that stay float32.
        options: those of Model.load, of Predictor, and of images: preset, threads, ...

    Raises:
        InvalidArgumentError: There are no samples, or a value is not finite; the message names it and the sample.
        UnsupportedError: No layer can be quantized.

    >>> photos = ["examples/images/" + name for name in ("seven.jpg", "three.jpg", "two.png")]
    >>> report = mxinfer.quantize("models/digits", "digits_int8.mxz", images=photos)
    >>> report.parameter_bytes_after < report.parameter_bytes_before / 3
    True
    >>> mxinfer.ImageClassifier("digits_int8.mxz").classify("examples/images/seven.jpg", top_k=1)[0].label
    'seven'
    """
    if (images is None) == (arrays is None):
        raise InvalidArgumentError("quantize takes samples: either images, a list of paths, or arrays, a dict by input")
    load, run = _options.split(options, _GROUPS, "quantize")
    paths: List[bytes] = []
    if images is not None:
        if isinstance(images, (str, os.PathLike)):
            raise InvalidArgumentError("images is a list of paths, not one path; pass [{!r}]".format(os.fspath(images)))
        paths = [path_bytes(path) for path in images]
    made = _native.quantize(
        path_bytes(network),
        (load, run),
        paths,
        list((arrays or {}).items()),
        path_bytes(output),
        (method, float(percentile), float(max_drop)),
        list(keep_float),
    )
    fields = list(made)
    fields[2] = [QuantizedLayer(*layer) for layer in fields[2]]
    return QuantizeReport(*fields)
