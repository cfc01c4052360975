"""Find out which kind of image an object is: a path, the bytes of a file, or pixels."""

from __future__ import annotations

import os
import sys
from typing import Any, Callable, Dict, Iterable, List, Sequence, Tuple

import numpy as np

from .. import _native
from ..errors import Error, InvalidArgumentError
from ..records import ItemError

Kinds = Dict[str, List[Tuple[int, Any]]]
RunOne = Callable[[str, List[Any], bool], Tuple[Sequence[Any], Sequence[Tuple[int, Error]]]]


def kind_of(image: Any) -> Tuple[str, Any]:
    """Return the kind, by its name in images.h, and the value for the extension."""
    if isinstance(image, (str, os.PathLike)):
        return "file", os.fsencode(image)
    if isinstance(image, (bytes, bytearray)):
        return "encoded", image
    is_pil = "PIL" in sys.modules and isinstance(image, _pil_class())
    if not is_pil and (image is None or isinstance(image, (list, tuple, int, float))):
        raise InvalidArgumentError(
            "image: a {} is none; expected a path, the bytes of a JPEG or PNG, a PIL image, or an array of uint8 "
            "(height, width, 3)".format(type(image).__name__)
        )
    if is_pil:
        pixels = _samples_of_pil(image)
    else:
        pixels = image if hasattr(image, "dtype") and hasattr(image, "shape") else np.asarray(image)
    if len(pixels.shape) == 1:
        return "encoded", image
    try:
        return "pixels", _native.Pixels(pixels)
    except Error as error:
        raise type(error)("{}{}".format(error, _remedy(image, pixels))) from None


def kinds_of(images: Iterable[Any]) -> Tuple[int, Kinds, List[ItemError]]:
    """Return the number of images, the images of each kind with their positions, and the errors of the others."""
    kinds: Kinds = {}
    errors: List[ItemError] = []
    count = 0
    if isinstance(images, (str, bytes, bytearray, os.PathLike)):
        raise InvalidArgumentError("a list of images is wanted, not one; put it into a list")
    for position, image in enumerate(images):
        count += 1
        try:
            kind, value = kind_of(image)
        except Error as error:
            errors.append(ItemError(position, error))
            continue
        kinds.setdefault(kind, []).append((position, value))
    return count, kinds, errors


def run_batch(images: Iterable[Any], collect: bool, run: RunOne) -> Tuple[List[Any], List[ItemError]]:
    """Run each kind as one batch, and return the results in the order of the images.

    Errors are raised unless they are collected.
    """
    count, kinds, errors = kinds_of(images)
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


def _pil_class() -> Any:
    from PIL import Image

    return Image.Image


_PIL_SAMPLES = {"L", "LA", "RGB", "RGBA", "F"}
"""Modes whose samples are passed on unchanged, to be accepted or rejected like an array."""
_PIL_CONVERSIONS = {"1": "L", "La": "LA", "RGBa": "RGBA", "P": "RGBA", "PA": "RGBA"}
"""The modes that Pillow converts the others to; a mode that is not here is converted to RGB."""


def _samples_of_pil(image: Any) -> Any:
    """Return the samples of a PIL image, without applying its EXIF orientation."""
    try:
        if image.mode == "CMYK":
            return _rgb_of_cmyk(np.asarray(image))
        if image.mode == "I":
            return _uint16_of_int32(np.asarray(image))
        if image.mode in _PIL_SAMPLES or image.mode.startswith("I;16"):
            return np.asarray(image)
        return np.asarray(image.convert(_PIL_CONVERSIONS.get(image.mode, "RGB")))
    except (OSError, ValueError) as error:
        raise InvalidArgumentError("image: Pillow gives no pixels of mode {}: {}".format(image.mode, error)) from error


def _rgb_of_cmyk(cmyk: Any) -> Any:
    """Convert CMYK to RGB like the JPEG decoder."""
    white = 255 - cmyk[:, :, 3:].astype(np.int32)
    return (white - (cmyk[:, :, :3] * white >> 8)).astype(np.uint8)


def _uint16_of_int32(samples: Any) -> Any:
    """Convert mode I, which older versions of Pillow use for 16-bit grey."""
    if samples.size and (samples.min() < 0 or samples.max() > 65535):
        raise InvalidArgumentError(
            "image: a PIL image of mode I holds {} to {}; as grey of 16 bits it may hold 0 to 65535".format(
                samples.min(), samples.max()
            )
        )
    return samples.astype(np.uint16)


def _remedy(image: Any, pixels: Any) -> str:
    """Return the expression that converts the array to an image, or nothing."""
    name = "x" if isinstance(image, np.ndarray) else "np.asarray(x)"
    dtype, shape = str(pixels.dtype), tuple(pixels.shape)
    if dtype.endswith(("uint8", "uint16")):
        first = len(shape) == 3 and shape[0] in (1, 2, 3, 4) and shape[2] > 4
        return ": {}.transpose(1, 2, 0)".format(name) if first else ""
    if len(shape) not in (2, 3) or 0 in shape:
        return ""
    if "float" not in dtype:
        return ": ({} * 255).astype(np.uint8)".format(name) if "bool" in dtype else ": {}.astype(np.uint8)".format(name)
    try:
        is_unit = float(pixels.max()) <= 1
    except (TypeError, ValueError, RuntimeError):
        is_unit = True
    typed = "({} * 255).round().astype(np.uint8)" if is_unit else "{}.round().clip(0, 255).astype(np.uint8)"
    return ": " + typed.format(name) + ". What the network takes itself goes to predict"
