"""The ways in which many callers are served. All have the same few methods:

    with contextlib.ExitStack() as stack:
        way = start("openvino_latency", setup, network, cores, expected)    # Unable: it does not run, or answers otherwise
        stack.callback(way.close)
        way.turn(callers=16, seconds=3)    # {"calls_per_s", "p50_ms", "p99_ms", "calls"}

A turn is a warm-up of a fifth of the time, a second at most, and what is measured. Every caller calls again when it has its
answer; those that are waiting when the time is over are waited for, and count.
"""
import concurrent.futures
import time

import callers_report
import contestants
import measure
import memory
from contestants import Unable

# Seconds until a turn begins: all processes have read that it does.
LEAD = 0.1


class NotEnoughMemory(Unable):
    """For so many callers; fewer can be measured."""


class Command(contestants.Mxinfer):
    """The command line of mxinfer: --threads 0, so that one budget is shared by all calls."""

    def __init__(self, setup, network, cores, words):
        super().__init__(setup, network, 1, cores)
        self.threads, self.words = 0, words

    def turn(self, callers, seconds):
        found = self.run("bench", self.model, *self.shapes, "--seconds", str(seconds), "--concurrency", str(callers), *self.words)
        return {"calls_per_s": found["per_second"], "p50_ms": found["median_ms"], "p99_ms": found["p99_ms"], "calls": found["calls"]}

    def close(self):
        pass


def turn_of(workers, callers_of_each, seconds):
    for length in (min(1.0, seconds / 5), seconds):  # the first one warms up
        begin = time.monotonic() + LEAD
        for worker in workers:
            worker.send(do="callers", callers=callers_of_each, begin=begin, seconds=length)
        answers = [worker.read() for worker in workers]
    return callers_report.turn([ms for answer in answers for ms in answer["ms"]], max(answer["end"] for answer in answers) - begin)


class OneProcess:
    """A library that serves many callers by itself."""

    def __init__(self, library, setup, network, threads, expected, **environment):
        self.worker, _ = measure.checked(library, expected, setup, network, 1, threads, **environment)
        self.note = self.worker.note

    def turn(self, callers, seconds):
        return turn_of([self.worker], callers, seconds)

    def close(self):
        self.worker.close()


class ProcessEach:
    """MXNet, which one thread at a time may call: a process for each caller. The cores are divided among them."""

    def __init__(self, library, setup, network, cores, expected):
        self.library, self.where, self.cores = library, (setup, network, 1), cores
        first, _ = measure.checked(library, expected, setup, network, 1, cores)
        self.note = first.note
        self.environment = {"MXNET_SUBGRAPH_BACKEND": "NONE" if first.note else "MKLDNN"}
        self.by_threads = {cores: [first]}
        self.each_mb = memory.private_mb(first.process.pid)

    def threads(self, callers):
        return max(1, self.cores // callers)

    def start_one(self, threads):
        return contestants.Worker(self.library, *self.where, threads, **self.environment)

    def workers(self, callers):
        threads = self.threads(callers)
        running = self.by_threads.setdefault(threads, [])
        missing = callers - len(running)
        if missing > 0:
            why_not = memory.lacking(missing, self.each_mb, memory.available_mb())
            if why_not:
                raise NotEnoughMemory(why_not)
            with concurrent.futures.ThreadPoolExecutor(self.cores) as pool:
                running += pool.map(self.start_one, [threads] * missing)
        return running[:callers]

    def turn(self, callers, seconds):
        return turn_of(self.workers(callers), 1, seconds)

    def close(self):
        for worker in [one for running in self.by_threads.values() for one in running]:
            worker.close()


def start(name, setup, network, cores, expected):
    if name in callers_report.OWN:
        return Command(setup, network, cores, ["--async"] if name == "mxinfer_async" else [])
    if name == "mxnet":
        return ProcessEach(name, setup, network, cores, expected)
    library, _, variant = name.partition("_")
    hint = {"OPENVINO_HINT": variant.upper()} if library == "openvino" else {}
    return OneProcess(library, setup, network, 1 if variant == "1" else cores, expected, **hint)


def takes(name, callers):
    """One caller on one thread is not what a library would be used for."""
    return callers > 1 or name != "onnxruntime_1"
