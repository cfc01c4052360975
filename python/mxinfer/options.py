"""Convert keyword arguments to options. The names are those of the C++ structs, and the values are Python's."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from datetime import timedelta
from typing import Any, Dict, FrozenSet, List, Mapping, Tuple

from . import _native
from .errors import InvalidArgumentError
from .records import DataDesc, Setting

__all__ = ["settings_known"]

Pairs = List[Tuple[str, str]]

RUN_GROUPS = frozenset({"run", "queue"})


def settings_known() -> List[Setting]:
    """Return all options, by group.

    >>> [setting.name for setting in mxinfer.settings_known() if setting.group == "scores"]
    ['activation', 'min_score']
    """
    return [Setting(*values) for values in _native.settings_known()]


_GROUPS: Dict[str, str] = {setting.name: setting.group for setting in settings_known()}
_UNITS = {
    "idle_limit": timedelta(milliseconds=1),
    "max_delay": timedelta(microseconds=1),
    "connect_timeout": timedelta(milliseconds=1),
    "stall_timeout": timedelta(milliseconds=1),
}


def split(options: Mapping[str, object], groups: FrozenSet[str], what: str) -> Tuple[Pairs, Pairs]:
    """Return the options for loading, and the others, as texts.

    Raises:
        TypeError: A name is not in these groups.
    """
    load: Pairs = []
    rest: Pairs = []
    for name, value in options.items():
        group = _GROUPS.get(name)
        if group is None:
            raise TypeError(_unknown(name))
        if group != "load" and group not in groups:
            raise TypeError(
                "{} takes no option '{}', which is for {}".format(what, name, _classes_of(group))
            )
        if value is not None:
            (load if group == "load" else rest).append((name, to_text(name, value)))
    return load, rest


def fields_of(
    options: Mapping[str, object], names: FrozenSet[str], groups: FrozenSet[str]
) -> Tuple[Dict[str, Any], Dict[str, object]]:
    """Return the options with these names, as the extension takes them, and the others.

    An option that is also a setting of these groups is in both.
    """
    own = {name: _field(value) for name, value in options.items() if name in names and value is not None}
    others = {name: value for name, value in options.items() if name not in names or _GROUPS.get(name) in groups}
    return own, others


def _field(value: Any) -> Any:
    if isinstance(value, Mapping):
        return list(value.items())
    return getattr(value, "_native", value)


def to_text(name: str, value: object) -> str:
    """Convert a value to the text that Settings::set takes."""
    if name == "inputs" and not isinstance(value, str):
        return json.dumps([_described(item) for item in _input_items(value)])
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    if isinstance(value, timedelta) and name in _UNITS:
        return str(-(-value // _UNITS[name]))  # rounded up, so that a short time does not become 0
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return _list_text(name, value)
    for convert in ("tolist", "item"):  # numbers and arrays of NumPy
        if hasattr(value, convert):
            return to_text(name, getattr(value, convert)())
    raise InvalidArgumentError(
        "option '{}': a {} is no value of it; expected {}".format(name, type(value).__name__, _wanted(name))
    )


def _list_text(name: str, values: Any) -> str:
    if all(isinstance(value, str) for value in values):
        return json.dumps(list(values), ensure_ascii=False)
    if all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values):
        return ",".join(repr(value) for value in values)
    raise InvalidArgumentError(
        "option '{}': the list mixes or holds what it cannot; expected {}".format(name, _wanted(name))
    )


def _input_items(value: Any) -> List[Any]:
    if isinstance(value, DataDesc):
        return [value]
    if isinstance(value, Mapping):
        return list(value.items())
    if isinstance(value, (list, tuple)):
        return list(value)
    raise InvalidArgumentError(
        "option 'inputs': a {} describes no inputs; expected {{name: shape}} or a list of mxinfer.DataDesc".format(
            type(value).__name__
        )
    )


def _described(item: Any) -> Dict[str, Any]:
    if isinstance(item, tuple) and len(item) == 2:
        name, shape = item
        item = shape if isinstance(shape, DataDesc) else DataDesc(name, tuple(shape))
    if not isinstance(item, DataDesc):
        raise InvalidArgumentError(
            "option 'inputs': {!r} describes no input; expected a mxinfer.DataDesc, or (name, shape)".format(item)
        )
    values = asdict(item)
    del values["is_guess"], values["is_optional"]
    values["nullable"] = values.pop("is_nullable") or ""
    values["shape"] = [int(size) for size in item.shape]
    return {key: value for key, value in values.items() if value != ""}


def _wanted(name: str) -> str:
    return next((setting.value for setting in settings_known() if setting.name == name), "a string")


def _unknown(name: str) -> str:
    try:
        _native.check_settings([(name, "")])
    except InvalidArgumentError as error:
        return str(error)
    return "there is no option '{}'".format(name)


def _classes_of(group: str) -> str:
    return {
        "image": "ImageClassifier and ObjectDetector",
        "scores": "Classifier and ImageClassifier",
        "detector": "ObjectDetector",
    }.get(group, "Predictor and the classes derived from it")
