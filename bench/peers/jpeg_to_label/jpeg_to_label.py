#!/usr/bin/env python3
"""From JPEG files to labels: images a second in mxinfer, and in ONNX Runtime and OpenVINO behind OpenCV, in turn in one run.

    sh bench/peers/jpeg_to_label/run.sh                                        10 minutes on two cores
    sh bench/peers/jpeg_to_label/run.sh --quick                                3 minutes
    sh bench/peers/jpeg_to_label/run.sh --networks mobilenetv2_1.0 --scaled yes

run.sh makes the Python environments first. A turn classifies all files of a size, from the disk's cache, on all cores: read,
decode, shorter side to 256, middle 224 x 224, normalise, network, best class. The peers are set up in two ways, of which the
faster one counts: each thread decodes a file and runs the network on it; or threads decode ahead of a network that runs on
batches of 8. Besides images a second the table has the processor's milliseconds for an image, which other programs on a busy
machine disturb less. --scaled lets all of them decode at a half, a quarter or an eighth of the sides where enough pixels are left. Before
they are timed, the labels of all are compared with mxinfer's.
"""
import argparse
import contextlib
import datetime
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[2] / "tests" / "oracle")]

import contestants
import label_report as report
import machine
import opencv_steps
import photos
import prepare
import programs
from contestants import Unable
from measure import PAUSE
from networks import NETWORKS

SIZES = {"500x375": (500, 375), "1920x1080": (1920, 1080)}
# Batches that the ONNX files fix: of "each" and of "ahead".
BATCHES = (1, 8)
WARM_UP = 8


