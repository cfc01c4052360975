"""The models of a Python worker process: a task loads a model when it first needs it, and later tasks reuse it.

Spark forks workers from a daemon that has not loaded this library, and reuses them. Nothing here runs in the driver or in the
daemon.
"""

from __future__ import annotations

import socket
import threading
import time
from collections import OrderedDict
from typing import Any, Dict, Mapping, Optional, Tuple, Type

from pyspark import TaskContext

from .. import options as _options
from ..errors import Error, InternalError
from ..predictor import Predictor
from .metrics import Metrics
from .model_ref import ModelRef, advice, identity

# A session that uses many models keeps only the last ones.
_KEPT = 2

_lock = threading.Lock()
_predictors: OrderedDict[Tuple[Any, ...], Predictor] = OrderedDict()


def predictor_of(
    made: Type[Predictor], model: ModelRef, options: Mapping[str, Any], metrics: Optional[Metrics]
) -> Predictor:
    """Return the predictor of this process. If another task is loading it, wait for that."""
    context = TaskContext.get()
    if context is None:
        raise InternalError("models of mxinfer.spark are loaded by tasks, and no task runs here")
    settings = {"threads": context.cpus(), **options}
    key = (made, identity(model), repr(sorted(settings.items())))
    with _lock:
        if key not in _predictors:
            start = time.perf_counter()
            _predictors[key] = _load(made, model, settings)
            if metrics is not None:
                metrics.count_load(time.perf_counter() - start)
        _predictors.move_to_end(key)
        while len(_predictors) > _KEPT:
            _predictors.popitem(last=False)
        return _predictors[key]


def _load(made: Type[Predictor], model: ModelRef, settings: Mapping[str, Any]) -> Predictor:
    load, run = split_options(made, settings)
    try:
        return made(model.load(**load), **run)
    except Error as error:
        raise type(error)(
            "executor {}: the model '{}' could not be loaded: {}{}".format(
                socket.gethostname(), model.uri, error, advice(error, model)
            )
        ) from None


def split_options(made: Type[Predictor], settings: Mapping[str, Any]) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    """Return the options for loading, and the others.

    Raises:
        TypeError: The class has no option with a name.
    """
    names = {name for name, _ in _options.split(settings, made._groups, made.__name__)[0]}
    load = {name: value for name, value in settings.items() if name in names}
    return load, {name: value for name, value in settings.items() if name not in names}
