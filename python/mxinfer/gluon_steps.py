"""Convert transforms of Gluon to the steps of a model's file, by tracing them with MXNet."""

from __future__ import annotations

import importlib
import json
from typing import Any, Dict, Iterable, List

from .errors import InvalidArgumentError, UnsupportedError

Step = Dict[str, Any]

__all__ = ["steps_of"]


def steps_of(transforms: Any) -> List[Step]:
    """Return the steps of a HybridSequential, a Compose, one transform, or a list of these and of steps.

    A step is a dict such as {"op": "resize", "size": 224}. Each transform must be a chain of operators with one input, like
    the transforms of mxnet.gluon.data.vision.transforms for inference.

    Raises:
        UnsupportedError: A transform is random or has parameters.
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
    if name == "CenterCrop":  # cannot be traced, since it reads the size of the image
        (width, height), interpolation = block._args
        return [{"op": "center_crop", "size": [width, height], "interp": interpolation}]
    if name.startswith("Random"):
        raise UnsupportedError(
            "the transform {} draws random numbers; leave it out of what inference does".format(name)
        )
    mx = importlib.import_module("mxnet")  # the block comes from it

    if not isinstance(block, mx.gluon.HybridBlock):
        raise UnsupportedError(
            "the transform {} cannot be traced, since it is no HybridBlock; write it as one, or as a list of steps".format(name)
        )
    return _traced(block(mx.sym.Variable("x")), name)


def _traced(symbol: Any, name: str) -> List[Step]:
    """Return the operators of a symbol in order. They must be a chain."""
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
