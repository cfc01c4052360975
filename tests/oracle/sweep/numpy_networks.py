"""Networks that mx.np and mx.npx write: their list, their inputs and their weights.

    NumpyNetwork("np_bert").build()    # the Gluon block
"""
import mxnet as mx
import numpy as onp

from sweep import np_language, np_recommenders, np_vision, weights

BUILDERS = {**{name: (build, [shape]) for name, (build, shape) in np_vision.NETWORKS.items()}, **np_language.NETWORKS, **np_recommenders.NETWORKS}

# (shape, first value that does not occur), of int32; None: numbers.
KINDS = {"words": ((2, 5), np_language.WORDS), "segments": ((2, 5), 2), "length": ((2,), 6), "place": ((2, 3), 5), "centre": ((2, 1), np_language.WORDS),
         "user": ((3,), np_recommenders.USERS), "item": ((3,), np_recommenders.ITEMS), "fields": ((3, np_recommenders.FIELDS), np_recommenders.VALUES),
         "items": ((3, 5), np_recommenders.ITEMS), "ratings": ((3, np_recommenders.ITEMS), None), "states": ((2, 2, 24), None), "states of both ways": ((4, 2, 24), None), "state": ((1, 2, 16), None)}


def make_input(kind, random):
    if isinstance(kind, tuple):
        return weights.images(kind, random)
    shape, end = KINDS[kind]
    if end is None:
        return onp.maximum(random.normal(0, 2, shape), 0).astype("float32")
    return random.integers(1 if kind == "length" else 0, end, shape).astype("float32")


def set_parameters(net, random):
    for name, parameter in net.collect_params().items():
        shape = parameter.shape
        if name.endswith("running_mean"):
            values = random.normal(0, 0.2, shape)
        elif name.endswith(("running_var", "gamma")):
            values = random.uniform(0.5, 1.5, shape)
        else:
            values = random.normal(0, 1, shape) * (0.1 if len(shape) < 2 else onp.sqrt(1 / onp.prod(shape[1:])))
        parameter.set_data(mx.np.array(values.astype("float32")))


def prepared(name, random):
    """(net, inputs as arrays), with weights."""
    build, kinds = BUILDERS[name]
    net = build()
    net.initialize()
    inputs = [make_input(kind, random) for kind in kinds]
    net(*[mx.np.array(array) for array in inputs])
    set_parameters(net, random)
    return net, inputs
