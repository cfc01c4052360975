#!/usr/bin/env python3
"""Times whole networks in MXNet 1.9.1 (with oneDNN, its fusion on) and in mxinfer, in turn in one run.

    tests/oracle/setup.sh
    build/oracle/bin/python bench/compare_mxnet.py --mxinfer build/release/bin/mxinfer resnet18_v1 mobilenetv2_1.0

Prints for each network, batch and thread count the median milliseconds of a call in both, and MXNet's over mxinfer's.
Machines differ and are shared: the ratio is the result, not the times. Networks have seeded random weights.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def time_mxnet(prefix, shape, seconds):
    """Runs in a process of its own, so that its thread count and its fusion are its own. Prints the median."""
    import mxnet as mx
    import numpy as np
    symbol, args, auxiliary = mx.model.load_checkpoint(prefix, 0)
    module = mx.mod.Module(symbol, label_names=None)
    module.bind(for_training=False, data_shapes=[("data", shape)])
    module.set_params(args, auxiliary, allow_missing=False)
    batch = mx.io.DataBatch([mx.nd.array(np.random.RandomState(0).rand(*shape).astype("float32"))])
    times = []
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds or len(times) < 5:
        start = time.perf_counter()
        module.forward(batch, is_train=False)
        module.get_outputs()[0].wait_to_read()
        times.append((time.perf_counter() - start) * 1e3)
    print(json.dumps(statistics.median(times[2:])))


def run(command, **environment):
    result = subprocess.run(command, stdout=subprocess.PIPE, env={**os.environ, **environment}, check=True, text=True)
    return json.loads(result.stdout)


def measure(options, prefix, shape, threads):
    dims = ",".join(map(str, shape))
    mxnet, mxinfer = [], []
    for _ in range(options.rounds):
        mxnet.append(run([sys.executable, __file__, "--time-mxnet", prefix, "--shape", dims,
                          "--seconds", str(options.seconds)], OMP_NUM_THREADS=str(threads),
                         MXNET_SUBGRAPH_BACKEND="MKLDNN"))
        result = run([options.mxinfer, "bench", prefix, "--shape", f"data={dims}", "--threads", str(threads),
                      "--seconds", str(options.seconds), "--json"])
        mxinfer.append(result["median_ms"])
    return statistics.median(mxnet), statistics.median(mxinfer)


def compare(options):
    sys.path.insert(0, str(ROOT / "tests" / "oracle"))
    import model_zoo
    import mxnet as mx
    import numpy as np
    rows = []
    print(f"{'network':20} {'batch':>5} {'threads':>7} {'MXNet ms':>9} {'mxinfer ms':>10} {'MXNet / mxinfer':>15}")
    for name in options.networks:
        with tempfile.TemporaryDirectory() as folder:
            side = model_zoo.side_of(name)
            net = model_zoo.make_network(name, side, np.random.default_rng(1))
            net.hybridize()
            net(mx.nd.zeros((1, 3, side, side)))
            prefix = os.path.join(folder, name)
            net.export(prefix, epoch=0)
            for batch in options.batch:
                for threads in options.threads:
                    a, b = measure(options, prefix, (batch, 3, side, side), threads)
                    rows.append({"network": name, "batch": batch, "threads": threads, "mxnet_ms": a, "mxinfer_ms": b})
                    print(f"{name:20} {batch:5} {threads:7} {a:9.2f} {b:10.2f} {a / b:15.2f}", flush=True)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="*", default=["resnet18_v1", "resnet50_v1", "mobilenetv2_1.0"])
    parser.add_argument("--mxinfer", default=str(ROOT / "build" / "release" / "bin" / "mxinfer"))
    parser.add_argument("--batch", type=int, nargs="+", default=[1])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--seconds", type=float, default=3, help="for each measurement")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", help="write the rows there too")
    parser.add_argument("--time-mxnet", metavar="PREFIX", help=argparse.SUPPRESS)
    parser.add_argument("--shape", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.time_mxnet:
        time_mxnet(options.time_mxnet, tuple(map(int, options.shape.split(","))), options.seconds)
    else:
        compare(options)


if __name__ == "__main__":
    main()
