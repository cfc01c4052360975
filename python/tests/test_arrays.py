"""What is an array, what is copied, and what is not."""

import array
import gc
import resource

import networks
import numpy as np
import pytest

import mxinfer

DTYPES = [
    "float32", "float64", "float16", "bool",
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
]  # fmt: skip


def rss() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_goes_in_and_out(dtype):
    try:
        predictor = mxinfer.Predictor(networks.copy_of(dtype))
        values = np.array([[0, 1, 2, 3], [1, 1, 0, 5]]).astype(dtype)
        (out,) = predictor.predict(values)
    except mxinfer.UnsupportedError as error:
        pytest.fail("{}: {}".format(dtype, error))
    assert out.dtype == values.dtype
    np.testing.assert_array_equal(out, values)


class OnlyArray:
    def __array__(self, dtype=None, copy=None):
        return np.array([[1, 2, 3, 4]], np.float32)


class OnlyDlpack:
    def __init__(self, values):
        self.values = values

    def __dlpack__(self, **keywords):
        return self.values.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


def test_what_is_an_array():
    predictor = mxinfer.Predictor(networks.copy_of("float32"))
    expected = np.array([[1, 2, 3, 4]], np.float32)
    wide = np.zeros((1, 8), np.float32)
    wide[:, ::2] = expected
    frozen = expected.copy()
    frozen.flags.writeable = False
    for value in (
        expected,
        frozen,
        wide[:, ::2],
        np.asfortranarray(np.vstack([expected, expected]))[:1],
        expected.astype(">f4"),
        memoryview(expected),
        memoryview(expected.tobytes()).cast("f", (1, 4)),
        memoryview(array.array("f", [1, 2, 3, 4])).cast("B").cast("f", (1, 4)),
        OnlyArray(),
        OnlyDlpack(expected),
        OnlyDlpack(wide[:, ::2]),
    ):
        np.testing.assert_array_equal(predictor.predict(value)[0], expected)
    for numbers in ([[1, 2, 3, 4]], [(1.0, 2, True + 2, 4)], [np.float32(i) for i in (1, 2, 3, 4)]):
        value = numbers if isinstance(numbers[0], (list, tuple)) else [numbers]
        np.testing.assert_array_equal(predictor.predict(data=value)["copied_output"], expected)


def test_numbers_take_the_dtype_of_the_model_and_no_other_values():
    predictor = mxinfer.Predictor(networks.copy_of("uint8"))
    np.testing.assert_array_equal(predictor.predict(data=[[0, 1, 254, 255]])["copied_output"], [[0, 1, 254, 255]])
    for wrong in ([[0, 1, 2, 256]], [[0, 1, 2, -1]], [[0, 1, 2, 0.5]]):
        with pytest.raises(mxinfer.InvalidArgumentError, match="uint8"):
            predictor.predict(data=wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        [[1, 2], [3]],
        [["a", "b", "c", "d"]],
        [[None, 1, 2, 3]],
        "1234",
        {"a": 1},
        object(),
        np.array([[1j, 2, 3, 4]]),
        np.array([["a", "b", "c", "d"]]),
        np.array([[object()] * 4]),
        np.zeros((1, 4), "datetime64[s]"),
        np.zeros((1, 4), [("x", "f4"), ("y", "f4")]),
        np.zeros((1, 4), np.longdouble),
        np.zeros((1,) * 17 + (4,), np.float32) if np.lib.NumpyVersion(np.__version__) >= "1.0.0" else None,
    ],
)
def test_what_is_no_array(wrong):
    predictor = mxinfer.Predictor(networks.copy_of("float32"))
    with pytest.raises(mxinfer.Error) as caught:
        predictor.predict(data=wrong)
    assert not isinstance(caught.value, mxinfer.InternalError)


def test_bytes_are_uint8():
    predictor = mxinfer.Predictor(networks.copy_of("uint8", (-1,)))
    for value in (b"abc", bytearray(b"abc"), memoryview(b"abc")):
        assert predictor.predict(value)[0].tobytes() == b"abc"
    assert predictor.predict(memoryview(b"abcdef")[::2])[0].tobytes() == b"ace"
    assert predictor.predict(array.array("b", [1, 2]).tobytes())[0].shape == (2,)


