#!/usr/bin/env python3
"""Holds label images and key points to MXNet and GluonCV: networks of GluonCV with seeded random weights, from an image's
file to labels in its size, and to points in its pixels.

    segment_and_pose.py --mxinfer build/release/bin/mxinfer --pose build/release/examples/example_top_down_pose
    segment_and_pose.py ... fastscnn_citys          one network
    segment_and_pose.py --list

Labels may differ where two classes score the same but for rounding; points by a hundredth of a pixel.
"""
import argparse
import dataclasses
import pathlib
import subprocess
import sys
import tempfile

from sweep import networks, worker  # sets MXNet's environment: before mxnet

import mxnet as mx
import numpy as np
from gluoncv.data.transforms.pose import crop_resize_normalize, heatmap_to_coord, upscale_bbox_fn
from PIL import Image

MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
# Of an element's scores: what rounding makes of them.
TIE = 1e-3
SEGMENTERS = ("fastscnn_citys", "fcn_resnet50_voc")
POSES = ("simple_pose_resnet18_v1b", "mobile_pose_mobilenet1.0")
POSE_SIZE = (256, 192)
SIZES = ((150, 211), (401, 300))  # height, width
BOXES = ([20, 10, 180, 140], [0, 0, 90, 149], [100, 60, 211, 150])


def picture(height, width, random):
    """Smooth coloured patterns with some noise."""
    y, x = np.mgrid[0:height, 0:width]
    image = random.normal(128, 8, (height, width, 3))
    for channel in range(3):
        for _ in range(3):
            fx, fy, phase = random.uniform(-0.15, 0.15), random.uniform(-0.15, 0.15), random.uniform(0, 6)
            image[:, :, channel] += 40 * np.sin(fx * x + fy * y + phase)
    return np.clip(image, 0, 255).astype(np.uint8)


def exported(name, shape, folder, random):
    network = networks.networks()[name]
    if shape is not None:
        network = dataclasses.replace(network, shapes=[[shape]])
    mx.random.seed(1)
    net, inputs = worker.prepared(network, random)
    worker.run_mxnet(net, inputs, folder)
    return net, inputs[0].shape


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} exited with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def axis_taps(pixels, elements):
    at = np.clip((np.arange(pixels) + 0.5) * elements / pixels - 0.5, 0, elements - 1)
    first = np.floor(at).astype(int)
    return first, np.minimum(first + 1, elements - 1), at - first


def enlarged(scores, height, width):
    """(classes, height, width), bilinear with pixels' centres at their middles."""
    scores = scores.astype(np.float64)
    first, second, weight = axis_taps(height, scores.shape[1])
    rows = scores[:, first] * (1 - weight)[None, :, None] + scores[:, second] * weight[None, :, None]
    first, second, weight = axis_taps(width, scores.shape[2])
    return rows[:, :, first] * (1 - weight) + rows[:, :, second] * weight


def check_segmenter(name, options, folder, random):
    net, shape = exported(name, None, folder, random)
    for height, width in SIZES:
        pixels = picture(height, width, random)
        Image.fromarray(pixels).save(folder / "image.png")
        resized = mx.image.imresize(mx.nd.array(pixels, dtype="uint8"), shape[3], shape[2], interp=1)
        data = mx.nd.image.normalize(mx.nd.image.to_tensor(resized), MEAN, STD).expand_dims(0)
        scores = enlarged(worker.flat(net(data))[0].asnumpy()[0], height, width)
        run(options.mxinfer, "segment", folder / "model", folder / "image.png", "--preset", "imagenet", "--resize", "stretch",
            "--height", shape[2], "--width", shape[3], "--output-dir", folder / "out", "--labels-only")
        labels = np.asarray(Image.open(folder / "out" / "image.png"))
        expected = scores.argmax(0)
        top = np.sort(scores, axis=0)
        clear = top[-1] - top[-2] > TIE * np.abs(scores).max()
        differing = (labels != expected) & clear
        print(f"{name} {height} x {width}: {len(np.unique(expected))} classes, {int((labels != expected).sum())} pixels differ, "
              f"{int(differing.sum())} of them clear")
        if labels.shape != expected.shape or differing.any() or len(np.unique(expected)) < 2:
            return False
    return True


def check_pose(name, options, folder, random):
    net, _ = exported(name, (1, 3, *POSE_SIZE), folder, random)
    height, width = SIZES[0]
    pixels = picture(height, width, random)
    Image.fromarray(pixels).save(folder / "image.png")
    for box in BOXES:
        # Its corners as whole numbers, which the crop has anyway.
        part = [int(corner) for corner in upscale_bbox_fn(box, pixels, scale=1.25)]
        maps = worker.flat(net(crop_resize_normalize(mx.nd.array(pixels, dtype="uint8"), [part], POSE_SIZE)))[0]
        expected, scores = (array.asnumpy()[0] for array in heatmap_to_coord(maps, [part]))
        lines = run(options.pose, ",".join(map(str, box)), folder / "model", folder / "image.png").splitlines()
        found = np.array([[float(word.strip(",")) for word in line.split()[1:]] for line in lines[1:]])
        seen = scores[:, 0] > 0  # GluonCV moves the others to the corner
        apart = np.abs(found[seen, :2] - expected[seen]).max()
        print(f"{name} {box}: {int(seen.sum())} of {len(expected)} points, at most {apart:.4f} pixels apart, "
              f"scores {np.abs(found[:, 2] - scores[:, 0]).max():.1e}")
        if len(found) != len(expected) or not seen.any() or apart > 0.01 or not np.allclose(found[:, 2], scores[:, 0], atol=1e-4, rtol=1e-4):
            return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("networks", nargs="*")
    parser.add_argument("--mxinfer", type=pathlib.Path)
    parser.add_argument("--pose", type=pathlib.Path, help="the program examples/top_down_pose.cpp")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    known = SEGMENTERS + POSES
    if options.list:
        print("\n".join(known))
        return 0
    bad = []
    for name in options.networks or known:
        check = check_segmenter if name in SEGMENTERS else check_pose
        with tempfile.TemporaryDirectory() as folder:
            if not check(name, options, pathlib.Path(folder), np.random.default_rng(sum(map(ord, name)))):
                bad.append(name)
    if bad:
        print("apart from MXNet: " + ", ".join(bad), file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
