"""Sequences of any length, and networks of many lengths."""

import asyncio
import concurrent.futures
import pickle

import numpy as np
import pytest

import mxinfer
import networks
from small_sequences import bag_scores, random

# Sequences


def test_one_sequence(bag):
    assert bag.buckets == [3, 6] and bag.bucket_of(1) == 3 and bag.bucket_of(4) == 6
    bag.warmup_buckets()
    for ids in ([2], [2, 3, 4], [7, 6, 5, 4, 3, 2], (1, 2), range(5), [np.int64(3), 2]):
        (scores,) = bag.predict_sequence(ids)
        assert scores.shape == (3,)
        np.testing.assert_allclose(scores, bag_scores(ids), atol=1e-5)
    for dtype in (np.int8, np.uint8, np.int32, np.int64, np.uint64):
        np.testing.assert_allclose(bag.predict_sequence(np.array([5, 1], dtype))[0], bag_scores([5, 1]), atol=1e-5)
    np.testing.assert_allclose(bag.predict_sequence(np.float32([5, 1]))[0], bag_scores([5, 1]), atol=1e-5)


def test_many_sequences(bag):
    generator = np.random.default_rng(3)
    many = [generator.integers(0, 8, length).tolist() for length in generator.integers(1, 7, 50)]
    for outputs, ids in zip(bag.predict_sequences(many), many):
        np.testing.assert_allclose(outputs[0], bag_scores(ids), atol=1e-5)
    assert len(bag.predict_sequences(iter(many))) == 50 and bag.predict_sequences([]) == []
    (alone,) = bag.predict_sequences([np.array(many[0])])
    np.testing.assert_allclose(alone[0], bag_scores(many[0]), atol=1e-5)
    named = bag.predict_sequences([{"data": np.float32(ids)} for ids in many])
    np.testing.assert_allclose(named[7][0], bag_scores(many[7]), atol=1e-5)
    np.testing.assert_allclose(bag.predict_sequence({"data": many[7]})[0], bag_scores(many[7]), atol=1e-5)


def test_wrong_sequences_cost_the_others_nothing(bag):
    many = [[2], [], [2, 99], "text", [3, 4], {"data": [1.0]}, [2**40], [-1]]
    outputs, errors = bag.predict_sequences(many, errors="collect")
    assert [error.item for error in errors] == [1, 2, 3, 5, 6, 7]
    assert {type(error.error) for error in errors} == {mxinfer.InvalidArgumentError}
    assert [len(each) for each in outputs] == [1, 0, 0, 0, 1, 0, 0, 0]
    np.testing.assert_allclose(outputs[4][0], bag_scores([3, 4]), atol=1e-5)
    for wrong in ([], [99], [2**40], "text", b"text", None, 5, [[2, 3], [4]], object()):
        with pytest.raises(mxinfer.InvalidArgumentError):
            bag.predict_sequence(wrong)
        with pytest.raises(mxinfer.InvalidArgumentError):
            bag.predict_sequences([[2], wrong])
    with pytest.raises(mxinfer.InvalidArgumentError, match="list"):
        bag.predict_sequences("text")
    with pytest.raises(mxinfer.InvalidArgumentError, match="errors"):
        bag.predict_sequences([[2]], errors="ignore")


def test_too_long_sequences(bag_model):
    cut = mxinfer.SequencePredictor(bag_model, buckets=(2,), truncate_side="left")
    np.testing.assert_allclose(cut.predict_sequence([5, 6, 7])[0], bag_scores([6, 7]), atol=1e-5)
    strict = mxinfer.SequencePredictor(bag_model, buckets=np.array([2]), too_long="error")
    with pytest.raises(mxinfer.InvalidArgumentError):
        strict.predict_sequence([5, 6, 7])
    free = mxinfer.SequencePredictor(bag_model)
    assert free.buckets == [] and free.bucket_of(17) == 17
    np.testing.assert_allclose(free.predict_sequence([5] * 17)[0], bag_scores([5] * 17), atol=1e-4)


def test_sequences_of_vectors():
    predictor = mxinfer.SequencePredictor(networks.doubled(2), buckets=[4])
    values = random(3, 2)
    (outputs,) = predictor.predict_sequence(values)
    np.testing.assert_array_equal(outputs, values * 2)
    assert predictor.predict_sequence([[1, 2.5]])[0].tolist() == [[2, 5]]
    lists = predictor.predict_sequences([values[:2], values[::-1], [[1, 2]]])
    np.testing.assert_array_equal(lists[1][0], values[::-1] * 2)
    whole = mxinfer.SequencePredictor(networks.doubled(2), buckets=[4], cut_outputs=False, pad_value=1.5)
    assert whole.predict_sequence(values)[0][3].tolist() == [3, 3]
    left = mxinfer.SequencePredictor(networks.doubled(2), buckets=[4], cut_outputs=False, pad_side="left")
    assert left.predict_sequence(values)[0][0].tolist() == [0, 0]
    for wrong in (random(3, 3), np.zeros((3, 2)), np.zeros((1, 3, 2), np.float32), [1, 2]):
        with pytest.raises(mxinfer.InvalidArgumentError):
            predictor.predict_sequence(wrong)


