import copy
import datetime
import gc
import pickle

import numpy as np
import pytest

import mxinfer


@pytest.fixture(scope="module")
def predictor(digits):
    return mxinfer.Predictor(digits, threads=1)


@pytest.fixture(scope="module")
def batch():
    return np.random.default_rng(1).random((3, 1, 32, 32), np.float32)


def test_by_name_gives_names_and_in_order_gives_a_list(predictor, batch):
    (expected,) = predictor.predict(batch)
    assert expected.shape == (3, 10) and expected.dtype == np.float32
    np.testing.assert_allclose(expected.sum(axis=1), 1, rtol=1e-5)
    for outputs in (predictor.predict([batch]), predictor.predict((batch,))):
        assert isinstance(outputs, list)
        np.testing.assert_array_equal(outputs[0], expected)
    for outputs in (predictor.predict({"data": batch}), predictor.predict(data=batch)):
        assert list(outputs) == ["probabilities_output"]
        np.testing.assert_array_equal(outputs["probabilities_output"], expected)


def test_two_inputs_and_outputs(two_inputs):
    predictor = mxinfer.Predictor(two_inputs)
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    b = np.ones((2, 3), np.float32)
    total, difference = predictor.predict([a, b])
    np.testing.assert_array_equal(total, a + b)
    np.testing.assert_array_equal(difference, a - b)
    named = predictor.predict(b=b, a=a)
    assert list(named) == ["sum_output", "difference_output"]
    np.testing.assert_array_equal(named["difference_output"], a - b)
    lists = predictor.predict({"a": [[1, 2, 3]], "b": [[1, 1, 1]]})
    np.testing.assert_array_equal(lists["sum_output"], [[2, 3, 4]])


def test_wrong_calls(predictor, two_inputs, batch):
    two = mxinfer.Predictor(two_inputs)
    wrong = mxinfer.InvalidArgumentError
    with pytest.raises(wrong, match="1"):
        two.predict(np.ones((1, 3), np.float32))
    with pytest.raises(wrong):
        two.predict({"a": np.ones((1, 3), np.float32)})
    with pytest.raises(mxinfer.Error, match="c"):
        two.predict({"a": np.ones((1, 3), np.float32), "c": np.ones((1, 3), np.float32)})
    with pytest.raises(wrong):
        two.predict()
    with pytest.raises(wrong):
        predictor.predict([])
    with pytest.raises(wrong):
        predictor.predict(None)
    with pytest.raises(wrong):
        predictor.predict(data=None)
    with pytest.raises(wrong, match=r"\(3, 1, 31, 31\)|31"):
        predictor.predict(batch[:, :, :31, :31])
    with pytest.raises(wrong, match=r"astype\(numpy.float32\)"):
        predictor.predict(batch.astype(np.float64))
    with pytest.raises(mxinfer.UnsupportedError, match=r"astype\(numpy.float32\)"):
        predictor.predict(data=batch.astype(np.int32))
    with pytest.raises(TypeError, match="not both"):
        predictor.predict(batch, data=batch)
    for thing in (object(), "text", {1, 2}, lambda: 0, iter([1])):
        with pytest.raises(wrong):
            predictor.predict(thing)
    with pytest.raises((wrong, TypeError)):
        predictor.predict({3: batch})


def test_writes_into_arrays_of_the_caller(predictor, batch):
    (expected,) = predictor.predict(batch)
    out = np.full((3, 10), -1, np.float32)
    predictor.predict_into(batch, [out])
    np.testing.assert_array_equal(out, expected)
    out[:] = -1
    assert predictor.predict(batch, out=[out])[0] is out
    np.testing.assert_array_equal(out, expected)
    out[:] = -1
    named = predictor.predict({"data": batch}, out={"probabilities_output": out})
    assert named["probabilities_output"] is out
    np.testing.assert_array_equal(out, expected)
    raw = bytearray(3 * 10 * 4)
    predictor.predict_into({"data": batch}, [memoryview(raw).cast("f", (3, 10))])
    np.testing.assert_array_equal(np.frombuffer(raw, np.float32).reshape(3, 10), expected)


