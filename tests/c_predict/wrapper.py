"""The calls that ctypes wrappers of MXNet's C predict API make, through a library of that API, and what comes out.

    wrapper.py LIBRARY OUT.npz        calls it, and keeps the answers
    wrapper.py --compare LIBRARY LIBMXNET

Each library is called in a process of its own.
"""
import ctypes
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

DIGITS = pathlib.Path(__file__).resolve().parents[2] / "models/digits"
UINT, FLOAT_P = ctypes.c_uint, ctypes.POINTER(ctypes.c_float)


class Predictor:
    """What the wrapper of MXNet's amalgamation does, call by call."""

    def __init__(self, library, symbol, params, shapes, types=None):
        self.library, self.types, self.handle = library, types or {}, ctypes.c_void_p()
        names = (ctypes.c_char_p * len(self.types))(*(name.encode() for name in self.types))
        numbers = (ctypes.c_int * len(self.types))(*({"float32": 0, "uint8": 3, "int32": 4}[t] for t in self.types.values()))
        self.check(library.MXPredCreateEx(
            symbol, params, len(params), ctypes.c_int(1), ctypes.c_int(0), *self.shapes_of(shapes), UINT(len(self.types)),
            names if self.types else None, numbers if self.types else None, ctypes.byref(self.handle)))

    @staticmethod
    def shapes_of(shapes):
        ends, sizes = [0], []
        for shape in shapes.values():
            sizes += shape
            ends.append(len(sizes))
        keys = (ctypes.c_char_p * len(shapes))(*(key.encode() for key in shapes))
        return UINT(len(shapes)), keys, (UINT * len(ends))(*ends), (UINT * len(sizes))(*sizes)

    def check(self, result):
        if result != 0:
            raise RuntimeError(self.library.MXGetLastError().decode())

    def forward(self, **inputs):
        for key, array in inputs.items():
            array = np.ascontiguousarray(array, self.types.get(key, "float32"))
            self.check(self.library.MXPredSetInput(self.handle, key.encode(), array.ctypes.data_as(FLOAT_P), UINT(array.size)))
        self.check(self.library.MXPredForward(self.handle))

    def reshape(self, shapes):
        made = ctypes.c_void_p()
        self.check(self.library.MXPredReshape(*self.shapes_of(shapes), self.handle, ctypes.byref(made)))
        self.check(self.library.MXPredFree(self.handle))
        self.handle = made

    def get_output(self, index):
        data, rank, dtype = ctypes.POINTER(UINT)(), UINT(), ctypes.c_int()
        self.check(self.library.MXPredGetOutputShape(self.handle, index, ctypes.byref(data), ctypes.byref(rank)))
        self.check(self.library.MXPredGetOutputType(self.handle, index, ctypes.byref(dtype)))
        array = np.empty(tuple(data[: rank.value]), {0: np.float32, 3: np.uint8, 4: np.int32}[dtype.value])
        self.check(self.library.MXPredGetOutput(self.handle, UINT(index), array.ctypes.data_as(FLOAT_P), UINT(array.size)))
        return array

    def set_monitor(self, callback):
        kind = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p)
        self.monitor = kind(lambda name, array, _: callback(name.decode(), array))
        self.check(self.library.MXPredSetMonitorCallback(self.handle, self.monitor, None, ctypes.c_int(0)))


def load_arrays(library, contents):
    handle, count = ctypes.c_void_p(), UINT()
    assert library.MXNDListCreate(contents, len(contents), ctypes.byref(handle), ctypes.byref(count)) == 0
    arrays = {}
    for index in range(count.value):
        key, data, shape, rank = ctypes.c_char_p(), FLOAT_P(), ctypes.POINTER(UINT)(), UINT()
        assert library.MXNDListGet(handle, UINT(index), ctypes.byref(key), ctypes.byref(data), ctypes.byref(shape), ctypes.byref(rank)) == 0
        sizes = tuple(shape[: rank.value])
        arrays[key.value.decode()] = np.array(np.ctypeslib.as_array(data, (int(np.prod(sizes)),))).reshape(sizes)
    assert library.MXNDListFree(handle) == 0
    return arrays


def answers(library_path):
    library = ctypes.CDLL(library_path)
    library.MXGetLastError.restype = ctypes.c_char_p
    symbol, params = (DIGITS / "digits-symbol.json").read_bytes(), (DIGITS / "digits-0000.params").read_bytes()
    rng = np.random.default_rng(3)
    found = {}
    predictor = Predictor(library, symbol, params, {"data": (1, 1, 32, 32)})
    predictor.forward(data=rng.random((1, 1, 32, 32)))
    found["one"] = predictor.get_output(0)
    predictor.reshape({"data": (5, 1, 32, 32)})
    predictor.forward(data=rng.random((5, 1, 32, 32)))
    found["five"] = predictor.get_output(0)
    names = []
    predictor.set_monitor(lambda name, array: names.append(name))
    predictor.forward(data=rng.random((5, 1, 32, 32)))
    found["monitored"] = predictor.get_output(0)
    found["names"] = np.array(names)
    typed = Predictor(library, symbol, params, {"data": (1, 1, 32, 32)}, {"data": "float32"})
    typed.forward(data=rng.random((1, 1, 32, 32)))
    found["typed"] = typed.get_output(0)
    for name, array in load_arrays(library, params).items():
        found["array " + name] = array
    return found


def compare(ours_path, theirs_path):
    with tempfile.TemporaryDirectory() as work:
        both = []
        for number, path in enumerate((ours_path, theirs_path)):
            out = f"{work}/{number}.npz"
            subprocess.run([sys.executable, __file__, path, out], check=True, env=dict(os.environ, MXNET_SUBGRAPH_BACKEND="NONE"))
            both.append(dict(np.load(out)))
    ours, theirs = both
    assert set(ours) == set(theirs), set(ours) ^ set(theirs)
    for name in ours:
        if name == "names":
            # What only training reads is MXNet's alone: statistics of batch norms, masks, workspaces.
            training = ("_mean", "_var", "_mask", "_workspace")
            missing = [n for n in theirs[name] if n not in ours[name] and not n.endswith(training)]
            assert not missing, missing
            continue
        assert ours[name].shape == theirs[name].shape, name
        assert np.abs(ours[name] - theirs[name]).max() <= 1e-4 * np.abs(theirs[name]).max(), name
    print(f"{len(ours)} answers agree; {len(ours['names'])} values monitored")


if __name__ == "__main__":
    if sys.argv[1] == "--compare":
        compare(*sys.argv[2:4])
    else:
        np.savez(sys.argv[2], **answers(sys.argv[1]))
