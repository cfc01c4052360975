"""Classifiers of texts."""

import asyncio
import concurrent.futures
import pickle

import numpy as np
import pytest

import mxinfer
import networks
from small_sequences import BAG, bag_scores


@pytest.fixture(scope="module")
def classifier(bag_model, vocabulary):
    return mxinfer.TextClassifier(bag_model, tokenizer=mxinfer.Tokenizer.whitespace(vocabulary), buckets=[4, 8])


def best(ids):
    scores = bag_scores(ids)
    return ["calm", "storm", "night"][scores.argmax()], scores.max()


def test_texts_have_labels(classifier, bag_model, vocabulary):
    assert isinstance(classifier, mxinfer.SequencePredictor)
    assert classifier.ids("the ship sails") == [2, 3, 4]
    ((label, score, index),) = classifier.classify("the ship sails", 1)
    assert (label, score) == (best([2, 3, 4])[0], pytest.approx(best([2, 3, 4])[1], abs=1e-5))
    assert [found.label for found in classifier.classify("the boat")] == ["calm", "storm", "night"]
    assert classifier.classify_tokens(["the", "ship"], 1)[0].label == best([2, 3])[0]
    assert classifier.classify_ids(np.array([2, 3]), 1) == classifier.classify_ids([2, 3], 1)
    lists = classifier.classify_texts(["the ship", "a pleasant day and more of these"], top_k=1)
    assert [found[0].label for found in lists] == [best([2, 3])[0], best([0, 7, 6, 0, 0, 0, 0])[0]]
    framed = mxinfer.TextClassifier(
        bag_model, tokenizer=mxinfer.Tokenizer.whitespace(vocabulary), begin="day", end="sinks", min_score=0.0
    )
    assert framed.ids("the ship") == [6, 2, 3, 5]
    ids = [6, 2, 5, 3, 5]
    assert framed.classify_pair("the", "ship", 1)[0].score == pytest.approx(best(ids)[1], abs=1e-5)
    assert framed.classify_pairs([("the", "ship")], 1)[0] == framed.classify_pair("the", "ship", 1)
    other = pickle.loads(pickle.dumps(mxinfer.Tokenizer.whitespace(vocabulary)))
    assert mxinfer.TextClassifier(bag_model, tokenizer=other).classify("the", 1)[0].label == best([2])[0]


def test_wrong_texts_cost_the_others_nothing(classifier, bag_model):
    wrong = mxinfer.InvalidArgumentError
    lists, errors = classifier.classify_texts(["the", "", 3, "a\ud800", "ship"], 1, errors="collect")
    assert [error.item for error in errors] == [1, 2, 3]
    assert [len(found) for found in lists] == [1, 0, 0, 0, 1]
    assert lists[4][0].label == best([3])[0]
    lists, errors = classifier.classify_pairs([("the", "ship"), ("the",), "ab", ("a", 3)], 1, errors="collect")
    assert [error.item for error in errors] == [1, 2, 3] and len(lists[0]) == 1
    for text in ("", None, 3, b"the", ["the"]):
        with pytest.raises(wrong):
            classifier.classify(text)
        with pytest.raises(wrong):
            classifier.classify_texts(["the", text])
    with pytest.raises(wrong, match="list"):
        classifier.classify_texts("the ship")
    with pytest.raises(wrong):
        classifier.classify_ids([99])
    with pytest.raises(wrong, match="tokenizer"):
        mxinfer.TextClassifier(bag_model, tokenizer="whitespace")
    with pytest.raises(wrong):
        mxinfer.TextClassifier(bag_model)
    with pytest.raises(wrong, match="boat"):
        mxinfer.TextClassifier(bag_model, tokenizer=mxinfer.Tokenizer.whitespace(mxinfer.Vocabulary(["a"])), begin="boat")


