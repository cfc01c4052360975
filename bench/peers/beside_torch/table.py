#!/usr/bin/env python3
"""Measures networks on a GPU with mxinfer and with PyTorch, in turn, and prints a table of milliseconds a call.

    python3 bench/peers/beside_torch/table.py                  seven networks, three precisions, batch 1 and 32: two minutes
    python3 bench/peers/beside_torch/table.py --quick          two networks in half a minute
    python3 bench/peers/beside_torch/table.py --no-torch       mxinfer alone

"Device" is a call whose inputs and outputs are in the memory of the GPU, by events around ten calls. "Host to host" is a call
whose arrays are in the memory of the process, as mxinfer bench measures it. Needs NumPy, and PyTorch unless --no-torch is given.
Networks are made with seeded weights; both libraries get the same, and their outputs are compared. PyTorch gets what favours it:
channels last, cudnn.benchmark, a CUDA graph, and in float16 halves everywhere, also for inputs and outputs on the device.
Ends with status 1 if outputs differ or mxinfer fails.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from architectures import NETWORKS, SMALL_NETWORKS
from cells import Cell, head, largest_difference, line, summary

ROOT = pathlib.Path(__file__).resolve().parents[3]
PRECISIONS = ("float32", "tf32", "float16")
QUICK_NETWORKS = ["resnet50", "bert_base"]


class Budget:
    """Seconds for all cells together."""

    def __init__(self, seconds):
        self.end = time.monotonic() + seconds

    def left(self):
        return max(0.0, self.end - time.monotonic())


def last_line(text):
    lines = [one.strip() for one in text.splitlines() if one.strip()]
    return lines[-1][:200] if lines else "no message"


def run_mxinfer(options, folder, cells, outputs, budget):
    """Fills in mxinfer's times of all cells of a network, in one process."""
    command = [options.bench, "network", folder / "model", "--outputs", outputs, "--seconds", options.seconds]
    command += [word for batch in options.batch for word in ("--inputs", folder / f"b{batch}")]
    command += [word for precision in options.precision for word in ("--precision", precision)]
    environment = {**os.environ, **({"LD_LIBRARY_PATH": options.library_path} if options.library_path else {})}
    try:
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=environment,
                              timeout=budget.left() + 30)
        found, message = done.stdout, last_line(done.stderr) if done.returncode else ""
    except subprocess.TimeoutExpired as error:
        found, message = (error.stdout or b"").decode(), "it ran out of time"
    measured = {(one["inputs"], one["precision"]): one for one in map(json.loads, found.splitlines())}
    for cell in cells:
        one = measured.get((f"b{cell.batch}", cell.precision), {"error": message or "not measured"})
        cell.device_ms, cell.host_ms = one.get("device_ms"), one.get("host_ms")
        if "error" in one:
            cell.notes.append("mxinfer: " + one["error"])


def saved_outputs(folder):
    import numpy as np
    return [np.load(path) for path in sorted(folder.glob("*.npy"), key=lambda path: int(path.stem))]


def inputs_of(net, folder):
    import numpy as np
    return [np.load(folder / f"{layer.name}.npy") for layer in net.layers if layer.kind == "input"]


def run_torch(side_of, options, net, folder, cells, outputs, budget):
    """Fills in PyTorch's times, and how far the outputs of both are apart."""
    side, precision = None, None
    for cell in cells:
        if not budget.left():
            cell.notes.append("PyTorch: no time was left")
            continue
        try:
            if cell.precision != precision:
                side, precision = side_of(net, folder, cell.precision), cell.precision
            cell.torch, found = side.measure(inputs_of(net, folder / f"b{cell.batch}"), options.seconds)
            compare(cell, saved_outputs(outputs / f"b{cell.batch}-{cell.precision}"), found)
        except RuntimeError as error:  # memory, or a kernel that this PyTorch lacks for this GPU
            cell.notes.append("PyTorch: " + last_line(str(error)))


def compare(cell, mine, found):
    if "note" in cell.torch:
        cell.notes.append("PyTorch: " + cell.torch.pop("note"))
    cell.difference = largest_difference(mine, found) if mine else None
    if cell.is_wrong():
        cell.notes.append(f"outputs differ by {cell.difference:.1e} of their scale")


def measure(name, make, side_of, options, budget):
    """The cells of a network, by batch size."""
    net, folder = make(name, options.models, options.batch)
    cells = [Cell(name, batch, precision) for precision in options.precision for batch in options.batch]
    with tempfile.TemporaryDirectory() as outputs:
        run_mxinfer(options, folder, cells, outputs, budget)
        if side_of is not None:
            run_torch(side_of, options, net, folder, cells, pathlib.Path(outputs), budget)
    return sorted(cells, key=lambda cell: options.batch.index(cell.batch))


def print_table(options, make, side_of):
    """Returns the exit status."""
    budget, cells = Budget(options.budget), []
    print(head(), flush=True)
    for name in options.network:
        if not budget.left():
            print(f"{name} and those behind it were not measured: {options.budget:.0f} s have passed", file=sys.stderr)
            break
        for cell in measure(name, make, side_of, options, budget):
            cells.append(cell)
            print(line(cell.row()), flush=True)
    print("\n" + "\n".join(summary(cells)))
    failed = [cell for cell in cells if cell.is_wrong() or cell.device_ms is None]
    return 1 if failed or not cells else 0


def parse(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", type=pathlib.Path, default=ROOT / "build/cuda/bench/mxinfer_cuda_bench")
    parser.add_argument("--library-path", help="where the shared libraries of that program are, as LD_LIBRARY_PATH has them")
    parser.add_argument("--models", type=pathlib.Path, default=ROOT / "build/gpu-networks", help="networks are made here")
    parser.add_argument("--network", nargs="+", choices=[*NETWORKS, *SMALL_NETWORKS], help="all but small ones")
    parser.add_argument("--batch", nargs="+", type=int, default=[1, 32])
    parser.add_argument("--precision", nargs="+", choices=[*PRECISIONS, "bfloat16"], default=list(PRECISIONS))
    parser.add_argument("--seconds", type=float, default=0.2, help="at least, for each time of the table")
    parser.add_argument("--budget", type=float, default=150, help="seconds, after which no cell begins")
    parser.add_argument("--quick", action="store_true", help="two networks, at batch 32, without tf32")
    parser.add_argument("--no-torch", action="store_true")
    options = parser.parse_args(words)
    if options.quick:
        options.batch, options.precision = [32], ["float32", "float16"]
    options.network = options.network or (QUICK_NETWORKS if options.quick else list(NETWORKS))
    return options


def torch_side():
    """(title, function that makes one side of the comparison)"""
    import torch_side as side
    import weights

    def side_of(net, folder, precision):
        side.release()
        return side.Side(net, weights.read_params(folder / "model-0000.params"), precision)
    return side.title(), side_of


def main():
    options = parse()
    from make import make
    title, side_of = ("mxinfer alone", None) if options.no_torch else torch_side()
    print(f"Milliseconds of a call: {title}\n")
    return print_table(options, make, side_of)


if __name__ == "__main__":
    sys.exit(main())