def test_options_of_sequences(bag_model, digits):
    def make(**options):
        return mxinfer.SequencePredictor(bag_model, **options)

    for options, what in [
        ({"buckets": "three"}, "option 'buckets'.*list of lengths"),
        ({"buckets": [6, 3]}, "buckets"),
        ({"buckets": [0]}, "."),
        ({"buckets": [2.5]}, "option 'buckets'"),
        ({"pad_side": "top"}, "option 'pad_side'.*'left', 'right'"),
        ({"pad_side": ["left"]}, "option 'pad_side'"),
        ({"pad_value": "x"}, "option 'pad_value'"),
        ({"too_long": True}, "option 'too_long'"),
        ({"sequence_input": "ids"}, "ids"),
        ({"length_input": 5}, "option 'length_input'"),
        ({"states": {"a": "b"}}, "."),
        ({"states": ["a"]}, "option 'states'"),
        ({"max_batch": 0}, "max_batch"),
        ({"cut_outputs": "no"}, "option 'cut_outputs'"),
    ]:
        with pytest.raises(mxinfer.InvalidArgumentError, match=what):
            make(**options)
    with pytest.raises(TypeError, match="bucket_sizes"):
        make(bucket_sizes=[3])
    with pytest.raises(TypeError, match="mean"):
        make(mean=[0.5])
    with pytest.raises(TypeError, match="Model.load"):
        make(epoch=3)
    with pytest.raises(TypeError):
        mxinfer.Predictor(digits, buckets=[3])
    predictor = make(buckets=None, max_batch=4, threads=1)
    assert predictor.model is bag_model
    assert predictor.options == {"buckets": None, "max_batch": 4, "threads": 1}
    np.testing.assert_allclose(predictor.predict_sequence([2])[0], bag_scores([2]), atol=1e-5)


def test_a_sequence_predictor_is_a_predictor(bag):
    assert isinstance(bag, mxinfer.Predictor)
    outputs = bag.predict(data=np.float32([[5, 1, 0]]), valid_length=np.float32([2]))
    np.testing.assert_allclose(outputs["scores_output"][0], bag_scores([5, 1]), atol=1e-5)
    with pytest.raises(mxinfer.UnsupportedError):
        bag.session()
    closed = mxinfer.SequencePredictor(bag.model)
    closed.close()
    with pytest.raises(mxinfer.InvalidArgumentError, match="closed"):
        closed.predict_sequence([2])


def test_sequences_through_the_queue(bag_model):
    predictor = mxinfer.SequencePredictor(bag_model, buckets=[3, 6], max_batch=8, max_in_flight=64)
    futures = [predictor.predict_sequence_async([i % 8, 2]) for i in range(40)]
    for i, future in enumerate(futures):
        np.testing.assert_allclose(future.result()[0], bag_scores([i % 8, 2]), atol=1e-4)
    lists = predictor.predict_sequences_async([[1], np.array([2, 3])]).result()
    np.testing.assert_allclose(lists[1][0], bag_scores([2, 3]), atol=1e-4)
    with pytest.raises(mxinfer.InvalidArgumentError):
        predictor.predict_sequence_async([99]).result()
    with pytest.raises(mxinfer.InvalidArgumentError):
        predictor.predict_sequence_async("text")

    async def main():
        return await asyncio.gather(predictor.apredict_sequence([4]), predictor.apredict_sequences([[4], [5]]))

    one, two = asyncio.run(main())
    np.testing.assert_allclose(one[0], two[0][0], atol=1e-5)
    predictor.close()


def test_sixteen_threads_with_sequences(bag):
    generator = np.random.default_rng(5)
    many = [generator.integers(0, 8, length).tolist() for length in generator.integers(1, 7, 16)]

    def work(ids):
        for _ in range(20):
            np.testing.assert_allclose(bag.predict_sequence(ids)[0], bag_scores(ids), atol=1e-5)
            np.testing.assert_allclose(bag.predict_sequences([ids, [2]])[0][0], bag_scores(ids), atol=1e-5)
        return True

    with concurrent.futures.ThreadPoolExecutor(16) as threads:
        assert all(threads.map(work, many))


# Networks of many lengths


def test_a_bucketed_model(tmp_path):
    prefix = networks.bucket_files(tmp_path)
    model = mxinfer.BucketedModel.load(prefix)
    assert model.keys == [2, 4] and model.memory().total > 0 and "lstm" in model.name and "lstm" in repr(model)
    assert model.largest.inputs[0].shape[1] == 4 and model.model(2).inputs[0].shape[1] == 2
    with pytest.raises(mxinfer.InvalidArgumentError):
        model.model(3)
    made = mxinfer.BucketedModel({4: model.model(4), 2: model.model(2)})
    assert made.keys == [2, 4]
    for predictor in (
        mxinfer.SequencePredictor(model),
        mxinfer.SequencePredictor(made),
        mxinfer.SequencePredictor(prefix, threads=1),
        pickle.loads(pickle.dumps(mxinfer.SequencePredictor(model))),
        pickle.loads(pickle.dumps(mxinfer.SequencePredictor(str(prefix), threads=1, epoch=1))),
    ):
        assert predictor.buckets == [2, 4] and predictor.model.inputs[0].shape[1] == 4
        assert predictor.predict_sequence([[1, 2]])[0].tolist() == [[2.5, 4.25]]
        assert predictor.predict_sequence([[1, 2]] * 3)[0].tolist() == [[2.5, 4.25]] * 3
    assert pickle.loads(pickle.dumps(model)).keys == [2, 4]
    with pytest.raises(mxinfer.NotFoundError):
        mxinfer.BucketedModel.load(tmp_path / "none")
    for buckets in ([], {}, {0: model.model(2)}, {2: "lstm"}, {"2": model.model(2)}, {2**70: model.model(2)}):
        with pytest.raises(mxinfer.InvalidArgumentError):
            mxinfer.BucketedModel(buckets)
    with pytest.raises(TypeError, match="BucketedModel.load"):
        mxinfer.SequencePredictor(model, epoch=1)
