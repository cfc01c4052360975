#!/usr/bin/env python3
"""Many callers at once: calls a second and how long they take, in mxinfer, ONNX Runtime, OpenVINO and MXNet, in turn in one run.

    sh bench/peers/callers/run.sh                                            20 minutes on two cores
    sh bench/peers/callers/run.sh --quick                                    about 5
    sh bench/peers/callers/run.sh --networks mobilenetv2_1.0 --callers 16 64

run.sh makes the Python environments first. Batch 1, all cores. In every round each number of callers is measured in each
way, one turn after the other, so that whatever else is at work disturbs all of them; medians of the rounds count. Those whose outputs
are not those of mxinfer are not compared. At the end: the best way of mxinfer over that of the peers (above 1 mxinfer is
ahead), what it keeps of its own best rate with many callers, and its p99 beside the least of a peer's.
"""
import argparse
import contextlib
import datetime
import json
import os
import pathlib
import random
import sys
import time

PEERS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(PEERS), str(PEERS.parents[1] / "tests" / "oracle")]

import callers_report
import callers_ways
import contestants
import machine
import measure
import prepare
import programs
import report
from callers_report import TITLES
from contestants import Unable
from networks import NETWORKS

CALLERS = [1, 2, 4, 16, 64]
LIBRARIES = ["mxnet", "onnxruntime", "openvino"]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", nargs="+", choices=NETWORKS, default=["resnet18_v1", "mobilenetv2_1.0"], metavar="NETWORK",
                        help="which of " + ", ".join(NETWORKS))
    parser.add_argument("--callers", type=int, nargs="+", default=None, help="default 1 2 4 16 64; with --quick 1 4 16")
    parser.add_argument("--ways", nargs="+", choices=TITLES, default=list(TITLES), metavar="WAY",
                        help="which of " + ", ".join(TITLES))
    parser.add_argument("--rounds", type=int, default=None, help="turns of each (default 3; with --quick 2)")
    parser.add_argument("--seconds", type=float, default=None, help="length of a turn (default 3; with --quick 1.5)")
    parser.add_argument("--quick", action="store_true", help="fewer callers, fewer and shorter turns")
    parser.add_argument("--json", metavar="FILE", help="write the results there; cells that are there already stay")
    parser.add_argument("--markdown", action="store_true", help="print tables as documentation has them")
    parser.add_argument("--mxinfer", default=str(programs.MXINFER))
    parser.add_argument("--models", type=pathlib.Path, default=programs.PEERS / "models",
                        help="where networks are kept (default %(default)s)")
    options = parser.parse_args()
    usual = ([1, 4, 16], 2, 1.5) if options.quick else (CALLERS, 3, 3.0)
    options.callers, options.rounds, options.seconds = (
        given or value for given, value in zip((options.callers, options.rounds, options.seconds), usual))
    return options


def start_all(options, setup, network, cores, stack):
    """({name: way}, {name: why not})."""
    with contestants.start("mxinfer", setup, network, 1, cores) as mxinfer:
        expected = measure.predict(mxinfer)
    running, unable = {}, {}
    for name in options.ways:
        print(f"  starting {TITLES[name]}", file=sys.stderr)
        try:
            running[name] = callers_ways.start(name, setup, network, cores, expected)
            stack.callback(running[name].close)
        except Unable as error:
            unable[name] = str(error)
            print(f"  {TITLES[name]}: {error}", file=sys.stderr)
    return running, unable


def take_turn(running, unable, name, callers, seconds):
    """The turn, or None. Who failed once is not asked again."""
    try:
        return running[name].turn(callers, seconds)
    except callers_ways.NotEnoughMemory as error:
        unable[name, callers] = str(error)
    except Unable as error:
        unable[name] = str(error)
    print(f"  {TITLES[name]}, {callers} callers: {unable.get(name) or unable[name, callers]}", file=sys.stderr)
    return None


def one_round(options, running, unable, turns, number):
    """In another order each time: what disturbs for a while does not always meet the same neighbours."""
    cells = [(name, callers) for callers in options.callers for name in running if callers_ways.takes(name, callers)]
    for name, callers in random.Random(number).sample(cells, len(cells)):
        if name not in unable and (name, callers) not in unable:
            found = take_turn(running, unable, name, callers, options.seconds)
            if found:
                turns.setdefault((name, callers), []).append(found)
                print(f"  {callers:3} callers  {TITLES[name]:33} {found['calls_per_s']:8.1f} calls/s  p50 {found['p50_ms']:8.1f}  "
                      f"p99 {found['p99_ms']:8.1f} ms", file=sys.stderr)
            time.sleep(measure.PAUSE)


def result_of(turns, note, why):
    if why or not turns:
        return {"unable": why or "not measured"}
    return {**callers_report.summary(turns), **({"note": note} if note else {}), "turns": turns}


def measure_network(options, setup, network, cores):
    turns = {}
    with contextlib.ExitStack() as stack:
        running, unable = start_all(options, setup, network, cores, stack)
        for done in range(options.rounds):
            print(f"{network.title}, round {done + 1} of {options.rounds}", file=sys.stderr)
            one_round(options, running, unable, turns, done)
        notes = {name: way.note for name, way in running.items()}
    return [{"network": network.name, "callers": callers, "ways": {
        name: result_of(turns.get((name, callers)), notes.get(name), unable.get(name) or unable.get((name, callers)))
        for name in options.ways if callers_ways.takes(name, callers)}} for callers in options.callers]


def key(cell):
    return list(NETWORKS).index(cell["network"]), cell["callers"]


def write(path, cells, facts):
    path = pathlib.Path(path)
    before = json.loads(path.read_text())["cells"] if path.exists() else []
    all_cells = {key(cell): cell for cell in before + cells}
    path.write_text(json.dumps({**facts, "cells": [all_cells[k] for k in sorted(all_cells)]}, indent=1) + "\n")


def print_results(options, cells, cores):
    cpu = machine.cpu()
    print(f"{cpu['model']}, {cores} cores, {', '.join(cpu['isa'])}; {datetime.date.today().isoformat()}\n")
    if options.markdown:
        print(callers_report.markdown_tables(cells))
    else:
        print("\n\n".join(report.aligned(rows) for rows in callers_report.tables(cells)))
    for note in callers_report.notes(cells):
        print(note)


def main():
    options = parse_arguments()
    cores = len(os.sched_getaffinity(0))
    setup = contestants.Setup(str(pathlib.Path(options.mxinfer).resolve()), options.models.resolve(), programs.find_programs())
    facts = {"date": datetime.date.today().isoformat(), "machine": machine.cpu(),
             "versions": machine.versions(setup.pythons, LIBRARIES)}
    cells = []
    for name in options.networks:
        prepare.prepare(setup, setup.pythons, NETWORKS[name], 1, LIBRARIES)
        cells += measure_network(options, setup, NETWORKS[name], cores)
        if options.json:
            write(options.json, cells, facts)
    print_results(options, cells, cores)


if __name__ == "__main__":
    main()
