"""BucketedModel: the networks that MXNet's BucketingModule saves, one for each length, with one set of weights."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Callable, List, Mapping, Tuple

from .. import _native, options as _options
from ..errors import InvalidArgumentError
from ..model import Model, absolute, path_bytes
from ..records import ModelMemory
from ..types import PathText

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..types import LoadOptions

__all__ = ["BucketedModel"]


class BucketedModel:
    """One network for each sequence length, for a SequencePredictor. Any thread may use it.

    To read files, call BucketedModel.load.

    Args:
        buckets: loaded models by length. Their inputs and outputs have the same names.

    >>> model = mxinfer.BucketedModel.load("lstm")
    >>> model.keys
    [2, 4]
    >>> predictor = mxinfer.SequencePredictor(model)
    """

    def __init__(self, buckets: Mapping[int, Model]) -> None:
        if not isinstance(buckets, Mapping):
            raise InvalidArgumentError(
                "buckets: a {} is no mapping from lengths to models; files are read by BucketedModel.load".format(
                    type(buckets).__name__
                )
            )
        pairs = [_bucket(key, model) for key, model in buckets.items()]
        self._native: Any = _native.BucketedModel.make(pairs)
        self._origin: Any = (BucketedModel, (dict(buckets),))

    @classmethod
    def load(cls, uri: PathText, **load_options: Unpack[LoadOptions]) -> BucketedModel:
        """Load what BucketingModule.save_checkpoint wrote.

        Args:
            uri: a prefix ("lstm" for lstm-10-symbol.json, lstm.buckets and lstm-0001.params), or a folder that holds one.
            load_options: those of Model.load.

        Raises:
            NotFoundError, MalformedError, InvalidArgumentError

        >>> mxinfer.BucketedModel.load("lstm", epoch=1).largest.inputs[0].shape
        (-1, 4, 2)
        """
        texts = _options.split(load_options, frozenset(), "BucketedModel.load")[0]
        return _loaded(uri, texts)

    @property
    def keys(self) -> List[int]:
        """The lengths, in ascending order."""
        return list(self._native.keys())

    def model(self, key: int) -> Model:
        """Return the network for a length.

        >>> mxinfer.BucketedModel.load("lstm").model(2).inputs[0].name
        'data'
        """
        return Model._made(self._native.model(key), None)

    @property
    def largest(self) -> Model:
        """The network for the largest length."""
        return self.model(self.keys[-1])

    @property
    def name(self) -> str:
        """The prefix that it was loaded from."""
        return str(self._native.name())

    def memory(self) -> ModelMemory:
        """Return the memory of the weights of all networks; shared weights count once."""
        return ModelMemory(*self._native.memory())

    def __repr__(self) -> str:
        return "<mxinfer.BucketedModel '{}' of {}>".format(self.name, self.keys)

    def __reduce__(self) -> Tuple[Callable[..., Any], Tuple[Any, ...]]:
        function, arguments = self._origin
        return function, arguments


def _bucket(key: Any, model: Any) -> Tuple[int, Any]:
    if not isinstance(model, Model):
        raise InvalidArgumentError("bucket {!r}: a {} is no mxinfer.Model".format(key, type(model).__name__))
    if not hasattr(key, "__index__") or not -(2**63) <= operator.index(key) < 2**63:
        raise InvalidArgumentError("bucket {!r}: a bucket's key is its length, a whole number".format(key))
    return operator.index(key), model._native


def _loaded(uri: PathText, texts: _options.Pairs) -> BucketedModel:
    model = object.__new__(BucketedModel)
    model._native = _native.BucketedModel.load(path_bytes(uri), texts)
    model._origin = (_loaded, (absolute(uri), texts))
    return model
