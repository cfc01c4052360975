#!/usr/bin/env python3
"""Records what GluonCV's transforms of training compute for given random numbers: of images with boxes (SSD's crop,
expansion and flip) and with masks (the crops of SegmentationDataset), as tests/golden/ops/augment.npz.

    record_detection_transforms.py                     records
    record_detection_transforms.py --check             compares with what is recorded, writes nothing
    record_detection_transforms.py --mxinfer PATH      runs other cases in GluonCV and in the command

GluonCV draws from Python's `random` and from NumPy; here both take their numbers from a list, which the operators
_mxinfer_drawn_* get as their input `draws`. The members of the file are those of record_ops.py.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import warnings
from unittest import mock

warnings.filterwarnings("ignore")
os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"
os.environ["MXNET_SUBGRAPH_VERBOSE"] = "0"

import mxnet as mx
import numpy as np
from gluoncv.data.segbase import SegmentationDataset
from gluoncv.data.transforms import bbox as tbbox
from gluoncv.data.transforms import image as timage
from gluoncv.data.transforms.experimental.bbox import random_crop_with_constraints
from gluoncv.data.transforms.presets import ssd
from PIL import Image

import record_ops

GOLDEN = record_ops.GOLDEN / "augment.npz"
MEAN = (0.485, 0.456, 0.406)


class Drawn:
    """While it is entered, what GluonCV draws comes from a list, and is `rest` behind its end."""

    def __init__(self, numbers, rest=0.0):
        self.numbers, self.rest = iter(numbers), rest

    def next(self, *_):
        return float(next(self.numbers, self.rest))

    def between(self, low, high):
        return low + (high - low) * self.next()

    def below(self, low, high=None):
        low, high = (0, low) if high is None else (low, high)
        if high <= low:
            raise ValueError("there is nothing to draw from")
        return low + int(self.next() * (high - low))

    def choice(self, values, p):
        """As numpy.random.choice chooses."""
        sums = np.cumsum(p)
        return values[np.searchsorted(sums / sums[-1], self.next(), side="right")]

    def __enter__(self):
        self.patches = [mock.patch.object(random, "random", self.next),
                        mock.patch.object(random, "uniform", self.between),
                        mock.patch.object(random, "randrange", self.below),
                        mock.patch.object(random, "randint", lambda low, high: self.below(low, high + 1)),
                        mock.patch.object(np.random, "uniform", self.between),
                        mock.patch.object(np.random, "randint", self.below),
                        mock.patch.object(np.random, "choice", self.choice)]
        for patch in self.patches:
            patch.start()

    def __exit__(self, *_):
        for patch in self.patches:
            patch.stop()


def nd(image):
    return mx.nd.array(image, dtype=image.dtype)


def size_of(attrs):
    return tuple(attrs["size"])


def resized(image, boxes, attrs):
    """What SSD does behind a crop."""
    height, width, _ = image.shape
    interp = attrs["interp"] if attrs["interp"] < 10 else np.random.randint(0, 5)
    return timage.imresize(image, *size_of(attrs), interp=interp), tbbox.resize(boxes, (width, height), size_of(attrs))


def expand(image, boxes, attrs):
    grows = np.random.uniform(0, 1)
    if attrs["p"] < 1 and not grows > 1 - attrs["p"]:
        return resized(image, boxes, attrs)
    fill = attrs["fill"][0] if len(attrs["fill"]) == 1 else list(attrs["fill"])
    image, (x, y, _, _) = timage.random_expand(image, attrs["max_ratio"], fill, attrs["keep_ratio"])
    return resized(image, tbbox.translate(boxes, x, y), attrs)


def crop(image, boxes, attrs):
    height, width, _ = image.shape
    ranges = [(low or None, None if high == 1 and low else high)
              for low, high in zip(attrs["min_overlap"], attrs["max_overlap"])]
    boxes, part = random_crop_with_constraints(
        boxes, (width, height), attrs["min_scale"], attrs["max_scale"], attrs["max_aspect_ratio"], ranges,
        attrs["max_trial"])
    return resized(mx.image.fixed_crop(image, *part), boxes, attrs)


def ssd_train(image, boxes, attrs, flip_draws=(0, 0)):
    """The whole of SSD's transform but its colours. The flip at its end has numbers of its own."""
    random_flip = timage.random_flip

    def flip_with_own(image, px):
        with Drawn(flip_draws):
            return random_flip(image, px)

    with mock.patch.object(timage, "random_flip", flip_with_own), \
         mock.patch.object(ssd.experimental.image, "random_color_distort", lambda image: image), \
         mock.patch.object(mx.nd.image, "to_tensor", lambda image: image.astype("float32")), \
         mock.patch.object(mx.nd.image, "normalize", lambda image, mean, std: image):
        return ssd.SSDDefaultTrainTransform(*size_of(attrs), mean=MEAN)(image, boxes)


