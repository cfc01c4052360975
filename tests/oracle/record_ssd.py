#!/usr/bin/env python3
"""Records a small single shot detector as it is trained and as MXNet deploys it: tests/golden/ssd.

    record_ssd.py

ssd-symbol.json is the training graph of MXNet's example/ssd and SageMaker's object detection, with the detections
among its outputs; targets-symbol.json is one that ends in the losses alone. Both have the parameters of
ssd-0000.params. ssd.npz holds two images, and what graphs made for inference find in them: `ssd` and `targets`.
"""
import os
import pathlib

os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"
os.environ["MXNET_MKLDNN_ENABLED"] = "0"
os.environ["MXNET_SUBGRAPH_VERBOSE"] = "0"
os.environ.setdefault("OMP_NUM_THREADS", "1")

import mxnet as mx
import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "golden" / "ssd"
CLASSES = 3
SIDE = 48
VARIANCES = (0.1, 0.1, 0.2, 0.2)
LAYERS = [((0.2, 0.272), (1, 2, 0.5)), ((0.45, 0.6), (1, 2, 0.5)), ((0.8,), (1, 3))]  # sizes, ratios
SETTINGS = dict(nms_threshold=0.45, force_suppress=False, variances=VARIANCES, nms_topk=100)


def convolve(data, name, filters, stride=2):
    out = mx.sym.Convolution(data, kernel=(3, 3), stride=(stride, stride), pad=(1, 1), num_filter=filters, name=name)
    return mx.sym.Activation(mx.sym.BatchNorm(out, fix_gamma=False, name=name + "_bn"), act_type="relu")


def predictions():
    """Box codes, class scores and anchors of every layer, put together as example/ssd does."""
    body = convolve(convolve(mx.sym.Variable("data"), "conv1", 8), "conv2", 12)
    layers = [convolve(body, "conv3", 12)]
    layers += [convolve(layers[0], "conv4", 16)]
    layers += [convolve(layers[1], "conv5", 16)]
    scale = mx.sym.Variable("conv3_scale", shape=(1, 12, 1, 1))
    layers[0] = mx.sym.broadcast_mul(scale, mx.sym.L2Normalization(layers[0], mode="channel", name="conv3_norm"))
    codes, scores, anchors = [], [], []
    for i, (layer, (sizes, ratios)) in enumerate(zip(layers, LAYERS)):
        boxes = len(sizes) + len(ratios) - 1
        for parts, kind, numbers in ((codes, "loc", 4), (scores, "cls", CLASSES + 1)):
            out = mx.sym.Convolution(layer, kernel=(3, 3), pad=(1, 1), num_filter=boxes * numbers, name=f"l{i}_{kind}")
            parts.append(mx.sym.Flatten(mx.sym.transpose(out, axes=(0, 2, 3, 1))))
        prior = mx.sym.contrib.MultiBoxPrior(layer, sizes=sizes, ratios=ratios, clip=False, name=f"l{i}_anchors")
        anchors.append(mx.sym.Flatten(prior))
    scores = mx.sym.Reshape(mx.sym.concat(*scores, dim=1), shape=(0, -1, CLASSES + 1))
    return (mx.sym.concat(*codes, dim=1, name="multibox_loc_pred"),
            mx.sym.transpose(scores, axes=(0, 2, 1), name="multibox_cls_pred"),
            mx.sym.Reshape(mx.sym.concat(*anchors, dim=1), shape=(0, -1, 4), name="multibox_anchors"))


def training(detect):
    codes, scores, anchors = predictions()
    target = mx.sym.contrib.MultiBoxTarget(
        anchors, mx.sym.Variable("label"), scores, overlap_threshold=.5, ignore_label=-1, negative_mining_ratio=3,
        minimum_negative_samples=0, negative_mining_thresh=.5, variances=VARIANCES, name="multibox_target")
    prob = mx.sym.SoftmaxOutput(scores, target[2], ignore_label=-1, use_ignore=True, grad_scale=1., multi_output=True,
                                normalization="valid", name="cls_prob")
    loss = mx.sym.smooth_l1(target[1] * (codes - target[0]), scalar=1.0, name="loc_loss_")
    heads = [prob, mx.sym.MakeLoss(loss, grad_scale=1., normalization="valid", name="loc_loss"),
             mx.sym.MakeLoss(target[2], grad_scale=0, name="cls_label")]
    if detect:
        found = mx.sym.contrib.MultiBoxDetection(prob, codes, anchors, name="detection", **SETTINGS)
        heads.append(mx.sym.MakeLoss(found, grad_scale=0, name="det_out"))
    return mx.sym.Group(heads)


def deployed(**settings):
    codes, scores, anchors = predictions()
    prob = mx.sym.softmax(scores, axis=1, name="cls_prob")
    return mx.sym.contrib.MultiBoxDetection(prob, codes, anchors, name="detection", **settings)


def parameters(symbol, shapes):
    random = np.random.RandomState(3)
    arguments, _, auxiliary = symbol.infer_shape(**shapes)
    values = {}
    for name, shape in zip(symbol.list_arguments(), arguments):
        if name in shapes:
            continue
        fan = np.prod(shape[1:]) if len(shape) == 4 else 4
        value = random.normal(0, 1.5 / np.sqrt(fan), shape) + ("gamma" in name or "scale" in name)
        value *= 0.3 if "_cls_" in name else 1  # so that probabilities stay apart from 1
        values["arg:" + name] = mx.nd.array(value)
    for name, shape in zip(symbol.list_auxiliary_states(), auxiliary):
        values["aux:" + name] = mx.nd.array(random.uniform(0.5, 1.5, shape) - ("mean" in name))
    return values


def run(symbol, values, data):
    named = {name.split(":")[1]: value for name, value in values.items()}
    arguments = {name: named[name] for name in symbol.list_arguments() if name != "data"}
    auxiliary = {name: named[name] for name in symbol.list_auxiliary_states()}
    executor = symbol.bind(mx.cpu(), {**arguments, "data": mx.nd.array(data)}, aux_states=auxiliary, grad_req="null")
    return executor.forward(is_train=False)[0].asnumpy()


def check(found):
    """The order of the rows must not hang on the last bits of the scores."""
    for rows in found:
        scores = rows[rows[:, 1] > 0, 1]
        assert len(scores) > 20 and np.max(np.diff(scores)) <= 0 and np.min(-np.diff(scores)) > 1e-6, np.diff(scores)


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    data = np.random.RandomState(7).uniform(-1, 1, (2, 3, SIDE, SIDE)).astype("float32")
    symbol = training(detect=True)
    values = parameters(symbol, {"data": data.shape, "label": (2, 4, 5)})
    symbol.save(str(FOLDER / "ssd-symbol.json"))
    training(detect=False).save(str(FOLDER / "targets-symbol.json"))
    mx.nd.save(str(FOLDER / "ssd-0000.params"), values)
    answers = {"ssd": run(deployed(**SETTINGS), values, data),
               "targets": run(deployed(nms_threshold=0.5, force_suppress=False, nms_topk=400, variances=VARIANCES),
                              values, data)}
    for name, found in answers.items():
        np.set_printoptions(suppress=True, precision=4)
        print(name, found.shape, found[0, :3], (found[:, :, 0] >= 0).sum())
    check(answers["ssd"][:, :100])
    np.savez_compressed(FOLDER / "ssd.npz", data=data, **answers)


if __name__ == "__main__":
    main()
