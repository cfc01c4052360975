"""Transforms of Gluon as the steps that a model's file has: what each becomes is what MXNet says when it traces it."""

from __future__ import annotations

import importlib
import json
from typing import Any, Dict, Iterable, List

from .errors import InvalidArgumentError, UnsupportedError

Step = Dict[str, Any]

__all__ = ["steps_of"]


def steps_of(transforms: Any) -> List[Step]:
    """A HybridSequential, a Compose, one transform, or a list of these and of steps ({"op": "resize", "size": 224}).

    Each must be a chain of operators of one input, as those of mxnet.gluon.data.vision.transforms are that inference
    uses; random ones and blocks with parameters are UnsupportedError.
    """
    if transforms is None:
        return []
    if isinstance(transforms, dict):
        return [transforms]
    if isinstance(transforms, str):
        return [{"op": transforms}]
    if isinstance(transforms, (list, tuple)):
        return _joined(transforms)
    if not hasattr(transforms, "_children"):
        raise InvalidArgumentError(
            "a transform is a block of Gluon, a step such as {{'op': 'resize', 'size': 224}}, or a list of these, not {}".format(
                type(transforms).__name__
            )
        )
    if type(transforms).__name__ in ("Compose", "Sequential", "HybridSequential"):
        return _joined(transforms._children.values())
    return _steps_of_block(transforms)


def _joined(transforms: Iterable[Any]) -> List[Step]:
    return [step for transform in transforms for step in steps_of(transform)]


def _steps_of_block(block: Any) -> List[Step]:
    name = type(block).__name__
    if name == "CenterCrop":  # it cannot be traced: it looks at the image
        (width, height), interpolation = block._args
        return [{"op": "center_crop", "size": [width, height], "interp": interpolation}]
    if name.startswith("Random"):
        raise UnsupportedError(
            "the transform {} draws random numbers; leave it out of what inference does".format(name)
        )
    mx = importlib.import_module("mxnet")  # where the block is from

    if not isinstance(block, mx.gluon.HybridBlock):
        raise UnsupportedError(
            "the transform {} cannot be traced, since it is no HybridBlock; write it as one, or as a list of steps".format(name)
        )
    return _traced(block(mx.sym.Variable("x")), name)


def _traced(symbol: Any, name: str) -> List[Step]:
    """The operators of a symbol, in order, which must be a chain."""
    nodes = json.loads(symbol.tojson())["nodes"]
    steps = []
    for position, node in enumerate(nodes[1:], start=1):
        reads_last = len(node["inputs"]) == 1 and node["inputs"][0][:2] == [position - 1, 0]
        if node["op"] == "null" or not reads_last:
            raise UnsupportedError(
                "the transform {} is no chain of operators: {} ({}) reads something else than the result before it".format(
                    name, node["name"], node["op"]
                )
            )
        steps.append({"op": node["op"], **node.get("attrs", {})})
    return steps