def test_wrong_targets(predictor, batch):
    wrong = mxinfer.InvalidArgumentError
    good = np.empty((3, 10), np.float32)
    frozen = good.copy()
    frozen.flags.writeable = False
    for out in (
        [],
        [good, good],
        [np.empty((3, 9), np.float32)],
        [np.empty((3, 10), np.float64)],
        [np.empty((10, 3), np.float32).T],
        [np.empty((3, 20), np.float32)[:, ::2]],
        [frozen],
        [None],
        [[0.0] * 10],
        {"other": good},
        {},
    ):
        with pytest.raises(wrong):
            predictor.predict_into(batch, out)


def test_shapes_plans_and_figures(digits, batch):
    predictor = mxinfer.Predictor(digits, threads=1)
    assert predictor.input_shapes() == {"data": (1, 1, 32, 32)}
    assert predictor.output_shapes({"data": (5, 1, 32, 32)})[0].shape == (5, 10)
    with pytest.raises(mxinfer.Error):
        predictor.output_shapes({"nothing": (1,)})
    predictor.warmup({"data": (3, 1, 32, 32)})
    plans = predictor.stats().plans_made
    predictor.predict(batch)
    stats = predictor.stats()
    assert (stats.calls, stats.plans_made, stats.running) == (2, plans, 0)
    metrics = predictor.metrics()
    assert metrics.done == 2 and metrics.run_time.calls == 2 and metrics.run_time.sum_seconds > 0
    assert len(metrics.run_time.counts) == len(metrics.run_time.bounds) + 1
    assert metrics.run_time.quantile_seconds(0.5) > 0
    memory = predictor.memory()
    assert memory.idle_workspaces > 0 and memory.total >= memory.plans
    assert predictor.trim() >= memory.idle_workspaces > predictor.memory().idle_workspaces == 0
    page = predictor.prometheus_text('model="digits"')
    assert 'mxinfer_calls_total{model="digits"' in page and "mxinfer_memory_bytes" in page and "# HELP" in page
    assert "# HELP" not in predictor.prometheus_text(with_help=False)
    assert predictor.warnings == []
    assert predictor.options == {"threads": 1}


def test_explains_its_plan(predictor):
    plan = predictor.explain()
    assert plan.threads == 1 and plan.precision == "float32" and plan.arena_bytes > 0
    assert plan.steps[0].kernel in str(plan) and plan.steps[0].flops > 0
    values = plan.as_dict()
    assert values["steps"][0]["node"] == plan.steps[0].node and "text" not in values


def test_options(digits):
    for options in (
        {"threads": 1, "precision": "bfloat16"},
        {"threads": np.int64(1), "target": "ref"},
        {"scheduling": "latency", "max_batch": 4, "max_delay": 100, "max_in_flight": 3, "when_full": "block"},
        {"idle_limit": datetime.timedelta(seconds=1), "max_plans": 2, "max_plan_bytes": 1 << 20},
        {"threads": None},
    ):
        mxinfer.Predictor(digits, **options).warmup()
    with pytest.raises(TypeError, match="did you mean 'threads'"):
        mxinfer.Predictor(digits, thread=1)
    with pytest.raises(TypeError, match="ImageClassifier"):
        mxinfer.Predictor(digits, preset="imagenet")
    with pytest.raises(TypeError, match="Model.load"):
        mxinfer.Predictor(mxinfer.Model.load(digits), epoch=0)
    with pytest.raises(mxinfer.InvalidArgumentError, match="threads"):
        mxinfer.Predictor(digits, threads="many")
    with pytest.raises(mxinfer.InvalidArgumentError, match="threads"):
        mxinfer.Predictor(digits, threads=[1, "a"])
    with pytest.raises(mxinfer.NotFoundError):
        mxinfer.Predictor("no such model")


def test_predictors_share_their_model(digits):
    model = mxinfer.Model.load(digits)
    first, second = mxinfer.Predictor(model), mxinfer.Predictor(model, threads=1)
    assert first.model is model is second.model


