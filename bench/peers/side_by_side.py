#!/usr/bin/env python3
"""Times whole networks in mxinfer, MXNet with oneDNN, ONNX Runtime, OpenVINO and ncnn, in turn in one run, on the CPU.

    sh bench/peers/run.sh                                            everything: hours on a small machine
    sh bench/peers/run.sh --quick                                    three networks, a few minutes
    sh bench/peers/run.sh --networks resnet50_v1 --threads 1 --batches 1 --contestants mxinfer openvino
    sh bench/peers/run.sh --networks resnet18_v1 --precision bfloat16
    sh bench/peers/run.sh --quick --precision int8                   each quantized by its own tool, on one calibration set
    sh bench/peers/run.sh --detectors                                SSD, YOLO and Faster R-CNN, a quarter of an hour
    sh bench/peers/run.sh --quick --device cuda:0                    on an NVIDIA GPU, beside PyTorch, ONNX Runtime and TensorRT

run.sh makes the Python environments first. Each contestant predicts before it is timed: one whose outputs are not those
of mxinfer is not compared. In int8, outputs for the calibration set are compared with MXNet's in float32, and the table gives
the signal-to-noise ratio and how many samples keep their best class, both without the mean over the samples. Times are medians in milliseconds for one sample; the ratio is mxinfer's over that of the
fastest peer, below 1.0 where mxinfer is ahead. Machines differ and are shared: the ratios are the result.
"""
import argparse
import datetime
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "oracle"))

import chart
import contestants
import machine
import measure
import page
import prepare
import programs
import report
import roofline
import start_up
from names import FLOAT32, GPU_NAMES, NAMES
from networks import DETECTORS, IMAGE_NETWORKS, NETWORKS