class Labeller(contestants.Worker):
    """A contestant that classifies lists of files."""

    def __init__(self, script, config, python, environment):
        self.errors, self.note = tempfile.TemporaryFile("w+"), ""
        self.process = subprocess.Popen([python, "-W", "ignore", HERE / script, json.dumps(config)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=self.errors, text=True, env=environment)
        try:
            self.read()
        except Unable:
            self.close()
            raise

    def turn(self, paths):
        """Images a second, and the processor's milliseconds for one."""
        found = self.ask(paths=paths)
        return len(paths) / found["seconds"], found["cpu_seconds"] / len(paths) * 1e3

    def scores(self, paths):
        import numpy as np
        with tempfile.TemporaryDirectory() as folder:
            self.ask(paths=paths, scores=f"{folder}/all.npy")
            return np.load(f"{folder}/all.npy")


def start(name, setup, network, scaled, threads):
    config = {"threads": threads, "scaled": scaled, "model": str(setup.models / network.name / "b{batch}" / "model.onnx")}
    environment = setup.environment(name, threads)
    if name in report.OWN:
        settings = {"scaled_decoding": "true"} if scaled else {}
        if name == "mxinfer":
            settings["batch_size"] = 8
        config.update(model=str(setup.models / network.name / "model"), library_path=str(setup.c_library()), settings=settings,
                      list=0 if name == "mxinfer" else 8)
        return Labeller("mxinfer_worker.py", config, setup.pythons["mxinfer"], environment)
    config["library"], config["arrangement"] = name.split("_")
    return Labeller("opencv_worker.py", config, setup.pythons[config["library"]], environment)


def start_all(options, setup, network, scaled, threads, stack):
    """({name: labeller}, {name: why not})."""
    running, unable = {}, {}
    for name in options.contestants:
        try:
            running[name] = start(name, setup, network, scaled, threads)
            stack.callback(running[name].close)
        except Unable as error:
            unable[name] = str(error)
            print(f"  {report.TITLES[name]}: {error}", file=sys.stderr)
    return running, unable


def compare_labels(running, paths):
    """{name: {"agreement", "difference"}}, with the first one's, which is mxinfer's."""
    expected, found = None, {}
    for name, labeller in running.items():
        scores = labeller.scores(paths)
        if expected is None:
            expected = scores
            continue
        found[name] = {"agreement": report.agreement(report.centred_labels(expected.tolist()), report.centred_labels(scores.tolist())),
                       "difference": float(abs(scores - expected).max() / abs(expected).max())}
    return found


def measure(options, setup, network, size, scaled, threads):
    width, height = SIZES[size]
    paths = [str(path) for path in photos.write(options.photos / size, width, height, options.files)]
    turns = {}
    with contextlib.ExitStack() as stack:
        running, unable = start_all(options, setup, network, scaled, threads, stack)
        found = compare_labels(running, paths)
        for number in range(options.rounds):
            for name in random.Random(number).sample(list(running), len(running)):
                running[name].turn(paths[:WARM_UP])  # after what others did to the caches meanwhile
                turns.setdefault(name, []).append(running[name].turn(paths))
                time.sleep(PAUSE)
            print(f"  round {number + 1} of {options.rounds}", end="\r", file=sys.stderr, flush=True)
    results = {name: {**report.summary(turns[name]), **found.get(name, {})} for name in running}
    results.update({name: {"unable": why} for name, why in unable.items()})
    return {"network": network.name, "width": width, "height": height, "scaled": scaled, "files": len(paths), "threads": threads,
            "contestants": {name: results[name] for name in options.contestants}}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", nargs="+", choices=["resnet18_v1", "mobilenetv2_1.0"], metavar="NETWORK",
                        default=["resnet18_v1", "mobilenetv2_1.0"], help="resnet18_v1, mobilenetv2_1.0 or both")
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES), metavar="SIZE", help="of the photos: " + ", ".join(SIZES))
    parser.add_argument("--scaled", choices=["no", "yes", "both"], default="both", help="decode at a part of the sides (default both)")
    parser.add_argument("--contestants", nargs="+", choices=report.TITLES, default=list(report.TITLES), metavar="CONTESTANT",
                        help="which of " + ", ".join(report.TITLES))
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--files", type=int, default=None, help="photos of each size (default 100; with --quick 48)")
    parser.add_argument("--rounds", type=int, default=None, help="turns of each (default 7; with --quick 3)")
    parser.add_argument("--quick", action="store_true", help="fewer files and turns")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the results there")
    parser.add_argument("--markdown", action="store_true", help="print the table as documentation has it")
    parser.add_argument("--mxinfer", default=str(programs.MXINFER))
    parser.add_argument("--models", type=pathlib.Path, default=programs.PEERS / "models", help="where networks are kept (default %(default)s)")
    parser.add_argument("--photos", type=pathlib.Path, default=programs.PEERS / "photos", help="where photos are kept (default %(default)s)")
    options = parser.parse_args()
    options.files = options.files or (48 if options.quick else 100)
    options.rounds = options.rounds or (3 if options.quick else 7)
    return options


def cells_of(options, setup):
    for name in options.networks:
        for batch in BATCHES:
            prepare.prepare(setup, setup.pythons, NETWORKS[name], batch, ["onnxruntime", "openvino"])
        for size in options.sizes:
            for scaled in {"no": [False], "yes": [True], "both": [False, True]}[options.scaled]:
                if scaled and opencv_steps.reduction(*SIZES[size]) == 1:
                    continue  # as without
                print(f"{NETWORKS[name].title}, {size}{', scaled' if scaled else ''}", file=sys.stderr)
                yield measure(options, setup, NETWORKS[name], size, scaled, options.threads)


def main():
    options = parse_arguments()
    setup = contestants.Setup(str(pathlib.Path(options.mxinfer).resolve()), options.models.resolve(), programs.find_programs())
    cpu = machine.cpu()
    facts = {"date": datetime.date.today().isoformat(), "cpu": cpu, "versions": machine.versions(setup.pythons, ["onnxruntime", "openvino"])}
    cells = []
    for cell in cells_of(options, setup):
        cells.append(cell)
        print(report.text(cells[-1:]), file=sys.stderr)
        if options.json:
            options.json.write_text(json.dumps({**facts, "cells": cells}, indent=1) + "\n")
    print(f"{cpu['model']}, {cpu['cores']} cores, {', '.join(cpu['isa'])}; {facts['date']}; {options.threads} threads, images a second\n")
    print(report.text(cells))
    if options.markdown:
        print("\n" + report.markdown_table(cells))


if __name__ == "__main__":
    main()
