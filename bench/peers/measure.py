"""One cell of the table: a network, a batch size, a number of threads, and all contestants in turn."""
import contextlib
import pathlib
import statistics
import sys
import tempfile
import time

import calibration
import fidelity
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


def checked_in_int8(name, expected, setup, network, *more):
    """(contestant, {"snr_db", "top1"}): expected are MXNet's float32 outputs for the calibration set."""
    contestant = start(name, setup, network, *more)
    try:
        with tempfile.TemporaryDirectory() as folder:
            samples = setup.models / network.name / calibration.INPUTS
            return contestant, compared(expected, contestant.predict_samples(samples, pathlib.Path(folder)))
    except Unable:
        contestant.__exit__(None, None, None)
        raise


def compared(expected, actual):
    """Noise excludes no contestant: how much there may be depends on the network. The report shows it."""
    why = fidelity.differing(expected, actual)
    if why:
        raise Unable(why)
    return fidelity.measured(expected, actual)


def report_of(times, batch, contestant, facts):
    best, median = min(times), statistics.median(times)
    result = {"ms_per_image": median / batch, "best_ms_per_image": best / batch, "calls": len(times), **facts}
    if contestant.note:
        result["note"] = contestant.note
    return result


def checker(setup, network, batch, threads):
    """check(name, *where) gives (contestant, facts for the report), or raises Unable."""
    if setup.precision == "int8":
        outputs = calibration.read_outputs(setup.models / network.name / calibration.OUTPUTS)
        return lambda name, *where: checked_in_int8(name, outputs, *where)
    expected = []
    with contextlib.suppress(Unable), start("mxinfer", setup, network, batch, threads) as mxinfer:
        expected = predict(mxinfer)

    def check(name, *where):
        contestant, found = checked(name, expected, *where)
        return contestant, {"difference": found}
    return check


def measure(options, setup, network, batch, threads):
    """{"network", "batch", "threads", "contestants": {name: {"ms_per_image", ...} or {"unable"}}}"""
    where = (setup, network, batch, threads)
    results, running, times = {}, {}, {}
    with contextlib.ExitStack() as stack:
        check = checker(*where)
        names = network.taking_part(options.contestants)
        for name in names:
            try:
                contestant, facts = check(name, *where)
                running[name] = stack.enter_context(contestant), facts
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
