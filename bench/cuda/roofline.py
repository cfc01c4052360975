#!/usr/bin/env python3
"""What GPUs need for a network at least, computed from the sizes of its layers: nothing is measured, and no GPU is needed.

    python3 bench/cuda/roofline.py                     prints the tables
    python3 bench/cuda/roofline.py --update            writes them into docs/reference/cuda-kernels.md
    python3 bench/cuda/roofline.py --check             fails if those in docs/reference/cuda-kernels.md differ

Of a layer the slower counts of arithmetic at the GPU's peak and of memory at its rate: weights, what is read and what is written,
once each. "With tiles" counts tiles as a whole, and multiprocessors that have none: the one that has the most tiles decides. The choice
of tiles and of pieces of the depth is this script's, near to that of the kernels' own models.
Kernels are replayed as one CUDA graph, which is launched in 2.5 us; 1 us lies between two kernels.
"""
import argparse
import dataclasses
import math
import pathlib
import sys

import layers as nets

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import cuda_report  # noqa: E402

BEGIN, END = "<!-- roofline: bench/cuda/roofline.py --update -->\n", "<!-- end of roofline -->\n"
LAUNCH_US, BETWEEN_US = 2.5, 1.0
BATCHES = (1, 32)
ROWS_OF_NETWORK = 5


@dataclasses.dataclass(frozen=True)
class Gpu:
    """Dense peaks at boost clock, in TFLOP/s, and GB/s: the vendor's figures. Tensor peaks are of 16-bit and tf32 factors."""
    title: str
    multiprocessors: int
    float32: float
    tf32: float  # 0: there is none
    float16: float
    memory: float

    def peak(self, precision):
        return getattr(self, precision) * 1e6  # FLOP in a microsecond


GPUS = (Gpu("T4", 40, 8.1, 0, 65, 320), Gpu("A100", 108, 19.5, 156, 312, 1555), Gpu("H100", 132, 67, 495, 989, 3350),
        Gpu("H200", 132, 67, 495, 989, 4800))
PRECISIONS = ("float32", "tf32", "float16")
# Tiles of a block, the largest first: of kernels/gemm, of kernels/conv/implicit_gemm, and of tensor cores. A smaller one reads more
# of shared memory for each product, so that it must be faster by more than CLOSE.
TILES = {"product": ((128, 128), (64, 64), (32, 64)), "convolution": ((128, 128), (128, 64), (64, 64), (128, 32))}
TENSOR_TILES = {"product": ((128, 128),), "convolution": ((128, 128), (128, 64), (64, 64))}
CLOSE = 1.15
MOST_SPLITS, LEAST_DEPTH = 32, 128  # pieces of the depth, which another kernel adds
VECTOR_ROWS = 4  # up to so many rows a product reads its matrix once, without tiles


@dataclasses.dataclass(frozen=True)
class Time:
    bound: float  # microseconds
    tiled: float
    blocks: int = 0
    tile: tuple = ()
    splits: int = 1


def of_layer(layer, precision):
    """What it is computed in: depthwise convolutions, and products of few rows, have no kernels for tensor cores."""
    is_tiled = layer.kind == "convolution" or (layer.kind == "product" and layer.rows > VECTOR_ROWS)
    return precision if is_tiled else "float32"


def bytes_of(layer, precision):
    """Filters of convolutions are packed as they are multiplied; matrices are rounded when they are read."""
    is_narrow = layer.kind == "convolution" and precision == "float16"
    return layer.bytes(2 if is_narrow else nets.FLOAT)


def memory_us(layer, gpu, precision):
    return bytes_of(layer, precision) / gpu.memory / 1e3


def splits_of(layer):
    splits = 1
    while splits <= MOST_SPLITS and (splits == 1 or layer.depth / splits >= LEAST_DEPTH):
        yield splits
        splits *= 2


def tiled(layer, gpu, precision, tile, splits):
    """Microseconds of arithmetic, and blocks."""
    blocks = math.ceil(layer.rows / tile[0]) * math.ceil(layer.columns / tile[1]) * layer.matrices * splits
    of_block = 2 * tile[0] * tile[1] * math.ceil(layer.depth / splits)
    arithmetic = math.ceil(blocks / gpu.multiprocessors) * of_block / (gpu.peak(precision) / gpu.multiprocessors)
    added = 0
    if splits > 1:
        partial = 2 * splits * layer.rows * layer.columns * layer.matrices * nets.FLOAT
        added = partial / gpu.memory / 1e3 + BETWEEN_US
    return arithmetic + added, blocks


