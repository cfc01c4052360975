"""A roofline of each layer of a network: arithmetic at the peak of the machine, weights at the rate of its memory."""
import json
import math
import re
import subprocess

# What a loop over more threads costs each layer: one barrier. Measured on small machines; a guess on large ones.
BARRIER_US = {1: 0, 2: 1, 8: 2, 32: 5, 64: 8, 128: 12}


def times_by_node(command, prefix, shape, threads, seconds):
    done = subprocess.run([command, "bench", prefix, "--shape", shape, "--threads", str(threads), "--seconds", str(seconds),
                           "--by-node", "--json"], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)["nodes"]


def dimensions(node):
    """Of the first output: "float32 (1, 56, 56, 64)"."""
    return [int(d) for d in re.search(r"\(([\d, ]*)\)", node["output"]).group(1).replace(" ", "").split(",") if d]


def weight_bytes(node):
    """A multiply-add uses each weight once for each pixel, so the bytes of weights follow from the operations."""
    if not node["flops"] or "onvolution" not in node["op"] and node["op"] != "FullyConnected":
        return 0
    shape = dimensions(node)
    if len(shape) == 2:
        return node["flops"] / 2 / shape[0] * 4
    channels_last = any(word in node["kernel"] for word in ("nhwc", "separable", "bf16"))
    pixels = math.prod(shape[1:-1] if channels_last else shape[2:])
    return node["flops"] / 2 / pixels / shape[0] * 4


def layers(nodes):
    """Nodes that are alike as one row, in the order of the first: their sums."""
    rows = {}
    for node in nodes:
        if node["flops"] < 1e6:
            continue
        key = node["output"], node["flops"], node["kernel"]
        row = rows.setdefault(key, {"output": node["output"], "kernel": node["kernel"], "count": 0, "flops": 0.0,
                                    "weight_bytes": 0.0, "ms": 0.0})
        row["count"] += 1
        row["flops"] += node["flops"]
        row["weight_bytes"] += weight_bytes(node)
        row["ms"] += node["median_ms"]
    return list(rows.values())


def bound_ms(row, gflops, gb_s):
    """What the layers of a row take at least."""
    return max(row["flops"] / gflops, row["weight_bytes"] / gb_s) / 1e6


def on_paper(rows, gflops_of_core, gb_s, cores):
    """Milliseconds at least on so many cores: each layer as fast as its arithmetic or its weights allow, and a barrier."""
    return sum(bound_ms(row, gflops_of_core * cores, gb_s) + row["count"] * BARRIER_US[cores] / 1e3 for row in rows)
