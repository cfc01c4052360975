#!/usr/bin/env python3
"""Holds mxinfer to MXNet on the calls of mx.np and mx.npx in sweep/numpy_calls.py, each as a graph of its own.

    numpy_calls.py --mxinfer build/release/bin/mxinfer                   all of them: minutes
    numpy_calls.py --mxinfer ... --family unary --match 'log.*float16'   these

Prints a line for each graph that differs or is refused, and at the end how many of each family agree. What MXNet itself
refuses, or crashes at, does not count.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import json
import os
import pathlib
import pickle
import re
import subprocess
import sys
import tempfile

os.environ.update(MXNET_SUBGRAPH_BACKEND="NONE", MXNET_MKLDNN_ENABLED="0", MXNET_STORAGE_FALLBACK_LOG_VERBOSE="0")

import mxnet as mx
import numpy as onp
from mxnet._ctypes.symbol import _symbol_creator
from mxnet.ndarray import register

from sweep import numpy_calls

# Their outputs' sizes depend on values; a symbol's executor gives none of them.
OF_VALUES = {"_npx_nonzero", "_npi_unique", "_npi_delete", "_npi_bincount", "_contrib_boolean_mask"}
TOLERANCES = {2: 2e-3, 4: 1e-5, 8: 1e-6}


def trace(function, arrays):
    """The symbol's JSON and MXNet's outputs."""
    names = [f"x{i}" for i in range(len(arrays))]
    inputs = [mx.sym.var(name, shape=a.shape, dtype=a.dtype).as_np_ndarray() for name, a in zip(names, arrays)]
    symbol = function(mx.sym.np, mx.sym.npx, *inputs)
    if isinstance(symbol, (list, tuple)):
        symbol = mx.sym.Group(list(symbol))
    if any(node["op"] in OF_VALUES for node in json.loads(symbol.tojson())["nodes"]):
        raise NotImplementedError
    used = set(symbol.list_inputs())
    values = {name: mx.np.array(a, dtype=a.dtype) for name, a in zip(names, arrays) if name in used}
    executor = symbol.bind(mx.cpu(), args={name: value.as_nd_ndarray() for name, value in values.items()}, grad_req="null")
    outputs = [output.asnumpy() for output in executor.forward(is_train=False)]
    return symbol.tojson(), {name: a for name, a in zip(names, arrays) if name in used}, outputs


def run(mxinfer, folder, text, inputs):
    model, given, out = folder / "net-symbol.json", folder / "in.npz", folder / "out"
    model.write_text(text)
    command = [mxinfer, "predict", str(model), "-o", str(out), "-q"]
    if inputs:
        onp.savez(given, **inputs)
        command += ["-i", str(given)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return f"exit {done.returncode}: " + (done.stderr.strip().splitlines() or [""])[0]
    return [onp.load(out / f"{i}.npy") for i in range(len(list(out.glob("*.npy"))))]


def difference(ours, theirs):
    if len(ours) != len(theirs):
        return f"{len(ours)} outputs, MXNet has {len(theirs)}"
    for i, (a, b) in enumerate(zip(ours, theirs)):
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"output {i} is {a.dtype}{list(a.shape)}, MXNet's {b.dtype}{list(b.shape)}"
        if b.dtype.kind != "f":
            if not onp.array_equal(a, b):
                return f"output {i}: {a.ravel()[:6]}, MXNet {b.ravel()[:6]}"
        else:
            limit = TOLERANCES[b.dtype.itemsize]
            finite = b[onp.isfinite(b)]
            scale = onp.max(onp.abs(finite.astype("f8")), initial=1e-30)
            if not onp.allclose(a.astype("f8"), b.astype("f8"), rtol=limit, atol=limit * scale, equal_nan=True):
                return f"output {i}: {a.ravel()[:6]}, MXNet {b.ravel()[:6]}"
    return None


def check(mxinfer, call):
    name, text, inputs, theirs = call
    with tempfile.TemporaryDirectory() as folder:
        ours = run(mxinfer, pathlib.Path(folder), text, inputs)
        return name, ours if isinstance(ours, str) else difference(ours, theirs), json.loads(text)


def graph_of(handle, attrs, inputs):
    """The JSON of a graph of one node."""
    variables = [mx.sym.var(f"x{i}", shape=a.shape, dtype=a.dtype) for i, a in enumerate(inputs)]

    def make(attrs):
        return _symbol_creator(handle, variables, None, list(attrs), list(attrs.values()), "op", False).tojson()

    try:
        return make(attrs)
    except mx.MXNetError:  # calls leave out what a graph must say
        return make({**attrs, "num_args": str(len(inputs))})


def trace_operators(function, arrays):
    """What a call of mx.np with arrays asks of operators: (the JSON of a graph, inputs, outputs) for each."""
    found = []
    plain = register._imperative_invoke

    def invoke(handle, ndargs, keys, vals, out, *more):
        inputs = [a.asnumpy() for a in ndargs]
        result = plain(handle, ndargs, keys, vals, out, *more)
        outputs = [a.asnumpy() for a in (result if isinstance(result, (list, tuple)) else [result])]
        found.append((handle, dict(zip(keys, map(str, vals))), inputs, outputs))
        return result

    register._imperative_invoke = invoke
    try:
        function(mx.np, mx.npx, *[mx.np.array(a, dtype=a.dtype) for a in arrays])
    finally:
        register._imperative_invoke = plain
    for handle, attrs, inputs, outputs in found:
        yield graph_of(handle, attrs, inputs), {f"x{i}": a for i, a in enumerate(inputs)}, outputs


def traces(function, arrays):
    """As the symbol that it makes; where mx.sym.np lacks the function, as each operator that mx.np calls."""
    try:
        return [trace(function, arrays)]
    except (AttributeError, TypeError, NotImplementedError):
        # A copy into an array that is there has its dtype.
        return [found for found in trace_operators(function, arrays) if '"_copyto"' not in found[0]]


def trace_all(family, pattern, first):
    """In a process of its own: writes (index, calls), of which there are none where MXNet refuses."""
    mx.npx.set_np()
    with os.fdopen(os.dup(1), "wb") as results:
        os.dup2(2, 1)  # MXNet's own words
        for index, (name, function, arrays) in enumerate(numpy_calls.FAMILIES[family]()):
            if index < first or not re.search(pattern, name):
                continue
            try:
                calls = [(name, *found) for found in traces(function, arrays)]
            except Exception:
                calls = []
            pickle.dump((index, calls), results)
            results.flush()


def traced(family, pattern):
    """MXNet aborts at some calls: then another process goes on behind the call."""
    first, finished = 0, False
    while not finished:
        command = [sys.executable, __file__, "--mxinfer", "", "--trace", family, str(first), "--match", pattern]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            reached = first - 1
            with contextlib.suppress(EOFError, pickle.UnpicklingError):
                while True:
                    reached, calls = pickle.load(process.stdout)
                    yield from calls
        finished = process.returncode == 0
        first = reached + 2


def operators(graph):
    return " ".join(node["op"] for node in graph["nodes"] if node["op"] != "null")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mxinfer", required=True)
    parser.add_argument("--family", nargs="*", choices=numpy_calls.FAMILIES, default=list(numpy_calls.FAMILIES))
    parser.add_argument("--match", default="", help="a regular expression of names")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--trace", nargs=2, metavar=("FAMILY", "FIRST"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.trace:
        return trace_all(options.trace[0], options.match, int(options.trace[1]))
    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for family in options.family:
            for name, found, graph in pool.map(lambda call: check(options.mxinfer, call), traced(family, options.match)):
                counts[family] += 1
                counts[family, "differ"] += found is not None
                if found:
                    print(f"{family}: {name}: [{operators(graph)}] {found}", flush=True)
    for family in options.family:
        print(f"{family}: {counts[family] - counts[family, 'differ']} of {counts[family]} agree")
    return any(counts[family, "differ"] for family in options.family)


if __name__ == "__main__":
    sys.exit(main())
