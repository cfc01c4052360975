"""What a call from Python takes beside the same call in C++, on one thread:

    python bench/bindings/python_overhead.py [MODEL]

The network's own time is that which the library's metrics say of the same calls, which begin and end inside of Predictor::predict:
the rest is Python's. With --limit it ends with 1 if that is more microseconds, at the median of the rounds.
"""

import argparse
import asyncio
import statistics
import time

import numpy as np

import mxinfer


def measure(predictor, call, calls, rounds):
    """Microseconds of a call, and of these those outside of the library: the medians of the rounds."""
    whole, outside = [], []
    for _ in range(rounds):
        before = predictor.metrics().run_time.sum_seconds
        start = time.perf_counter()
        for _ in range(calls):
            call()
        seconds = time.perf_counter() - start
        inside = predictor.metrics().run_time.sum_seconds - before
        whole.append(seconds / calls * 1e6)
        outside.append((seconds - inside) / calls * 1e6)
    return statistics.median(whole), statistics.median(outside)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", default="models/digits")
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--limit", type=float, help="microseconds that predict may take beside the library")
    arguments = parser.parse_args()

    predictor = mxinfer.Predictor(arguments.model, threads=1, workers=1)
    shapes = predictor.input_shapes()
    inputs = {d.name: np.ones(shapes[d.name], d.dtype) for d in predictor.model.inputs}
    ordered = list(inputs.values())
    outputs = predictor.predict(ordered)
    predictor.predict_async(ordered).result()
    ways = {
        "predict, in order": lambda: predictor.predict(ordered),
        "predict, by name": lambda: predictor.predict(inputs),
        "predict_into": lambda: predictor.predict_into(ordered, outputs),
        "predict_async().result()": lambda: predictor.predict_async(ordered).result(),
    }
    print("{:28} {:>10} {:>18}".format("", "us a call", "us beside C++"))
    beside = {}
    for name, call in ways.items():
        whole, beside[name] = measure(predictor, call, arguments.calls, arguments.rounds)
        print("{:28} {:10.1f} {:18.1f}".format(name, whole, beside[name]))

    async def awaits():
        for _ in range(arguments.calls):
            await predictor.apredict(ordered)

    whole, rest = measure(predictor, lambda: asyncio.run(awaits()), 1, arguments.rounds)
    print("{:28} {:10.1f} {:18.1f}".format("await apredict", whole / arguments.calls, rest / arguments.calls))
    if arguments.limit is not None and beside["predict, in order"] > arguments.limit:
        raise SystemExit("predict takes more than {} us beside the library".format(arguments.limit))


main()
