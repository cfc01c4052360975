#!/usr/bin/env python3
"""Holds examples/mtcnn and examples/retinaface to the same detectors in MXNet, on photographs with faces and without.

    face_detectors.py --mtcnn build/release/examples/example_mtcnn
    face_detectors.py --retinaface build/release/examples/example_retinaface

Models and photographs are those of MXINFER_SHARED_DIR; without it the script ends with 77. Both must find the same faces: boxes
within half a pixel, landmarks within one, scores within 0.001, and on average within a twentieth of that. Pictures in which MXNet finds hardly any fail too.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from faces.mtcnn import Mtcnn
from faces.pictures import pictures, write_png
from faces.retinaface import RetinaFace

TOLERANCES = {"score": 1e-3, "box": 0.5, "landmarks": 1.0}
EXIT_SKIPPED = 77


def run(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} exited with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def rows_of(line):
    """A line of the program's JSON as an array (faces, 15)."""
    rows = [[face["score"], *face["box"], *sum(face["landmarks"], [])] for face in json.loads(line)["faces"]]
    return np.array(rows, np.float64).reshape(-1, 15)


def differences(found, expected):
    """{kind: (largest, mean)}. Each face is compared with the nearest that is left."""
    rows, left = [], list(range(len(expected)))
    for face in found:
        nearest = min(left, key=lambda i: np.abs(expected[i] - face)[1:5].max())
        left.remove(nearest)
        rows.append(np.abs(expected[nearest] - face))
    rows = np.array(rows).reshape(-1, 15)
    parts = {"score": rows[:, :1], "box": rows[:, 1:5], "landmarks": rows[:, 5:]}
    return {kind: (part.max(), part.mean()) if len(part) else (0.0, 0.0) for kind, part in parts.items()}


def compare(name, found, expected):
    """Whether they are the same faces; prints what they are."""
    if len(found) != len(expected):
        print(f"{name}: {len(found)} faces, MXNet finds {len(expected)}\n{found}\n{expected}")
        return False
    found_differences = differences(found, expected)
    # A crop that is rounded the other way moves one face; a formula that is slightly wrong moves all.
    good = all(largest <= TOLERANCES[kind] and mean <= TOLERANCES[kind] / 20
               for kind, (largest, mean) in found_differences.items())
    text = ", ".join(f"{kind} {largest:.2g}" for kind, (largest, _) in found_differences.items())
    print(f"{name}: {len(found)} faces, differ by {text}{'' if good else '  TOO MUCH'}")
    return good


def check(label, command, detect, images):
    """Runs the program on all pictures at once, and MXNet on each."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder) / f"{name}.png" for name in images]
        for path, pixels in zip(paths, images.values()):
            write_png(path, pixels)
        lines = run([*command, *paths, "--json"]).splitlines()
    assert len(lines) == len(images), lines
    good, total = True, 0
    for (name, pixels), line in zip(images.items(), lines):
        expected = detect(pixels)
        good = compare(f"{label} {name}", rows_of(line), expected) and good
        total += len(expected)
    print(f"{label}: {total} faces in {len(images)} pictures")
    if total < 5 * len(images):
        print(f"{label}: so few faces say nothing")
        good = False
    return good


def check_retinaface(program, models, images):
    good = True
    for name in ("retinaface_mnet25", "retinaface_mnet25_softmax"):
        good = check(name, [program, models / name], RetinaFace(models / name).detect, images) and good
    name = "retinaface_mnet25"
    network, some = RetinaFace(models / name), {kind: images[kind] for kind in ("crowd", "middle", "one_face")}
    return check(f"{name} of 1024", [program, models / name, "--side", 1024],
                 lambda pixels: network.detect(pixels, 1024), some) and good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mtcnn")
    parser.add_argument("--retinaface")
    options = parser.parse_args()
    models = pathlib.Path(os.environ.get("MXINFER_SHARED_DIR") or "/nowhere") / "models"
    if not (models / "images").is_dir():
        print("MXINFER_SHARED_DIR is not set to a folder with models/: face detectors are NOT tested")
        return EXIT_SKIPPED
    images, good = pictures(models / "images"), True
    if options.mtcnn:
        good = check("mtcnn", [options.mtcnn, models], Mtcnn(models).detect, images) and good
    if options.retinaface:
        good = check_retinaface(options.retinaface, models, images) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
