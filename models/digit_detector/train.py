#!/usr/bin/env python3
"""Trains the digit detector and writes its files into this folder.

    python models/digit_detector/train.py [--steps 4000] [--seed 7]

It needs MXNet 1.9.1, scikit-learn and Pillow: the environment that tests/oracle/setup.sh makes. It runs on one thread,
and gives the same network each time on one machine, unless --minutes bounds it by the clock.
"""
import argparse
import os
import pathlib
import time

os.environ["OMP_NUM_THREADS"] = "1"
os.environ.setdefault("MXNET_SUBGRAPH_BACKEND", "NONE")
os.environ.setdefault("MXNET_SUBGRAPH_VERBOSE", "0")

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon
from mxnet.gluon import nn

import scenes
import scoring

HERE = pathlib.Path(__file__).resolve().parent
CLASSES = len(scenes.NAMES)
BATCH, FRESH = 8, 3  # scenes in a step, and those of them that are new
KEPT = 1500  # scenes that may come again
MOST = 12  # digits in a scene to learn from
# Of the maps of strides 8, 16 and 32: the sides of anchors as parts of the picture's, and widths over heights.
ANCHORS = [((0.07, 0.10), (0.7, 0.35)), ((0.14, 0.19), (0.7, 0.35)), ((0.25, 0.33), (0.7, 0.35))]
PER_PLACE = 3
VARIANCES = (0.1, 0.1, 0.2, 0.2)
MEAN, DEVIATION = (0.5,) * 3, (0.25,) * 3


def convolution(channels, stride=1, kernel=3):
    block = nn.HybridSequential(prefix="")
    block.add(nn.Conv2D(channels, kernel, stride, kernel // 2, use_bias=False), nn.BatchNorm(), nn.Activation("relu"))
    return block


class Detector(gluon.HybridBlock):
    """Normalised pictures (N, 3, 300, 300) in; scores (N, anchors, classes + 1), the first being of nothing at all,
    boxes (N, anchors * 4) as they are coded relative to their anchors, and anchors (1, anchors, 4) out."""

    def __init__(self):
        super().__init__(prefix="detector_")
        with self.name_scope():
            self.stages, self.scores, self.boxes = [nn.HybridSequential(prefix="") for _ in range(3)]
            bodies = [[(24, 4, 7), (40, 2), (40,), (40,)], [(68, 2), (68,)], [(72, 2)]]
            for layers in bodies:
                stage = nn.HybridSequential(prefix="")
                for layer in layers:
                    stage.add(convolution(*layer))
                self.stages.add(stage)
                self.scores.add(nn.Conv2D(PER_PLACE * (CLASSES + 1), 3, padding=1))
                self.boxes.add(nn.Conv2D(PER_PLACE * 4, 3, padding=1))

    def hybrid_forward(self, F, x):
        scores, boxes, anchors = [], [], []
        for stage, score, box, (sizes, ratios) in zip(self.stages, self.scores, self.boxes, ANCHORS):
            x = stage(x)
            scores.append(F.flatten(F.transpose(score(x), (0, 2, 3, 1))))
            boxes.append(F.flatten(F.transpose(box(x), (0, 2, 3, 1))))
            anchors.append(F.contrib.MultiBoxPrior(x, sizes=sizes, ratios=ratios))
        scores = F.reshape(F.concat(*scores, dim=1), (0, -1, CLASSES + 1))
        return scores, F.concat(*boxes, dim=1), F.concat(*anchors, dim=1)


class EndToEnd(gluon.HybridBlock):
    """What is exported: pictures (N, height, width, 3) of uint8 in, (N, anchors, 6) of class, score and box out."""

    def __init__(self, net):
        super().__init__(prefix="")
        self.net = net

    def hybrid_forward(self, F, x):
        x = F.image.resize(x, size=(scenes.SIDE, scenes.SIDE))
        x = F.image.normalize(F.image.to_tensor(x), mean=MEAN, std=DEVIATION)
        scores, boxes, anchors = self.net(x)
        probabilities = F.softmax(F.transpose(scores, (0, 2, 1)), axis=1)
        return F.contrib.MultiBoxDetection(probabilities, boxes, anchors, variances=VARIANCES, threshold=0.01,
                                           nms_threshold=0.45, nms_topk=200, name="detections")


class Loss(gluon.HybridBlock):
    """As for every SSD: of each picture three times as many anchors that hold nothing as such that hold a digit, the
    worst of them."""

    def hybrid_forward(self, F, scores, boxes, anchors, truth):
        box_target, box_mask, class_target = F.contrib.MultiBoxTarget(
            anchors, truth, F.transpose(scores, (0, 2, 1)), overlap_threshold=0.5, ignore_label=-1,
            negative_mining_ratio=3, negative_mining_thresh=0.5, minimum_negative_samples=20, variances=VARIANCES)
        likelihood = F.pick(F.log_softmax(scores), F.maximum(class_target, 0))
        class_loss = -F.sum(likelihood * (class_target >= 0))
        box_loss = F.sum(F.smooth_l1((boxes - box_target) * box_mask, scalar=1.0))
        found = F.maximum(F.sum(class_target > 0), 1)
        return F.broadcast_div(class_loss, found), F.broadcast_div(box_loss, found)


class Batches:
    """Scenes that are fuller than those it is measured on. Each comes about twice more, in other colours: drawing a new
    one takes as long as learning from it."""

    def __init__(self, seed):
        self.scenes = scenes.Scenes(held_out=False, seed=seed, most=MOST)
        self.random = np.random.RandomState(seed)
        self.seen = []

    def draw(self):
        batch = [self.scenes.draw() for _ in range(FRESH if self.seen else BATCH)]
        self.seen += batch
        for i in self.random.randint(0, len(self.seen), BATCH - len(batch)):
            batch.append((self._recoloured(self.seen[i][0]), self.seen[i][1]))
        while len(self.seen) > KEPT:
            self.seen.pop(self.random.randint(len(self.seen)))
        rows = np.full((BATCH, MOST, 5), -1, dtype=np.float32)
        for row, (_, truth) in zip(rows, batch):
            row[:len(truth), 0] = truth[:, 0]
            row[:len(truth), 1:] = truth[:, 1:] / scenes.SIDE
        return np.stack([picture for picture, _ in batch]), rows

    def _recoloured(self, picture):
        picture = picture[:, :, self.random.permutation(3)]
        return 255 - picture if self.random.rand() < 0.5 else picture


def to_input(pictures):
    values = mx.nd.image.to_tensor(mx.nd.array(pictures, dtype="uint8"))
    return mx.nd.image.normalize(values, mean=MEAN, std=DEVIATION)


def learning_rate(progress):
    return 2e-3 * min(1, 0.02 + progress / 0.03) * (0.5 + 0.5 * np.cos(np.pi * min(progress, 1)))


def train(net, arguments):
    batches = Batches(arguments.seed)
    net.initialize(mx.init.Xavier(magnitude=2))
    if arguments.start:
        net.collect_params().load(arguments.start, restore_prefix="")
    net.hybridize(static_alloc=True, static_shape=True)
    loss_of = Loss()
    loss_of.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"wd": 1e-5})
    start, totals, step, progress = time.time(), np.zeros(2), 0, 0.0
    while progress < 1:
        trainer.set_learning_rate(learning_rate(progress))
        pictures, truth = batches.draw()
        with autograd.record():
            losses = loss_of(*net(to_input(pictures)), mx.nd.array(truth))
            loss = losses[0] + losses[1]
        loss.backward()
        trainer.step(1)
        totals += [float(part.asscalar()) for part in losses]
        step += 1
        minutes = (time.time() - start) / 60
        progress = step / arguments.steps if arguments.minutes is None else minutes / arguments.minutes
        if step % 50 == 0:
            print(f"step {step}: loss {totals[0] / 50:.3f} of classes, {totals[1] / 50:.3f} of boxes; {minutes:.1f} minutes, "
                  f"{100 * progress:.0f} %", flush=True)
            totals[:] = 0
        if step % 250 == 0 or progress >= 1:
            export(net)
            print(f"mAP of {arguments.scenes} held-out scenes: {mean_average_precision(net, arguments.scenes):.4f}", flush=True)


