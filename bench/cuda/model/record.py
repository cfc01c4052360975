"""Counts what networks ask of GPUs: the command mxinfer computes them on the emulator that counts, as each GPU's plan has them."""
import json
import math
import os
import pathlib
import subprocess
import tempfile

import machine_code
import model
import networks as nets
import work

BATCHES = (1, 32)
PRECISIONS = ("float32", "tf32", "float16")
ONCE = ("pack_kernel",)  # what is done when a network is loaded


def count(command, library, folder, network, gpu, precision):
    """The lines of one call."""
    counts = folder / "counts"
    major, minor = gpu.architecture
    environment = {**os.environ, "MXINFER_CUDA_LIBRARY": str(library.resolve()), "MXINFER_SIMT_COUNTS": str(counts),
                   "MXINFER_SIMT": f"arch={major}.{minor},multiprocessors={gpu.multiprocessors},late=0"}
    inputs = [argument for name in network.inputs for argument in ("--input", f"{name}={folder / name}.npy")]
    done = subprocess.run([command, "predict", folder / "model", *inputs, "--device", "cuda:0", "--precision", precision,
                           "--output", folder / "output.npz", "--force"], env=environment, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit(f"predict: {command} fails: {done.stderr.strip()}")
    return [each for each in work.read_counts(counts) if not each["kernel"].startswith(ONCE)]


def are_alike(a, b):
    """Whether two launches differ by what addresses make of them, at most."""
    return (a.kernel, a.blocks) == (b.kernel, b.blocks) and all(
        math.isclose(getattr(a, name), getattr(b, name), rel_tol=0.1)
        for name in ("instructions", "load_waits", "cache_bytes", "memory_bytes"))


def grouped(works):
    """Launches that are alike are one: [[count, values of the Work in the order of its fields]]."""
    found = []
    for each in works:
        same = next((item for item in found if are_alike(item[1], each)), None)
        if same:
            same[0] += 1
        else:
            found.append([1, each])
    return [[count, list(work.to_json(each).values())] for count, each in found]


def networks(command, counts, library, bin_folder):
    """What launches.json holds, a network on a GPU in each line."""
    code = machine_code.read_library(library, bin_folder, [gpu.architecture for gpu in model.GPUS])
    lines = []
    for title, make in nets.NETWORKS.items():
        for batch in BATCHES:
            with tempfile.TemporaryDirectory() as name:
                folder, network = pathlib.Path(name), make(batch)
                nets.write(network, folder)
                for precision in PRECISIONS:
                    for gpu in model.GPUS:
                        if precision == "tf32" and gpu.architecture == "75":
                            continue
                        launches = [work.work_of(each, code[machine_code.key_of(each["kernel"]), gpu.architecture],
                                                 gpu.architecture)
                                    for each in count(command, counts, folder, network, gpu, precision)]
                        lines.append(json.dumps({"network": title, "batch": batch, "precision": precision, "gpu": gpu.title,
                                                 "launches": grouped(launches)}))
    return "[\n" + ",\n".join(lines) + "\n]\n"
