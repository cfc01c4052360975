#!/usr/bin/env python3
"""Records what real MXNet computes for the cases in op_cases/<subject>/<family>.py, as tests/golden/ops/<family>.npz.

    record_ops.py              every family
    record_ops.py pooling norm these families
    record_ops.py --check      compares with what is recorded, writes nothing

For each case the file has the members <case>.meta (JSON as bytes), <case>.in0, in1, ... and <case>.out0, out1, ...
"""
import argparse
import io
import json
import os
import pathlib
import runpy
import subprocess
import sys
from unittest import mock

# The plain operators are the specification: no fusion, no oneDNN variants of them. Those on int8 have no others; MXNet
# reads the variable once, so that families of one kind are recorded by a process of their own.
ONEDNN = os.environ.get("MXNET_MKLDNN_ENABLED") == "1"
os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"
os.environ["MXNET_MKLDNN_ENABLED"] = "1" if ONEDNN else "0"
os.environ["MXNET_USE_MKLDNN_RNN"] = "0"
os.environ["MXNET_SUBGRAPH_VERBOSE"] = "0"
os.environ["MXNET_STORAGE_FALLBACK_LOG_VERBOSE"] = "0"
os.environ.setdefault("OMP_NUM_THREADS", "1")

import ctypes

import mxnet as mx
import numpy as np
from mxnet._ctypes.ndarray import _imperative_invoke
from mxnet._ctypes.symbol import _symbol_creator
from mxnet.base import _LIB, c_str, check_call

HERE = pathlib.Path(__file__).resolve().parent
GOLDEN = HERE.parent / "golden" / "ops"
FAMILIES = {path.stem: path for path in sorted((HERE / "op_cases").rglob("*.py"), key=lambda path: path.stem)}


def needs_onednn(family):
    return FAMILIES[family].parent.name == "quantized"


def op_handle(name):
    handle = ctypes.c_void_p()
    check_call(_LIB.NNGetOpHandle(c_str(name), ctypes.byref(handle)))
    return handle.value


def attr_text(value):
    return value.name if isinstance(value, np.dtype) else str(value)


def to_nd(array):
    nd = mx.nd.empty(array.shape, dtype=array.dtype)
    nd[:] = mx.nd.array(array, dtype=array.dtype)
    if nd.asnumpy().tobytes() != array.tobytes():  # some ways into MXNet go through float32
        raise ValueError("MXNet did not take the values as they are")
    return nd


def build(case):
    variables = [mx.sym.Variable(f"in{i}") for i in range(len(case["inputs"]))]
    attrs = {key: attr_text(value) for key, value in case["attrs"].items()}
    return _symbol_creator(op_handle(case["op"]), variables, None, list(attrs), list(attrs.values()), "op", False)


def evaluate(symbol, inputs):
    names = [f"in{i}" for i in range(len(inputs))]
    if symbol.list_inputs() != names:
        raise ValueError(f"the operator takes {symbol.list_inputs()}, the case gives {names}")
    arrays = {name: to_nd(array) for name, array in zip(names, inputs)}
    auxiliary = set(symbol.list_auxiliary_states())
    executor = symbol.bind(mx.cpu(), args={n: a for n, a in arrays.items() if n not in auxiliary},
                           aux_states={n: a for n, a in arrays.items() if n in auxiliary}, grad_req="null")
    return [output.asnumpy() for output in executor.forward(is_train=False)]


def evaluate_at_once(case):
    """Of operators that an executor does not run: it needs all shapes beforehand, and outputs of their own."""
    attrs = {key: attr_text(value) for key, value in case["attrs"].items()}
    inputs = [to_nd(array) for array in case["inputs"]]
    outputs = _imperative_invoke(op_handle(case["op"]), inputs, list(attrs), list(attrs.values()),
                                 inputs[0] if case["in_place"] else None, False, False)
    outputs = outputs if isinstance(outputs, (list, tuple)) else [outputs]
    return [output.asnumpy() for output in outputs]


