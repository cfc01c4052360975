"""predict_on_device, on a GPU or on its emulator: MXINFER_CUDA_LIBRARY names the library of either, MXINFER_DEVICE_MEMORY
the one of tests/device_memory."""

import ctypes
import os

import numpy as np
import pytest

import mxinfer

if not os.environ.get("MXINFER_CUDA_LIBRARY") or not os.environ.get("MXINFER_DEVICE_MEMORY"):
    pytest.skip("no library of a GPU is named", allow_module_level=True)

memory = ctypes.CDLL(os.environ["MXINFER_DEVICE_MEMORY"])
for name in ("device_memory_allocate", "device_stream_create"):
    getattr(memory, name).restype = ctypes.c_void_p
for name, arguments in {
    "device_memory_allocate": [ctypes.c_size_t],
    "device_memory_free": [ctypes.c_void_p],
    "device_memory_upload": [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t],
    "device_memory_download": [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t],
    "device_stream_synchronize": [ctypes.c_void_p],
    "device_stream_destroy": [ctypes.c_void_p],
}.items():
    getattr(memory, name).argtypes = arguments


class Array:
    """A NumPy array's elements in the memory of cuda:0; keywords replace what its interface says."""

    def __init__(self, values, **said):
        self.like = np.ascontiguousarray(values)
        self.address = memory.device_memory_allocate(self.like.nbytes)
        assert self.address
        assert memory.device_memory_upload(self.address, self.like.ctypes.data, self.like.nbytes) == 0
        self.__cuda_array_interface__ = {
            "version": 3,
            "shape": self.like.shape,
            "typestr": self.like.dtype.str,
            "data": (self.address, False),
            "strides": None,
            **said,
        }

    def __del__(self):
        memory.device_memory_free(self.address)

    def values(self):
        result = np.empty_like(self.like)
        assert memory.device_memory_download(result.ctypes.data, self.address, result.nbytes) == 0
        return result


class ArrayOfDevice(Array):
    def __init__(self, values, device):
        super().__init__(values)
        self.device = device

    def __dlpack_device__(self):
        return self.device


@pytest.fixture
def stream():
    made = memory.device_stream_create()
    assert made
    yield made
    memory.device_stream_destroy(made)


@pytest.fixture(scope="module")
def predictor(digits):
    return mxinfer.Predictor(digits, device="cuda:0")


@pytest.fixture(scope="module")
def data():
    return np.random.RandomState(1).rand(2, 1, 32, 32).astype(np.float32)


@pytest.fixture(scope="module")
def expected(digits, data):
    return mxinfer.Predictor(digits).predict(data)[0]


def scores(**said):
    return Array(np.zeros((2, 10), np.float32), **said)


def test_gives_the_results_of_the_cpu(predictor, data, expected, stream):
    to = scores()
    assert predictor.predict_on_device(Array(data), [to], stream=stream) is None
    assert memory.device_stream_synchronize(stream) == 0
    np.testing.assert_allclose(to.values(), expected, atol=1e-5)


def test_takes_names_and_the_default_stream(predictor, data, expected):
    for chosen in ({}, {"stream": 0}, {"stream": 1}):
        given, to = Array(data), scores()
        predictor.predict_on_device({"data": given}, {"probabilities_output": to}, **chosen)
        assert memory.device_stream_synchronize(None) == 0
        np.testing.assert_allclose(to.values(), expected, atol=1e-5)


def test_runs_in_the_stream_that_arrays_name(predictor, data, expected, stream):
    given, to = Array(data, stream=stream), scores()
    predictor.predict_on_device([given], [to])
    assert memory.device_stream_synchronize(stream) == 0
    np.testing.assert_allclose(to.values(), expected, atol=1e-5)
    with pytest.raises(mxinfer.InvalidArgumentError, match="stream is {}, and the call's is 0".format(stream)):
        predictor.predict_on_device([given], [to], stream=0)
    with pytest.raises(mxinfer.InvalidArgumentError, match="output 'probabilities_output': the array's stream is 0"):
        predictor.predict_on_device([given], [scores(stream=1)])


