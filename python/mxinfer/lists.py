"""What is one item where one is wanted: lists of them go to another method."""

from __future__ import annotations

from .errors import InvalidArgumentError


def one_item(value: object, what: str, batch: str = "") -> None:
    """Raises InvalidArgumentError for a list of items, and for an array that is a batch of images, in the place of one; it names
    `batch`, the method that takes many, or says to call for each."""
    is_list = isinstance(value, (list, tuple, set, frozenset, dict))
    is_batch = what == "image" and getattr(value, "ndim", None) == 4
    if not is_list and not is_batch:
        return
    given = "an array of shape {}".format(getattr(value, "shape", "")) if is_batch else "a {}".format(type(value).__name__)
    advice = "call {} for many".format(batch) if batch else "call it for each of many"
    raise InvalidArgumentError("{}: {} was given, and one {} is expected; {}".format(what, given, _NOUNS.get(what, what), advice))


_NOUNS = {"first": "text", "second": "text"}
