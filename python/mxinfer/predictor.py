"""Predictor: runs a model on arrays."""

from __future__ import annotations

from datetime import timedelta
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Dict, FrozenSet, Iterable, List, Mapping, Optional, Sequence, Tuple, Type, TypeVar
from typing import Union, overload

from . import _native, options as _options
from ._device_arrays import DEFAULT_STREAM, device_arrays, stream_handle
from .errors import InvalidArgumentError
from .model import Model
from .prediction import Prediction
from .records import (
    CallMetrics,
    DataDesc,
    ItemError,
    PlanInfo,
    PredictorMemory,
    PredictorStats,
    call_metrics,
    descriptors,
    plan_info,
    predictor_memory,
)

from .types import ArrayLike, Arrays, Collect, Deadline, NamedArrays, OutputArray, PathText, Priority, Shapes, SupportsCudaArray

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .types import PredictorOptions

__all__ = ["Predictor"]

Self = TypeVar("Self", bound="Predictor")
T = TypeVar("T")
Outputs = Union[Mapping[str, OutputArray], Sequence[OutputArray]]
Inputs = Union[Mapping[str, Optional[ArrayLike]], Sequence[Optional[ArrayLike]], ArrayLike]

_NOTHING: Any = object()


class Predictor:
    """Runs a model. Any number of threads may call every method of one object; calls release the GIL.

    All methods take inputs in these forms:

    - a mapping from names to arrays, or keyword arguments; the outputs are a dict by name
    - a list or tuple of arrays in the order of model.inputs, or one array if the model has one input; the outputs are a list

    An array is a NumPy array, an object with the buffer protocol, DLPack or __array__, or nested lists of numbers. Dense
    arrays are read in place, and others are copied. Dtypes are never converted. An optional input may be left out or None.

    Args:
        model: a Model, or the argument of Model.load.
        options: threads, scheduling, precision, target, max_in_flight, when_full, workers, max_batch, ...; if the model is
            loaded here, also those of Model.load. settings_known() lists all. An option that is None has its default.

    >>> with mxinfer.Predictor("models/digits", threads=1) as predictor:
    ...     scores = predictor.predict(np.zeros((2, 1, 32, 32), np.float32))[0]
    >>> scores.shape
    (2, 10)
    """

    _groups: FrozenSet[str] = _options.RUN_GROUPS
    _native_class: Any = _native.Predictor
    _fields: FrozenSet[str] = frozenset()
    """Options that settings_known() does not list."""
    _model_classes: Tuple[type, ...] = (Model,)

    def __init__(self, model: Union[Model, PathText], **options: Unpack[PredictorOptions]) -> None:
        self._begin(model, options)

    def _begin(self, model: Any, options: Mapping[str, object]) -> None:
        fields, others = _options.fields_of(options, self._fields, self._groups)
        load, settings = _options.split(others, self._groups, type(self).__name__)
        if load and isinstance(model, self._model_classes):
            raise TypeError(
                "option '{}' is for loading, and the model is loaded already; give it to {}.load".format(
                    load[0][0], type(model).__name__
                )
            )
        self._options = dict(options)
        self._settings = settings
        self._has_queue = False
        self._native: Any
        self._native, self._model = self._make(model, load, settings, fields)
        self._output_names = tuple(output.name for output in self._model.outputs)

    def _make(
        self, model: Any, load: _options.Pairs, settings: _options.Pairs, fields: Dict[str, Any]
    ) -> Tuple[Any, Model]:
        """Return the object of the extension, and its model."""
        loaded = model if isinstance(model, Model) else Model._load(model, load)
        rest = (fields,) if self._fields else ()
        return self._native_class.make(loaded._native, settings, *rest), loaded

    @overload
    def predict(
        self, inputs: Mapping[str, Optional[ArrayLike]], /, *, out: Optional[Mapping[str, OutputArray]] = None
    ) -> NamedArrays: ...
    @overload
    def predict(
        self, inputs: Union[Sequence[Optional[ArrayLike]], ArrayLike], /, *, out: Optional[Sequence[OutputArray]] = None
    ) -> Arrays: ...
    @overload
    def predict(self, *, out: Optional[Mapping[str, OutputArray]] = None, **arrays: Optional[ArrayLike]) -> NamedArrays: ...
    def predict(  # type: ignore[misc]
        self, inputs: Any = _NOTHING, /, *, out: Any = None, **arrays: Any
    ) -> Union[NamedArrays, Arrays]:
        """Run the model on whole batches. A model with transforms also takes one sample, or an encoded image.

        Args:
            inputs: see Predictor.
            out: arrays for the outputs, as in predict_into.

        Returns:
            The outputs, or the arrays of `out`.

        Raises:
            InvalidArgumentError: A name, a count, a dtype or a shape does not fit.

        >>> predictor = mxinfer.Predictor("models/digits")
        >>> batch = np.zeros((2, 1, 32, 32), np.float32)
        >>> predictor.predict(batch)[0].shape
        (2, 10)
        >>> list(predictor.predict({"data": batch})) == list(predictor.predict(data=batch)) == ["probabilities_output"]
        True
        """
        native = self._open()
        names, values = _inputs(inputs, arrays)
        if out is not None:
            native.predict_into(values, names, self._targets(out))
            return dict(out) if isinstance(out, Mapping) else list(out)
        outputs = native.predict(values, names)
        return outputs if names is None else dict(zip(self._output_names, outputs))

    def predict_into(self, inputs: Inputs, outputs: Outputs) -> None:
        """Run the model, and write the outputs into your arrays.

        Args:
            inputs: see Predictor.
            outputs: dense, writable arrays with the dtypes and shapes of the outputs (output_shapes), by name or in order. They
                must not overlap an input.

        >>> predictor = mxinfer.Predictor("models/digits")
        >>> batch = np.zeros((2, 1, 32, 32), np.float32)
        >>> scores = np.empty((2, 10), np.float32)
        >>> predictor.predict_into(batch, [scores])
        >>> bool(np.isclose(scores.sum(), 2))
        True
        """
        names, values = _inputs(inputs, {})
        self._open().predict_into(values, names, self._targets(outputs))

    def predict_on_device(
        self,
        inputs: Union[Mapping[str, SupportsCudaArray], Sequence[SupportsCudaArray], SupportsCudaArray],
        outputs: Union[Mapping[str, SupportsCudaArray], Sequence[SupportsCudaArray]],
        *,
        stream: Optional[int] = None,
    ) -> None:
        """Enqueue a run on arrays in the memory of the predictor's GPU (the option device), and return.

        Until the stream has finished this work, do not change the inputs and do not read the outputs. If a node runs on the
        CPU, the call waits for the inputs of that node. Two threads must not use one stream at the same time.

        Args:
            inputs: dense arrays with __cuda_array_interface__, such as those of CuPy, PyTorch, Numba and JAX.
            outputs: arrays as in predict_into, with __cuda_array_interface__.
            stream: the address of a cudaStream_t of that GPU. None: the stream that the arrays name, or CUDA's default one, 0.

        Raises:
            UnsupportedError: The predictor is on the CPU, or the model transforms each item by itself, as end-to-end models for
                images do.
            InvalidArgumentError: An array is not on that GPU or names another stream, and as for predict_into.

        >>> predictor = mxinfer.Predictor("models/digits", device="cuda:0")  # doctest: +SKIP
        >>> batch, scores = torch.zeros(2, 1, 32, 32, device="cuda"), torch.empty(2, 10, device="cuda")  # doctest: +SKIP
        >>> predictor.predict_on_device(batch, [scores], stream=torch.cuda.current_stream().cuda_stream)  # doctest: +SKIP
        """
        native = self._open()
        names, values = _inputs(inputs, {})
        known = names if names is not None else [desc.name for desc in self._model.inputs]
        chosen = stream_handle(int(stream)) if stream is not None else None
        arrays, chosen = device_arrays(values, "input", known, chosen)
        targets, chosen = device_arrays(self._targets(outputs), "output", self._output_names, chosen)
        native.predict_on_device(arrays, names, targets, DEFAULT_STREAM if chosen is None else chosen)

    @overload  # A mapping is an Iterable of its names, too.
    def predict_list(  # type: ignore[overload-overlap]
        self, items: Mapping[str, Iterable[ArrayLike]], *, errors: None = None
    ) -> NamedArrays: ...
    @overload
    def predict_list(self, items: Iterable[ArrayLike], *, errors: None = None) -> Arrays: ...
    @overload
    def predict_list(  # type: ignore[overload-overlap]
        self, items: Mapping[str, Iterable[ArrayLike]], *, errors: Collect
    ) -> Tuple[NamedArrays, List[ItemError]]: ...
    @overload
    def predict_list(self, items: Iterable[ArrayLike], *, errors: Collect) -> Tuple[Arrays, List[ItemError]]: ...
    def predict_list(
        self, items: Any, *, errors: Optional[Collect] = None
    ) -> Union[NamedArrays, Arrays, Tuple[Union[NamedArrays, Arrays], List[ItemError]]]:
        """Run a model with transforms on items of different sizes, as one batch.

        Args:
            items: images as (height, width, channels), or the bytes of files. A mapping has a list of items for each input.
            errors: "collect" to also return errors.

        Returns:
            The outputs. With errors="collect", also a list of ItemError; the rows of invalid items are NaN, or 0 for integers, and
            there are no outputs if every item is invalid. Without it, the first invalid item raises an exception.

        >>> predictor = mxinfer.Predictor("models/digits.mxz")
        >>> items = [np.zeros((40, 50, 1), np.uint8), np.zeros((28, 28, 1), np.uint8)]
        >>> predictor.predict_list(items)[0].shape
        (2, 10)
        >>> outputs, errors = predictor.predict_list([items[0], b"no image"], errors="collect")
        >>> [wrong.item for wrong in errors]
        [1]
        """
        collect = wants_errors(errors)
        named = isinstance(items, Mapping)
        lists = self._lists_by_name(items) if named else [list(items)]
        outputs, found = self._open().predict_list(lists, collect)
        result: Union[NamedArrays, Arrays] = dict(zip(self._output_names, outputs)) if named else outputs
        return with_errors(result, found, collect)

    @overload
    def predict_async(
        self, inputs: Mapping[str, Optional[ArrayLike]], /, *, deadline: Deadline = None, priority: Priority = "normal"
    ) -> Prediction[NamedArrays]: ...
    @overload
    def predict_async(
        self,
        inputs: Union[Sequence[Optional[ArrayLike]], ArrayLike],
        /,
        *,
        deadline: Deadline = None,
        priority: Priority = "normal",
    ) -> Prediction[Arrays]: ...
    @overload
    def predict_async(
        self, *, deadline: Deadline = None, priority: Priority = "normal", **arrays: Optional[ArrayLike]
    ) -> Prediction[NamedArrays]: ...
    def predict_async(  # type: ignore[misc]
        self, inputs: Any = _NOTHING, /, *, deadline: Deadline = None, priority: Priority = "normal", **arrays: Any
    ) -> Prediction[Any]:
        """Submit predict to the queue, and return at once.

        Args:
            inputs: see Predictor.
            deadline: in seconds from now, or a timedelta. A prediction that has not started by then fails with
                DeadlineExceededError; a running one is not stopped.
            priority: "normal" or "high".

        Returns:
            A Prediction: a concurrent.futures.Future that you can also await. Cancelling the task that awaits it cancels the
            prediction.

        Raises:
            TooManyRequestsError: The queue is full (max_in_flight). The Future holds all other errors.

        >>> predictor = mxinfer.Predictor("models/digits")
        >>> batch = np.zeros((2, 1, 32, 32), np.float32)
        >>> futures = [predictor.predict_async(batch) for _ in range(3)]
        >>> [future.result()[0].shape for future in futures]
        [(2, 10), (2, 10), (2, 10)]
        """
        names, values = _inputs(inputs, arrays)
        native, future = self._submission(self._result_of(names is not None))
        return future._watch(native.predict_async(future, values, names, seconds_of(deadline), priority))

    def predict_into_async(
        self,
        inputs: Inputs,
        outputs: Outputs,
        *,
        deadline: Deadline = None,
        priority: Priority = "normal",
    ) -> Prediction[None]:
        """Submit predict_into to the queue. Do not use the arrays until the Future is done. See predict_async.

        >>> predictor = mxinfer.Predictor("models/digits")
        >>> batch = np.zeros((2, 1, 32, 32), np.float32)
        >>> scores = np.empty((2, 10), np.float32)
        >>> predictor.predict_into_async(batch, {"probabilities_output": scores}).result()
        """
        names, values = _inputs(inputs, {})
        targets = self._targets(outputs)
        native, future = self._submission(same)
        return future._watch(native.predict_into_async(future, values, names, targets, seconds_of(deadline), priority))

    def predict_list_async(
        self, items: Iterable[ArrayLike], *, deadline: Deadline = None, priority: Priority = "normal"
    ) -> Prediction[Arrays]:
        """Submit predict_list of one input to the queue. If an item is invalid, the Future fails. See predict_async.

        >>> predictor = mxinfer.Predictor("models/digits.mxz")
        >>> predictor.predict_list_async([np.zeros((40, 50, 1), np.uint8)]).result()[0].shape
        (1, 10)
        """
        native, future = self._submission(same)
        return future._watch(native.predict_list_async(future, list(items), seconds_of(deadline), priority))

    @overload
    async def apredict(
        self, inputs: Mapping[str, Optional[ArrayLike]], /, *, deadline: Deadline = None, priority: Priority = "normal"
    ) -> NamedArrays: ...
    @overload
    async def apredict(
        self,
        inputs: Union[Sequence[Optional[ArrayLike]], ArrayLike],
        /,
        *,
        deadline: Deadline = None,
        priority: Priority = "normal",
    ) -> Arrays: ...
    @overload
    async def apredict(
        self, *, deadline: Deadline = None, priority: Priority = "normal", **arrays: Optional[ArrayLike]
    ) -> NamedArrays: ...
    async def apredict(  # type: ignore[misc]
        self, inputs: Any = _NOTHING, /, *, deadline: Deadline = None, priority: Priority = "normal", **arrays: Any
    ) -> Any:
        """Await predict_async(...). This former name is kept for compatibility.

        >>> predictor = mxinfer.Predictor("models/digits")
        >>> batch = np.zeros((2, 1, 32, 32), np.float32)
        >>> asyncio.run(predictor.apredict(batch))[0].shape
        (2, 10)
        """
        return await self.predict_async(inputs, deadline=deadline, priority=priority, **arrays)

    async def apredict_list(
        self, items: Iterable[ArrayLike], *, deadline: Deadline = None, priority: Priority = "normal"
    ) -> Arrays:
        """Await predict_list_async(...). This former name is kept for compatibility.

        >>> predictor = mxinfer.Predictor("models/digits.mxz")
        >>> asyncio.run(predictor.apredict_list([np.zeros((40, 50, 1), np.uint8)]))[0].shape
        (1, 10)
        """
        return await self.predict_list_async(items, deadline=deadline, priority=priority)

    def input_shapes(self, shapes: Optional[Shapes] = None) -> Dict[str, Tuple[int, ...]]:
        """Return the shapes of all inputs that output_shapes, warmup and explain use for `shapes`.

        They are those in `shapes`, and for other inputs the model's, with 1 for a free batch.

        >>> predictor = mxinfer.Predictor("models/digits")
        >>> predictor.input_shapes(), predictor.input_shapes({"data": (4, 1, 32, 32)})
        ({'data': (1, 1, 32, 32)}, {'data': (4, 1, 32, 32)})
        """
        return dict(self._open().input_shapes(_shape_list(shapes)))

    def output_shapes(self, shapes: Optional[Shapes] = None) -> List[DataDesc]:
        """Return names, shapes and dtypes of the outputs for input_shapes(shapes).

        If the size of an output depends on values, its shape is ().

        >>> predictor = mxinfer.Predictor("models/digits")
        >>> predictor.output_shapes({"data": (4, 1, 32, 32)})[0].shape
        (4, 10)
        """
        return descriptors(self._open().output_shapes(_shape_list(shapes)))

    def warmup(self, shapes: Optional[Shapes] = None) -> None:
        """Make the plan for input_shapes(shapes), pack its weights and run it once on zeros.

        After it, the first call is as fast as later ones.

        >>> predictor = mxinfer.Predictor("models/digits")
        >>> predictor.warmup({"data": (4, 1, 32, 32)})
        >>> predictor.stats().plans
        1
        """
        self._open().warmup(_shape_list(shapes))

    def explain(self, shapes: Optional[Shapes] = None) -> PlanInfo:
        """Return what runs for input_shapes(shapes), and why. Print it, or read .steps or .as_dict().

        >>> predictor = mxinfer.Predictor("models/digits")
        >>> print(predictor.explain())  # doctest: +SKIP
        >>> max(predictor.explain().steps, key=lambda step: step.flops).op
        'Convolution'
        """
        return plan_info(self._open().explain(_shape_list(shapes)))

    def stats(self) -> PredictorStats:
        """Return what the predictor has done and currently holds."""
        return PredictorStats(*self._open().stats())

    def metrics(self) -> CallMetrics:
        """Return counts and times of the calls, synchronous and asynchronous."""
        return call_metrics(self._open().metrics())

    def memory(self) -> PredictorMemory:
        """Return the current memory. The options max_plan_bytes, max_memory_bytes and idle_limit limit it."""
        return predictor_memory(self._open().memory())

    def trim(self) -> int:
        """Release idle workspaces, and packed weights that no plan uses. Returns the number of bytes."""
        return int(self._open().trim())

    def prometheus_text(self, labels: str = "", *, with_help: bool = True) -> str:
        """Return metrics() and memory() in Prometheus' text format.

        `labels` go into the braces: 'model="resnet18"'.

        >>> predictor = mxinfer.Predictor("models/digits")
        >>> page = predictor.prometheus_text('model="digits"')
        >>> 'mxinfer_calls_total{model="digits",outcome="done"} 0' in page
        True
        """
        return str(self._open().prometheus_text(labels, with_help))

    @property
    def model(self) -> Model:
        """The model that the predictor runs."""
        return self._model

    @property
    def warnings(self) -> List[str]:
        """Which options have no effect, in one sentence each."""
        return list(self._open().warnings())

    @property
    def options(self) -> Dict[str, object]:
        """The options that were passed to the constructor."""
        return dict(self._options)

    def close(self) -> None:
        """Cancel waiting predictions, wait for running ones, and close the predictor. Every later call raises."""
        native, self._native = self._native, None
        if native is not None and self._has_queue:
            native.shut_down()

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self._native is None

    def __enter__(self: Self) -> Self:
        self._open()
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<mxinfer.{} of '{}'{}>".format(
            type(self).__name__, self._model.name, ", closed" if self.closed else ""
        )

    def __reduce__(self) -> Tuple[Callable[..., Any], Tuple[Any, ...]]:
        self._open()
        others = _options.fields_of(self._options, self._fields, self._groups)[1]
        load = _options.split(others, self._groups, "")[0]
        kept = {name: value for name, value in self._options.items() if name not in dict(load)}
        return _remake, (type(self), self._model, kept)

    def _open(self) -> Any:
        native = self._native
        if native is None:
            raise InvalidArgumentError("this {} is closed; make another one".format(type(self).__name__))
        return native

    def _submission(self, convert: Callable[[Any], T]) -> Tuple[Any, Prediction[T]]:
        native = self._open()
        self._has_queue = True
        return native, Prediction(native, convert)

    def _result_of(self, by_name: bool) -> Callable[[Any], Any]:
        names = self._output_names
        return (lambda outputs: dict(zip(names, outputs))) if by_name else same

    def _targets(self, outputs: Any) -> List[Any]:
        if not isinstance(outputs, Mapping):
            return list(outputs)
        unknown = [name for name in outputs if name not in self._output_names]
        missing = [name for name in self._output_names if name not in outputs]
        if unknown or missing:
            raise InvalidArgumentError(
                "outputs: got arrays for {}; the model's outputs are {}, and all of them are wanted".format(
                    list(outputs), list(self._output_names)
                )
            )
        return [outputs[name] for name in self._output_names]

    def _lists_by_name(self, items: Mapping[str, Iterable[Any]]) -> List[List[Any]]:
        names = [desc.name for desc in self._model.inputs]
        if set(names) != set(items):
            raise InvalidArgumentError(
                "items: got lists for {}; the model's inputs are {}".format(sorted(items), names)
            )
        return [list(items[name]) for name in names]


