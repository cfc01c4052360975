"""Model: a network and its weights, loaded once and shared by any number of predictors and threads."""

from __future__ import annotations

import os
import pickle
from functools import cached_property
from typing import TYPE_CHECKING, Any, Callable, List, Optional, Tuple, Union

from . import _native, options as _options
from ._native import Model as NativeModel
from .errors import InvalidArgumentError
from .records import DataDesc, ModelMemory, descriptors
from .types import PathText

if TYPE_CHECKING:
    from typing_extensions import Buffer, Unpack

    from .types import LoadOptions

__all__ = ["Model"]


class Model:
    """A loaded model. Any thread may use it.

    To make one, call Model.load, load_files, load_memory or load_archive.

    >>> model = mxinfer.Model.load("models/digits")
    >>> model.inputs[0].name, model.labels[:2]
    ('data', ['zero', 'one'])
    >>> quick, thrifty = mxinfer.Predictor(model), mxinfer.Predictor(model, threads=1)  # share one set of weights
    """

    _native: NativeModel
    _origin: Optional[Tuple[Callable[..., Model], Tuple[Any, ...], _options.Pairs]]

    def __init__(self) -> None:
        raise TypeError("a Model is made by Model.load, load_files, load_memory or load_archive")

    @classmethod
    def load(cls, uri: PathText, **load_options: Unpack[LoadOptions]) -> Model:
        """Load a model.

        Args:
            uri: a prefix ("resnet18_v1" for resnet18_v1-symbol.json and resnet18_v1-0000.params), a symbol file, a folder that
                holds one model, or one file that holds a model: a bundle (.mxz), .mar, .model, model.tar.gz or zip.
            load_options: epoch, graph, inputs, input_names, outputs, labels, load_transforms, verify, random_transforms, seed,
                read_weights_at_once, and others that settings_known() describes.

        Raises:
            NotFoundError, MalformedError, UnsupportedError, InvalidArgumentError

        >>> mxinfer.Model.load("models/digits").outputs[0].name
        'probabilities_output'
        >>> mxinfer.Model.load("models/digits", outputs=["digits_flatten0_flatten0_output"]).outputs[0].shape
        (-1, 768)
        """
        return cls._load(uri, _load_texts(load_options))

    @classmethod
    def load_files(cls, symbol_path: PathText, params_path: PathText = "", **load_options: Unpack[LoadOptions]) -> Model:
        """Load a symbol file and a .params file by their paths or addresses.

        If the network has no parameters, leave out `params_path`. Raises the exceptions of load.

        >>> model = mxinfer.Model.load_files("models/digits/digits-symbol.json", "models/digits/digits-0000.params")
        """
        texts = _load_texts(load_options)
        native = _native.Model.load_files(path_bytes(symbol_path), path_bytes(params_path), texts)
        params = absolute(params_path) if os.fspath(params_path) else ""
        return cls._made(native, (_reload_files, (absolute(symbol_path), params), texts))

    @classmethod
    def load_memory(cls, symbol_json: Union[str, Buffer], params: Buffer = b"", **load_options: Unpack[LoadOptions]) -> Model:
        """Load from the contents of the two files. The buffers are not needed after the call.

        >>> with open("models/digits/digits-symbol.json") as symbol, open("models/digits/digits-0000.params", "rb") as params:
        ...     model = mxinfer.Model.load_memory(symbol.read(), params.read())
        """
        symbol = symbol_json.encode() if isinstance(symbol_json, str) else symbol_json
        return cls._made(_native.Model.load_memory(symbol, params, _load_texts(load_options)), None)

    @classmethod
    def load_archive(cls, archive: Buffer, **load_options: Unpack[LoadOptions]) -> Model:
        """Load from the contents of one file that holds a whole model.

        >>> with open("models/digits.mxz", "rb") as bundle:
        ...     model = mxinfer.Model.load_archive(bundle.read())
        """
        return cls._made(_native.Model.load_archive(archive, _load_texts(load_options)), None)

    @classmethod
    def _load(cls, uri: PathText, texts: _options.Pairs) -> Model:
        return cls._made(_native.Model.load(path_bytes(uri), texts), (_reload, (absolute(uri),), texts))

    @classmethod
    def _made(cls, native: NativeModel, origin: Any) -> Model:
        model = object.__new__(cls)
        model._native = native
        model._origin = origin
        return model

    @cached_property
    def name(self) -> str:
        """The prefix or file that it was loaded from."""
        return self._native.name()

    @cached_property
    def inputs(self) -> List[DataDesc]:
        """The inputs as the caller or the file describes them, otherwise as inferred. -1 is a free size."""
        return descriptors(self._native.inputs())

    @cached_property
    def outputs(self) -> List[DataDesc]:
        """The outputs in order, with the shapes that follow from those of the inputs."""
        return descriptors(self._native.outputs())

    @cached_property
    def labels(self) -> List[str]:
        """The class names; empty if there are none."""
        return self._native.labels()

    @cached_property
    def warnings(self) -> List[str]:
        """What is unusual but harmless about the files."""
        return self._native.warnings()

    def memory(self) -> ModelMemory:
        """Return the current memory of the weights. It grows as plans pack them."""
        return ModelMemory(*self._native.memory())

    def __repr__(self) -> str:
        return "<mxinfer.Model '{}'>".format(self.name)

    def __reduce__(self) -> Tuple[Callable[..., Model], Tuple[Any, ...]]:
        if self._origin is None:
            raise pickle.PicklingError(
                "a model that was loaded from memory cannot be pickled; load it from a file, or send its bytes and load "
                "them there"
            )
        function, arguments, texts = self._origin
        return function, (*arguments, texts)


def path_bytes(path: PathText) -> bytes:
    """Encode a path for the operating system."""
    if not isinstance(path, (str, os.PathLike)):
        raise InvalidArgumentError(
            "a path is a str or an os.PathLike, not {}; contents of files go to load_memory and load_archive".format(
                type(path).__name__
            )
        )
    return os.fsencode(path)


def absolute(path: PathText) -> str:
    """Make a path absolute; leave an address unchanged."""
    text = os.fsdecode(path)
    return text if "://" in text else os.path.abspath(text)


def _load_texts(load_options: Any) -> _options.Pairs:
    return _options.split(load_options, frozenset(), "Model.load")[0]


def _reload(uri: str, texts: _options.Pairs) -> Model:
    return Model._made(_native.Model.load(os.fsencode(uri), texts), (_reload, (uri,), texts))


def _reload_files(symbol: str, params: str, texts: _options.Pairs) -> Model:
    native = _native.Model.load_files(os.fsencode(symbol), os.fsencode(params), texts)
    return Model._made(native, (_reload_files, (symbol, params), texts))
