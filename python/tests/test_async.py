"""Futures, asyncio, cancelling, deadlines, threads."""

import asyncio
import concurrent.futures
import datetime
import threading
import time

import numpy as np
import pytest

import mxinfer
import networks

HANG = 300  # seconds, after which something hangs


@pytest.fixture(scope="module")
def batch():
    return np.random.default_rng(2).random((1, 1, 32, 32), np.float32)


@pytest.fixture(scope="module")
def small_model():
    """Of 12 nodes."""
    return networks.powers(8, 12)


class Holder:
    """Holds calls on their way: in the message of the log that tells of the plan, which a predictor's first call makes."""

    def __init__(self):
        self._gates = []
        self._next = []
        mxinfer.set_log_callback(self._told, "info")

    def next(self):
        """Of the next call: an event that is set once it runs and is held, and one that lets it go."""
        entered, let_go = threading.Event(), threading.Event()
        self._gates.append(let_go)
        self._next.append((entered, let_go))
        return entered, let_go

    def hold(self, submit):
        """What submit() gives, once it runs and is held, and an event that lets it go."""
        entered, let_go = self.next()
        future = submit()
        assert entered.wait(HANG), "no plan was made"
        return future, let_go

    def _told(self, level, message):
        if "planned in" in message and self._next:
            entered, let_go = self._next.pop()
            entered.set()
            let_go.wait()

    def close(self):
        for let_go in self._gates:
            let_go.set()
        mxinfer.set_log_callback(None)


@pytest.fixture()
def holder():
    holder = Holder()
    yield holder
    holder.close()


@pytest.fixture()
def busy(small_model, holder):
    """A predictor of one worker, what it takes, a future that it computes until an event is set, and that; more waits
    behind it."""
    predictor = mxinfer.Predictor(small_model, threads=1, workers=1, max_in_flight=4)
    values = np.zeros(small_model.inputs[0].shape, np.float32)
    running, let_go = holder.hold(lambda: predictor.predict_async(values))
    yield predictor, values, running, let_go
    let_go.set()
    predictor.close()


def until(condition):
    end = time.monotonic() + HANG
    while not condition():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.001)


def test_futures_give_what_calls_give(digits, batch):
    predictor = mxinfer.Predictor(digits)
    (expected,) = predictor.predict(batch)
    future = predictor.predict_async(batch)
    assert isinstance(future, concurrent.futures.Future) and isinstance(future, mxinfer.Prediction)
    np.testing.assert_array_equal(future.result()[0], expected)
    assert future.done() and not future.cancelled() and not future.cancel() and future.exception() is None
    np.testing.assert_array_equal(predictor.predict_async({"data": batch}).result()["probabilities_output"], expected)
    np.testing.assert_array_equal(predictor.predict_async(data=batch).result()["probabilities_output"], expected)
    out = np.zeros((1, 10), np.float32)
    assert predictor.predict_into_async(batch, [out]).result() is None
    np.testing.assert_array_equal(out, expected)
    futures = {predictor.predict_async(batch): i for i in range(20)}
    for ended in concurrent.futures.as_completed(futures):
        np.testing.assert_array_equal(ended.result()[0], expected)
    assert not concurrent.futures.wait(futures).not_done


def test_futures_keep_their_predictor(digits, batch):
    future = mxinfer.Predictor(digits).predict_async(batch)
    assert future.result()[0].shape == (1, 10)
    assert [mxinfer.Classifier(digits).classify_async(batch[0], 1).result()[0].score > 0 for _ in range(5)]


def test_lists_in_futures(bundle):
    predictor = mxinfer.Predictor(bundle)
    items = [np.zeros((40, 50, 1), np.uint8)] * 3
    (scores,) = predictor.predict_list_async(items).result()
    np.testing.assert_array_equal(scores, predictor.predict_list(items)[0])
    with pytest.raises(mxinfer.InvalidArgumentError):
        predictor.predict_list_async([np.zeros((2, 2), np.float32)]).result()


def test_errors_come_with_the_future(digits, batch):
    predictor = mxinfer.Predictor(digits)
    future = predictor.predict_async(batch[:, :, :3])
    assert isinstance(future.exception(), mxinfer.InvalidArgumentError)
    with pytest.raises(mxinfer.InvalidArgumentError):
        future.result()
    with pytest.raises(mxinfer.InvalidArgumentError, match="normal or high"):
        predictor.predict_async(batch, priority="urgent")
    with pytest.raises(mxinfer.InvalidArgumentError, match="deadline"):
        predictor.predict_async(batch, deadline=float("nan"))
    with pytest.raises(mxinfer.InvalidArgumentError):
        predictor.predict_async(object())


def test_callbacks_and_what_they_raise(digits, batch, caplog):
    predictor = mxinfer.Predictor(digits)
    seen = []
    future = predictor.predict_async(batch)
    future.add_done_callback(lambda ended: seen.append(ended.result()[0].shape))
    future.add_done_callback(lambda ended: 1 / 0)
    future.add_done_callback(lambda ended: seen.append(predictor.predict_async(batch).cancel() in (True, False)))
    future.result()
    until(lambda: len(seen) == 2)
    assert seen == [(1, 10), True]
    assert predictor.predict_async(batch).result()[0].shape == (1, 10)
    assert any("ZeroDivisionError" in str(record.exc_info) for record in caplog.records)


