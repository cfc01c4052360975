"""Seeded weights and inputs, and parameters as MXNet keeps them (docs/reference/model-format.md). Needs NumPy.

    write_params("model-0000.params", arrays(net, seed=1))
    read_params("model-0000.params")["conv1_weight"]
"""
import struct

import numpy as np

from mxnet_symbol import AUXILIARY

CONTAINER_MAGIC, ARRAY_MAGIC, DENSE, CPU, FLOAT32 = 0x112, 0xF993FAC9, 0, 1, 0


def uniform(random, shape, least, most):
    return random.random(shape, np.float32) * np.float32(most - least) + np.float32(least)


def normal(random, shape, deviation):
    return random.standard_normal(shape, np.float32) * np.float32(deviation)


def array(random, layer, suffix, shape):
    """Values for which sums stay of about one size from layer to layer, also in halves."""
    if suffix == "gamma":
        gain = layer.settings.get("gain", 1.0)
        return uniform(random, shape, 0.9 * gain, 1.1 * gain)
    if suffix == "moving_var":
        return uniform(random, shape, 0.8, 1.2)
    if suffix in ("beta", "bias", "moving_mean"):
        return normal(random, shape, 0.02)
    if layer.kind == "lstm":
        return uniform(random, shape, -1, 1) / np.float32(layer.settings["hidden"] ** 0.5)
    if layer.kind in ("embedding", "positions", "dense_rows"):
        return normal(random, shape, 0.02)
    return normal(random, shape, (2 / np.prod(shape[1:])) ** 0.5)


def arrays(net, seed):
    """(name, array), made one after another: those of a large network take half a gigabyte."""
    random = np.random.default_rng(seed)
    for name, (layer, suffix, shape) in net.parameters().items():
        yield name, array(random, layer, suffix, shape)


def prefixed(name):
    return ("aux:" if name.endswith(AUXILIARY) else "arg:") + name


def write_params(path, count, named):
    names = []
    with open(path, "wb") as out:
        out.write(struct.pack("<QQQ", CONTAINER_MAGIC, 0, count))
        for name, values in named:
            names.append(prefixed(name).encode())
            out.write(struct.pack("<Iii", ARRAY_MAGIC, DENSE, values.ndim) + struct.pack(f"<{values.ndim}q", *values.shape))
            out.write(struct.pack("<iii", CPU, 0, FLOAT32))
            out.write(np.ascontiguousarray(values, "<f4").data)
        out.write(struct.pack("<Q", len(names)))
        for name in names:
            out.write(struct.pack("<Q", len(name)) + name)


def read_params(path):
    """{name: array}; the arrays are parts of the file, which is not read before they are."""
    file = np.memmap(path, np.uint8, "r")
    at = 0

    def take(form):
        nonlocal at
        values = struct.unpack_from(form, file, at)
        at += struct.calcsize(form)
        return values

    count, found = take("<QQQ")[2], []
    for _ in range(count):
        rank = take("<Iii")[2]
        shape = take(f"<{rank}q")
        take("<iii")
        found.append(np.frombuffer(file, "<f4", int(np.prod(shape)), at).reshape(shape))
        at += found[-1].nbytes
    names = []
    for _ in range(take("<Q")[0]):
        size, = take("<Q")
        names.append(bytes(file[at:at + size]).decode().partition(":")[2])
        at += size
    return dict(zip(names, found))


def inputs(net, batch, seed):
    """{name: array}"""
    random, made = np.random.default_rng(seed), {}
    for layer in net.layers:
        if layer.kind != "input":
            continue
        values, shape = layer.settings["values"], list(layer.shape)
        shape.insert(layer.settings["batch_axis"], batch)
        if values == "normal":
            made[layer.name] = normal(random, shape, 1)
        elif values == "lengths":
            made[layer.name] = np.full(shape, net.layers[0].shape[0], np.float32)
        else:
            made[layer.name] = random.integers(0, values, shape).astype(np.float32)
    return made
