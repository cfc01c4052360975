#!/usr/bin/env python3
"""Measures the digit detector through mxinfer: the mean average precision on held-out scenes.

    build/oracle/bin/python models/digit_detector/evaluate.py [--scenes 500] [--seed 1] [--mxinfer build/release/bin/mxinfer]

Any Python with NumPy and Pillow will do. The digits in the scenes are none that the detector was trained on, every
seed gives other scenes, and what finds the digits is the command `mxinfer predict`.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import scenes
import scoring

HERE = pathlib.Path(__file__).resolve().parent
COMMAND = HERE.parent.parent / "build" / "release" / "bin" / "mxinfer"
BATCH = 50  # scenes in one run of the command


def detect(command, model, pictures):
    """What mxinfer finds in pictures (N, height, width, 3): for each a list of (class, score, left, top, right, bottom)."""
    with tempfile.TemporaryDirectory() as folder:
        data, out = pathlib.Path(folder) / "data.npy", pathlib.Path(folder) / "out"
        np.save(data, pictures)
        subprocess.run([command, "predict", model, "--input", f"data={data}", "--output", out], check=True,
                       stdout=subprocess.DEVNULL)
        rows = np.load(out / "0.npy").astype(np.float64)
    rows[:, :, 2:] *= scenes.SIDE
    return [list(found[found[:, 0] >= 0]) for found in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=500, help="how many scenes (default: 500)")
    parser.add_argument("--seed", type=int, default=1, help="of the scenes (default: 1)")
    parser.add_argument("--model", default=str(HERE), help="another detector of the same classes")
    parser.add_argument("--mxinfer", default=str(COMMAND), help="the command (default: build/release/bin/mxinfer)")
    parser.add_argument("--at-least", type=float, default=0, help="the exit status is 1 if the mean is below this")
    arguments = parser.parse_args()
    source = scenes.Scenes(held_out=True, seed=arguments.seed)
    found, truths = [], []
    while len(truths) < arguments.scenes:
        pictures, truth = zip(*[source.draw() for _ in range(min(BATCH, arguments.scenes - len(truths)))])
        found += detect(arguments.mxinfer, arguments.model, np.stack(pictures))
        truths += truth
        print(f"\r{len(truths)} of {arguments.scenes} scenes", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    precisions = scoring.average_precisions(found, truths, len(scenes.NAMES))
    for name, precision in zip(scenes.NAMES, precisions):
        print(f"AP@{scoring.IOU} of {name}: {precision:.4f}")
    mean = float(np.nanmean(precisions))
    print(f"mAP@{scoring.IOU} of {len(truths)} held-out scenes with {sum(map(len, truths))} digits: {mean:.4f}")
    return int(mean < arguments.at_least)


if __name__ == "__main__":
    sys.exit(main())
