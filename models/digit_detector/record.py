#!/usr/bin/env python3
"""Records what MXNet finds in a dozen held-out scenes: the files of scenes/.

    build/oracle/bin/python models/digit_detector/record.py [--keep]

NN.jpg are the scenes, truth.json says which digits are where, mxnet.npz holds the rows (class, score, left, top, right,
bottom; parts of the picture's sides) that MXNet 1.9.1 gives for each scene with the files of this folder. --keep leaves
the scenes as they are: encoders change.
"""
import argparse
import io
import json
import os
import pathlib

os.environ["OMP_NUM_THREADS"] = "1"
os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"
os.environ["MXNET_MKLDNN_ENABLED"] = "0"
os.environ["MXNET_STORAGE_FALLBACK_LOG_VERBOSE"] = "0"

import mxnet as mx
import numpy as np
from PIL import Image

import scenes

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE / "scenes"
COUNT, SEED = 12, 2026
LARGEST = 20000  # bytes of a scene: those with much noise are larger


def draw_scenes():
    FOLDER.mkdir(exist_ok=True)
    source, truth = scenes.Scenes(held_out=True, seed=SEED), {}
    while len(truth) < COUNT:
        picture, objects = source.draw()
        buffer = io.BytesIO()
        Image.fromarray(picture).save(buffer, "JPEG", quality=90)
        if buffer.tell() > LARGEST:
            continue
        name = f"{len(truth):02}.jpg"
        (FOLDER / name).write_bytes(buffer.getvalue())
        truth[name] = [{"label": scenes.NAMES[int(row[0])], "box": [int(x) for x in row[1:]]} for row in objects]
    lines = [f"  {json.dumps(name)}: {json.dumps(objects)}" for name, objects in truth.items()]
    (FOLDER / "truth.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", action="store_true", help="record for the scenes that are there")
    if not parser.parse_args().keep:
        draw_scenes()
    prefix = str(HERE / "digit_detector")
    detector = mx.gluon.SymbolBlock.imports(f"{prefix}-symbol.json", ["data"], f"{prefix}-0000.params")
    answers = {}
    for file in sorted(FOLDER.glob("*.jpg")):
        picture = np.asarray(Image.open(file))
        rows = detector(mx.nd.array(picture[None], dtype="uint8"))[0].asnumpy()
        answers[file.stem] = rows[rows[:, 0] >= 0]
        print(file.name, [f"{scenes.NAMES[int(row[0])]} {row[1]:.3f}" for row in answers[file.stem] if row[1] > 0.5])
    np.savez_compressed(FOLDER / "mxnet.npz", **answers)


if __name__ == "__main__":
    main()
