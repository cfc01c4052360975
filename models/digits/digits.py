"""The data of the digits model: which digits, how they are drawn as images, and which are kept apart."""
import io

import mxnet as mx
import numpy as np
from PIL import Image
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

NAMES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
SIDE = 32  # of the network's input
HELD_OUT = 360


def load():
    """((images, labels, indices) to train on, the same held out): 8x8, 0 is paper and 255 is ink."""
    data = load_digits()
    ink = np.round(data.images * (255 / 16)).astype(np.uint8)
    train, held_out = train_test_split(np.arange(len(ink)), test_size=HELD_OUT, random_state=0, stratify=data.target)
    return [(ink[i], data.target[i].astype(np.uint8), i) for i in (np.sort(train), np.sort(held_out))]


def draw(ink, side=64):
    """One digit as an image: dark ink on white paper, a margin around it, (side, side) of uint8."""
    paper = np.full((12, 12, 1), 255, dtype=np.uint8)
    paper[2:10, 2:10, 0] -= ink
    return mx.image.imresize(mx.nd.array(paper, dtype="uint8"), side, side, interp=2).asnumpy()[:, :, 0]


def to_network(image):
    """What an image classifier does with an image: stretch to the input's size with linear interpolation."""
    grey = mx.nd.array(image[:, :, None], dtype="uint8")
    return mx.image.imresize(grey, SIDE, SIDE, interp=1).asnumpy()[:, :, 0]


def distort(image, random):
    """The same digit as somebody else might have written and photographed it."""
    side = image.shape[0]
    angle = np.deg2rad(random.uniform(-12, 12))
    zoom = random.uniform(0.85, 1.15)
    matrix = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) / zoom
    matrix[0, 1] += random.uniform(-0.15, 0.15)  # slant
    centre = np.full(2, (side - 1) / 2)
    shift = random.uniform(-0.08, 0.08, 2) * side
    offset = centre - matrix @ (centre + shift)
    image = Image.fromarray(image).transform(
        (side, side), Image.Transform.AFFINE, (*matrix[0], offset[0], *matrix[1], offset[1]), Image.Resampling.BILINEAR,
        fillcolor=255)
    values = np.asarray(image, dtype=np.float32)
    dark, light = random.uniform(0, 70), random.uniform(215, 255)
    values = dark + values * ((light - dark) / 255) + random.normal(0, random.uniform(0, 6), values.shape)
    image = Image.fromarray(np.clip(np.round(values), 0, 255).astype(np.uint8))
    if random.rand() < 0.3:
        buffer = io.BytesIO()
        image.save(buffer, "JPEG", quality=int(random.randint(50, 96)))
        image = Image.open(buffer)
    return np.asarray(image)
