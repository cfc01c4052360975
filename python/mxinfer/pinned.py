"""Arrays in pinned memory, which a GPU copies from and to directly."""

from __future__ import annotations

import operator
from typing import Any, Iterable, SupportsIndex, Union

import numpy as np
import numpy.typing as npt

from . import _native
from ._device_arrays import dtype_number
from .errors import InvalidArgumentError
from .types import Array

__all__ = ["empty_pinned"]


def empty_pinned(shape: Union[SupportsIndex, Iterable[SupportsIndex]], dtype: npt.DTypeLike = np.float32, *, device: str = "cuda:0") -> Array:
    """Return an array in pinned memory, without setting its elements, for inputs and outputs of predictors on a GPU.

    Transfers between this memory and the GPU need no extra copy on the CPU. Pinning takes longer than most calls, so make
    such arrays once and reuse them. The memory is freed when no array uses it any more.

    Args:
        shape: the sizes of the dimensions, as numpy.empty takes them.
        dtype: of the elements, as numpy.empty takes it.
        device: the device of the predictor. For "cpu", the memory is ordinary, so that you can pass the device of your options.

    Raises:
        InvalidArgumentError: the device, the shape or the dtype is not valid.
        DeviceError: there is no such GPU, or no library of kernels.
        OutOfMemoryError

    >>> images = mxinfer.empty_pinned((8, 1, 32, 32), device="cpu")
    >>> images.fill(0.5)
    """
    wanted: Any = np.dtype(dtype)
    number = dtype_number(wanted.str)
    if number is None:
        raise InvalidArgumentError("pinned memory was requested for elements of {}; give a dtype that mxinfer has".format(wanted))
    sizes = shape if isinstance(shape, Iterable) else [shape]
    made: Array = _native.empty_pinned([operator.index(size) for size in sizes], number, device)
    return made
