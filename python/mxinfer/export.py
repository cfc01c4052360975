"""export: write a network of Gluon, its transforms and its signature as one model. MXNet must be installed."""

from __future__ import annotations

import json
import os
import tempfile
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import _native
from .errors import InvalidArgumentError
from .gluon_steps import steps_of
from .model import Model, path_bytes
from .records import DataDesc
from .types import ArrayLike, Descriptors, GluonBlock, PathText, Transforms

__all__ = ["export"]

Sample = Union[PathText, ArrayLike]


def export(
    net: Union[GluonBlock, PathText],
    prefix: PathText,
    *,
    input_transforms: Union[Transforms, Mapping[str, Transforms]] = None,
    output_transforms: Union[Transforms, Mapping[str, Transforms]] = None,
    signature: Optional[Mapping[str, Descriptors]] = None,
    labels: Optional[Sequence[str]] = None,
    sample: Union[Sample, Mapping[str, Sample], None] = None,
    bundle: bool = False,
) -> Model:
    """Write PREFIX-symbol.json and PREFIX-0000.params, or one bundle PREFIX, and load the model.

    Args:
        net: a HybridBlock that is hybridized and has run once, or the prefix of an exported network.
        prefix: where to write the model.
        input_transforms: the transforms before the network: a HybridSequential or a Compose of Gluon's transforms, a
            step such as {"op": "resize", "size": [224, 224]}, a list of these, or a dict of these by input name.
        output_transforms: the same, after the network; a dict is by output name.
        signature: {"inputs": ..., "outputs": ...}, each a dict from names to shapes, or a list of DataDesc or of dicts
            (name, shape, dtype, layout, meaning). -1 is a free size.
        labels: the class names.
        sample: an array or a file, or a dict of these by input. It is run once and stored with its outputs, so that loading
            with verify=True checks the results of a machine.
        bundle: whether to write one file.

    Raises:
        InvalidArgumentError, UnsupportedError: A step does not fit; the message names it. Nothing is written.

    >>> steps = [{"op": "resize", "size": [32, 32]}, {"op": "to_tensor"}]
    >>> model = mxinfer.export("models/digits", "digits_with_steps", input_transforms=steps)
    >>> model.inputs[0].dtype
    'uint8'
    """
    with tempfile.TemporaryDirectory(prefix="mxinfer-export-") as work:
        network = _exported(net, os.path.join(work, "network"))
        _native.save_whole(
            path_bytes(network),
            [],
            _lists_text(input_transforms),
            _lists_text(output_transforms),
            os.fsencode(_signature_file(signature, work)),
            [str(label) for label in labels or ()],
            _sample_files(sample, work),
            path_bytes(prefix),
            bundle,
        )
    return Model.load(prefix)


def _exported(net: Union[GluonBlock, PathText], to: str) -> PathText:
    if isinstance(net, (str, os.PathLike)):
        return net
    if not hasattr(net, "export"):
        raise InvalidArgumentError(
            "net is a HybridBlock of Gluon, or the prefix of an exported network, not {}".format(type(net).__name__)
        )
    try:
        net.export(to, epoch=0)
    except RuntimeError as error:
        raise InvalidArgumentError(
            "the network cannot be exported; call net.hybridize() and run it once: {}".format(error)
        ) from error
    return to


def _lists_text(transforms: Any) -> str:
    """Return the JSON for `mxinfer fuse --transforms`; empty if there are no transforms."""
    if isinstance(transforms, Mapping) and "op" not in transforms:
        return json.dumps({name: steps_of(steps) for name, steps in transforms.items()})
    steps = steps_of(transforms)
    return json.dumps(steps) if steps else ""


def _descriptors(given: Descriptors) -> List[Dict[str, Any]]:
    if isinstance(given, Mapping):
        return [{"name": name, "shape": list(shape)} for name, shape in given.items()]
    return [_descriptor(item) for item in given]


def _descriptor(item: Any) -> Dict[str, Any]:
    if isinstance(item, DataDesc):
        fields = {"name": item.name, "shape": list(item.shape), "dtype": item.dtype, "layout": item.layout, "meaning": item.meaning}
        return {key: value for key, value in fields.items() if value != ""}
    if isinstance(item, Mapping) and "name" in item:
        return dict(item)
    raise InvalidArgumentError(
        "a descriptor is a DataDesc or a dict with name and shape, not {!r}".format(item)
    )


def _signature_lists(signature: Optional[Mapping[str, Descriptors]]) -> Dict[str, List[Dict[str, Any]]]:
    if signature is None:
        return {}
    unknown = sorted(set(signature) - {"inputs", "outputs"})
    if unknown:
        raise InvalidArgumentError("signature has the keys 'inputs' and 'outputs', not {}".format(", ".join(unknown)))
    return {key: _descriptors(value) for key, value in signature.items() if value}


def _signature_file(signature: Optional[Mapping[str, Descriptors]], work: str) -> str:
    lists = _signature_lists(signature)
    if not lists:
        return ""
    path = os.path.join(work, "signature.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(lists, file)
    return path


def _sample_files(sample: Any, work: str) -> List[Tuple[str, bytes]]:
    if sample is None:
        return []
    if isinstance(sample, Mapping):
        return [(name, _sample_file(value, work, number)) for number, (name, value) in enumerate(sample.items())]
    return [("", _sample_file(sample, work, 0))]


def _sample_file(value: Any, work: str, number: int) -> bytes:
    if isinstance(value, (str, os.PathLike)):
        return path_bytes(value)
    import numpy as np

    array = value.asnumpy() if hasattr(value, "asnumpy") else np.asarray(value)
    path = os.path.join(work, "sample{}.npy".format(number))
    np.save(path, array)
    return os.fsencode(path)
