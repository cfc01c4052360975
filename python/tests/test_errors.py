import concurrent.futures
import copy
import pickle

import pytest

import mxinfer
from mxinfer import errors

NATURAL = {
    mxinfer.InvalidArgumentError: ValueError,
    mxinfer.NotFoundError: FileNotFoundError,
    mxinfer.MalformedError: ValueError,
    mxinfer.UnsupportedError: NotImplementedError,
    mxinfer.OutOfMemoryError: MemoryError,
    mxinfer.NetworkError: ConnectionError,
    mxinfer.DeviceError: mxinfer.Error,
    mxinfer.CancelledError: concurrent.futures.CancelledError,
    mxinfer.DeadlineExceededError: TimeoutError,
    mxinfer.TooManyRequestsError: mxinfer.Error,
    mxinfer.InternalError: mxinfer.Error,
}


@pytest.mark.parametrize("kind", NATURAL)
def test_every_class_is_sound(kind):
    error = errors.error_of(kind.code, "what was wrong")
    assert type(error) is kind
    assert str(error) == "what was wrong" and error.args == ("what was wrong",)
    assert isinstance(error, mxinfer.Error) and isinstance(error, RuntimeError)
    assert isinstance(error, NATURAL[kind])
    assert kind.__doc__
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(other) is kind and str(other) == str(error) and other.code == kind.code
    for _ in range(1000):  # those that Python keeps for later, as it does of MemoryError, are freed as they should be
        with pytest.raises(NATURAL[kind]):
            raise errors.error_of(kind.code, "again")


def test_the_codes_are_those_of_the_library(digits):
    with pytest.raises(mxinfer.NotFoundError) as caught:
        mxinfer.Model.load("no such model")
    assert caught.value.code == "not_found"
    with pytest.raises(mxinfer.InvalidArgumentError) as caught:
        mxinfer.Predictor(digits, target="mmx")
    assert caught.value.code == "invalid_argument"
