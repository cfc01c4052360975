"""Check that an argument is one item and not a list of items."""

from __future__ import annotations

from .errors import InvalidArgumentError


def one_item(value: object, what: str, batch: str = "") -> None:
    """Raise InvalidArgumentError if `value` is a list of items, or a batch of images in one array.

    The message names `batch`, the method for lists; without it, the message says to call for each item.
    """
    is_list = isinstance(value, (list, tuple, set, frozenset, dict))
    is_batch = what == "image" and getattr(value, "ndim", None) == 4
    if not is_list and not is_batch:
        return
    given = "an array of shape {}".format(getattr(value, "shape", "")) if is_batch else "a {}".format(type(value).__name__)
    advice = "call {} for many".format(batch) if batch else "call it for each of many"
    raise InvalidArgumentError("{}: {} was given, and one {} is expected; {}".format(what, given, _NOUNS.get(what, what), advice))


_NOUNS = {"first": "text", "second": "text"}