def ssd_val(image, boxes, attrs):
    with mock.patch.object(mx.nd.image, "to_tensor", lambda image: image.astype("float32")), \
         mock.patch.object(mx.nd.image, "normalize", lambda image, mean, std: image):
        return ssd.SSDDefaultValTransform(*size_of(attrs))(image, boxes)


def flip(image, boxes, attrs):
    height, width, _ = image.shape
    image, flips = timage.random_flip(image, attrs["px"], attrs["py"])
    return image, tbbox.flip(boxes, (width, height), *flips)


def segmentation(image, mask, attrs, name):
    dataset = SegmentationDataset.__new__(SegmentationDataset)
    dataset.crop_size, dataset.base_size = attrs["crop_size"], attrs.get("base_size")
    kept = image.asnumpy()
    pixels = Image.fromarray(kept[:, :, 0] if kept.shape[2] == 1 else kept)
    image, mask = getattr(dataset, name)(pixels, Image.fromarray(mask.astype("uint8")))
    image = image.asnumpy().astype("uint8")
    return image.reshape(image.shape[:2] + kept.shape[2:]), mask.asnumpy()


def crop_mask(image, mask, attrs):
    return segmentation(image, mask, attrs, "_sync_transform")


def center_crop_mask(image, mask, attrs):
    return segmentation(image, mask, attrs, "_val_sync_transform")


def padded(boxes, like):
    rows = np.full(like.shape, -1, like.dtype)
    rows[:len(boxes)] = boxes
    return rows


def one(transform, attrs, data, second, draws):
    """A transform of one image: GluonCV gets no padding, and labels as its data sets give them, float64."""
    is_mask = transform in (crop_mask, center_crop_mask)
    # A blur, which the operators leave out, is one of two cases of what segmentation draws behind its crop.
    with Drawn(draws, rest=0.75):
        if is_mask:
            image, mask = transform(nd(data), second, attrs)
            return image, mask.astype(second.dtype)
        given = second[~(second[:, :4] == -1).all(axis=1)].astype("float64")
        image, boxes = transform(nd(data), given, attrs)
    return (image if isinstance(image, np.ndarray) else image.asnumpy()).astype(data.dtype), padded(boxes, second)


def expected(transform, attrs, inputs):
    """The outputs of an operator with these inputs (data, boxes or mask, and draws if it has them)."""
    data, second = inputs[:2]
    draws = inputs[2] if len(inputs) > 2 else np.zeros(data.shape[:1] + (0,))
    if data.ndim == 3:
        return one(transform, attrs, data, second, np.ravel(draws))
    answers = [one(transform, attrs, *parts) for parts in zip(data, second, draws)]
    return tuple(np.stack(parts) for parts in zip(*answers))


# Cases. An image is smooth patterns with noise, boxes have a class behind their corners.

def picture(height, width, seed, channels=3, dtype="uint8"):
    numbers = np.random.RandomState(seed)
    y, x = np.mgrid[0:height, 0:width]
    image = numbers.normal(128, 12, (height, width, channels))
    for c in range(channels):
        fx, fy, phase = numbers.uniform(-0.2, 0.2), numbers.uniform(-0.2, 0.2), numbers.uniform(0, 6)
        image[:, :, c] += 80 * np.sin(fx * x + fy * y + phase)
    return np.clip(image, 0, 255).astype(dtype)


def labels(count, height, width, seed, padding=0, dtype="float32"):
    numbers = np.random.RandomState(seed)
    rows = np.full((count + padding, 5), -1, dtype)
    for row in rows[:count]:
        w, h = numbers.uniform(0.15, 0.7, 2) * (width, height)
        x, y = numbers.uniform(0, width - w), numbers.uniform(0, height - h)
        row[:] = x, y, x + w, y + h, numbers.randint(20)
    return rows


