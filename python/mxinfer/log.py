"""Log messages of the library, which is silent unless a program sets a callback."""

from __future__ import annotations

from typing import Callable, Optional

from . import _native
from .types import LogLevel

__all__ = ["set_log_callback"]


def set_log_callback(callback: Optional[Callable[[LogLevel, str], object]], least: LogLevel = "info") -> None:
    """Pass log messages to a callback.

    Args:
        callback: called as callback(level, message), on the thread that logs. Its exceptions go to sys.unraisablehook. None makes
            the library silent again.
        least: the lowest level to pass: "debug", "info" or "warning".

    >>> messages = []
    >>> mxinfer.set_log_callback(lambda level, message: messages.append(message), "debug")
    >>> mxinfer.Predictor("models/digits").warmup()
    >>> mxinfer.set_log_callback(None)
    >>> len(messages) > 0
    True
    """
    _native.set_log_callback(callback, least)
