#!/usr/bin/env python3
"""mxinfer.export beside Gluon: networks and transforms as MXNet runs them, against the model that was written.

    PYTHONPATH=folder-with-mxinfer python_export.py
"""
import os
import pathlib
import tempfile

os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"

import mxnet as mx
import numpy as np
from mxnet.gluon import nn
from mxnet.gluon.data.vision import transforms

import mxinfer

ALLOWED = 1e-4


def network(outputs=7):
    mx.random.seed(3)
    net = nn.HybridSequential()
    net.add(nn.Conv2D(8, 3, activation="relu"), nn.BatchNorm(), nn.GlobalAvgPool2D(), nn.Dense(outputs))
    net.initialize(mx.init.Xavier())
    net.hybridize()
    net(mx.nd.random.uniform(shape=(1, 3, 48, 48)))
    rng = np.random.default_rng(2)
    for name, parameter in net.collect_params().items():
        if name.endswith("running_mean"):
            parameter.set_data(mx.nd.array(rng.normal(0, 0.2, parameter.shape)))
        if name.endswith("running_var"):
            parameter.set_data(mx.nd.array(rng.uniform(0.5, 2, parameter.shape)))
    return net


def require_close(ours, theirs, what):
    apart = np.abs(ours - theirs).max() / np.abs(theirs).max()
    assert ours.shape == theirs.shape and apart <= ALLOWED, (what, ours.shape, theirs.shape, apart)
    print(f"{what}: {apart:.1e} of the largest")


def pictures():
    rng = np.random.default_rng(4)
    return [rng.integers(0, 256, (height, width, 3), np.uint8) for height, width in ((60, 80), (48, 48), (100, 70))]


CHAINS = {
    "resize": [transforms.Resize((48, 40)), transforms.ToTensor(), transforms.Normalize((0.4, 0.5, 0.6), (0.2, 0.3, 0.4))],
    "keep_ratio": [transforms.Resize(60, keep_ratio=True), transforms.CenterCrop(48), transforms.ToTensor()],
    "crop_resize": [transforms.CropResize(3, 4, 40, 30, (48, 48), 1), transforms.ToTensor(), transforms.Cast("float32")],
}


def check_chains(work):
    net = network()
    for name, chain in CHAINS.items():
        compose = transforms.Compose(chain)
        model = mxinfer.export(net, work / name, input_transforms=compose, labels=[f"class {i}" for i in range(7)],
                               sample=pictures()[0])
        predictor = mxinfer.Predictor(model)
        for number, picture in enumerate(pictures()):
            theirs = net(mx.nd.stack(compose(mx.nd.array(picture, dtype="uint8")))).asnumpy()
            require_close(predictor.predict(picture)[0], theirs, f"{name}, picture {number}")
        assert mxinfer.Model.load(work / name, verify=True).labels[6] == "class 6"
        bare = mxinfer.Predictor(work / name, load_transforms=False)
        ones = np.ones((2, 3, 48, 48), np.float32)
        require_close(bare.predict(ones)[0], net(mx.nd.array(ones)).asnumpy(), f"{name}, without its transforms")


def check_post(work):
    """What stands behind the network: a block of Gluon, and steps."""
    class Softmax(mx.gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return F.softmax(x * 2)

    net = network()
    mxinfer.export(net, work / "post", input_transforms=CHAINS["resize"], output_transforms=Softmax())
    picture = pictures()[0]
    compose = transforms.Compose(CHAINS["resize"])
    theirs = mx.nd.softmax(net(mx.nd.stack(compose(mx.nd.array(picture, dtype="uint8")))) * 2).asnumpy()
    require_close(mxinfer.Predictor(work / "post").predict(picture)[0], theirs, "softmax behind it")
    # MXNet loads what was written.
    symbol, arguments, auxiliary = mx.model.load_checkpoint(str(work / "post"), 0)
    executor = symbol.simple_bind(mx.cpu(), grad_req="null", **{symbol.list_inputs()[0]: (1, 60, 80, 3)},
                                  type_dict={symbol.list_inputs()[0]: "uint8"})
    executor.copy_params_from(arguments, auxiliary, allow_extra_params=True)
    executor.forward(is_train=False, **{symbol.list_inputs()[0]: mx.nd.array(picture[None], dtype="uint8")})
    require_close(executor.outputs[0].asnumpy(), theirs, "the file in MXNet")


def check_signature(work):
    net = network()
    model = mxinfer.export(net, work / "signed", signature={"inputs": {"data": (-1, 3, 48, 48)}, "outputs": {"scores": (-1, 7)}})
    assert model.inputs[0].shape == (-1, 3, 48, 48) and model.outputs[0].name == "scores", (model.inputs, model.outputs)


def expect_error(kind, said, *arguments, **options):
    try:
        mxinfer.export(*arguments, **options)
    except kind as error:
        assert said in str(error), (said, str(error))
    else:
        raise AssertionError(f"no {kind.__name__} that says {said}")


def check_errors(work):
    net = network()
    fresh = nn.HybridSequential()
    fresh.add(nn.Dense(3))
    fresh.initialize()
    expect_error(mxinfer.InvalidArgumentError, "hybridize", fresh, work / "fresh")
    expect_error(mxinfer.UnsupportedError, "RandomFlipLeftRight", net, work / "random",
                 input_transforms=transforms.RandomFlipLeftRight())

    class Branch(mx.gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return x * 2 + F.sqrt(x)

    expect_error(mxinfer.UnsupportedError, "no chain", net, work / "branch", input_transforms=Branch())
    expect_error(mxinfer.UnsupportedError, "HybridBlock", net, work / "block", input_transforms=nn.Lambda("square"))
    assert not list(work.glob("fresh*")) and not list(work.glob("random*"))


def main():
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        check_chains(work)
        check_post(work)
        check_signature(work)
        check_errors(work)
    print("what is exported is what Gluon runs")


if __name__ == "__main__":
    main()
