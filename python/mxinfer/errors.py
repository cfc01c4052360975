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
    """What mxinfer raises. The message says what was wrong, where, what was expected and what to do.

    >>> try:
    ...     mxinfer.Model.load("nowhere")
    ... except mxinfer.Error as error:
    ...     print(error.code)
    not_found
    """

    code: str = "internal"
    """Its kind as a word, the same in every language: "invalid_argument", "not_found", and so on."""


class InvalidArgumentError(Error, ValueError):
    """The caller's values do not fit: name, count, shape, dtype, option.

    >>> try:
    ...     mxinfer.Predictor("models/digits", precision="float8")
    ... except mxinfer.InvalidArgumentError as error:
    ...     print(error)
    setting 'precision' › "float8" is not a precision; it can be float32, bfloat16, tf32 or float16
    """

    code = "invalid_argument"


class NotFoundError(Error, FileNotFoundError):
    """A file, an input or an output of that name does not exist.

    >>> try:
    ...     mxinfer.Model.load("nowhere")
    ... except FileNotFoundError as error:  # a NotFoundError is one
    ...     print(type(error).__name__)
    NotFoundError
    """

    code = "not_found"


class MalformedError(Error, ValueError):
    """Bytes that should be a model, an image or an array are not.

    >>> classifier = mxinfer.ImageClassifier("models/digits.mxz")
    >>> try:
    ...     classifier.classify(b"not an image")
    ... except mxinfer.MalformedError as error:
    ...     print(error.code)
    malformed
    """

    code = "malformed"


class UnsupportedError(Error, NotImplementedError):
    """Well-formed, but not something this library runs.

    >>> try:
    ...     mxinfer.Predictor("models/digits", precision="tf32")  # of GPUs
    ... except mxinfer.UnsupportedError as error:
    ...     print(error.code)
    unsupported
    """

    code = "unsupported"


class OutOfMemoryError(Error, MemoryError):
    """The memory that is needed could not be allocated.

    >>> issubclass(mxinfer.OutOfMemoryError, MemoryError) and mxinfer.OutOfMemoryError.code
    'out_of_memory'
    """

    code = "out_of_memory"


class NetworkError(Error, ConnectionError):
    """A remote source failed.

    >>> try:
    ...     mxinfer.Model.load("http://127.0.0.1:9/resnet18_v1", retries=0, cache="none")
    ... except mxinfer.NetworkError as error:
    ...     print(error.code)
    network
    """

    code = "network"


class DeviceError(Error):
    """A device failed or is absent.

    >>> try:
    ...     mxinfer.Predictor("models/digits", device="cuda:97")
    ... except mxinfer.DeviceError as error:
    ...     print(error.code)
    device
    """

    code = "device"


class CancelledError(Error, concurrent.futures.CancelledError):
    """The call was cancelled by the queue: dropped for a newer one, or the predictor was closed.

    >>> issubclass(mxinfer.CancelledError, concurrent.futures.CancelledError) and mxinfer.CancelledError.code
    'cancelled'
    """

    code = "cancelled"


class DeadlineExceededError(Error, TimeoutError):
    """The deadline of a submission passed before it started.

    >>> predictor = mxinfer.Predictor("models/digits")
    >>> late = predictor.predict_async(np.zeros((1, 1, 32, 32), np.float32), deadline=0)
    >>> type(late.exception()).__name__
    'DeadlineExceededError'
    """

    code = "deadline_exceeded"


class TooManyRequestsError(Error):
    """A queue was full (max_in_flight).

    >>> predictor = mxinfer.Predictor("models/digits", max_in_flight=64, when_full="reject")
    >>> try:
    ...     outputs = predictor.predict_async(np.zeros((1, 1, 32, 32), np.float32)).result()
    ... except mxinfer.TooManyRequestsError:
    ...     outputs = []  # answer 503, or try later
    >>> len(outputs)
    1
    """

    code = "too_many_requests"


class InternalError(Error):
    """A defect of mxinfer itself; please report it.

    >>> issubclass(mxinfer.InternalError, mxinfer.Error) and mxinfer.InternalError.code
    'internal'
    """

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