def wants_errors(errors: Optional[str]) -> bool:
    """Return whether to collect the errors of items."""
    if errors not in (None, "collect"):
        raise InvalidArgumentError("errors is {!r}; it can be None or 'collect'".format(errors))
    return errors is not None


def with_errors(
    results: T, wrong: Iterable[Tuple[Any, ...]], collect: bool
) -> Union[T, Tuple[T, List[ItemError]]]:
    """Return the results and, if they are collected, the errors of items from the extension."""
    return (results, [ItemError(*error) for error in wrong]) if collect else results


def check_kinds(options: Mapping[str, object], **kinds: type) -> None:
    """Raise InvalidArgumentError if an option with one of these names is neither None nor of its class."""
    for name, kind in kinds.items():
        value = options.get(name)
        if value is not None and not isinstance(value, kind):
            raise InvalidArgumentError(
                "option '{}': a {} is none; expected a mxinfer.{}".format(name, type(value).__name__, kind.__name__)
            )


def by_name(arrays: Any, what: str) -> Dict[str, Any]:
    """Return a mapping from names to arrays as a dict."""
    if not isinstance(arrays, Mapping):
        raise InvalidArgumentError("{}: a {} is no mapping from names to arrays".format(what, type(arrays).__name__))
    return dict(arrays)


def seconds_of(deadline: Deadline) -> Optional[float]:
    """Return a deadline in seconds from now."""
    return deadline.total_seconds() if isinstance(deadline, timedelta) else deadline


def _inputs(inputs: Any, arrays: Dict[str, Any]) -> Tuple[Optional[List[str]], List[Any]]:
    """Return the names, if any, and the arrays."""
    if inputs is _NOTHING:
        inputs = arrays
    elif arrays:
        raise TypeError("inputs are given as an argument or as keywords ({}), not both".format(", ".join(arrays)))
    if isinstance(inputs, Mapping):
        return list(inputs), list(inputs.values())
    if isinstance(inputs, (list, tuple)):
        return None, list(inputs)
    return None, [inputs]


def _shape_list(shapes: Optional[Shapes]) -> List[Tuple[str, Tuple[int, ...]]]:
    return [(name, tuple(int(size) for size in shape)) for name, shape in (shapes or {}).items()]


def same(raw: Any) -> Any:
    """Return the result of the extension unchanged, for a Prediction."""
    return raw


def _remake(cls: Type[Predictor], model: Any, options: Dict[str, Any]) -> Predictor:
    return cls(model, **options)
