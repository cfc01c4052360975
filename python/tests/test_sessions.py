"""Sessions of recurrent networks."""

import concurrent.futures
import copy

import numpy as np
import pytest

import mxinfer
from small_sequences import stepped


@pytest.fixture(scope="module")
def recurrent(step_model):
    return mxinfer.SequencePredictor(step_model, states={"state": "next_output"}, threads=1)


def test_a_session_keeps_its_states(recurrent):
    session = recurrent.session()
    assert session.predictor is recurrent
    assert [desc.name for desc in session.state_descs] == ["state"]
    (scores,) = session.step(3)
    np.testing.assert_allclose(scores, stepped([3])[0], atol=1e-5)
    (scores,) = session.step(np.int64(1))
    np.testing.assert_allclose(scores, stepped([3, 1])[0], atol=1e-5)
    (scores,) = session.step([5, 0, 2])
    np.testing.assert_allclose(scores, stepped([3, 1, 5, 0, 2])[0], atol=1e-5)
    states = session.states()
    np.testing.assert_allclose(states["state"].reshape(-1), stepped([3, 1, 5, 0, 2])[1], atol=1e-5)
    for other in (session.copy(), copy.copy(session), copy.deepcopy(session)):
        np.testing.assert_allclose(other.step(4)[0], stepped([3, 1, 5, 0, 2, 4])[0], atol=1e-5)
    again = recurrent.session()
    again.set_states(states)
    np.testing.assert_allclose(again.step(4)[0], stepped([3, 1, 5, 0, 2, 4])[0], atol=1e-5)
    session.reset()
    np.testing.assert_allclose(session.step([3])[0], stepped([3])[0], atol=1e-5)


def test_wrong_steps_leave_the_states(recurrent):
    session = recurrent.session()
    session.step(3)
    for piece in (99, -1, 2**40, [], "text", None, 0.5, [0.5, "a"]):
        with pytest.raises(mxinfer.InvalidArgumentError):
            session.step(piece)
    for states in (
        {},
        {"memory": np.zeros((1, 4), np.float32)},
        {"state": np.zeros((1, 5), np.float32)},
        {"state": np.zeros((1, 4))},
        {"state": "text"},
        {3: np.zeros((1, 4), np.float32)},
        np.zeros((1, 4), np.float32),
    ):
        with pytest.raises(mxinfer.InvalidArgumentError):
            session.set_states(states)
    np.testing.assert_allclose(session.step(1)[0], stepped([3, 1])[0], atol=1e-5)
    with pytest.raises(TypeError):
        mxinfer.Session()


def test_many_sessions_at_once(recurrent):
    sessions = [recurrent.session() for _ in range(5)]
    recurrent.step(sessions, [[i] for i in range(5)])
    outputs = recurrent.step(sessions, [1, 2, 3, 4, 5])
    for i in range(5):
        np.testing.assert_allclose(outputs[i][0], stepped([i, i + 1])[0], atol=1e-5)
    (outputs,) = recurrent.step([recurrent.session()], [np.int64(3)])
    np.testing.assert_allclose(outputs[0], stepped([3])[0], atol=1e-5)
    outputs, errors = recurrent.step(sessions, [[1], [99], "text", [2], []], errors="collect")
    assert [error.item for error in errors] == [1, 2, 4] and [len(each) for each in outputs] == [1, 0, 0, 1, 0]
    np.testing.assert_allclose(sessions[1].step(0)[0], stepped([1, 2, 0])[0], atol=1e-5)
    with pytest.raises(mxinfer.InvalidArgumentError, match="4 pieces for 5"):
        recurrent.step(sessions, [1, 2, 3, 4])
    for wrong in ([sessions[0], sessions[0]], [sessions[0], "session"], [sessions[0], None]):
        with pytest.raises(mxinfer.InvalidArgumentError):
            recurrent.step(wrong, [1, 2])
    other = mxinfer.SequencePredictor(recurrent.model, states={"state": "next_output"}).session()
    with pytest.raises(mxinfer.InvalidArgumentError):
        recurrent.step([sessions[0], other], [1, 2])


def test_sessions_in_threads(recurrent):
    shared = recurrent.session()
    sessions = [recurrent.session() for _ in range(8)]

    def work(number):
        ids = [number % 6, 1, 2] * 10
        for id in ids:
            (scores,) = sessions[number].step(id)
            shared.step(0)
        np.testing.assert_allclose(scores, stepped(ids)[0], atol=1e-4)
        recurrent.step([sessions[number], shared] if number % 2 else [shared, sessions[number]], [1, 1])

    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        for future in [threads.submit(work, number) for number in range(8)]:
            future.result()
    assert np.isfinite(shared.step(0)[0]).all()