def test_cancelling_what_waits_and_what_runs(busy):
    predictor, values, running, let_go = busy
    waiting = predictor.predict_async(values)
    assert waiting.cancel() and waiting.cancelled() and waiting.cancel()
    with pytest.raises(concurrent.futures.CancelledError):
        waiting.result()
    assert concurrent.futures.wait([waiting], timeout=HANG).done == {waiting}
    assert not running.cancel()  # it stops before its next node
    let_go.set()
    with pytest.raises(concurrent.futures.CancelledError):
        running.result(timeout=HANG)
    assert running.cancelled()
    assert predictor.metrics().cancelled == 2


def test_memory_that_a_cancelled_call_wrote_into_is_free_when_it_has_ended(busy, small_model, holder):
    predictor, values, _, _ = busy
    out = bytearray(values.nbytes)
    view = memoryview(out).cast("f", values.shape)
    future = predictor.predict_into_async(values, [view])
    with pytest.raises(BufferError):
        out.clear()
    del view
    assert future.cancel()  # it had not begun
    out.extend(b"more")
    del out[values.nbytes :]
    other = mxinfer.Predictor(small_model, threads=1, workers=1)
    view = memoryview(out).cast("f", values.shape)
    future, let_go = holder.hold(lambda: other.predict_into_async(values, [view]))
    del view
    with pytest.raises(BufferError):
        out.clear()
    future.cancel()
    let_go.set()
    with pytest.raises(concurrent.futures.CancelledError):
        future.result(timeout=HANG)
    out.clear()


def test_deadlines_priorities_and_full_queues(busy):
    predictor, values, running, let_go = busy
    late = predictor.predict_async(values, deadline=0.001)
    later = predictor.predict_async(values, deadline=datetime.timedelta(milliseconds=1))
    high = predictor.predict_async(values, priority="high", deadline=3600)
    with pytest.raises(mxinfer.TooManyRequestsError):
        for _ in range(4):  # those that are late by now make room
            predictor.predict_async(values)
    time.sleep(0.002)  # both are late now
    running.cancel()
    let_go.set()
    for future in (late, later):
        with pytest.raises(TimeoutError) as caught:
            future.result(timeout=HANG)
        assert isinstance(caught.value, mxinfer.DeadlineExceededError)
    assert high.result(timeout=HANG)[0].shape == values.shape
    past = predictor.predict_async(values, deadline=-1)
    assert isinstance(past.exception(timeout=HANG), mxinfer.DeadlineExceededError)


def test_a_result_that_is_waited_for_too_long(busy):
    _, _, running, _ = busy
    with pytest.raises(concurrent.futures.TimeoutError):
        running.result(timeout=0.001)


def test_closing_cancels_what_waits(busy):
    predictor, values, running, let_go = busy
    waiting = predictor.predict_async(values)
    # What runs is waited for; what waits is cancelled before.
    waiting.add_done_callback(lambda ended: let_go.set())
    predictor.close()
    with pytest.raises(mxinfer.CancelledError):
        waiting.result(timeout=HANG)
    assert running.exception(timeout=HANG) is None


def test_other_threads_go_on_during_a_call(slow_model):
    predictor = mxinfer.Predictor(slow_model, threads=1)
    size = slow_model.inputs[0].shape[0]
    values = np.zeros((size, size), np.float32)
    for call in (
        lambda: predictor.predict(values),
        lambda: predictor.predict_async(values).result(),
    ):
        steps = 0
        ended = threading.Event()

        def work():
            call()
            ended.set()

        thread = threading.Thread(target=work)
        thread.start()
        while not ended.is_set():
            steps += 1
            time.sleep(0.0005)
        thread.join()
        assert steps > 20


def test_sixteen_threads_on_one_object(digits):
    predictor = mxinfer.Classifier(digits)
    batches = np.random.default_rng(3).random((16, 1, 1, 32, 32), np.float32)
    expected = [predictor.predict(batch)[0] for batch in batches]
    wrong = []

    def work(number):
        for i in range(60):
            (scores,) = predictor.predict(batches[number])
            if not np.array_equal(scores, expected[number]):
                wrong.append(number)
            if i % 10 == 0:
                best = predictor.classify_async(batches[number], 1).result()[0]
                if best.index != expected[number].argmax():
                    wrong.append(number)
            if i % 20 == 0:
                predictor.trim()
                predictor.stats()

    with concurrent.futures.ThreadPoolExecutor(16) as threads:
        for future in [threads.submit(work, number) for number in range(16)]:
            future.result()
    assert wrong == []


def test_closing_while_threads_call(digits, batch):
    predictor = mxinfer.Predictor(digits)
    ends = []
    all_called = threading.Barrier(5)

    def work():
        predictor.predict(batch)
        all_called.wait(HANG)
        try:
            while True:
                predictor.predict(batch)
        except mxinfer.InvalidArgumentError as error:
            ends.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    all_called.wait(HANG)
    predictor.close()
    for thread in threads:
        thread.join(HANG)
    assert len(ends) == 4 and all("closed" in end for end in ends)


