"""One program, written for MXNet's C predict API, run with libmxinfer_predict.so and with libmxnet.so itself.

    compare.py PROGRAM LIBMXNET MODELS_DIR [MODEL...]

The program is linked with the first; LD_PRELOAD puts the second before it. MODELS_DIR holds folders of a model each, with
golden.npz for inputs; without it, the models bundled with the sources are what there is.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

ALLOWED = 1e-4  # of the largest magnitude of an output
PATIENCE = 150  # seconds: a guard against hangs; each model takes one or two
SOURCES = pathlib.Path(__file__).resolve().parents[2]


def run(program, folder, inputs, out, preload=None, threads=1):
    """The outputs that the program writes."""
    arguments = [program, folder["symbol"], folder["params"], str(threads), str(out)]
    for number, (name, array) in enumerate(inputs.items()):
        path = f"{out}.input{number}"
        np.ascontiguousarray(array, np.float32).tofile(path)
        arguments += [name, ",".join(map(str, array.shape)), path]
    # oneDNN's way with recurrent networks, and the fusion that is on by default, compute other numbers than MXNet's own operators.
    env = dict(os.environ, MXNET_SUBGRAPH_BACKEND="NONE", MXNET_USE_MKLDNN_RNN="0")
    if preload:
        env["LD_PRELOAD"] = preload
    try:
        done = subprocess.run(arguments, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return f"it has not ended after {PATIENCE} s"
    if done.returncode != 0:
        return done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit code {done.returncode}"
    return [read_outputs(f"{out}.{i}") for i in range(threads)] if threads > 1 else read_outputs(out)


def run_in_mxnet(*arguments, **named):
    """run(), once more if need be: libmxnet itself sometimes ends with an exception, or never, as its threads go."""
    outputs = run(*arguments, **named)
    return run(*arguments, **named) if isinstance(outputs, str) else outputs


def read_outputs(path):
    words = np.fromfile(path, np.uint32)
    outputs, at = [], 0
    while at < len(words):
        rank = int(words[at])
        shape = tuple(int(size) for size in words[at + 1 : at + 1 + rank])
        at += 1 + rank
        size = int(np.prod(shape))
        outputs.append(words[at : at + size].view(np.float32).reshape(shape))
        at += size
    return outputs


def difference(ours, theirs):
    """The largest one, as a part of the output's largest magnitude."""
    assert len(ours) == len(theirs), (len(ours), len(theirs))
    worst = 0.0
    for a, b in zip(ours, theirs):
        assert a.shape == b.shape, (a.shape, b.shape)
        both_nan = np.isnan(a) & np.isnan(b)
        scale = max(float(np.abs(np.where(both_nan, 0, b)).max(initial=0)), 1e-30)
        worst = max(worst, float(np.abs(np.where(both_nan, 0, a - b)).max(initial=0)) / scale)
    return worst


def model_folders(models):
    bundled = SOURCES / "models/digits"
    rng = np.random.default_rng(1)
    yield "digits", {"symbol": str(bundled / "digits-symbol.json"), "params": str(bundled / "digits-0000.params")}, {
        "data": rng.random((2, 1, 32, 32), np.float32)
    }
    if models is None:
        print("SKIPPED: no folder of real models (MXINFER_SHARED_DIR is not set)")
        return
    for folder in sorted(models.iterdir()):
        if not (folder / "golden.npz").exists():
            continue
        golden = np.load(folder / "golden.npz")
        inputs = {key[len("input/") :]: golden[key] for key in golden.files if key.startswith("input/")}
        yield folder.name, {
            "symbol": str(folder / "model-symbol.json"),
            "params": str(folder / "model-0000.params"),
        }, inputs


def main():
    program, libmxnet = sys.argv[1:3]
    models = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 and sys.argv[3] else None
    wanted = sys.argv[4:]
    bad = compared = 0
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        for name, folder, inputs in model_folders(models):
            if wanted and name not in wanted:
                continue
            ours = run(program, folder, inputs, work / "ours")
            theirs = run_in_mxnet(program, folder, inputs, work / "theirs", preload=libmxnet)
            if isinstance(theirs, str):
                print(f"{name}: MXNet itself says: {theirs}")
                bad += not isinstance(ours, str) and name == "digits"
                continue
            if isinstance(ours, str):
                print(f"{name}: FAILED: {ours}")
                bad += 1
                continue
            apart = difference(ours, theirs)
            # Each thread of its own predictor: the first sees the same inputs, the others theirs.
            threads = run(program, folder, inputs, work / "threads", threads=4)
            halved = run(program, folder, {k: v / 2 for k, v in inputs.items()}, work / "halved")
            same = not isinstance(threads, str) and not isinstance(halved, str)
            same = same and all(np.array_equal(a, b, equal_nan=True) for a, b in zip(threads[0], ours))
            same = same and all(np.array_equal(a, b, equal_nan=True) for a, b in zip(threads[1], halved))
            good = apart <= ALLOWED and same
            compared += 1
            bad += not good
            print(f"{name}: {apart:.2e} of the largest{'' if same else '; THREADS DIFFER'}{'' if good else ' FAILED'}")
    print(f"{compared} models compared, {bad} wrong")
    sys.exit(1 if bad or not compared else 0)


if __name__ == "__main__":
    main()
