#!/usr/bin/env python3
"""How long GPUs take for networks, by model.py: no GPU is needed.

    python3 bench/cuda/model/predict.py                     prints the tables
    python3 bench/cuda/model/predict.py --update            writes them into docs/reference/cuda-kernels.md
    python3 bench/cuda/model/predict.py --check             fails if those in docs/reference/cuda-kernels.md differ
    python3 bench/cuda/model/predict.py --record COMMAND COUNTS LIBRARY
        counts anew what networks ask of GPUs, into launches.json: by the command
        mxinfer, the libmxinfer_cuda.so of the target mxinfer_cuda_counts, and the one
        that nvcc has made

The tables are of the kernels that were recorded. Record them again when kernels change.
"""
import argparse
import dataclasses
import json
import pathlib
import re
import sys

import calibration
import model
import work

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))

import cuda_report  # noqa: E402

LAUNCHES = pathlib.Path(__file__).resolve().parent / "launches.json"
NETWORKS = pathlib.Path(__file__).resolve().parent / "measured_networks.json"
BEGIN, END = "<!-- predicted: bench/cuda/model/predict.py --update -->\n", "<!-- end of predicted -->\n"
GRAPH_US = 2.5  # to launch a graph of all kernels
LONGEST = 4


def read_networks():
    """[{"network", "batch", "precision", "gpu", "launches": [(count, Work)]}]"""
    networks, names = json.loads(LAUNCHES.read_text()), [field.name for field in dataclasses.fields(model.Work)]
    for network in networks:
        network["launches"] = [(count, work.from_json(dict(zip(names, values)))) for count, values in network["launches"]]
    return networks


def milliseconds(us):
    ms = us / 1e3
    return f"{ms:.0f}" if ms >= 100 else f"{ms:.1f}" if ms >= 10 else f"{ms:.2f}"


def sum_of(network, gpu):
    return GRAPH_US + sum(count * model.microseconds(each, gpu) for count, each in network["launches"])


def markdown(rows):
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]]) + "\n"


def measured_milliseconds():
    """{(network, batch, precision): ms on an H100}"""
    return {(each["network"], each["batch"], each["precision"]): each["ms"] for each in json.loads(NETWORKS.read_text())}


def network_table(networks):
    rows, measured = {}, measured_milliseconds()
    for network in networks:
        key = network["network"], network["batch"], network["precision"]
        rows.setdefault(key, {})[network["gpu"]] = network
    known = ["H100, measured"] if measured else []
    table = [["network", "batch", "precision", "kernels", *[gpu.title for gpu in model.GPUS], *known]]
    for key, of_gpu in rows.items():
        kernels = sum(count for count, _ in of_gpu[model.GPUS[-1].title]["launches"])
        table.append([*key, kernels, *[milliseconds(sum_of(of_gpu[gpu.title], gpu)) if gpu.title in of_gpu else "-"
                                       for gpu in model.GPUS], *[measured.get(key, "-") for _ in known]])
    return markdown(table)


def title_of(kernel):
    """Without the arguments of a template's second argument, which are those of the first."""
    return re.sub(r"(Rows|Source)<.*", r"\1>", kernel).replace(",", ", ")


def longest_table(networks):
    table = [["network", "precision", "kernel", "times", "blocks", "at a time", "µs of one", "memory alone", "longest part"]]
    gpu = model.GPUS[-1]
    for network in networks:
        if network["gpu"] != gpu.title or network["batch"] == 1 or network["precision"] == "tf32":
            continue
        for count, each in sorted(network["launches"], key=lambda item: -item[0] * model.microseconds(item[1], gpu))[:LONGEST]:
            table.append([network["network"], network["precision"], f"`{title_of(each.kernel)}`", count, each.blocks,
                          model.blocks_at_a_time(each, gpu), f"{model.microseconds(each, gpu):.0f}",
                          f"{each.memory_bytes / gpu.memory / 1e3:.0f}", model.bound(each, gpu)])
    return markdown(table)


def figure_table():
    table = [["", *[gpu.title for gpu in model.GPUS]]]
    for title, value in (("multiprocessors", "multiprocessors"), ("clock, GHz", "clock"), ("memory, GB/s", "memory"),
                         ("second-level cache, GB/s", "cache"), ("products of floats in a cycle", "float_lanes"),
                         ("cycles of a tensor core for 16 x 8 x 16 products", "product_cycles"),
                         ("share of that rate that `mma.sync` reaches", "product_share"),
                         ("share of that rate that `wgmma` reaches; 0: there is none", "group_share")):
        table.append([title, *[getattr(gpu, value) for gpu in model.GPUS]])
    return markdown(table)


def constant_table():
    table = [["constant", "value", "meaning"]]
    for field in dataclasses.fields(model.Constants):
        table.append([f"`{field.name}`", f"{field.default:g}", field.metadata["text"]])
    return markdown(table)


def percent(value):
    return f"{100 * value:.0f} %"


def error_table(launches):
    table = [["launches", "number", "typical error", "largest", "of the sum", "left out: typical", "largest"]]
    groups = {**calibration.groups_of(launches), "all": launches}
    for group, of_group in groups.items():
        fitted = calibration.summary(of_group, [calibration.error(each) for each in of_group])
        left = calibration.summary(of_group, [each.left_out for each in of_group])
        table.append([group, fitted.count, percent(fitted.typical), percent(fitted.largest), f"{100 * fitted.of_sum:+.0f} %",
                      percent(left.typical), percent(left.largest)])
    return markdown(table)


def part():
    networks = read_networks()
    return ("The figures of the GPUs:\n\n" + figure_table() + "\nThe constants:\n\n" + constant_table() +
            "\nMilliseconds of a call, without copies from and to the host. No constant is fitted to networks:\n\n" + network_table(networks) +
            f"\nThe {LONGEST} kernels that take longest together, at batch 32 on an H100. \"At a time\": blocks that a "
            "multiprocessor holds. \"Memory alone\": the bytes at the vendor's rate.\n\n" + longest_table(networks) +
            "\nHow far the model is from the launches that were measured on an H100 (`bench/cuda/model/measured.json`). \"Left out\": by "
            "constants that were fitted without the launches of that row.\n\n" + error_table(calibration.read()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", type=pathlib.Path, default=ROOT / "docs" / "reference" / "cuda-kernels.md")
    parser.add_argument("--toolkit", help="as of scripts/cuda_report.py, for --record")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--update", action="store_true")
    action.add_argument("--check", action="store_true")
    action.add_argument("--record", nargs=3, type=pathlib.Path, metavar=("COMMAND", "COUNTS", "LIBRARY"))
    options = parser.parse_args()
    if options.record:
        import record
        LAUNCHES.write_text(record.networks(*options.record, cuda_report.toolkit(options.toolkit)))
        return
    if not options.update and not options.check:
        print(part(), end="")
        return
    page = options.page.read_text()
    written = cuda_report.replaced(page, BEGIN, END, part())
    if options.update:
        options.page.write_text(written)
    elif written != page:
        raise SystemExit(f"predict: the tables in {options.page} are not those of this script; write them anew with --update")


if __name__ == "__main__":
    main()