def test_two_hundred_awaits(digits):
    predictor = mxinfer.Classifier(digits, max_in_flight=200, max_batch=8)
    samples = np.random.default_rng(4).random((200, 1, 32, 32), np.float32)
    expected = [predictor.predict(sample[None])[0] for sample in samples]

    async def main():
        results = await asyncio.gather(*(predictor.predict_async(sample[None]) for sample in samples))
        best = await predictor.classify_async(samples[0], 1)
        lists = await predictor.aclassify_batch(samples[:2], 2)
        return results, best, lists

    results, best, lists = asyncio.run(main())
    for (scores,), wanted in zip(results, expected):
        np.testing.assert_allclose(scores, wanted, atol=1e-4)
    assert best[0].index == expected[0].argmax() and [len(found) for found in lists] == [2, 2]


def test_former_names_are_coroutines(digits, bundle, batch):
    """apredict and its like, which can be tasks as they are."""
    classifier = mxinfer.Classifier(digits)
    items = [np.zeros((40, 50, 1), np.uint8)]

    async def main():
        assert asyncio.iscoroutinefunction(classifier.apredict)
        task = asyncio.create_task(classifier.apredict(batch))
        np.testing.assert_array_equal((await task)[0], await_now(classifier.predict_async(batch))[0])
        assert list(await classifier.apredict(data=batch)) == ["probabilities_output"]
        assert len(await classifier.aclassify(batch[0], 3)) == 3
        assert len((await classifier.aclassify_batch(batch, 2))[0]) == 2
        assert (await mxinfer.Predictor(bundle).apredict_list(items))[0].shape == (1, 10)

    def await_now(prediction):
        return prediction.result(timeout=60)

    asyncio.run(main())


def test_what_is_awaited_raises_what_it_failed_with(digits, batch):
    predictor = mxinfer.Predictor(digits)

    async def main():
        with pytest.raises(mxinfer.InvalidArgumentError):
            await predictor.predict_async(batch[:, :, :3])
        done = predictor.predict_async(batch)
        assert (await done)[0].shape == (await done)[0].shape == (1, 10)  # more than once

    asyncio.run(main())


def test_cancelling_a_task_cancels_the_prediction(busy):
    predictor, values, running, let_go = busy

    async def main():
        task = asyncio.ensure_future(predictor.predict_async(values))
        assert predictor.metrics().waiting == 1
        await asyncio.sleep(0)  # the task begins to await
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(predictor.predict_async(values), 0.01)

    asyncio.run(main())
    running.cancel()
    let_go.set()
    until(lambda: predictor.metrics().cancelled == 3)


def test_an_event_loop_goes_on_meanwhile(small_model, holder):
    predictor = mxinfer.Predictor(small_model, threads=1)
    values = np.zeros(small_model.inputs[0].shape, np.float32)

    async def main():
        entered, let_go = holder.next()
        task = asyncio.ensure_future(predictor.apredict(data=values))
        while not entered.is_set():
            await asyncio.sleep(0)
        for _ in range(20):
            await asyncio.sleep(0)
            assert not task.done()
        let_go.set()
        return await task

    assert list(asyncio.run(main())) == ["dot11_output"]


def test_a_queue_that_drops_the_oldest(small_model, holder):
    values = np.zeros(small_model.inputs[0].shape, np.float32)
    predictor = mxinfer.Predictor(small_model, threads=1, workers=1, max_in_flight=2, when_full="drop_oldest")
    running, let_go = holder.hold(lambda: predictor.predict_async(values))
    old = predictor.predict_async(values)
    new = predictor.predict_async(values)
    with pytest.raises(mxinfer.CancelledError, match="."):
        old.result(timeout=HANG)
    running.cancel()
    let_go.set()
    assert new.result(timeout=HANG)[0].shape == values.shape


def test_a_log_callback(digits, batch):
    seen = []
    mxinfer.set_log_callback(lambda level, message: seen.append((level, message)), "debug")
    try:
        mxinfer.Predictor(digits).predict(batch)
        mxinfer.Predictor(digits).predict_async(batch).result()
    finally:
        mxinfer.set_log_callback(None)
    count = len(seen)
    assert count > 2 and {level for level, _ in seen} <= {"debug", "info", "warning"}
    mxinfer.Predictor(digits).predict(batch)
    assert len(seen) == count
    with pytest.raises(mxinfer.InvalidArgumentError, match="loud"):
        mxinfer.set_log_callback(print, "loud")


def test_a_log_callback_that_raises(digits, batch, monkeypatch):
    import sys

    raised = []
    monkeypatch.setattr(sys, "unraisablehook", lambda info: raised.append(info.exc_type))
    mxinfer.set_log_callback(lambda level, message: 1 / 0)
    try:
        assert mxinfer.Predictor(digits).predict(batch)[0].shape == (1, 10)
    finally:
        mxinfer.set_log_callback(None)
    assert ZeroDivisionError in raised
