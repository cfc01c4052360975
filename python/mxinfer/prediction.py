"""Prediction: the Future of what was submitted."""

from __future__ import annotations

import asyncio
import concurrent.futures
from typing import Any, Callable, Generator, Optional, TypeVar

from . import _native
from .errors import CancelledError

__all__ = ["Prediction"]

T = TypeVar("T")


class Prediction(concurrent.futures.Future[T]):
    """What an `..._async` method gives: a concurrent.futures.Future, which may be awaited as well.

    Its callbacks run on a thread of mxinfer, which brings all results: they should be short. The inputs are held
    until it has ended. In a coroutine `await` gives the result; cancelling the task cancels the prediction.

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
        """True: it had not started, and never will. False: it has ended before, or it runs; then it stops before
        its next operator and ends as cancelled, if it is not done by then."""
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
        """The extension's: it ended with a result."""
        self._let_go()
        try:
            result = self._convert(raw)
        except BaseException as error:
            self.set_exception(error)
        else:
            self.set_result(result)

    def _fail(self, error: BaseException) -> None:
        """The extension's: it ended without one."""
        self._let_go()
        if self._wants_cancel and isinstance(error, CancelledError):
            super().cancel()
            self.set_running_or_notify_cancel()
        else:
            self.set_exception(error)