def test_predictors_of_files_are_pickled(tmp_path, vocabulary, step_model):
    symbol, params = networks.bag_files(BAG)
    (tmp_path / "bag-symbol.json").write_text(symbol)
    (tmp_path / "bag-0000.params").write_bytes(params)
    tokenizer = mxinfer.Tokenizer.whitespace(vocabulary)
    made = mxinfer.TextClassifier(
        tmp_path / "bag", tokenizer=tokenizer, buckets=[4], threads=1, inputs=networks.BAG_INPUTS, end="day"
    )
    other = pickle.loads(pickle.dumps(made))
    assert type(other) is mxinfer.TextClassifier and other.buckets == [4] and other.options["threads"] == 1
    assert other.classify("the ship") == made.classify("the ship") and other.ids("the") == [2, 6]
    model = mxinfer.Model.load(tmp_path / "bag", inputs=networks.BAG_INPUTS)
    sequences = pickle.loads(pickle.dumps(mxinfer.SequencePredictor(model, pad_value=1)))
    np.testing.assert_allclose(sequences.predict_sequence([5])[0], bag_scores([5]), atol=1e-5)
    with pytest.raises(pickle.PicklingError):
        pickle.dumps(mxinfer.SequencePredictor(step_model, states={"state": "next_output"}))


def test_texts_for_networks_of_many_lengths(vocabulary):
    def fixed(length):
        shapes = {"data": (-1, length), "valid_length": (-1,)}
        return mxinfer.Model.load_memory(*networks.bag_files(BAG), inputs=shapes, labels=["calm", "storm", "night"])

    model = mxinfer.BucketedModel({2: fixed(2), 5: fixed(5)})
    classifier = mxinfer.TextClassifier(model, tokenizer=mxinfer.Tokenizer.whitespace(vocabulary))
    assert classifier.buckets == [2, 5] and classifier.model.labels == ["calm", "storm", "night"]
    lists = classifier.classify_texts(["the ship", "the pleasant ship sails", "day"], 1)
    assert [found[0].label for found in lists] == [best(ids)[0] for ids in ([2, 3], [2, 7, 3, 4], [6])]


def test_a_model_that_takes_texts(root):
    path = root / "models" / "language_id"
    for made in (mxinfer.TextClassifier(path), mxinfer.TextClassifier(mxinfer.Model.load(path))):
        for other in (made, pickle.loads(pickle.dumps(made))):
            lists = other.classify_texts(["Wo ist der Bahnhof?", "Où est la gare ?"], 1)
            assert [found[0].label for found in lists] == ["German", "French"]
            assert "data" in [desc.name for desc in other.model.inputs]  # the network's, behind the vocabulary
    with pytest.raises(mxinfer.UnsupportedError):
        made.classify_tokens(["W", "o"])
    with pytest.raises(mxinfer.InvalidArgumentError):
        mxinfer.TextClassifier(path, tokenizer=mxinfer.Tokenizer.characters(mxinfer.Vocabulary(["a"])))


def test_columns_of_texts(classifier):
    pyarrow = pytest.importorskip("pyarrow")
    batch = pyarrow.record_batch({"number": pyarrow.array([1, 2, 3]), "note": pyarrow.array(["the ship", None, "day"])})
    found = mxinfer.TablePredictor(classifier).predict(batch).to_pylist()
    assert [row["label"] for row in found] == [best([2, 3])[0], None, best([6])[0]]
    assert found[0]["error"] is None and "null" in found[1]["error"]
    pairs = pyarrow.record_batch({"a": pyarrow.array(["the"]), "b": pyarrow.array(["ship"])})
    row = mxinfer.TablePredictor(classifier, columns=["a", "b"]).predict(pairs).to_pylist()[0]
    assert row["label"] == classifier.classify_pair("the", "ship", 1)[0].label


def test_texts_through_the_queue(classifier):
    futures = [classifier.classify_async("the ship", 1, deadline=60) for _ in range(8)]
    expected = classifier.classify("the ship", 1)[0]
    for future in futures:
        assert future.result()[0].label == expected.label
    assert asyncio.run(classifier.aclassify("the ship", 1))[0].label == expected.label
    with pytest.raises(mxinfer.InvalidArgumentError):
        classifier.classify_async(3)

    def work(_):
        return classifier.classify_texts(["the ship", "day"], 1)[0][0].label

    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        assert set(threads.map(work, range(32))) == {expected.label}
