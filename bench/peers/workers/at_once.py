"""Callers at the same time, each of which calls again when it has its answer. Times are on the monotonic clock, which all
processes share, so that those of several processes may begin at once."""
import threading
import time


def call_until(run, begin, end, ms):
    time.sleep(max(0.0, begin - time.monotonic()))
    start = time.monotonic()
    while True:
        run()
        stop = time.monotonic()
        ms.append((stop - start) * 1e3)
        if stop >= end:
            return
        start = stop


def on_threads(runs, begin, end):
    """Milliseconds of each call: a caller for each of runs, which give up Python's lock while they compute."""
    ms = [[] for _ in runs]
    if len(runs) == 1:
        call_until(runs[0], begin, end, ms[0])
        return ms[0]
    threads = [threading.Thread(target=call_until, args=(run, begin, end, each)) for run, each in zip(runs, ms)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [one for each in ms for one in each]