QUICK = ["resnet18_v1", "resnet50_v1", "mobilenetv2_1.0"]
DETECTOR_PEERS = ["mxnet", "onnxruntime", "openvino"]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", nargs="+", choices=NETWORKS, metavar="NETWORK",
                        help="which of " + ", ".join(NETWORKS))
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--batches", type=int, nargs="+", help="for all networks (default: two sizes, each network's own)")
    parser.add_argument("--contestants", nargs="+", choices=list(dict.fromkeys([*NAMES, FLOAT32, *GPU_NAMES])))
    parser.add_argument("--rounds", type=int, default=5, help="turns of each contestant (default %(default)s)")
    parser.add_argument("--runs", type=int, default=5, help="calls in a turn, at least (default %(default)s)")
    parser.add_argument("--seconds", type=float, default=0.5, help="length of a turn, at least (default %(default)s)")
    parser.add_argument("--isa", choices=contestants.ISA, default="", help="hold those that can be to an instruction set")
    parser.add_argument("--precision", choices=contestants.PRECISIONS, default="",
                        help="in place of float32, and those alone that can be asked for it")
    parser.add_argument("--device", default="", metavar="cuda:N",
                        help="an NVIDIA GPU in place of the CPU; from and to memory of the process all the same")
    parser.add_argument("--quick", action="store_true", help="three networks at batch 1, three short turns")
    parser.add_argument("--detectors", action="store_true",
                        help="networks that find boxes, at batch 1 and two threads, and how far mxinfer is ahead of each peer")
    parser.add_argument("--json", metavar="FILE", help="write the results there, after each cell; what is there already stays")
    parser.add_argument("--chart", metavar="FILE", help="draw the ratios there (.png)")
    parser.add_argument("--extras", action="store_true",
                        help="start-up and memory of each contestant and the layers of mxinfer too, with ResNet-50")
    parser.add_argument("--write-docs", metavar="FILE", help="write the page of all results and its chart; implies --extras")
    parser.add_argument("--no-cells", action="store_true", help="time no networks: page, chart and extras of the --json")
    parser.add_argument("--mxinfer", default=str(programs.MXINFER))
    parser.add_argument("--models", type=pathlib.Path, default=programs.PEERS / "models",
                        help="where networks are kept (default %(default)s)")
    options = parser.parse_args()
    if options.detectors:
        options.networks, options.batches, options.threads = DETECTORS, [1], [2]
        options.contestants = options.contestants or ["mxinfer", *DETECTOR_PEERS]
    options.contestants = options.contestants or (GPU_NAMES if options.device else [*NAMES, FLOAT32])
    if options.device:
        options.threads = options.threads[:1]
    # FLOAT32 is beside mxinfer in a precision that asks for it; in float32 it would be mxinfer once more.
    able = contestants.PRECISIONS.get(options.precision) or [name for name in options.contestants if name != FLOAT32]
    options.contestants = [name for name in options.contestants if name in able]
    if options.quick:
        options.networks, options.batches, options.rounds, options.seconds = QUICK, [1], 3, 0.3
    if options.precision == "int8":
        choose_int8(parser, options)
    options.networks = options.networks or list(NETWORKS)
    return options


def choose_int8(parser, options):
    """Networks that can be calibrated, by default all images."""
    if options.device:
        parser.error("--precision int8 is compared on the CPU only; leave --device out")
    unable = [name for name in options.networks or [] if not NETWORKS[name].is_batched()]
    if unable:
        parser.error(f"--precision int8 cannot calibrate {', '.join(unable)}: the batch is not the first dimension of each input")
    options.networks = options.networks or IMAGE_NETWORKS


def key(cell):
    return list(NETWORKS).index(cell["network"]), cell["batch"], cell["threads"], *(cell.get(name, "") for name in ("isa", "precision", "device"))


class Results:
    """What has been measured. A file that is there is added to: the same cells are measured anew, others stay."""

    def __init__(self, path):
        self.path = path and pathlib.Path(path)
        self.found = json.loads(self.path.read_text()) if self.path and self.path.exists() else {"cells": []}

    def add_cell(self, cell):
        cells = {key(old): old for old in self.found["cells"]} | {key(cell): cell}
        self.found["cells"] = [cells[k] for k in sorted(cells)]
        self.write()

    def write(self):
        self.found["date"] = datetime.date.today().isoformat()
        if self.path:
            self.path.write_text(json.dumps(self.found, indent=1) + "\n")


def time_networks(options, setup, results):
    cells = []
    for name in options.networks:
        network = NETWORKS[name]
        for batch in options.batches or network.batches:
            prepare.prepare(setup, setup.pythons, network, batch, options.contestants)
            for threads in options.threads:
                print(f"{network.title}, batch {batch}, {threads} threads", file=sys.stderr)
                cells.append(measure.measure(options, setup, network, batch, threads))
                print(report.text_table(cells[-1:]), file=sys.stderr)
                results.add_cell(cells[-1])
    return cells


def measure_extras(options, setup, found):
    network = NETWORKS["resnet50_v1"]
    prepare.prepare(setup, setup.pythons, network, 1, options.contestants)
    print("start-up, memory and layers of ResNet-50", file=sys.stderr)
    found["start_up"] = {str(threads): start_up.measure(options, setup, network, threads) for threads in options.threads}
    shape = "data=" + ",".join(map(str, network.inputs(1)["data"]))
    nodes = roofline.times_by_node(setup.mxinfer, str(setup.models / network.name / "model"), shape, 1, 5)
    found["roofline"] = roofline.layers(nodes)
    found["machine"] = {"cpu": machine.cpu(), "peak": machine.peak(options.threads),
                        "versions": machine.versions(setup.pythons, options.contestants)}
    held = "".join(f" --{name} {getattr(options, name)}" for name in ("isa", "precision", "device") if getattr(options, name))
    found["command"] = "sh bench/peers/run.sh --write-docs docs/reference/performance.md" + held


def write_docs(path, found):
    path.write_text(page.page(found))
    chart.draw(found["cells"], path.with_suffix(".png"))


def main():
    options = parse_arguments()
    setup = contestants.Setup(str(pathlib.Path(options.mxinfer).resolve()), options.models.resolve(), programs.find_programs(),
                              options.isa, options.precision, options.device)
    results = Results(options.json)
    cells = results.found["cells"] if options.no_cells else time_networks(options, setup, results)
    if options.extras or options.write_docs and not (options.no_cells and "roofline" in results.found):
        measure_extras(options, setup, results.found)
        results.write()
    print(report.text_table(cells))
    if options.detectors:
        print(report.markdown(report.ahead(cells)), end="")
    if options.chart:
        chart.draw(cells, options.chart)
    if options.write_docs:
        write_docs(pathlib.Path(options.write_docs), results.found)


if __name__ == "__main__":
    main()
