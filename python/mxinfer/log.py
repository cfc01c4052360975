"""What the library has to say while it works; it is silent until a program asks."""

from __future__ import annotations

from typing import Callable, Optional

from . import _native
from .types import LogLevel

__all__ = ["set_log_callback"]


def set_log_callback(callback: Optional[Callable[[LogLevel, str], object]], least: LogLevel = "info") -> None:
    """Messages of `least` ("debug", "info", "warning") and above go to callback(level, message) from now on, on
    whichever thread has them; None makes the library silent again. What it raises goes to sys.unraisablehook.

    >>> messages = []
    >>> mxinfer.set_log_callback(lambda level, message: messages.append(message), "debug")
    >>> mxinfer.Predictor("models/digits").warmup()
    >>> mxinfer.set_log_callback(None)
    >>> len(messages) > 0
    True
    """
    _native.set_log_callback(callback, least)