def test_takes_strides_that_are_dense(predictor, data, expected):
    given, to = Array(data, strides=(4096, 77, 128, 4)), scores(strides=(40, 4))  # 77: of one element
    predictor.predict_on_device(given, [to])
    assert memory.device_stream_synchronize(None) == 0
    np.testing.assert_allclose(to.values(), expected, atol=1e-5)


@pytest.mark.parametrize(
    "said, message",
    [
        ({"strides": (4096, 4096, 4, 128)}, "not dense and row-major"),
        ({"typestr": ">f4"}, "elements are '>f4'"),
        ({"typestr": "|V4"}, "elements are '|V4'"),
        ({"mask": object()}, "mask"),
        ({"data": (0, False)}, "has no memory"),
        ({"shape": (2, 1, 32, 31)}, "(2, 1, 32, 31)"),
    ],
)
def test_inputs_that_do_not_fit(predictor, data, said, message):
    with pytest.raises(mxinfer.InvalidArgumentError) as caught:
        predictor.predict_on_device(Array(data, **said), [scores()])
    assert "data" in str(caught.value) and message in str(caught.value)


def test_outputs_that_do_not_fit(predictor, data):
    for said, message in [
        ({"shape": (2, 9)}, "(2, 9)"),
        ({"typestr": "<i4"}, "int32"),
        ({"data": (1, True)}, "read-only"),
        ({"data": (0, False)}, "has no memory"),
    ]:
        with pytest.raises(mxinfer.InvalidArgumentError) as caught:
            predictor.predict_on_device(Array(data), [scores(**said)])
        assert "output" in str(caught.value) and message in str(caught.value)
    with pytest.raises(mxinfer.InvalidArgumentError, match="output"):
        predictor.predict_on_device(Array(data), [])


def test_dtypes_that_do_not_fit(predictor, data):
    with pytest.raises(mxinfer.UnsupportedError, match="int32"):
        predictor.predict_on_device(Array(data.astype(np.int32)), [scores()])


def test_memory_that_is_not_of_the_gpu(predictor, data):
    with pytest.raises(mxinfer.InvalidArgumentError, match="input 'data': this ndarray has no __cuda_array_interface__"):
        predictor.predict_on_device(data, [scores()])
    with pytest.raises(mxinfer.InvalidArgumentError, match="input 'data': this NoneType has"):
        predictor.predict_on_device([None], [scores()])
    with pytest.raises(mxinfer.InvalidArgumentError, match="output 'probabilities_output'.*ndarray"):
        predictor.predict_on_device(Array(data), [np.zeros((2, 10), np.float32)])


def test_devices_that_arrays_name(predictor, data, expected):
    to = scores()
    predictor.predict_on_device(ArrayOfDevice(data, (2, 0)), [to])
    assert memory.device_stream_synchronize(None) == 0
    np.testing.assert_allclose(to.values(), expected, atol=1e-5)
    with pytest.raises(mxinfer.InvalidArgumentError, match="in the memory of cuda:1, but the predictor's device is cuda:0"):
        predictor.predict_on_device(ArrayOfDevice(data, (2, 1)), [scores()])
    with pytest.raises(mxinfer.InvalidArgumentError, match="in the memory of device 10 "):
        predictor.predict_on_device(ArrayOfDevice(data, (10, 0)), [scores()])


def test_a_predictor_of_the_cpu_has_none(digits, data):
    with pytest.raises(mxinfer.UnsupportedError, match="the predictor runs on the CPU"):
        mxinfer.Predictor(digits).predict_on_device(Array(data), [scores()])


def test_names_that_there_are_not(predictor, data):
    with pytest.raises(mxinfer.InvalidArgumentError, match="'pixels'"):
        predictor.predict_on_device({"pixels": Array(data)}, [scores()])