def classes(height, width, seed, dtype="uint8"):
    return np.random.RandomState(seed).randint(0, 21, ((height + 5) // 6, (width + 4) // 5)).astype(dtype).repeat(
        6, 0).repeat(5, 1)[:height, :width]


def numbers(count, seed, dtype="float32"):
    return np.random.RandomState(seed).uniform(0, 0.999, count).astype(dtype)


EXPAND = {"size": (24, 20), "interp": 1, "max_ratio": 4, "p": 1, "keep_ratio": True, "fill": (0,)}
CROP = {"size": (24, 24), "interp": 1, "max_ratio": 1, "p": 0.5, "keep_ratio": True, "fill": (0,), "min_scale": 0.3,
        "max_scale": 1, "max_aspect_ratio": 2, "min_overlap": (0.1, 0.3, 0.5, 0.7, 0.9, 0),
        "max_overlap": (1, 1, 1, 1, 1, 1), "max_trial": 12}
SSD = dict(CROP, max_ratio=4, interp=10, max_trial=50, fill=tuple(int(m * 255) for m in MEAN))


def case(name, op, transform, attrs, *inputs):
    return dict(name=name, op=op, transform=transform, attrs=attrs, inputs=list(inputs))


def crop_draws(attrs):
    ranges = len(attrs["min_overlap"])
    most = ranges * attrs["max_trial"] * 4 + ranges + 1 + (attrs["interp"] == 10)
    return most + (0 if attrs["max_ratio"] <= 1 else 4 if attrs["keep_ratio"] else 5)


def expand_cases(seed):
    for i, (changes, dtype) in enumerate((({}, "uint8"), ({"keep_ratio": False, "fill": (123, 116, 103)}, "uint8"),
                                          ({"max_ratio": 1.5, "interp": 9}, "float32"), ({"p": 0.3}, "uint8"),
                                          ({"interp": 10, "keep_ratio": False}, "uint8"))):
        attrs = dict(EXPAND, **changes)
        yield case(f"expand_{i}", "_mxinfer_drawn_expand_boxes", expand, attrs, picture(15, 18, seed + i, 3, dtype),
                   labels(3, 15, 18, seed + i, i % 2), numbers(6, seed + i))


def crop_cases(seed):
    for i in range(8):
        attrs = dict(CROP, interp=(1, 2, 3, 10, 9, 0, 1, 4)[i])
        if i == 4:
            attrs.update(min_scale=0.5, max_scale=0.8, max_aspect_ratio=1.5, min_overlap=(0, 0.2),
                         max_overlap=(0.5, 1))
        height, width = (33, 40) if i % 2 else (48, 29)
        dtype = "float64" if i == 5 else "float32"
        yield case(f"crop_{i}", "_mxinfer_drawn_crop_boxes", crop, attrs,
                   picture(height, width, seed + i, 1 if i == 6 else 3, "float32" if i == 2 else "uint8"),
                   labels(0 if i == 7 else 1 + i % 4, height, width, seed + i, 2, dtype),
                   numbers(crop_draws(attrs), seed + i, dtype))
    attrs = dict(CROP, max_trial=5)
    yield case("crop_batch", "_mxinfer_drawn_crop_boxes", crop, attrs,
               np.stack([picture(30, 34, seed + i) for i in range(3)]),
               np.stack([labels(i, 30, 34, seed + i, 3 - i) for i in range(3)]),
               np.stack([numbers(crop_draws(attrs), seed + 50 + i) for i in range(3)]))


def ssd_cases(seed):
    for i in range(2):
        draws = numbers(crop_draws(SSD), seed + i)
        draws[0] = (0.7, 0.2)[i]  # on a larger canvas, and not
        yield case(f"ssd_{i}", "_mxinfer_drawn_crop_boxes", ssd_train, SSD, picture(30, 42, seed + i),
                   labels(3, 30, 42, seed + i), draws)
    yield case("resize_boxes", "_mxinfer_resize_boxes", ssd_val, {"size": (24, 20), "interp": 9},
               picture(30, 42, seed + 3), labels(3, 30, 42, seed + 3, 1))


def flip_cases(seed):
    for i, first in enumerate(((0.1, 0.9), (0.9, 0.1), (0.9, 0.9), (0.1, 0.1))):
        yield case(f"flip_{i}", "_mxinfer_drawn_flip_boxes", flip, {"px": 0.5, "py": 0.4}, picture(7, 9, seed + i),
                   labels(2, 7, 9, seed + i, i % 2), np.array(first, "float32"))
    yield case("flip_boxes", "_mxinfer_flip_boxes",
               lambda image, boxes, attrs: flip(image, boxes, {"px": 1, "py": 0}), {"x": True, "y": False},
               picture(7, 9, seed), labels(2, 7, 9, seed))


def mask_cases(seed):
    for i, (height, width, base, side) in enumerate(((40, 52, 30, 24), (52, 40, 40, 30), (33, 33, 60, 20),
                                                     (21, 60, 26, 28), (64, 50, 20, 25))):
        yield case(f"crop_mask_{i}", "_mxinfer_drawn_crop_mask", crop_mask, {"crop_size": side, "base_size": base},
                   picture(height, width, seed + i, 1 if i == 3 else 3),
                   classes(height, width, seed + i, "int32" if i == 1 else "uint8"), numbers(4, seed + i))
        yield case(f"center_crop_mask_{i}", "_mxinfer_center_crop_mask", center_crop_mask, {"crop_size": side + i % 2},
                   picture(height, width, seed + i), classes(height, width, seed + i))


def all_cases(seed):
    for cases in (expand_cases, crop_cases, ssd_cases, flip_cases, mask_cases):
        yield from cases(seed)


def attr_text(value):
    return str(tuple(value)) if isinstance(value, (tuple, list)) else str(value)


def text_attrs(attrs):
    return {key: attr_text(value) for key, value in attrs.items()}


def members():
    found = {}
    for c in all_cases(11):
        outputs = expected(c["transform"], c["attrs"], c["inputs"])
        meta = {"op": c["op"], "attrs": text_attrs(c["attrs"]), "inputs": len(c["inputs"]), "parameters": [],
                "outputs": 2}
        found[c["name"] + ".meta"] = np.frombuffer(json.dumps(meta, sort_keys=True).encode(), np.uint8)
        for kind, arrays in (("in", c["inputs"]), ("out", outputs)):
            found.update({f"{c['name']}.{kind}{i}": np.ascontiguousarray(a) for i, a in enumerate(arrays)})
    return found


# The same in the command, on other numbers.

def symbol(c, ports):
    nodes = [{"op": "null", "name": port, "inputs": []} for port in ports]
    own = len(c["inputs"])
    last = len(ports)
    nodes.append({"op": c["op"], "name": "op", "attrs": text_attrs(c["attrs"]), "inputs": [[i, 0, 0] for i in range(own)]})
    if last > own:  # SSD's flip behind its crop
        nodes.append({"op": "_mxinfer_drawn_flip_boxes", "name": "flip", "attrs": {"px": "0.5"},
                      "inputs": [[last, 0, 0], [last, 1, 0], [own, 0, 0]]})
    heads = [[len(nodes) - 1, 0, 0], [len(nodes) - 1, 1, 0]]
    return json.dumps({"nodes": nodes, "arg_nodes": list(range(last)), "heads": heads,
                       "attrs": {"mxnet_version": ["int", 10901]}})


def in_command(command, folder, c, flip_draws=None):
    ports = ["data", "mask" if c["op"].endswith("_mask") else "boxes", "draws"][:len(c["inputs"])]
    arrays = list(c["inputs"])
    if flip_draws is not None:
        ports.append("flip_draws")
        arrays.append(np.array(flip_draws, "float32"))
    (folder / "op-symbol.json").write_text(symbol(c, ports))
    mx.nd.save(str(folder / "op-0000.params"), {})
    arguments = [command, "predict", folder / "op", "--output", folder / "out", "--force", "--json"]
    for port, array in zip(ports, arrays):
        np.save(folder / f"{port}.npy", array)
        shape = ",".join(map(str, array.shape))
        arguments += ["--input", f"{port}={folder / port}.npy", "--describe", f"{port}={shape}:{array.dtype}"]
    done = subprocess.run(list(map(str, arguments)), capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return [np.load(output["file"]) for output in json.loads(done.stdout)["outputs"]]


def differences(name, expected_outputs, actual):
    for i, (a, b) in enumerate(zip(expected_outputs, actual)):
        limit = 1e-5 * np.abs(a).max(initial=0) if a.dtype.kind == "f" else 0
        same = a.shape == b.shape and a.dtype == b.dtype and (np.abs(a.astype("f8") - b) <= limit).all()
        if not same:
            yield f"{name}: output {i} differs"


def compare(command):
    found = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for seed in (1000, 2000, 3000):
            for c in all_cases(seed):
                answers = expected(c["transform"], c["attrs"], c["inputs"])
                found += differences(f"{c['name']} of seed {seed}", answers, in_command(command, folder, c))
            for c in ssd_cases(seed + 500):
                if c["transform"] is not ssd_train:
                    continue
                for flip_draws in ((0.3, 0.8), (0.9, 0.2)):  # across, and neither: its py is 0
                    answers = expected(lambda *given: ssd_train(*given, flip_draws), c["attrs"], c["inputs"])
                    found += differences(f"{c['name']} with its flip, of seed {seed + 500}", answers,
                                         in_command(command, folder, c, flip_draws))
    print("\n".join(found) or "GluonCV and mxinfer agree")
    return 1 if found else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with the recorded file, write nothing")
    parser.add_argument("--mxinfer", metavar="PATH", help="the command, to be compared on other cases")
    options = parser.parse_args()
    if options.mxinfer:
        return compare(options.mxinfer)
    found = members()
    if options.check:
        failures = record_ops.differences(found, GOLDEN)
        print("\n".join(failures) or f"{len(found)} arrays are as recorded")
        return 1 if failures else 0
    GOLDEN.write_bytes(record_ops.pack(found))
    print(f"{sum(key.endswith('.meta') for key in found)} cases, {GOLDEN.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
