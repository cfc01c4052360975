"""Drop-in replacement for MXNet's own predictor wrapper.

    from mxinfer import mx_like

    predictor = mx_like.Predictor(symbol_json, params_bytes, {"data": (1, 3, 224, 224)})
    predictor.forward(data=image)
    scores = predictor.get_output(0)

Arguments and meanings are those of mxnet_predict.py of MXNet's amalgamation. It runs on mxinfer.Predictor. You may have any number
of predictors, each used by one thread. A parameter that is missing in the file is an error.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _native
from .errors import InvalidArgumentError
from .model import Model
from .predictor import Predictor as _Predictor
from .records import DataDesc
from .types import Array, ArrayLike

__all__ = ["Predictor", "load_ndarray_file"]

Monitor = Callable[[str, Array], object]


class Predictor:
    """Runs a network on inputs of fixed shapes. One thread at a time may use an object.

    Args:
        symbol_file: the contents of a symbol file, not its name, as in MXNet.
        param_raw_bytes: the contents of a .params file.
        input_shapes: {name: shape}.
        dev_type: "cpu" or "gpu".
        dev_id: the number of the device.
        type_dict: {name: dtype} for inputs that are not float32.

    >>> symbol = open("models/digits/digits-symbol.json").read()
    >>> params = open("models/digits/digits-0000.params", "rb").read()
    >>> predictor = mx_like.Predictor(symbol, params, {"data": (1, 1, 32, 32)}, dev_type="cpu")
    >>> predictor.forward(data=np.zeros((1, 1, 32, 32)))
    >>> predictor.get_output(0).shape
    (1, 10)
    """

    def __init__(
        self,
        symbol_file: Union[str, bytes],
        param_raw_bytes: Union[bytes, bytearray, memoryview],
        input_shapes: Mapping[str, Tuple[int, ...]],
        dev_type: str = "cpu",
        dev_id: int = 0,
        type_dict: Optional[Mapping[str, npt.DTypeLike]] = None,
    ) -> None:
        self._device = "cpu" if dev_type in ("cpu", "cpu_pinned") else "{}:{}".format(dev_type, dev_id)
        self._symbol = symbol_file.encode() if isinstance(symbol_file, str) else bytes(symbol_file)
        self._params = bytes(param_raw_bytes)
        self._types = {name: np.dtype(dtype) for name, dtype in (type_dict or {}).items()}
        self._shapes = _checked(input_shapes)
        self._inputs: Dict[str, Array] = {}
        self._outputs: Optional[List[Array]] = None
        self._monitor: Optional[Monitor] = None
        self._monitored: Optional[Tuple[List[str], _Predictor]] = None
        self._predictor = self._made([])
        self._known = {desc.name: desc for desc in self._predictor.model.inputs}
        for name, desc in self._known.items():
            if name not in self._shapes and not desc.is_optional:
                raise InvalidArgumentError(
                    "the input '{}' has no shape among input_shapes, which are for {}".format(name, ", ".join(self._shapes) or "none")
                )
        self._check_shapes()

    def forward(self, **kwargs: ArrayLike) -> None:
        """Set inputs by name, converted to float32 or to the dtype in type_dict, and run.

        Other inputs keep their values, which are zeros at first.

        Raises:
            InvalidArgumentError: A name or a size does not fit.

        >>> symbol = open("models/digits/digits-symbol.json").read()
        >>> params = open("models/digits/digits-0000.params", "rb").read()
        >>> predictor = mx_like.Predictor(symbol, params, {"data": (1, 1, 32, 32)})
        >>> predictor.forward(data=np.zeros((1, 1, 32, 32)))
        """
        for name, value in kwargs.items():
            self._set_input(name, value)
        given = {name: self._input(name) for name in self._known if name in self._shapes}
        if self._monitor is None:
            self._outputs = list(self._predictor.predict(given).values())
            return
        self._forward_monitored(given)

    def reshape(self, input_shapes: Mapping[str, Tuple[int, ...]]) -> None:
        """Change the shapes of inputs. Inputs that you do not name keep theirs.

        >>> symbol = open("models/digits/digits-symbol.json").read()
        >>> params = open("models/digits/digits-0000.params", "rb").read()
        >>> predictor = mx_like.Predictor(symbol, params, {"data": (1, 1, 32, 32)})
        >>> predictor.reshape({"data": (4, 1, 32, 32)})
        >>> predictor.forward(data=np.zeros((4, 1, 32, 32)))
        >>> predictor.get_output(0).shape
        (4, 10)
        """
        before = self._shapes
        self._shapes = {**before, **_checked(input_shapes)}
        try:
            self._check_shapes()
        except Exception:
            self._shapes = before
            raise
        self._inputs = {name: array for name, array in self._inputs.items() if array.shape == self._shapes.get(name)}
        self._outputs = None

    def get_output(self, index: int) -> Array:
        """Return output `index` of the last forward as a NumPy array.

        >>> symbol = open("models/digits/digits-symbol.json").read()
        >>> params = open("models/digits/digits-0000.params", "rb").read()
        >>> predictor = mx_like.Predictor(symbol, params, {"data": (1, 1, 32, 32)})
        >>> predictor.forward(data=np.zeros((1, 1, 32, 32)))
        >>> bool(np.isclose(predictor.get_output(0).sum(), 1))
        True
        """
        if self._outputs is None:
            raise InvalidArgumentError("there are no outputs yet; call forward first")
        if not 0 <= index < len(self._outputs):
            raise InvalidArgumentError("there is no output {}; there are {}, counted from 0".format(index, len(self._outputs)))
        return self._outputs[index]

    def set_monitor_callback(self, callback: Optional[Monitor], monitor_all: bool = False) -> None:
        """Make forward compute every inner value, and call callback(name, array) with each. This is slower.

        Args:
            callback: None ends the monitoring. Its exceptions propagate from forward.
            monitor_all: whether to also pass the inputs.

        >>> symbol = open("models/digits/digits-symbol.json").read()
        >>> params = open("models/digits/digits-0000.params", "rb").read()
        >>> predictor = mx_like.Predictor(symbol, params, {"data": (1, 1, 32, 32)})
        >>> names = []
        >>> predictor.set_monitor_callback(lambda name, array: names.append(name))
        >>> predictor.forward(data=np.zeros((1, 1, 32, 32)))
        >>> "probabilities_output" in names
        True
        """
        self._monitor = callback
        self._monitor_all = monitor_all

    def _made(self, outputs: Sequence[str]) -> _Predictor:
        inputs = [self._described(name) for name in self._names()]
        model = Model.load_memory(self._symbol, self._params, inputs=inputs or None, outputs=list(outputs) or None)
        return _Predictor(model, device=self._device)

    def _names(self) -> List[str]:
        """Return the inputs that the caller names and the network has. Labels are ignored."""
        known = {desc.name for desc in Model.load_memory(self._symbol, self._params).inputs}
        return [name for name in self._shapes if name in known]

    def _described(self, name: str) -> DataDesc:
        return DataDesc(name, (-1,) * len(self._shapes[name]), self._types.get(name, np.dtype("float32")).name)

    def _check_shapes(self) -> None:
        self._predictor.output_shapes({name: self._shapes[name] for name in self._known if name in self._shapes})

    def _input(self, name: str) -> Any:
        if name not in self._inputs:
            self._inputs[name] = np.zeros(self._shapes[name], self._types.get(name, np.dtype("float32")))
        return self._inputs[name]

    def _set_input(self, name: str, value: Any) -> None:
        if name not in self._known:
            if name in self._shapes:
                return  # a label
            raise InvalidArgumentError("the network has no input '{}'; its inputs are {}".format(name, ", ".join(self._known)))
        array = np.ascontiguousarray(value, self._types.get(name, np.dtype("float32")))
        if array.size != int(np.prod(self._shapes[name])):
            raise InvalidArgumentError(
                "the input '{}' has shape {}; the array has shape {}".format(name, self._shapes[name], array.shape)
            )
        self._inputs[name] = array.reshape(self._shapes[name])

    def _forward_monitored(self, given: Dict[str, Array]) -> None:
        if self._monitored is None:
            inner = _native.inner_values(self._symbol, self._params, [])
            outputs = [desc.name for desc in self._predictor.model.outputs]
            self._monitored = ([mxnet_name for _, mxnet_name in inner], self._made([name for name, _ in inner] + outputs))
        names, predictor = self._monitored
        values = list(predictor.predict(given).values())
        assert self._monitor is not None
        if self._monitor_all:
            for name, array in given.items():
                self._monitor(name, array)
        for name, array in zip(names, values):
            self._monitor(name, array)
        self._outputs = values[len(names) :]


def load_ndarray_file(nd_bytes: Union[bytes, bytearray, memoryview]) -> Union[List[Array], Dict[str, Array]]:
    """Read the arrays of a file of mx.nd.save from its contents.

    Returns a dict by name, or a list if the arrays have no names.

    >>> with open("models/digits/digits-0000.params", "rb") as file:
    ...     arrays = mx_like.load_ndarray_file(file.read())
    >>> "arg:digits_conv0_weight" in arrays
    True
    """
    arrays = _native.read_arrays(nd_bytes)
    if not arrays or not arrays[0][0]:
        return [array for _, array in arrays]
    return dict(arrays)


def _checked(shapes: Mapping[str, Tuple[int, ...]]) -> Dict[str, Tuple[int, ...]]:
    for name, shape in shapes.items():
        if not isinstance(shape, tuple):
            raise InvalidArgumentError("the shape of '{}' is a tuple of sizes, not {!r}".format(name, shape))
    return dict(shapes)
