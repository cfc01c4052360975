"""The models that are served: those of this repository, and one whose parameters come in several parts.

    make_models(sources, folder)
    # models/digits-symbol.json ...   models/digits.mxz   models/large-symbol.json ...   images/seven.jpg ...
"""
import json
import pathlib
import shutil
import struct

import numpy as np

CONTAINER_MAGIC, ARRAY_MAGIC, DENSE, CPU, FLOAT32 = 0x112, 0xF993FAC9, 0, 1, 0
WIDTH = 3072


def write_params(path, arrays):
    """As docs/reference/model-format.md has it: u64 magic and reserved, records, names."""
    with open(path, "wb") as out:
        out.write(struct.pack("<QQQ", CONTAINER_MAGIC, 0, len(arrays)))
        for array in arrays.values():
            out.write(struct.pack("<Iii", ARRAY_MAGIC, DENSE, array.ndim) + struct.pack(f"<{array.ndim}q", *array.shape))
            out.write(struct.pack("<iii", CPU, 0, FLOAT32))
            out.write(array.astype("<f4").tobytes())
        out.write(struct.pack("<Q", len(arrays)))
        for name in map(str.encode, arrays):
            out.write(struct.pack("<Q", len(name)) + name)


def write_large(prefix, seed=1):
    """A FullyConnected of 38 MB."""
    random = np.random.default_rng(seed)
    write_params(f"{prefix}-0000.params", {"arg:fc_weight": random.random((WIDTH, WIDTH), np.float32) - 0.5,
                                           "arg:fc_bias": random.random(WIDTH, np.float32)})

    def variable(name):
        return {"op": "null", "name": name, "inputs": []}

    layer = {"op": "FullyConnected", "name": "fc", "attrs": {"num_hidden": str(WIDTH)},
             "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]}
    nodes = [variable("data"), variable("fc_weight"), variable("fc_bias"), layer]
    pathlib.Path(f"{prefix}-symbol.json").write_text(
        json.dumps({"nodes": nodes, "arg_nodes": [0, 1, 2], "heads": [[3, 0, 0]],
                    "attrs": {"mxnet_version": ["int", 10901]}}))


def make_models(sources, folder):
    models = folder / "models"
    models.mkdir(parents=True)
    for name in ("digits-symbol.json", "digits-0000.params", "synset.txt"):
        shutil.copyfile(sources / "models" / "digits" / name, models / name)
    shutil.copyfile(sources / "models" / "digits.mxz", models / "digits.mxz")
    shutil.copytree(sources / "examples" / "images", folder / "images")
    write_large(models / "large")


def write_inputs(folder):
    """{"digits": file.npy, "large": file.npy}"""
    random = np.random.default_rng(2)
    arrays = {"digits": random.random((2, 1, 32, 32), np.float32) * 255, "large": random.random((1, WIDTH), np.float32)}
    files = {}
    for name, array in arrays.items():
        files[name] = folder / f"{name}.npy"
        np.save(files[name], array)
    return files