def test_empty_arrays():
    predictor = mxinfer.Predictor(networks.copy_of("float32"))
    try:
        (out,) = predictor.predict(np.zeros((0, 4), np.float32))
    except mxinfer.Error:
        return  # the library may refuse; it may not crash
    assert out.shape == (0, 4)


def test_arrays_on_another_device_are_refused():
    class OnGpu(OnlyDlpack):
        def __dlpack__(self, **keywords):
            raise BufferError("not on this device")

    predictor = mxinfer.Predictor(networks.copy_of("float32"))
    with pytest.raises(mxinfer.InvalidArgumentError, match="OnGpu"):
        predictor.predict(OnGpu(np.zeros((1, 4), np.float32)))


def test_bfloat16_comes_in_as_such_and_goes_out_as_float32():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    values = np.array([[1, -2, 0.5, 256]], ml_dtypes.bfloat16)
    try:
        (out,) = mxinfer.Predictor(networks.copy_of("bfloat16")).predict(values)
    except mxinfer.UnsupportedError:
        pytest.skip("this network does not run in bfloat16")
    assert out.dtype == np.float32
    np.testing.assert_array_equal(out, [[1, -2, 0.5, 256]])


def test_dense_inputs_are_not_copied():
    """A copy of 256 MiB would be seen in the process's memory while the call waits in an asynchronous queue."""
    predictor = mxinfer.Predictor(networks.copy_of("float32", (-1,)), workers=1)
    values = np.ones(64 << 20, np.float32)
    gc.collect()
    before = rss()
    blocker = predictor.predict_async(values)
    waiting = [predictor.predict_async(values) for _ in range(8)]
    for future in waiting:
        future.cancel()
    assert rss() - before < 2 * values.nbytes + (64 << 20)  # one output, one workspace, and no eight copies
    blocker.result()


def test_inputs_are_held_until_the_end(slow_model):
    size = slow_model.inputs[0].shape[0]
    raw = bytearray(size * size * 4)
    predictor = mxinfer.Predictor(slow_model, threads=1)
    future = predictor.predict_async(memoryview(raw).cast("f", (size, size)))
    with pytest.raises(BufferError):
        raw.extend(b"more")
    values = np.zeros((size, size), np.float32)
    second = predictor.predict_async(values)
    del values
    gc.collect()
    assert not future.result()[0].any() and not second.result()[0].any()
    raw.extend(b"more")  # and not longer


def test_inputs_that_change_during_a_call_do_no_harm(slow_model):
    size = slow_model.inputs[0].shape[0]
    values = np.zeros((size, size), np.float32)
    given = [values]
    predictor = mxinfer.Predictor(slow_model, threads=1)
    future = predictor.predict_async(given)
    given.clear()
    while not future.done():
        values += 1e-6
    assert future.result()[0].shape == (size, size)


def test_outputs_speak_dlpack():
    (out,) = mxinfer.Predictor(networks.copy_of("float32")).predict(np.ones((2, 4), np.float32))
    same = (getattr(np, "from_dlpack", None) or np._from_dlpack)(out)
    assert np.shares_memory(same, out) and out.flags.writeable
    out[0, 0] = 5
    assert same[0, 0] == 5


def test_twenty_thousand_calls_leave_nothing_behind(digits):
    predictor = mxinfer.Predictor(digits, threads=1)
    batch = np.ones((1, 1, 32, 32), np.float32)

    def calls(count):
        for _ in range(count):
            predictor.predict(batch)
            predictor.predict(data=batch[:, :, ::1])
            with pytest.raises(mxinfer.Error):
                predictor.predict(batch[0, 0])

    calls(500)
    futures = [predictor.predict_async(batch).result() for _ in range(200)]
    del futures
    gc.collect()
    before = rss()
    calls(7000)
    for _ in range(3000):
        predictor.predict_async(batch).result()
    gc.collect()
    assert rss() - before < 8 << 20, "{} more bytes".format(rss() - before)