def record(case):
    """The members of the golden file for one case."""
    with mx.util.np_shape(case["np_shape"]), mock.patch.dict(os.environ, case["environment"]):
        symbol = build(case)
        outputs = evaluate_at_once(case) if case["open_size"] or case["in_place"] else evaluate(symbol, case["inputs"])
    if case["outputs"] is None:
        case["outputs"] = range(len(outputs))
    elif list(case["outputs"]) != list(range(len(case["outputs"]))):
        raise ValueError("outputs must be the first ones: [0], [0, 1], ...")
    node = next(n for n in json.loads(symbol.tojson())["nodes"] if n["op"] != "null")
    kept = [i for i in range(len(case["inputs"])) if i not in case["training"]]
    meta = {"op": node["op"], "attrs": node.get("attrs", {}), "inputs": len(kept),
            "parameters": [kept.index(i) for i in case["parameters"]], "outputs": len(case["outputs"])}
    if case["tol"] is not None:
        meta["tol"] = case["tol"]
    if case["np_shape"]:
        meta["np_shape"] = True
    members = {"meta": np.frombuffer(json.dumps(meta, sort_keys=True).encode(), dtype=np.uint8)}
    members.update({f"in{k}": case["inputs"][i] for k, i in enumerate(kept)})
    members.update({f"out{i}": outputs[i] for i in case["outputs"]})
    return {f"{case['name']}.{key}": np.ascontiguousarray(value).reshape(np.shape(value))
            for key, value in members.items()}


def record_family(family):
    members = {}
    failures = []
    for case in runpy.run_path(str(FAMILIES[family]))["CASES"]:
        if f"{case['name']}.meta" in members:
            failures.append(f"{case['name']}: the name is there twice")
            continue
        try:
            try:
                members.update(record(case))
            except mx.base.MXNetError:  # of an earlier case with empty arrays: MXNet reports those later
                members.update(record(case))
        except Exception as error:  # MXNet's own message is what the author of the case needs
            failures.append(f"{case['name']}: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}")
    return members, failures


def pack(members):
    # NumPy dates every member 1980, so the same arrays make the same bytes.
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **members)
    return buffer.getvalue()


def differences(members, path):
    """What is recorded in `path` and is not what MXNet says now: bits may differ between processors, meaning not. A case with
    a tolerance of its own, as of badly conditioned matrices, may differ by that."""
    recorded = dict(np.load(path)) if path.exists() else {}
    found = [f"{key}: only on one side" for key in sorted(set(members) ^ set(recorded))]
    for key in sorted(set(members) & set(recorded)):
        a, b = members[key], recorded[key]
        exact = a.dtype.kind != "f"
        meta = json.loads(members[key.rsplit(".", 1)[0] + ".meta"].tobytes())
        scale = np.max(np.abs(b[np.isfinite(b)]), initial=0) if not exact else 0
        same = a.dtype == b.dtype and a.shape == b.shape and (
            np.array_equal(a, b) if exact else
            np.allclose(a.astype("f8"), b.astype("f8"), rtol=0, equal_nan=True,
                        atol=max({2: 2e-3, 4: 1e-5, 8: 1e-12}[a.dtype.itemsize], meta.get("tol", 0)) * scale))
        if not same:
            found.append(f"{key}: differs")
    return found


def silence_mxnet():
    """MXNet's C++ side writes a line for every case; Python's own errors still come through."""
    own = os.dup(2)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    sys.stderr = os.fdopen(own, "w", buffering=1)


def record_families(families, check):
    """Whether one failed."""
    GOLDEN.mkdir(parents=True, exist_ok=True)
    failed = False
    for family in families:
        members, failures = record_family(family)
        path = GOLDEN / f"{family}.npz"
        if check:
            failures += differences(members, path)
        for failure in failures:
            print(f"{family}.{failure}", file=sys.stderr)
        failed = failed or bool(failures)
        cases = sum(key.endswith(".meta") for key in members)
        data = pack(members)
        if check or failures:
            print(f"{family}: {cases} cases, {len(failures)} failures, nothing written", flush=True)
        else:
            path.write_bytes(data)
            print(f"{family}: {cases} cases, {len(data)} bytes", flush=True)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*", help="names of files in op_cases/, without .py; all of them by default")
    parser.add_argument("--check", action="store_true", help="compare with the recorded files, write nothing")
    parser.add_argument("--verbose", action="store_true", help="let MXNet write its own messages")
    options = parser.parse_args()
    if not options.verbose:
        silence_mxnet()
    sys.path.insert(0, str(HERE))
    unknown = sorted(set(options.families) - set(FAMILIES))
    if unknown:
        parser.error(f"no family {unknown[0]} in op_cases/; there are {', '.join(FAMILIES)}")
    families = options.families or list(FAMILIES)
    elsewhere = [family for family in families if needs_onednn(family) != ONEDNN]
    families = [family for family in families if family not in elsewhere]
    failed = record_families(families, options.check)
    if elsewhere:
        flags = [flag for flag in ("--check", "--verbose") if getattr(options, flag[2:])]
        environment = {**os.environ, "MXNET_MKLDNN_ENABLED": "0" if ONEDNN else "1"}
        command = [sys.executable, __file__, *flags, *elsewhere]
        failed = subprocess.run(command, env=environment, check=False).returncode != 0 or failed
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
