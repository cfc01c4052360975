"""One cell of the table: a network, a batch size, a number of threads, and all contestants in turn."""
import contextlib
import pathlib
import statistics
import sys
import tempfile
import time

from contestants import Unable, start
from names import TITLES
from sweep import compare

# Tolerances relative to the largest magnitude of an output, by precision: a contestant that differs more is not compared.
TOLERANCE = {"": 1e-3, "bfloat16": 5e-2, "tf32": 1e-2, "float16": 1e-2}
# Threads of libraries spin for a while after a call; the next contestant gets the cores for itself.
PAUSE = 0.3


def squeezed(outputs):
    return [output.reshape([d for d in output.shape if d != 1]) for output in outputs]


def difference(expected, actual):
    """ncnn and some exported graphs drop dimensions of 1."""
    try:
        if [o.shape for o in expected] != [o.shape for o in actual]:
            expected, actual = squeezed(expected), squeezed(actual)
        return compare.compare(expected, [a.astype(e.dtype) for e, a in zip(expected, actual)] + actual[len(expected):])
    except ValueError as error:
        raise Unable(str(error).replace("MXNet", "mxinfer")) from error


def predict(contestant):
    with tempfile.TemporaryDirectory() as folder:
        return contestant.predict(pathlib.Path(folder))


def checked(name, expected, *where, **environment):  # where: as start() takes it, a Setup first
    """(contestant, difference): MXNet with its fusion where that computes the network, else without."""
    environments = [environment] if name != "mxnet" else [{"MXNET_SUBGRAPH_BACKEND": "MKLDNN"}, {"MXNET_SUBGRAPH_BACKEND": "NONE"}]
    reason = ""
    for environment in environments:
        contestant = None
        try:
            contestant = start(name, *where, **environment)
            found = difference(expected, predict(contestant)) if expected else 0.0
            if found <= TOLERANCE[where[0].precision]:
                if "NONE" in environment.values():
                    contestant.note = "without its fusion: " + reason
                return contestant, found
            reason = f"outputs differ by {found:.1e} of their scale"
        except Unable as error:
            reason = str(error)
        if contestant:
            contestant.__exit__(None, None, None)
    raise Unable(reason)


def report_of(times, batch, contestant, found):
    best, median = min(times), statistics.median(times)
    result = {"ms_per_image": median / batch, "best_ms_per_image": best / batch, "calls": len(times), "difference": found}
    if contestant.note:
        result["note"] = contestant.note
    return result


def measure(options, setup, network, batch, threads):
    """{"network", "batch", "threads", "contestants": {name: {"ms_per_image", ...} or {"unable"}}}"""
    where = (setup, network, batch, threads)
    results, running, times = {}, {}, {}
    with contextlib.ExitStack() as stack:
        expected = []
        with contextlib.suppress(Unable), start("mxinfer", *where) as mxinfer:
            expected = predict(mxinfer)
        names = network.taking_part(options.contestants)
        for name in names:
            try:
                contestant, found = checked(name, expected, *where)
                running[name] = stack.enter_context(contestant), found
                times[name] = []
            except Unable as error:
                results[name] = {"unable": str(error)}
                print(f"  {TITLES[name]}: {error}", file=sys.stderr)
        for done in range(options.rounds):
            for name, (contestant, _) in running.items():
                times[name] += contestant.time(options.runs, options.seconds)
                time.sleep(PAUSE)
            print(f"  round {done + 1} of {options.rounds}", end="\r", file=sys.stderr, flush=True)
        results.update({name: report_of(times[name], batch, *running[name]) for name in running})
    return {"network": network.name, "batch": batch, "threads": threads, "isa": setup.isa,
            "precision": setup.precision, "device": setup.device,
            "contestants": {name: results[name] for name in names}}
