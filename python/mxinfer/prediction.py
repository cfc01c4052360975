"""Prediction: the Future of a submitted call."""

from __future__ import annotations

import asyncio
import concurrent.futures
from typing import Any, Callable, Generator, Optional, TypeVar

from . import _native
from .errors import CancelledError

__all__ = ["Prediction"]

T = TypeVar("T")


class Prediction(concurrent.futures.Future[T]):
    """The result of an `..._async` method: a concurrent.futures.Future that you can also await.

    Its callbacks run on the thread that delivers all results, so keep them short. The inputs are held until it ends. In a
    coroutine, `await` returns the result, and cancelling the task cancels the prediction.

    >>> classifier = mxinfer.ImageClassifier("models/digits.mxz")
    >>> future = classifier.classify_async("examples/images/seven.jpg", top_k=1)
    >>> future.result(timeout=60)[0].label
    'seven'
    >>> async def classified():
    ...     return await classifier.classify_async("examples/images/two.png", top_k=1)
    >>> asyncio.run(classified())[0].label
    'two'
    """

    def __init__(self, owner: object, convert: Callable[[Any], T]) -> None:
        super().__init__()
        self._owner = owner
        self._convert = convert
        self._submitted: Optional[_native.Submitted] = None
        self._wants_cancel = False

    def __await__(self) -> Generator[Any, None, T]:
        return asyncio.wrap_future(self).__await__()

    def cancel(self) -> bool:
        """Cancel the prediction.

        Returns:
            True if it had not started; it never will. False if it has ended or is running. A running prediction stops before
            its next operator and ends as cancelled, unless it is done by then.
        """
        submitted = self._submitted
        if submitted is not None and not self.done():
            self._wants_cancel = True
            if not submitted.cancel():
                return False
        return super().cancel()

    def _watch(self, submitted: _native.Submitted) -> Prediction[T]:
        self._submitted = submitted
        if self.done():
            self._let_go()
        return self

    def _let_go(self) -> None:
        self._submitted = None
        self._owner = None

    def _finish(self, raw: Any) -> None:
        """Set the result. The extension calls this."""
        self._let_go()
        try:
            result = self._convert(raw)
        except BaseException as error:
            self.set_exception(error)
        else:
            self.set_result(result)

    def _fail(self, error: BaseException) -> None:
        """Set the exception. The extension calls this."""
        self._let_go()
        if self._wants_cancel and isinstance(error, CancelledError):
            super().cancel()
            self.set_running_or_notify_cancel()
        else:
            self.set_exception(error)
