"""Arrays in pinned memory, on a GPU or on its emulator: MXINFER_CUDA_LIBRARY names the library of either, MXINFER_DEVICE_MEMORY
the one of tests/device_memory."""

import ctypes
import gc
import os

import numpy as np
import pytest

import mxinfer

if not os.environ.get("MXINFER_CUDA_LIBRARY") or not os.environ.get("MXINFER_DEVICE_MEMORY"):
    pytest.skip("no library of a GPU is named", allow_module_level=True)

memory = ctypes.CDLL(os.environ["MXINFER_DEVICE_MEMORY"])
memory.device_memory_is_pinned.argtypes = [ctypes.c_void_p]


def is_pinned(address):
    return memory.device_memory_is_pinned(address) == 1


def test_inputs_and_outputs(digits):
    images = mxinfer.empty_pinned((2, 1, 32, 32))
    scores = mxinfer.empty_pinned([2, 10], "float32", device="cuda:0")
    assert images.dtype == np.float32 and images.shape == (2, 1, 32, 32) and images.flags["C_CONTIGUOUS"]
    assert is_pinned(images.ctypes.data) and is_pinned(scores.ctypes.data)
    images[:] = np.random.RandomState(1).rand(*images.shape)
    expected = mxinfer.Predictor(digits).predict(images)[0]
    predictor = mxinfer.Predictor(digits, device="cuda:0")
    for _ in range(3):
        scores.fill(0)
        predictor.predict_into(images, [scores])
        np.testing.assert_allclose(scores, expected, atol=1e-5)


def test_memory_is_freed_with_the_last_array():
    array = mxinfer.empty_pinned(1000, np.uint8)
    address, part = array.ctypes.data, array[500:]
    del array
    gc.collect()
    assert is_pinned(address)
    del part
    gc.collect()
    assert not is_pinned(address)


def test_dtypes_and_shapes():
    assert mxinfer.empty_pinned((), np.int64).shape == ()
    assert mxinfer.empty_pinned(np.array([2, 3]), bool).dtype == np.bool_
    assert mxinfer.empty_pinned((0, 3), "f2").size == 0
    assert mxinfer.empty_pinned(np.int32(4), float).dtype == np.float64
    for dtype in (">f4", "complex64", object, "datetime64[s]"):
        with pytest.raises(mxinfer.InvalidArgumentError, match="dtype"):
            mxinfer.empty_pinned(3, dtype)
    with pytest.raises(mxinfer.InvalidArgumentError, match="-1"):
        mxinfer.empty_pinned((2, -1))
    with pytest.raises(TypeError):
        mxinfer.empty_pinned(2.5)


def test_devices():
    assert not is_pinned(mxinfer.empty_pinned(3, device="cpu").ctypes.data)
    with pytest.raises(mxinfer.InvalidArgumentError, match="tpu"):
        mxinfer.empty_pinned(3, device="tpu")
    with pytest.raises(mxinfer.DeviceError, match="cuda:9"):
        mxinfer.empty_pinned(3, device="cuda:9")
