#!/usr/bin/env python3
"""Measures the language identifier through mxinfer: how many sentences it tells right, by their length.

    build/oracle/bin/python models/language_id/evaluate.py [--mxinfer build/release/bin/mxinfer] [--all build/language_id]

Any Python with NumPy will do. The sentences are those of held_out.tsv and general.tsv, and with --all every sentence that
train.py has kept apart. What tells is the command `mxinfer predict`; with --mxnet it is MXNet.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import scoring

HERE = pathlib.Path(__file__).resolve().parent
COMMAND = HERE.parent.parent / "build" / "release" / "bin" / "mxinfer"
BATCH = 1000  # sentences in one run of the command


def tell(command, model, sentences):
    """The language of each, as mxinfer's command has it, which is given texts as UTF-8 with zero bytes behind them."""
    order, told = sorted(range(len(sentences)), key=lambda i: len(sentences[i])), [None] * len(sentences)
    for begin in range(0, len(order), BATCH):
        chosen = order[begin:begin + BATCH]
        rows = [np.frombuffer(sentences[i].encode(), dtype=np.uint8) for i in chosen]
        data = np.zeros((len(rows), max(map(len, rows))), dtype=np.uint8)
        for row, values in zip(data, rows):
            row[:len(values)] = values
        with tempfile.TemporaryDirectory() as folder:
            file, out = pathlib.Path(folder) / "text.npy", pathlib.Path(folder) / "out"
            np.save(file, data)
            subprocess.run([command, "predict", model, "--input", f"text={file}", "--output", out], check=True,
                           stdout=subprocess.DEVNULL)
            best = np.load(out / "0.npy").argmax(1)
        for i, label in zip(chosen, best):
            told[i] = scoring.names()[label]
    return told


def tell_by_mxnet(sentences):
    import mxnet_scores
    return [scoring.names()[label] for label in mxnet_scores.scores(sentences).argmax(1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", metavar="CACHE", help="also the sentences that train.py has left in this folder")
    parser.add_argument("--model", default=str(HERE), help="another model of the same languages")
    parser.add_argument("--mxinfer", default=str(COMMAND), help="the command (default: build/release/bin/mxinfer)")
    parser.add_argument("--mxnet", action="store_true", help="measure MXNet instead")
    parser.add_argument("--at-least", type=float, default=0, help="the exit status is 1 if less of held_out.tsv is right")
    arguments = parser.parse_args()
    sets = {name: scoring.read(HERE / f"{name}.tsv") for name in ("held_out", "general")}
    if arguments.all:
        kept = json.loads((pathlib.Path(arguments.all) / "sentences.json").read_text(encoding="utf-8"))["held_out"]
        sets["all that was kept apart"] = [(row[0], row[1], row[3]) for row in kept]
    accuracies = []
    for name, rows in sets.items():
        sentences = [row[2] for row in rows]
        told = tell_by_mxnet(sentences) if arguments.mxnet else tell(arguments.mxinfer, arguments.model, sentences)
        accuracies.append(scoring.report(name, rows, told))
    return int(accuracies[0] < arguments.at_least)


if __name__ == "__main__":
    sys.exit(main())
