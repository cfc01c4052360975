"""Convert anything array-like to a dense array of this machine, for the extension."""

from __future__ import annotations

from typing import Any, Tuple

import numpy as np


def dense_array(value: Any, dtype: str) -> Tuple[Any, bool]:
    """Return a C-contiguous array in the machine's byte order, and whether its uint16 elements are the bits of bfloat16.

    Lists and numbers become arrays of `dtype`. A value that has a dtype keeps it.
    """
    if value is None:
        raise TypeError("None is not an array")
    if isinstance(value, (str, bytes)):
        raise TypeError("text is not an array")
    if isinstance(value, (list, tuple, int, float, bool)):
        array = _array_of_numbers(value, "float32" if dtype == "bfloat16" else dtype)
    elif hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
        array = _from_dlpack(value)  # strided: a dense one is read without NumPy
    else:
        array = np.asarray(value)
    if array.dtype.kind == "O":
        raise TypeError("its elements are objects, not numbers of one dtype")
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    array = _contiguous(array)
    if array.dtype.name == "bfloat16":
        return array.view(np.uint16), True
    return array, False


def _from_dlpack(value: Any) -> Any:
    function = getattr(np, "from_dlpack", None) or getattr(np, "_from_dlpack")  # its name in NumPy 1.22
    return function(value)


def _array_of_numbers(value: Any, dtype: str) -> Any:
    """Return the numbers as an array of `dtype`, without changing them: 1.5 is not an integer, and -1 is not a uint8.

    Arrays in the list keep their dtype.
    """
    plain = np.asarray(value)
    if plain.size == 0:
        return plain.astype(dtype)
    if plain.dtype.kind not in "biuf":
        raise TypeError("its elements are not numbers, or its rows differ in length")
    if _holds_arrays(value):
        return plain
    wanted = np.dtype(dtype)
    if wanted.kind in "iub":
        made = plain.astype(wanted)
        if not np.array_equal(made, plain):
            raise ValueError("not all of its numbers are {}".format(dtype))
        return made
    return np.asarray(value, dtype=wanted)


def _holds_arrays(value: Any) -> bool:
    while isinstance(value, (list, tuple)):
        if not value:
            return False
        value = value[0]
    return hasattr(value, "dtype")


def _contiguous(array: Any) -> Any:
    # numpy.ascontiguousarray would give an array without dimensions one.
    return array if array.flags["C_CONTIGUOUS"] else np.array(array, order="C", copy=True)


