#!/usr/bin/env python3
"""Times ResNet-18 behind its image transforms in MXNet 1.9.1 and in mxinfer, in turn in one run.

    tests/oracle/setup.sh
    build/oracle/bin/python bench/peers/end_to_end.py --mxinfer build/release/bin/mxinfer

Images of 300 x 300 x 3 bytes are resized to 224 x 224, made tensors and normalised. MXNet does so operator by operator
with the network behind them ("separate"), and as one symbol ("fused"), both with the fusion of oneDNN on and off;
mxinfer as one model and step by step. Prints medians in milliseconds per sample, MXNet's over mxinfer's, and the share of
the time that the transforms take. Machines differ and are shared: the ratios are the result, not the times.
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

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SIZE, MEAN, STD = (224, 224), (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
FORMS = ["separate", "fused", "network", "transforms"]


def steps(ops, x):
    return ops.normalize(ops.to_tensor(ops.resize(x, size=SIZE)), mean=MEAN, std=STD)


def median_ms(work, runs):
    times = []
    for _ in range(runs + 2):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times[2:])


def time_mxnet(prefix, form, batch, runs):
    """Runs in a process of its own, so that its thread count and its fusion are its own. Prints the median."""
    import mxnet as mx
    import numpy as np
    images = mx.nd.array(np.random.RandomState(0).randint(0, 256, (batch, 300, 300, 3)), dtype="uint8")
    if form == "transforms":
        def work():
            steps(mx.nd.image, images).wait_to_read()
    else:
        symbol, args, auxiliary = mx.model.load_checkpoint(prefix, 0)
        data = images if form == "fused" else steps(mx.nd.image, images)
        if form == "fused":
            symbol = symbol(data=steps(mx.sym.image, mx.sym.var("data", dtype="uint8")))
        module = mx.mod.Module(symbol, label_names=None)
        module.bind(for_training=False, data_shapes=[mx.io.DataDesc("data", data.shape, data.dtype)])
        module.set_params(args, auxiliary, allow_missing=False)

        def work():
            x = steps(mx.nd.image, images) if form == "separate" else data
            module.forward(mx.io.DataBatch([x]), is_train=False)
            module.get_outputs()[0].wait_to_read()
    print(json.dumps(median_ms(work, runs) / batch))


def run(command, **environment):
    result = subprocess.run(command, stdout=subprocess.PIPE, env={**os.environ, **environment}, check=True, text=True)
    return json.loads(result.stdout)


def measure(options, prefix, batch, threads):
    """The median time of each form over rounds, in turn."""
    runs = max(5, options.runs // batch)
    found = {}
    for _ in range(options.rounds):
        for fusion, backend in (("oneDNN fusion", "MKLDNN"), ("plain", "NONE")):
            for form in FORMS:
                value = run([sys.executable, __file__, "--time-mxnet", form, "--prefix", prefix, "--batch", str(batch),
                             "--runs", str(runs)], OMP_NUM_THREADS=str(threads), MXNET_SUBGRAPH_BACKEND=backend)
                found.setdefault(f"MXNet {form}, {fusion}", []).append(value)
        report = run([options.mxinfer, "bench", prefix, "--preset", "end-to-end", "--batch", str(batch), "--threads",
                      str(threads), "--runs", str(runs * batch), "--json"])["batches"][0]
        for key, name in (("end_to_end_separate_ms", "separate"), ("end_to_end_ms", "fused"),
                          ("network_ms", "network"), ("transforms_ms", "transforms")):
            found.setdefault(f"mxinfer {name}", []).append(report[key])
    return {name: statistics.median(values) for name, values in found.items()}


def print_table(batch, threads, times):
    print(f"batch {batch}, {threads} threads: milliseconds per sample, over mxinfer's")
    for name, value in times.items():
        form = name.split()[1].rstrip(",")
        print(f"  {name:32} {value:9.3f} {value / times['mxinfer ' + form]:7.2f}")
    share = times["mxinfer transforms"] / times["mxinfer fused"]
    print(f"  transforms in mxinfer: {share:.2%} of end to end", flush=True)


def export_network(folder):
    sys.path.insert(0, str(ROOT / "tests" / "oracle"))
    import model_zoo
    import mxnet as mx
    import numpy as np
    net = model_zoo.make_network("resnet18_v1", 224, np.random.default_rng(1))
    net.hybridize()
    net(mx.nd.zeros((1, 3, 224, 224)))
    prefix = os.path.join(folder, "resnet18_v1")
    net.export(prefix, epoch=0)
    return prefix


def compare(options):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        prefix = options.prefix or export_network(folder)
        for threads in options.threads:
            for batch in options.batch:
                times = measure(options, prefix, batch, threads)
                print_table(batch, threads, times)
                rows.append({"batch": batch, "threads": threads, "ms_per_sample": times})
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mxinfer", default=str(ROOT / "build" / "release" / "bin" / "mxinfer"))
    parser.add_argument("--prefix", help="a bare network (default: ResNet-18 with seeded random weights)")
    parser.add_argument("--batch", type=int, nargs="+", default=[1, 25])
    parser.add_argument("--threads", type=int, nargs="+", default=sorted({1, os.cpu_count()}))
    parser.add_argument("--runs", type=int, default=500, help="samples in each measurement")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", help="write the rows there too")
    parser.add_argument("--time-mxnet", choices=FORMS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.time_mxnet:
        time_mxnet(options.prefix, options.time_mxnet, options.batch[0], options.runs)
    else:
        compare(options)


if __name__ == "__main__":
    main()
