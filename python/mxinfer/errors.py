"""The exceptions of mxinfer: one class for each code. Most are also built-in exceptions of Python."""

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
    """Base class of all exceptions of mxinfer. The message says what was wrong, where, what was expected and what to do.

    >>> try:
    ...     mxinfer.Model.load("nowhere")
    ... except mxinfer.Error as error:
    ...     print(error.code)
    not_found
    """

    code: str = "internal"
    """The kind of error, the same in every language: "invalid_argument", "not_found", and so on."""


class InvalidArgumentError(Error, ValueError):
    """A name, count, shape, dtype or option that you passed is invalid.

    >>> try:
    ...     mxinfer.Predictor("models/digits", precision="float8")
    ... except mxinfer.InvalidArgumentError as error:
    ...     print(error)
    setting 'precision' › "float8" is not a precision; it can be float32, bfloat16, tf32 or float16
    """

    code = "invalid_argument"


class NotFoundError(Error, FileNotFoundError):
    """There is no file, input or output with that name.

    >>> try:
    ...     mxinfer.Model.load("nowhere")
    ... except FileNotFoundError as error:  # a NotFoundError is one
    ...     print(type(error).__name__)
    NotFoundError
    """

    code = "not_found"


class MalformedError(Error, ValueError):
    """The bytes are not a valid model, image or array.

    >>> classifier = mxinfer.ImageClassifier("models/digits.mxz")
    >>> try:
    ...     classifier.classify(b"not an image")
    ... except mxinfer.MalformedError as error:
    ...     print(error.code)
    malformed
    """

    code = "malformed"


class UnsupportedError(Error, NotImplementedError):
    """The model or request is valid, but this library does not support it.

    >>> try:
    ...     mxinfer.Predictor("models/digits", precision="tf32")  # only on GPUs
    ... except mxinfer.UnsupportedError as error:
    ...     print(error.code)
    unsupported
    """

    code = "unsupported"


class OutOfMemoryError(Error, MemoryError):
    """The needed memory could not be allocated.

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
    """The queue cancelled the call: a newer one replaced it, or the predictor was closed.

    >>> issubclass(mxinfer.CancelledError, concurrent.futures.CancelledError) and mxinfer.CancelledError.code
    'cancelled'
    """

    code = "cancelled"


class DeadlineExceededError(Error, TimeoutError):
    """The deadline passed before the submission started.

    >>> predictor = mxinfer.Predictor("models/digits")
    >>> late = predictor.predict_async(np.zeros((1, 1, 32, 32), np.float32), deadline=0)
    >>> type(late.exception()).__name__
    'DeadlineExceededError'
    """

    code = "deadline_exceeded"


class TooManyRequestsError(Error):
    """The queue is full (max_in_flight).

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
    """A bug in mxinfer; please report it.

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
    """Return the exception for a code. The extension calls it even when the interpreter exits and globals are gone."""
    return _classes.get(code, _other)(message)
