#!/usr/bin/env python3
"""Compares each product of a network with OpenVINO's, whose convolutions are oneDNN's, and with two limits of the machine.

    sh bench/peers/run.sh --networks resnet50_v1 --threads 1 --batches 1   makes the network's files
    build/peers/environments/engines/bin/python bench/peers/layers.py resnet50_v1
    build/peers/environments/engines/bin/python bench/peers/layers.py bert_12_768_12 --rounds 5

Both libraries run the whole network, in turn, so weights come from where they come from in use. A row is one shape of
output: its layers together. "of peak" is the rate of arithmetic that mxinfer reaches, as the definition of the operator counts it
(Winograd's algorithm can be above 1). "of limit" is the time at the peak of arithmetic or of reading weights from memory,
whichever is longer, divided by mxinfer's time.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys

import machine
import roofline

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]


PRODUCTS = ["Convolution", "FullyConnected", "MatMul", "Gemm"]


def key_of(dimensions):
    """An output whatever its layout, (1, 56, 56, 64) and (1, 64, 56, 56) alike."""
    return tuple(sorted(d for d in dimensions if d > 1))


def openvino_products(model, inputs, threads, calls):
    """[(key of the output, milliseconds: the median of `calls` calls)] of the products that OpenVINO runs."""
    import numpy as np
    import openvino
    compiled = openvino.Core().compile_model(str(model), "CPU", {
        "INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY", "NUM_STREAMS": 1, "INFERENCE_PRECISION_HINT": "f32",
        "PERF_COUNT": True})
    request = compiled.create_infer_request()
    for name, array in np.load(inputs).items():
        request.set_tensor(name, openvino.Tensor(array.copy()))
    times = collections.defaultdict(list)
    request.infer()
    for _ in range(calls):
        request.infer()
        for info in request.get_profiling_info():
            times[info.node_name].append(info.real_time.total_seconds() * 1e3)
    return [(key_of(op.get_output_shape(0)), statistics.median(times[op.get_friendly_name()]))
            for op in compiled.get_runtime_model().get_ordered_ops()
            if str(op.get_rt_info()["layerType"].astype(str)) in PRODUCTS and op.get_friendly_name() in times]


def merge(nodes, peer):
    """Rows of the outputs that both libraries compute by as many products: what one fuses into a block has no row.
    [{"output", "kernels", "count", "flops", "bound", "ms", "peer_ms"}]; "bound" has what bound_ms() takes, by layer."""
    rows = {}
    for node in nodes:
        if node["flops"] < 1e6 or not roofline.weight_bytes(node):
            continue
        row = rows.setdefault(key_of(roofline.dimensions(node)), {
            "output": node["output"], "kernels": set(), "count": 0, "flops": 0.0, "bound": [], "ms": 0.0})
        row["count"] += 1
        row["flops"] += node["flops"]
        row["bound"].append({"flops": node["flops"], "weight_bytes": roofline.weight_bytes(node)})
        row["ms"] += node["median_ms"]
        row["kernels"].add(node["kernel"].split()[0])
    found = []
    for key, row in rows.items():
        of_peer = [ms for other, ms in peer if other == key]
        if len(of_peer) == row["count"]:
            found.append({**row, "peer_ms": sum(of_peer)})
    return found


def table(rows, peak):
    lines = [f"{'output':<28} {'layers':>6} {'ms':>8} {'OpenVINO':>9} {'ratio':>6} {'of peak':>8} {'of limit':>9}  kernels"]
    for row in rows:
        shape = re.sub(r"^\w+ ", "", row["output"])
        of_peak = row["flops"] / row["ms"] / 1e6 / peak["gflops"]
        of_limit = sum(roofline.bound_ms(one, peak["gflops"], peak["read_gb_s"]) for one in row["bound"]) / row["ms"]
        lines.append(f"{shape:<28} {row['count']:>6} {row['ms']:>8.3f} {row['peer_ms']:>9.3f} {row['ms'] / row['peer_ms']:>6.2f} "
                     f"{of_peak:>8.2f} {of_limit:>9.2f}  {', '.join(sorted(row['kernels']))}")
    ours, theirs = (sum(row[key] for row in rows) for key in ("ms", "peer_ms"))
    lines.append(f"{'together':<28} {sum(row['count'] for row in rows):>6} {ours:>8.3f} {theirs:>9.3f} {ours / theirs:>6.2f}")
    return "\n".join(lines)


def median_nodes(rounds):
    """The nodes of several runs of the command, with the median of their times."""
    nodes = rounds[0]
    for i, node in enumerate(nodes):
        node["median_ms"] = statistics.median(nodes_of[i]["median_ms"] for nodes_of in rounds)
    return nodes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", help="a network that run.sh has made, such as resnet50_v1")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3, help="turns of each library (default %(default)s)")
    parser.add_argument("--command", default=str(REPOSITORY / "build/release/bin/mxinfer"), help="mxinfer's command")
    parser.add_argument("--peers", default=os.environ.get("MXINFER_PEERS", str(REPOSITORY / "build/peers")), metavar="FOLDER")
    options = parser.parse_args()
    folder = pathlib.Path(options.peers) / "models" / options.network
    onnx = folder / "b1" / "model.onnx"
    if not onnx.exists():
        raise SystemExit(f"{onnx} does not exist; make it with: sh bench/peers/run.sh --networks {options.network} "
                         "--threads 1 --batches 1")
    import numpy as np
    inputs = folder / "b1" / "inputs.npz"
    shapes = [f"{name}={','.join(map(str, array.shape))}" for name, array in np.load(inputs).items()]
    peak = machine.peak([options.threads])[0]
    print(f"{peak['gflops']:.0f} GFLOP/s and {peak['read_gb_s']:.1f} GB/s with {options.threads} thread(s)", file=sys.stderr)
    ours, theirs = [], []
    for _ in range(options.rounds):
        command = [options.command, "bench", str(folder / "model"), "--threads", str(options.threads), "--seconds", "1",
                   "--by-node", "--json", "--quiet"]
        for shape in shapes:
            command += ["--shape", shape]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        ours.append(json.loads(done.stdout)["nodes"])
        theirs.append(openvino_products(onnx, inputs, options.threads, 20))
    peer = [(runs[0][0], statistics.median(ms for _, ms in runs)) for runs in zip(*theirs)]
    print(table(merge(median_nodes(ours), peer), peak))


if __name__ == "__main__":
    main()
