#!/usr/bin/env python3
"""Holds align_face and `mxinfer embed` to NumPy and MXNet, on the faces of a photograph.

    face_alignment.py --aligner build/release/tests/oracle/mxinfer_align_faces --mxinfer build/release/bin/mxinfer

The photograph, the detector that finds the landmarks, and the networks are those of MXINFER_SHARED_DIR; without it the script
ends with 77. Pixels may differ by one; cosines of MXNet's and mxinfer's vectors of the same pixels must be 1 within 1e-5.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from faces.alignment import align
from faces.networks import Network
from faces.pictures import pictures, write_png
from faces.retinaface import RetinaFace

EXIT_SKIPPED = 77
EMBEDDERS = ("mobilefacenet_old", "mobileface_id_v2")


def run(*command):
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)


def check_pixels(aligner, folder, name, picture, landmarks, size):
    """Whether the aligned faces are NumPy's; also gives them."""
    image, points, out = folder / f"{name}.png", folder / "points.npy", folder / "aligned.npy"
    write_png(image, picture)
    np.save(points, landmarks.astype(np.float32))
    run(aligner, image, points, out, size)
    found = np.load(out)
    expected = np.stack([align(picture, face, size) for face in landmarks.astype(np.float32).astype(float)])
    difference = np.abs(found - expected)
    print(f"{name} at {size}: {len(found)} faces, pixels differ by {difference.max():.3f}, black {np.mean(found == 0):.3f}")
    return found.shape == expected.shape and difference.max() <= 1, found


def check_vectors(command, models, folder, aligned):
    """Whether `mxinfer embed` gives MXNet's vectors of aligned faces, one at a time: mobilefacenet_old mixes those of a batch."""
    files = [folder / f"face{i}.png" for i in range(len(aligned))]
    for file, pixels in zip(files, aligned):
        write_png(file, pixels)
    good = True
    for name in EMBEDDERS:
        run(command, "embed", models / name, *files, "--height", 112, "--width", 112, "--batch-size", 1,
            "--output", folder / "vectors.npy")
        found = np.load(folder / "vectors.npy")
        network = Network(models / name)
        inputs = aligned.transpose(0, 3, 1, 2).astype(np.float32)
        expected = np.concatenate([next(iter(network.run(face[None]).values())) for face in inputs])
        expected /= np.linalg.norm(expected, axis=1, keepdims=True)
        cosines = (found * expected).sum(axis=1)
        others = (found @ expected.T)[~np.eye(len(found), dtype=bool)]
        print(f"{name}: {len(found)} faces, cosine with MXNet's at least {cosines.min():.7f}, with other faces' at most {others.max():.3f}")
        good = good and np.abs(cosines - 1).max() < 1e-5 and others.max() < 0.9
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--aligner", required=True)
    parser.add_argument("--mxinfer", required=True)
    options = parser.parse_args()
    models = pathlib.Path(os.environ.get("MXINFER_SHARED_DIR") or "/nowhere") / "models"
    if not (models / "images").is_dir():
        print("MXINFER_SHARED_DIR is not set to a folder with models/: aligned faces are NOT tested")
        return EXIT_SKIPPED
    detector, good = RetinaFace(models / "retinaface_mnet25"), True
    all_pictures = pictures(models / "images")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for kind, size in (("crowd_mirrored", 112), ("cut_face", 128), ("crowd", 112)):
            landmarks = detector.detect(all_pictures[kind])[:, 5:].reshape(-1, 5, 2)
            right, aligned = check_pixels(options.aligner, folder, kind, all_pictures[kind], landmarks, size)
            good = good and right
        good = check_vectors(options.mxinfer, models, folder, aligned) and good  # those of the crowd
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