def time_of(layer, gpu, precision):
    precision = of_layer(layer, precision)
    memory = memory_us(layer, gpu, precision)
    if layer.kind in ("other", "depthwise") or layer.rows <= VECTOR_ROWS:
        bound = max(memory, layer.flops / gpu.peak("float32"))
        return Time(bound, bound)
    bound = max(memory, layer.flops / gpu.peak(precision))
    best = None
    for tile in (TILES if precision == "float32" else TENSOR_TILES)[layer.kind]:
        for splits in splits_of(layer):
            arithmetic, blocks = tiled(layer, gpu, precision, tile, splits)
            found = Time(bound, max(arithmetic, memory), blocks, tile, splits)
            margin = CLOSE if best and tile != best.tile else 1
            best = found if best is None or found.tiled * margin < best.tiled else best
    return best


def milliseconds(us):
    ms = us / 1e3
    return f"{ms:.0f}" if ms >= 100 else f"{ms:.1f}" if ms >= 10 else f"{ms:.2f}"


def network_cell(network, gpu, precision):
    if not gpu.peak(precision):
        return "-"
    times = [time_of(layer, gpu, precision) for layer in network]
    launches = LAUNCH_US + BETWEEN_US * len(network)
    return f"{milliseconds(sum(t.bound for t in times))} / {milliseconds(sum(t.tiled for t in times) + launches)}"


def markdown(rows):
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]]) + "\n"


def network_table():
    rows = [["network", "batch", "precision", "GFLOP", "MB", "kernels", *[gpu.title for gpu in GPUS]]]
    for title, make in nets.NETWORKS.items():
        for batch in BATCHES:
            network = make(batch)
            for precision in PRECISIONS:
                rows.append([title, batch, precision, f"{sum(layer.flops for layer in network) / 1e9:.1f}",
                             f"{sum(bytes_of(layer, of_layer(layer, precision)) for layer in network) / 1e6:.0f}", len(network),
                             *[network_cell(network, gpu, precision) for gpu in GPUS]])
    return markdown(rows)


def layer_cell(layer, gpu, precision="float32"):
    time = time_of(layer, gpu, precision)
    if not time.tile:
        return f"{time.bound:.1f}"
    tile = f"{time.tile[0]}x{time.tile[1]}" + (f", {time.splits} pieces" if time.splits > 1 else "")
    return f"{time.bound:.1f} / {time.tiled:.1f}: {time.blocks} of {tile}"


def longest(network):
    """Layers that are alike are one: [(layer, count)], those first that take longest together on a T4."""
    alike = {}
    for layer in network:
        alike.setdefault(layer, 0)
        alike[layer] += 1
    return sorted(alike.items(), key=lambda item: -item[1] * time_of(item[0], GPUS[0], "float32").tiled)[:ROWS_OF_NETWORK]


def layer_table():
    rows = [["network", "batch", "layer", "times", "rows, columns, depth", "MFLOP", "MB", *[gpu.title for gpu in GPUS[:3]]]]
    for title, make in nets.NETWORKS.items():
        for batch in BATCHES:
            for layer, count in longest(make(batch)):
                rows.append([title, batch, layer.name, count,
                             f"{layer.rows}, {layer.columns}, {layer.depth}" if layer.depth else "-",
                             f"{layer.flops / 1e6:.0f}", f"{layer.bytes() / 1e6:.2f}",
                             *[layer_cell(layer, gpu) for gpu in GPUS[:3]]])
    return markdown(rows)


def part():
    return (f"Milliseconds of a call: the roofline / with tiles, {LAUNCH_US} µs for the launch and {BETWEEN_US:.0f} µs for each "
            "kernel.\n\n" + network_table() + f"\nThe {ROWS_OF_NETWORK} layers of each that take longest together on a T4, in "
            "float32. Microseconds of one: the roofline / with tiles, and how many blocks of which tile; `pieces` of the depth are "
            "added by a second kernel.\n\n" + layer_table())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", type=pathlib.Path, default=ROOT / "docs" / "reference" / "cuda-kernels.md")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--update", action="store_true")
    action.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if not options.update and not options.check:
        print(part(), end="")
        return
    page = options.page.read_text()
    written = cuda_report.replaced(page, BEGIN, END, part())
    if options.update:
        options.page.write_text(written)
    elif written != page:
        raise SystemExit(f"roofline: the tables in {options.page} are not those of this script; write them anew with --update")


if __name__ == "__main__":
    main()
