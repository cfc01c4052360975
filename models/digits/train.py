#!/usr/bin/env python3
"""Trains the digits model and writes the files of this folder and the images of examples/images.

    python models/digits/train.py [--epochs 60]

It needs MXNet 1.9.1, scikit-learn and Pillow: the environment that tests/oracle/setup.sh makes.
"""
import argparse
import os
import pathlib
import time

os.environ.setdefault("MXNET_SUBGRAPH_BACKEND", "NONE")
os.environ.setdefault("MXNET_SUBGRAPH_VERBOSE", "0")

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon
from mxnet.gluon import nn
from PIL import Image

import digits

HERE = pathlib.Path(__file__).resolve().parent
IMAGES = HERE.parent.parent / "examples" / "images"
BATCH = 64


class DigitNet(gluon.HybridBlock):
    """Grey images of 0..255 in, (N, 1, 32, 32); the scaling is part of the network."""

    def __init__(self):
        super().__init__(prefix="digits_")
        with self.name_scope():
            self.body = nn.HybridSequential(prefix="")
            for channels in (16, 32, 48):
                for _ in range(2):
                    self.body.add(nn.Conv2D(channels, 3, padding=1, use_bias=False), nn.BatchNorm(), nn.Activation("relu"))
                self.body.add(nn.MaxPool2D(2))
            self.body.add(nn.Flatten(), nn.Dropout(0.3), nn.Dense(len(digits.NAMES)))

    def hybrid_forward(self, F, x):
        return self.body((255 - x) * (1 / 255))


class WithProbabilities(gluon.HybridBlock):
    """What is exported: scores that sum to one."""

    def __init__(self, net):
        super().__init__(prefix="")
        self.net = net

    def hybrid_forward(self, F, x):
        return F.softmax(self.net(x), name="probabilities")


def to_batch(images):
    return mx.nd.array(np.stack([digits.to_network(p) for p in images])[:, None])


def accuracy(net, batch, labels):
    return float((net(batch).argmax(axis=1).asnumpy() == labels).mean())


def train(net, inks, labels, epochs, random):
    net.initialize(mx.init.Xavier())
    trainer = gluon.Trainer(net.collect_params(), "adam", {"wd": 1e-4})
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    sides = [64, 96, 128]
    drawn = {side: [digits.draw(ink, side) for ink in inks] for side in sides}
    for epoch in range(epochs):
        start, total = time.time(), 0.0
        trainer.set_learning_rate(2e-3 * 0.5 * (1 + np.cos(np.pi * epoch / epochs)))
        order = random.permutation(len(inks))
        for at in range(0, len(order) - BATCH + 1, BATCH):
            chosen = order[at:at + BATCH]
            batch = to_batch([digits.distort(drawn[sides[random.randint(3)]][i], random) for i in chosen])
            with autograd.record():
                loss = loss_of(net(batch), mx.nd.array(labels[chosen])).mean()
            loss.backward()
            trainer.step(1)
            total += float(loss.asscalar())
        print(f"epoch {epoch + 1}: loss {total / (len(order) // BATCH):.4f}, {time.time() - start:.1f} s", flush=True)


def export(net):
    model = WithProbabilities(net)
    model.hybridize()
    model(mx.nd.zeros((1, 1, digits.SIDE, digits.SIDE)))
    model.export(str(HERE / "digits"), epoch=0)
    # What the input is: any number of grey 32x32 images (0 stands for a free dimension).
    path = str(HERE / "digits-symbol.json")
    symbol = mx.sym.load(path)
    symbol.get_internals()["data"]._set_attr(__shape__=f"(0, 1, {digits.SIDE}, {digits.SIDE})")
    symbol.save(path)
    (HERE / "synset.txt").write_text("".join(f"{name}\n" for name in digits.NAMES))


def save_images(inks, labels, scores):
    """One held-out digit of each kind: half of them PNG and grey, half JPEG in blue ink on cream paper."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    for digit, name in enumerate(digits.NAMES):
        candidates = np.flatnonzero(labels == digit)
        surest = candidates[np.argsort(-scores[candidates, digit], kind="stable")[4]]
        grey = digits.draw(inks[surest], 96 + 16 * (digit % 3))
        if digit % 2 == 0:
            Image.fromarray(grey).save(IMAGES / f"{name}.png", optimize=True)
            continue
        ink, paper = np.array([25, 40, 120.0]), np.array([252, 249, 238.0])
        colour = ink + (paper - ink) * (grey[:, :, None] / 255)
        Image.fromarray(np.round(colour).astype(np.uint8)).save(IMAGES / f"{name}.jpg", quality=90)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--epochs", type=int, default=60)
    epochs = parser.parse_args().epochs
    mx.random.seed(7)
    random = np.random.RandomState(7)
    (inks, labels, _), (held_inks, held_labels, held_indices) = digits.load()
    net = DigitNet()
    net.hybridize()
    train(net, inks, labels, epochs, random)

    held_out = to_batch([digits.draw(ink) for ink in held_inks])
    print(f"accuracy on what it was trained on: {accuracy(net, to_batch([digits.draw(i) for i in inks]), labels):.4f}")
    print(f"accuracy on the {len(held_inks)} held out: {accuracy(net, held_out, held_labels):.4f}")
    export(net)
    np.savez_compressed(HERE / "held_out.npz", ink=held_inks, label=held_labels,
                        index=held_indices.astype(np.int32))
    save_images(held_inks, held_labels, net(held_out).softmax().asnumpy())


if __name__ == "__main__":
    main()
