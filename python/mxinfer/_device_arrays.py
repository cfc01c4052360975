"""Read arrays in the memory of a GPU, by CUDA's array interface (__cuda_array_interface__, up to version 3)."""

from __future__ import annotations

from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

from .errors import InvalidArgumentError

# The values of DType in C++.
_DTYPES = {
    "f4": 0, "f8": 1, "f2": 2, "u1": 3, "i4": 4, "i1": 5, "i8": 6, "b1": 7, "i2": 8, "u2": 9, "u4": 10, "u8": 11,
}  # fmt: skip
_CUDA = 2  # DLPack's number for CUDA
_OWN = -1

# CUDA's default stream is 0 for functions, and 1 in the array interface.
DEFAULT_STREAM = 0


class DeviceArray(NamedTuple):
    """An array, as the extension takes it."""

    address: int
    dtype: int
    shape: Tuple[int, ...]
    device: int  # -1: not stated by the array


def device_arrays(
    values: Sequence[Any], what: str, names: Optional[Sequence[str]], stream: Optional[int]
) -> Tuple[List[DeviceArray], Optional[int]]:
    """Return the arrays, and the stream that they and `stream` agree on: None if none of them names one.

    Outputs must be writable.
    """
    arrays = []
    for index, value in enumerate(values):
        where = "{} '{}'".format(what, names[index] if names is not None and index < len(names) else index)
        interface = _interface(value, where)
        arrays.append(_array(interface, _device(value, where), where, is_output=what == "output"))
        stream = _same_stream(stream, interface.get("stream"), where)
    return arrays, stream


def _interface(value: Any, where: str) -> Any:
    interface = getattr(value, "__cuda_array_interface__", None)
    if interface is None:
        raise InvalidArgumentError(
            "{}: this {} has no __cuda_array_interface__, as arrays in the memory of a GPU have; "
            "copy it there, as in cupy.asarray(array) or tensor.cuda(), or call predict".format(where, type(value).__name__)
        )
    return interface


def _device(value: Any, where: str) -> int:
    """Return the number of its GPU, which the array interface does not state."""
    function = getattr(value, "__dlpack_device__", None)
    if function is None:
        return _OWN
    kind, index = function()
    if int(kind) != _CUDA:
        raise InvalidArgumentError(
            "{}: the array is in the memory of device {} (DLPack's number); give one of an NVIDIA GPU, {}".format(
                where, int(kind), _CUDA
            )
        )
    return int(index)


def _array(interface: Any, device: int, where: str, is_output: bool) -> DeviceArray:
    shape = tuple(int(size) for size in interface["shape"])
    typestr = str(interface["typestr"])
    dtype = dtype_number(typestr)
    if dtype is None:
        raise InvalidArgumentError(
            "{}: its elements are '{}' (of the array interface); mxinfer takes numbers of float16, float32, float64, bool, "
            "and integers of 8 to 64 bits, in the machine's byte order".format(where, typestr)
        )
    if interface.get("mask") is not None:
        raise InvalidArgumentError("{}: the array has a mask; fill what is masked first".format(where))
    if not _is_dense(shape, int(typestr[2:]), interface.get("strides")):
        raise InvalidArgumentError(
            "{}: the array is not dense and row-major: shape {}, strides {}; copy it, as in cupy.ascontiguousarray(array) "
            "or tensor.contiguous()".format(where, shape, tuple(interface["strides"]))
        )
    address, is_read_only = interface["data"]
    if is_output and is_read_only:
        raise InvalidArgumentError("{}: the array is read-only, and outputs are written into it".format(where))
    return DeviceArray(int(address or 0), dtype, shape, device)


def dtype_number(typestr: str) -> Optional[int]:
    """Return the number of a dtype from its `str` in NumPy; None if mxinfer lacks it, or its byte order is not the machine's."""
    return _DTYPES.get(typestr[1:]) if typestr[0] in "<|=" else None


def _is_dense(shape: Tuple[int, ...], item_bytes: int, strides: Optional[Sequence[int]]) -> bool:
    if strides is None or 0 in shape:
        return True
    step = item_bytes
    for size, stride in zip(reversed(shape), reversed(tuple(strides))):
        if size > 1 and stride != step:
            return False
        step *= size
    return True


def _same_stream(stream: Optional[int], of_array: Optional[int], where: str) -> Optional[int]:
    """Return the call's stream; the array's own must be the same, since its elements may not be ready in another."""
    if of_array is None:
        return stream
    of_array = stream_handle(int(of_array))
    if stream is not None and stream != of_array:
        raise InvalidArgumentError(
            "{}: the array's stream is {}, and the call's is {}; give stream={}, or wait for the array's stream and make the "
            "array in that of the call".format(where, of_array, stream, of_array)
        )
    return of_array


def stream_handle(stream: int) -> int:
    """Return the number of a stream, with one number for the default stream."""
    return DEFAULT_STREAM if stream == 1 else stream