def test_use_after_close(digits, batch):
    predictor = mxinfer.Predictor(digits)
    with predictor as same:
        assert same is predictor and not predictor.closed
        (kept,) = predictor.predict(batch)
    assert predictor.closed and "closed" in repr(predictor)
    predictor.close()
    for call in (
        lambda: predictor.predict(batch),
        lambda: predictor.predict_into(batch, []),
        lambda: predictor.predict_list([batch]),
        lambda: predictor.predict_async(batch),
        lambda: predictor.predict_into_async(batch, []),
        lambda: predictor.predict_list_async([batch]),
        predictor.warmup,
        predictor.explain,
        predictor.stats,
        predictor.metrics,
        predictor.memory,
        predictor.trim,
        predictor.prometheus_text,
        predictor.input_shapes,
        predictor.output_shapes,
        lambda: predictor.warnings,
        lambda: pickle.dumps(predictor),
        predictor.__enter__,
    ):
        with pytest.raises(mxinfer.InvalidArgumentError, match="closed"):
            call()
    assert kept.shape == (3, 10)


def test_pickling(digits, batch):
    predictor = mxinfer.Predictor(digits, threads=1, labels=[str(i) for i in range(10)])
    copied = pickle.loads(pickle.dumps(predictor))
    assert type(copied) is mxinfer.Predictor and copied.options["threads"] == 1
    assert copied.model.labels[0] == "0"
    np.testing.assert_array_equal(copied.predict(batch)[0], predictor.predict(batch)[0])
    assert copy.copy(predictor).model.labels[0] == "0"
    pair = pickle.loads(pickle.dumps((predictor, mxinfer.Predictor(predictor.model))))
    assert pair[0].model is pair[1].model


def test_outputs_outlive_the_predictor(digits, batch):
    predictor = mxinfer.Predictor(digits)
    (first,) = predictor.predict(batch)
    expected = first.copy()
    address = first.__array_interface__["data"][0]
    view = first[1:]
    del predictor
    gc.collect()
    for _ in range(10):
        np.full((64, 1024), 7.0)
    np.testing.assert_array_equal(first, expected)
    assert first.__array_interface__["data"][0] == address and np.shares_memory(view, first)
    del first
    gc.collect()
    np.testing.assert_array_equal(view, expected[1:])


def test_lists_of_items(bundle):
    predictor = mxinfer.Predictor(bundle)
    items = [np.full((40 + i, 50, 1), i, np.uint8) for i in range(4)]
    (scores,) = predictor.predict_list(items)
    assert scores.shape == (4, 10)
    named = predictor.predict_list({"data": items})
    np.testing.assert_array_equal(named["probabilities_output"], scores)
    (some,), errors = predictor.predict_list([*items, np.zeros((2, 2), np.float32)], errors="collect")
    assert [error.item for error in errors] == [4] and isinstance(errors[0].error, mxinfer.InvalidArgumentError)
    np.testing.assert_array_equal(some[:4], scores)
    assert np.isnan(some[4]).all()
    assert predictor.predict_list([np.zeros((2, 2), np.float32)], errors="collect")[0] == []
    with pytest.raises(mxinfer.InvalidArgumentError, match="item 1"):
        predictor.predict_list([items[0], np.zeros((2, 2), np.float32)])
    with pytest.raises(mxinfer.InvalidArgumentError, match="'collect'"):
        predictor.predict_list(items, errors="ignore")
    with pytest.raises(mxinfer.InvalidArgumentError, match="data"):
        predictor.predict_list({"x": items})
    with pytest.raises(mxinfer.Error):
        predictor.predict_list([])


def test_a_model_without_transforms_takes_no_list(predictor):
    with pytest.raises(mxinfer.UnsupportedError):
        predictor.predict_list([np.zeros((1, 32, 32), np.float32)])


def test_times_are_never_rounded_to_none():
    from mxinfer.options import to_text

    assert to_text("idle_limit", datetime.timedelta(microseconds=500)) == "1"
    assert to_text("idle_limit", datetime.timedelta(0)) == "0"
    assert to_text("stall_timeout", datetime.timedelta(seconds=2)) == "2000"
