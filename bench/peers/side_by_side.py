#!/usr/bin/env python3
"""Times whole networks in mxinfer, MXNet with oneDNN, ONNX Runtime, OpenVINO and ncnn, in turn in one run, on the CPU.

    sh bench/peers/run.sh                                            everything: hours on a small machine
    sh bench/peers/run.sh --quick                                    three networks, a few minutes
    sh bench/peers/run.sh --networks resnet50_v1 --threads 1 --batches 1 --contestants mxinfer openvino

run.sh makes the Python environments first. Each contestant predicts before it is timed: one whose outputs are not those
of mxinfer is not compared. Times are medians in milliseconds for one sample; the ratio is mxinfer's over that of the
fastest peer, below 1.0 where mxinfer is ahead. Machines differ and are shared: the ratios are the result.
"""
import argparse
import datetime
import json
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "oracle"))

import contestants
import measure
import prepare
import report
from names import NAMES
from networks import NETWORKS

# As in setup.sh.
PEERS = pathlib.Path(os.environ.get("MXINFER_PEERS", ROOT / "build" / "peers"))
ORACLE = pathlib.Path(os.environ.get("MXINFER_ORACLE_VENV", ROOT / "build" / "oracle"))
QUICK = ["resnet18_v1", "resnet50_v1", "mobilenetv2_1.0"]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", nargs="+", choices=NETWORKS, default=list(NETWORKS), metavar="NETWORK",
                        help="which of " + ", ".join(NETWORKS))
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--batches", type=int, nargs="+", help="for all networks (default: two sizes, each network's own)")
    parser.add_argument("--contestants", nargs="+", choices=NAMES, default=NAMES)
    parser.add_argument("--rounds", type=int, default=5, help="turns of each contestant (default %(default)s)")
    parser.add_argument("--runs", type=int, default=5, help="calls in a turn, at least (default %(default)s)")
    parser.add_argument("--seconds", type=float, default=0.5, help="length of a turn, at least (default %(default)s)")
    parser.add_argument("--isa", choices=contestants.ISA, default="", help="hold those that can be to an instruction set")
    parser.add_argument("--quick", action="store_true", help="three networks at batch 1, three short turns")
    parser.add_argument("--json", metavar="FILE", help="write the results there; is rewritten after each cell")
    parser.add_argument("--mxinfer", default=str(ROOT / "build" / "release" / "bin" / "mxinfer"))
    parser.add_argument("--models", type=pathlib.Path, default=PEERS / "models",
                        help="where networks are kept (default %(default)s)")
    options = parser.parse_args()
    if options.quick:
        options.networks, options.batches, options.rounds, options.seconds = QUICK, [1], 3, 0.3
    return options


def find_programs():
    """Programs by what they are for."""
    engines = PEERS / "environments" / "engines"
    found = {name: engines / "bin" / "python" for name in ("onnxruntime", "openvino", "ncnn")}
    pnnx = next(engines.glob("lib/python3*/site-packages/pnnx/pnnx"), engines / "pnnx")
    return {**found, "mxnet": ORACLE / "bin" / "python", "export": PEERS / "environments" / "export" / "bin" / "python",
            "pnnx": pnnx}


def run(options):
    programs = find_programs()
    setup = contestants.Setup(str(pathlib.Path(options.mxinfer).resolve()), options.models.resolve(), programs, options.isa)
    cells = []
    for name in options.networks:
        network = NETWORKS[name]
        for batch in options.batches or network.batches:
            prepare.prepare(setup, programs, network, batch, options.contestants)
            for threads in options.threads:
                print(f"{network.title}, batch {batch}, {threads} threads", file=sys.stderr)
                cells.append(measure.measure(options, setup, network, batch, threads))
                print(report.text_table(cells[-1:]), file=sys.stderr)
                write(options, cells)
    return cells


def write(options, cells):
    if options.json:
        found = {"date": datetime.date.today().isoformat(), "isa": options.isa, "cells": cells}
        pathlib.Path(options.json).write_text(json.dumps(found, indent=1) + "\n")


def main():
    options = parse_arguments()
    cells = run(options)
    print(report.text_table(cells))


if __name__ == "__main__":
    main()