def mean_average_precision(net, count):
    """By MXNet; evaluate.py measures through mxinfer."""
    source, model = scenes.Scenes(held_out=True, seed=1), EndToEnd(net)
    pictures, truths = zip(*[source.draw() for _ in range(count)])
    found = []
    for picture in pictures:
        rows = model(mx.nd.array(picture[None], dtype="uint8"))[0].asnumpy()
        rows[:, 2:] *= scenes.SIDE
        found.append(rows[rows[:, 0] >= 0])
    return np.nanmean(scoring.average_precisions(found, truths, CLASSES))


def export(net):
    model = EndToEnd(net)
    model.hybridize()
    model(mx.nd.zeros((1, scenes.SIDE, scenes.SIDE, 3), dtype="uint8"))
    model.export(str(HERE / "digit_detector"), epoch=0)
    (HERE / "synset.txt").write_text("".join(f"{name}\n" for name in scenes.NAMES))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=4000, help="batches of %d scenes to learn from" % BATCH)
    parser.add_argument("--minutes", type=float, help="learn for so long instead, however many steps that makes")
    parser.add_argument("--seed", type=int, default=7, help="of the scenes and of the first weights")
    parser.add_argument("--start", metavar="FILE", help="go on with the parameters of this file, that was written here")
    parser.add_argument("--scenes", type=int, default=100, help="held-out scenes that it is tried on in between")
    arguments = parser.parse_args()
    mx.random.seed(arguments.seed)
    np.random.seed(arguments.seed)
    net = Detector()
    train(net, arguments)
    size = sum((HERE / f"digit_detector-{part}").stat().st_size for part in ("symbol.json", "0000.params"))
    print(f"{size} bytes of symbol and parameters")


if __name__ == "__main__":
    main()
