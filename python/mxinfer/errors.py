"""The exceptions of mxinfer: one class for each code, which is also an exception that Python programs know."""

from __future__ import annotations

import concurrent.futures
from typing import Dict, Type

__all__ = [
    "CancelledError",
    "DeadlineExceededError",
    "DeviceError",
    "Error",
    "InternalError",
    "InvalidArgumentError",
    "MalformedError",
    "NetworkError",
    "NotFoundError",
    "OutOfMemoryError",
    "TooManyRequestsError",
    "UnsupportedError",
]


class Error(RuntimeError):
    """What mxinfer raises. The message says what was wrong, where, what was expected and what to do."""

    code: str = "internal"
    """Its kind as a word, the same in every language: "invalid_argument", "not_found", and so on."""


class InvalidArgumentError(Error, ValueError):
    """The caller's values do not fit: name, count, shape, dtype, option."""

    code = "invalid_argument"


class NotFoundError(Error, FileNotFoundError):
    """A file, an input or an output of that name does not exist."""

    code = "not_found"


class MalformedError(Error, ValueError):
    """Bytes that should be a model, an image or an array are not."""

    code = "malformed"


class UnsupportedError(Error, NotImplementedError):
    """Well-formed, but not something this library runs."""

    code = "unsupported"


class OutOfMemoryError(Error, MemoryError):
    """The memory that is needed could not be allocated."""

    code = "out_of_memory"


class NetworkError(Error, ConnectionError):
    """A remote source failed."""

    code = "network"


class DeviceError(Error):
    """A device failed or is absent."""

    code = "device"


class CancelledError(Error, concurrent.futures.CancelledError):
    """The call was cancelled by the queue: dropped for a newer one, or the predictor was closed."""

    code = "cancelled"


class DeadlineExceededError(Error, TimeoutError):
    """The deadline of a submission passed before it started."""

    code = "deadline_exceeded"


class TooManyRequestsError(Error):
    """A queue was full (max_in_flight)."""

    code = "too_many_requests"


class InternalError(Error):
    """A defect of mxinfer itself; please report it."""

    code = "internal"


_BY_CODE: Dict[str, Type[Error]] = {
    cls.code: cls
    for cls in (
        InvalidArgumentError,
        NotFoundError,
        MalformedError,
        UnsupportedError,
        OutOfMemoryError,
        NetworkError,
        DeviceError,
        CancelledError,
        DeadlineExceededError,
        TooManyRequestsError,
        InternalError,
    )
}


def error_of(code: str, message: str, _classes: Dict[str, Type[Error]] = _BY_CODE, _other: Type[Error] = Error) -> Error:
    """The exception of a code. For the extension, also while the interpreter ends and globals are gone."""
    return _classes.get(code, _other)(message)
