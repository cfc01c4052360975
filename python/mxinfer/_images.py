"""Which kind of image an object is: a path, the bytes of a file, or pixels."""

from __future__ import annotations

import os
import sys
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple

import numpy as np

from .errors import Error, InvalidArgumentError
from .model import Model
from .records import ItemError

Kinds = Dict[str, List[Tuple[int, Any]]]
RunOne = Callable[[str, List[Any], bool], Tuple[Sequence[Any], Sequence[Tuple[int, Error]]]]


def pil_mode_of(model: Model) -> str:
    """What PIL images are converted to: grey for a model that takes one channel."""
    desc = model.inputs[0]
    layout = desc.layout or "NCHW"
    channels = desc.shape[layout.index("C")] if len(layout) == len(desc.shape) and "C" in layout else 3
    return "L" if channels == 1 else "RGB"


def kind_of(image: Any, pil_mode: str) -> Tuple[str, Any]:
    """The kind by its name in images.h, and what the extension takes of it."""
    if isinstance(image, (str, os.PathLike)):
        return "file", os.fsencode(image)
    if isinstance(image, (bytes, bytearray)):
        return "encoded", image
    pixels = _pixels_of_pil(image, pil_mode)
    if pixels is not None:
        return "pixels", pixels
    if image is None or isinstance(image, (list, tuple, int, float)):
        raise InvalidArgumentError(
            "image: a {} is none; expected a path, the bytes of a JPEG or PNG, a PIL image, or an array of uint8 "
            "(height, width, 3)".format(type(image).__name__)
        )
    pixels = image if hasattr(image, "dtype") and hasattr(image, "shape") else np.asarray(image)
    shape = tuple(pixels.shape)
    if len(shape) == 1:
        return "encoded", image
    channels = shape[2] if len(shape) == 3 else 1
    if len(shape) not in (2, 3) or not str(pixels.dtype).endswith("uint8") or channels not in (1, 3) or 0 in shape:
        raise InvalidArgumentError(
            "image: got {} of shape {}; pixels are uint8 of (height, width, 3) as RGB or (height, width) as grey, the "
            "bytes of a file uint8 of one dimension. What the network takes itself goes to predict".format(
                pixels.dtype, shape
            )
        )
    return "pixels", pixels


def kinds_of(images: Iterable[Any], pil_mode: str) -> Tuple[int, Kinds, List[ItemError]]:
    """How many images, those of each kind with their positions, and what is none."""
    kinds: Kinds = {}
    errors: List[ItemError] = []
    count = 0
    if isinstance(images, (str, bytes, bytearray, os.PathLike)):
        raise InvalidArgumentError("a list of images is wanted, not one; put it into a list")
    for position, image in enumerate(images):
        count += 1
        try:
            kind, value = kind_of(image, pil_mode)
        except Error as error:
            errors.append(ItemError(position, error))
            continue
        kinds.setdefault(kind, []).append((position, value))
    return count, kinds, errors


def run_batch(
    images: Iterable[Any], pil_mode: str, collect: bool, run: RunOne
) -> Tuple[List[Any], List[ItemError]]:
    """Results in the order of the images, each kind run as one batch; an error raises unless it is collected."""
    count, kinds, errors = kinds_of(images, pil_mode)
    if errors and not collect:
        raise errors[0].error
    if not kinds and not errors:
        kinds = {"pixels": []}
    results: List[Any] = [[] for _ in range(count)]
    for kind, items in kinds.items():
        found, wrong = run(kind, [value for _, value in items], collect or len(kinds) > 1)
        for (position, _), result in zip(items, found):
            results[position] = result
        errors.extend(ItemError(items[item][0], error) for item, error in wrong)
    errors.sort(key=lambda error: error.item)
    if errors and not collect:
        raise type(errors[0].error)("image {}: {}".format(errors[0].item, errors[0].error))
    return results, errors


def _pixels_of_pil(image: Any, mode: str) -> Optional[Any]:
    """Pixels of a PIL image as it is: it is not turned as its EXIF says."""
    if "PIL" not in sys.modules:
        return None
    from PIL import Image

    return np.asarray(image.convert(mode)) if isinstance(image, Image.Image) else None
