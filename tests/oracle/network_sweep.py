#!/usr/bin/env python3
"""Holds mxinfer to MXNet on whole networks: every one of GluonCV's model zoo, and language models of GluonNLP.

    network_sweep.py --mxinfer build/release/bin/mxinfer              all of them; an hour or two
    network_sweep.py --mxinfer ... 'yolo3_*' bert_small               these
    network_sweep.py --mxinfer ... --ci                               a dozen that have little in common
    network_sweep.py --mxinfer ... --device cuda:0 --results FILE     on a GPU; an error if a step of it is on the CPU
    network_sweep.py --write-docs docs/reference/networks.md                    the table of all results, once they are there

Each network gets seeded weights and BatchNorm statistics that are neither zero nor one, is exported, and is run by MXNet
and by `mxinfer predict` on the same inputs, in a process of its own. The largest difference may be 1e-4 of an output's
largest magnitude. Where it is more, `mxinfer diff` names the first node that differs, each node is run alone on MXNet's
values, and MXNet runs again on inputs that are changed by a millionth. Results are appended to a file: a run
that was interrupted goes on where it was. Wants `setup.sh --networks`.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time

from sweep import networks, report


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="*", metavar="NETWORK", help="names or globs; all of them by default")
    parser.add_argument("--mxinfer", metavar="PATH", help="the command; without it MXNet alone runs")
    parser.add_argument("--device", metavar="NAME", help="where mxinfer computes all of it: cuda:0 (default: on the CPU)")
    parser.add_argument("--ci", action="store_true", help="a dozen that have little in common")
    parser.add_argument("--list", action="store_true", help="print the names")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="networks at a time (default 1)")
    parser.add_argument("--results", default="build/network_sweep.jsonl", metavar="FILE",
                        help="where results are appended (default %(default)s)")
    parser.add_argument("--again", choices=["all", "failed"], help="run those too that have a result, or had a bad one")
    parser.add_argument("--keep", metavar="DIR", help="keep exported networks, inputs and outputs there")
    parser.add_argument("--json", metavar="FILE", help="write the results of this run there as one list")
    parser.add_argument("--write-docs", metavar="FILE", help="write the table of all results, and run nothing")
    parser.add_argument("--seconds", type=float, default=600, help="limit of one network (default %(default)s)")
    parser.add_argument("--gigabytes", type=float, default=12, help="memory of one process (default %(default)s)")
    parser.add_argument("--one", nargs=2, metavar=("NETWORK", "DIR"), help=argparse.SUPPRESS)
    return parser, parser.parse_args()


def run_one(options):
    """In the process of one network: its result is the last line."""
    limit = int(options.gigabytes * 2**30)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    from sweep import command, worker
    name, folder = options.one
    mxinfer = command.Command(options.mxinfer, options.device) if options.mxinfer else None
    print("\n" + json.dumps(worker.check(name, mxinfer, pathlib.Path(folder))))
    return 0


def last_result(text):
    for line in reversed(text.splitlines()):
        if line.startswith("{"):
            return json.loads(line)
    return None


def run_process(name, options, folder):
    command = [sys.executable, __file__, "--one", name, str(folder), "--gigabytes", str(options.gigabytes)]
    command += ["--mxinfer", options.mxinfer] if options.mxinfer else []
    command += ["--device", options.device] if options.device else []
    result = {"network": name, "traced": False, "loads": False, "runs": False, "agrees": False, "stopped": True}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          start_new_session=True) as process:
        try:
            output, errors = process.communicate(timeout=options.seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # the command it runs too
            process.communicate()
            return {**result, "reason": f"stopped after {options.seconds:.0f} s"}
    found = last_result(output)
    if found is None:
        lines = errors.strip().splitlines() or ["no message"]
        found = {**result, "reason": f"the process ended with {process.returncode}: {lines[-1][:200]}"}
    return found


def check(name, options):
    start = time.time()
    if options.keep:
        folder = pathlib.Path(options.keep).resolve() / name
        folder.mkdir(parents=True, exist_ok=True)
        result = run_process(name, options, folder)
    else:
        with tempfile.TemporaryDirectory() as temporary:
            result = run_process(name, options, pathlib.Path(temporary))
    result["seconds"] = round(time.time() - start, 1)
    return result


def read_results(path):
    """The newest result of each network."""
    results = {}
    if path.exists():
        for line in path.read_text().splitlines():
            try:
                result = json.loads(line)
                results[result["network"]] = result
            except (ValueError, KeyError):  # a line that was cut off
                continue
    return results


def chosen(known, options, parser):
    if options.ci:
        return [name for name in networks.CI if name in known]
    names = []
    for pattern in options.networks or ["*"]:
        found = fnmatch.filter(known, pattern)
        if not found:
            parser.error(f"no network is named '{pattern}'; --list prints the names")
        names += [name for name in found if name not in names]
    return names


def show_bar(done, total, start):
    if not sys.stderr.isatty():
        return
    filled = 30 * done // total
    left = (time.time() - start) / done * (total - done) if done else 0
    sys.stderr.write(f"\r[{'#' * filled}{'.' * (30 - filled)}] {done}/{total}, {left / 60:.0f} min left \r")
    sys.stderr.flush()


def run(names, options, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    results = []
    start = time.time()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        pending = [pool.submit(check, name, options) for name in names]
        for future in concurrent.futures.as_completed(pending):
            results.append(future.result())
            with path.open("a") as file:
                file.write(json.dumps(results[-1]) + "\n")
            print(report.line(results[-1]), flush=True)
            show_bar(len(results), len(names), start)
    return results


def main():
    parser, options = parse_arguments()
    if options.mxinfer:
        options.mxinfer = str(pathlib.Path(options.mxinfer).resolve())
    if options.one:
        return run_one(options)
    if options.ci and options.list:  # without GluonCV
        print("\n".join(networks.CI))
        return 0
    known = networks.networks()
    names = chosen(list(known), options, parser)
    if options.list:
        print("\n".join(names))
        return 0
    path = pathlib.Path(options.results)
    if options.write_docs:
        pathlib.Path(options.write_docs).write_text(report.page(known, read_results(path)))
        return 0
    before = read_results(path)
    if options.again != "all":
        done = [name for name in names if name in before and (options.again is None or before[name]["agrees"])]
        if done:
            print(f"{len(done)} networks have a result in {path}; --again all runs them too")
        names = [name for name in names if name not in done]
    results = run(names, options, path)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=1) + "\n")
    counts = collections.Counter(report.status(result) for result in results)
    print(f"{len(results)} networks: " + ", ".join(f"{count} {status}" for status, count in counts.items()))
    # Whoever names a network wants it to run.
    expected = {report.AGREES} if options.ci or options.networks else {report.AGREES, report.NOT_TRACED, report.UNSTABLE}
    return 0 if set(counts) <= expected else 1


if __name__ == "__main__":
    sys.exit(main())
