"""What all workers share: one network in one library, kept ready in a process of its own, called over a pipe.

A worker is started as `worker.py FOLDER THREADS`, answers {"load_ms", "first_ms"} when it has made its first prediction,
and then a line of JSON for each that it reads:

    {"do": "time", "runs": 10, "seconds": 0.5}    {"ms": [...]}: at least so many calls, at least so long
    {"do": "predict", "output": "out.npz"}        {}: the outputs, in order, as arrays "0", "1", ...
    {"do": "predict_samples", "inputs": "calibration.npz", "output": "out.npz"}    {}: the same for each sample of a file
    {"do": "memory"}                              {"peak_mb"}
    {"do": "callers", "callers": 4, "begin": 12.5, "seconds": 0.5}    {"ms": [...], "end"}: so many at once, from then on
"""
import json
import os
import pathlib
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import at_once
import calibration

START = time.perf_counter()  # behind what every Python program of this kind loads
NEVER_LESS_THAN = 3
TOO_LONG = 5  # seconds: a call that takes longer is a turn of its own


def peak_mb():
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return None


def time_call(run):
    start = time.perf_counter()
    run()
    return (time.perf_counter() - start) * 1e3


def time_calls(run, runs, seconds):
    warm_up = time_call(run)
    if warm_up > TOO_LONG * 1e3:
        return [warm_up]
    times = []
    begin = time.perf_counter()
    while len(times) < max(runs, NEVER_LESS_THAN) or time.perf_counter() - begin < seconds:
        times.append(time_call(run))
    return times


def save_outputs(path, outputs):
    np.savez(path, **{str(i): np.asarray(output) for i, output in enumerate(outputs)})


def serve(load):
    """load(prefix, folder, inputs, threads) gives run() -> list of arrays; prefix is without batch, folder with it. A library
    that serves many callers has run.at_once(callers, begin, end) -> milliseconds of each call, each caller with inputs of its
    own; one that does not serves one. One that runs quantized networks has run.on(inputs) -> run() on other inputs."""
    # Libraries print; the answers go where standard output was, and what they print to standard error.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def answer(value):
        answers.write(json.dumps(value) + "\n")
        answers.flush()

    folder, threads = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    inputs = calibration.read(folder / "inputs.npz")
    run = load(str(folder.parent / "model"), folder, inputs, threads)
    load_ms = (time.perf_counter() - START) * 1e3
    run()
    answer({"load_ms": load_ms, "first_ms": (time.perf_counter() - START) * 1e3 - load_ms})
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "time":
            answer({"ms": time_calls(run, request["runs"], request["seconds"])})
        elif request["do"] == "predict":
            save_outputs(request["output"], run())
            answer({})
        elif request["do"] == "predict_samples":
            size = len(next(iter(inputs.values())))
            outputs = calibration.predict(lambda batch: run.on(batch)(), calibration.read(request["inputs"]), size)
            save_outputs(request["output"], outputs)
            answer({})
        elif request["do"] == "memory":
            answer({"peak_mb": peak_mb()})
        elif request["do"] == "callers":
            many = getattr(run, "at_once", lambda _, *when: at_once.on_threads([run], *when))
            ms = many(request["callers"], request["begin"], request["begin"] + request["seconds"])
            answer({"ms": ms, "end": time.monotonic()})
