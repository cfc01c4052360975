"""Sequences, their sessions, vocabularies, tokenizers, word vectors, texts, CTC, generation."""

import asyncio
import concurrent.futures
import copy
import itertools
import math
import pickle
import sys
import threading

import numpy as np
import pytest

import mxinfer
import networks

WORDS = ["<unk>", "<pad>", "the", "ship", "sails", "sinks", "day", "pleasant"]


def random(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


@pytest.fixture(scope="module")
def vocabulary():
    return mxinfer.Vocabulary(WORDS, unknown="<unk>", padding="<pad>")


# Vocabularies


def test_a_vocabulary_of_a_list(vocabulary):
    assert len(vocabulary) == 8 and list(vocabulary) == WORDS
    assert "ship" in vocabulary and "boat" not in vocabulary and 3 not in vocabulary and "\ud800" not in vocabulary
    assert vocabulary.id("ship") == 3 and vocabulary.id("boat") == 0
    assert vocabulary.find("ship") == 3 and vocabulary.find("boat") is None
    assert vocabulary.ids(["the", "boat"]) == [2, 0] and vocabulary.ids(iter(["day"])) == [6]
    assert vocabulary.word(np.int64(4)) == "sails"
    assert vocabulary.words([2, 3]) == vocabulary.words(np.array([2, 3], np.int64)) == ["the", "ship"]
    specials = (vocabulary.unknown_id, vocabulary.padding_id, vocabulary.begin_id, vocabulary.end_id)
    assert specials == (0, 1, None, None)
    assert len(mxinfer.Vocabulary()) == 0
    assert "8 words" in repr(vocabulary)


def test_files_of_vocabularies(vocabulary, tmp_path):
    file = tmp_path / "vocab.json"
    file.write_text(vocabulary.to_json())
    for other in (
        mxinfer.Vocabulary.load(file),
        mxinfer.Vocabulary.parse(vocabulary.to_json()),
        mxinfer.Vocabulary.parse(vocabulary.to_json().encode(), format="gluonnlp_json"),
        pickle.loads(pickle.dumps(vocabulary)),
    ):
        assert list(other) == WORDS and other.unknown_id == 0 and other.padding_id == 1
    lines = mxinfer.Vocabulary.parse("a\nb\nc\n", format="words", unknown="b", begin="a", end="c")
    assert (list(lines), lines.unknown_id, lines.begin_id, lines.end_id) == (["a", "b", "c"], 1, 0, 2)
    gaps = mxinfer.Vocabulary.parse("a 1\nb 4\n", format="word_index")
    assert len(gaps) == 5 and gaps.word(2) == "" and pickle.loads(pickle.dumps(gaps)).ids(["a", "b"]) == [1, 4]


def test_wrong_words(vocabulary, tmp_path):
    wrong = mxinfer.InvalidArgumentError
    with pytest.raises(wrong, match="ship"):
        mxinfer.Vocabulary(["ship", "day", "ship"])
    with pytest.raises(wrong, match="boat"):
        mxinfer.Vocabulary(WORDS, unknown="boat")
    with pytest.raises(wrong, match="words 1: a int"):
        mxinfer.Vocabulary(["ship", 3])
    with pytest.raises(wrong, match="surrogate"):
        mxinfer.Vocabulary(["ship", "\udc00"])
    with pytest.raises(wrong, match="list of them"):
        mxinfer.Vocabulary("ship")
    with pytest.raises(wrong, match="boat"):
        mxinfer.Vocabulary(["ship"]).id("boat")
    for id in (8, -1, 2**40, "3", 2.0, None):
        with pytest.raises(wrong):
            vocabulary.word(id)
    with pytest.raises(wrong, match=r"ids\[1\]"):
        vocabulary.words([2, 2**31])
    with pytest.raises(wrong, match="option 'format'.*'words'"):
        mxinfer.Vocabulary.parse("a", format="lines")
    with pytest.raises(wrong, match="option 'unknown'"):
        mxinfer.Vocabulary.parse("a", unknown=3)
    with pytest.raises(mxinfer.NotFoundError):
        mxinfer.Vocabulary.load(tmp_path / "none.json")
    with pytest.raises(mxinfer.MalformedError):
        mxinfer.Vocabulary.parse(b"")


# Tokenizers


def test_tokenizers(vocabulary):
    plain = mxinfer.Tokenizer.whitespace(vocabulary, lower=True)
    assert plain.tokens(" The  ship\nsails ") == ["the", "ship", "sails"]
    assert plain.ids("the boat") == [2, 0]
    assert plain.text(np.array([2, 3])) == "the ship"
    assert list(plain.vocabulary) == WORDS
    assert mxinfer.Tokenizer.characters().tokens("aé 漢") == ["a", "é", " ", "漢"]
    assert mxinfer.Tokenizer.basic().tokens("Héllo, World!") == ["hello", ",", "world", "!"]
    assert mxinfer.Tokenizer.basic(lower=False).tokens("Héllo, World!") == ["Hello", ",", "World", "!"]
    pieces = mxinfer.Vocabulary(["[UNK]", "un", "##aff", "##able"], unknown="[UNK]")
    wordpiece = mxinfer.Tokenizer.wordpiece(pieces)
    assert wordpiece.tokens("unaffable") == ["un", "##aff", "##able"]
    assert wordpiece.ids("Unaffable x") == [1, 2, 3, 0]
    assert wordpiece.text([1, 2, 3]) == "unaffable"
    assert mxinfer.Tokenizer.wordpiece(pieces, max_word_length=3).tokens("unaffable") == ["[UNK]"]
    for tokenizer in (plain, wordpiece):
        assert pickle.loads(pickle.dumps(tokenizer)).ids("The unaffable ship") == tokenizer.ids("The unaffable ship")
        steps = tokenizer.transforms()
        assert steps and all(isinstance(step["op"], str) for step in steps)


def test_wrong_texts(vocabulary, tmp_path):
    wrong = mxinfer.InvalidArgumentError
    tokenizer = mxinfer.Tokenizer.whitespace(vocabulary)
    for text in (None, 3, b"the", ["the"], "a\ud800"):
        with pytest.raises(wrong, match="text"):
            tokenizer.tokens(text)
    with pytest.raises(wrong, match="vocabulary"):
        mxinfer.Tokenizer.whitespace(WORDS)
    with pytest.raises(wrong):
        mxinfer.Tokenizer.whitespace().ids("the ship")
    with pytest.raises(wrong):
        mxinfer.Tokenizer.wordpiece(mxinfer.Vocabulary(["a"]))
    with pytest.raises(mxinfer.NotFoundError):
        mxinfer.Tokenizer.sentencepiece(tmp_path / "none.model")
    with pytest.raises(mxinfer.MalformedError):
        mxinfer.Tokenizer.sentencepiece(b"no model")
    with pytest.raises(TypeError):
        mxinfer.Tokenizer()


# Word vectors


@pytest.fixture(scope="module")
def vectors():
    words = mxinfer.Vocabulary(["man", "king", "woman", "queen", "tree"])
    matrix = [[1, 0, 0], [1, 1, 0], [0, 0, 1], [0, 1, 1], [-1, 0.5, -1]]
    return mxinfer.WordVectors(words, np.array(matrix, np.float32), threads=1)


def test_word_vectors(vectors, tmp_path):
    assert vectors.dimensions == 3 and vectors.matrix.shape == (5, 3) and vectors.skipped == 0
    assert vectors.vector("king").tolist() == vectors.vector(1).tolist() == [1, 1, 0]
    assert vectors.rows(["tree", "man"]).tolist() == vectors.rows(np.array([4, 0])).tolist() == [[-1, 0.5, -1], [1, 0, 0]]
    assert vectors.similarity("man", "king") == pytest.approx(math.sqrt(0.5))
    near = vectors.nearest("king", 2)
    assert near[0] == mxinfer.NearWord("man", pytest.approx(math.sqrt(0.5)), 0) and near[1].word == "queen"
    assert vectors.nearest("king", 5, include_given=True)[0].word == "king"
    assert [found.word for found in vectors.nearest(np.float32([0, 1, 1]), 1)] == ["queen"]
    assert [found.word for found in vectors.nearest("king", 5, min_score=0.6)] == ["man"]
    assert vectors.analogy("man", "king", "woman", 1)[0].word == "queen"
    other = pickle.loads(pickle.dumps(vectors))
    np.testing.assert_array_equal(other.matrix, vectors.matrix)
    file = tmp_path / "vectors.txt"
    file.write_text("\n".join("{} {} {} {}".format(word, *vectors.vector(word)) for word in vectors.vocabulary))
    for read in (mxinfer.WordVectors.load(file), mxinfer.WordVectors.parse(file.read_bytes(), format="text")):
        np.testing.assert_array_equal(read.matrix, vectors.matrix)
        assert list(read.vocabulary) == list(vectors.vocabulary)
    np.save(tmp_path / "vectors.npy", vectors.matrix)
    read = mxinfer.WordVectors.load(tmp_path / "vectors.npy", vocabulary=vectors.vocabulary)
    assert read.vector("queen").tolist() == [0, 1, 1]


def test_views_of_vectors_outlive_them():
    made = mxinfer.WordVectors(mxinfer.Vocabulary(["a", "b"]), np.float32([[1, 2], [3, 4]]))
    matrix, vector = made.matrix, made.vector("b")
    assert np.shares_memory(matrix, vector)
    del made
    assert matrix.tolist() == [[1, 2], [3, 4]] and vector.tolist() == [3, 4]
    for view in (matrix, vector):
        with pytest.raises(ValueError):
            view[0] = 0


def test_wrong_vectors(vectors):
    with pytest.raises(mxinfer.NotFoundError):
        vectors.nearest("boat")
    with pytest.raises(mxinfer.NotFoundError):
        vectors.similarity("man", "boat")
    for call in (
        lambda: vectors.vector("boat"),
        lambda: vectors.vector(5),
        lambda: vectors.rows([9]),
        lambda: vectors.nearest("king", 0),
        lambda: vectors.nearest(np.zeros(2, np.float32)),
        lambda: vectors.nearest(np.zeros(3)),
        lambda: vectors.nearest(["king"]),
        lambda: mxinfer.WordVectors(vectors.vocabulary, np.zeros((4, 3), np.float32)),
        lambda: mxinfer.WordVectors(vectors.vocabulary, np.zeros((5, 3))),
        lambda: mxinfer.WordVectors.parse(b"a 1", format="glove"),
    ):
        with pytest.raises(mxinfer.InvalidArgumentError):
            call()


# Sequences


BAG = {"rows": random(8, 4), "weight": random(3, 4, seed=1)}


def bag_scores(ids):
    logits = BAG["weight"] @ BAG["rows"][list(ids)].sum(axis=0)
    powers = np.exp(logits - logits.max())
    return powers / powers.sum()


@pytest.fixture(scope="module")
def bag_model():
    return networks.bag_of_ids(BAG, ["calm", "storm", "night"])


@pytest.fixture(scope="module")
def bag(bag_model):
    return mxinfer.SequencePredictor(bag_model, buckets=[3, 6], threads=1)


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


# Sessions


STEP = {
    "rows": random(6, 4, seed=2),
    "input_weight": random(4, 4, seed=3),
    "state_weight": random(4, 4, seed=4) * 0.5,
    "scores_weight": random(6, 4, seed=5),
}


def stepped(ids, state=None):
    """The scores behind ids, and the state."""
    state = np.zeros(4, np.float32) if state is None else state
    for id in ids:
        state = np.tanh(STEP["input_weight"] @ STEP["rows"][id] + STEP["state_weight"] @ state)
    return STEP["scores_weight"] @ state, state


@pytest.fixture(scope="module")
def step_model():
    return mxinfer.Model.load_memory(*networks.step_files(STEP), inputs={"data": (-1, 1), "state": (-1, 4)})


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


# Networks of many lengths


def bucket_files(folder):
    """doubles what it gets, for lengths of 2 and 4; the largest adds nothing but its weight of zeros."""
    for length in (2, 4):
        nodes = [
            networks.node("null", "data", __shape__="(0, {}, 2)".format(length)),
            networks.node("null", "added"),
            networks.node("_mul_scalar", "twice", 0, scalar="2"),
            networks.node("broadcast_add", "sum", 2, 1),
        ]
        (folder / "lstm-{}-symbol.json".format(length)).write_text(networks.symbol(nodes, [3]))
    added = np.float32([[[0.5, 0.25]]])
    (folder / "lstm-0001.params").write_bytes(networks.params({"arg:added": added}))
    return folder / "lstm"


def test_a_bucketed_model(tmp_path):
    prefix = bucket_files(tmp_path)
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


# Texts


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


# CTC


def paths(scores):
    """The probability of each label sequence, by every path."""
    sums = {}
    for path in itertools.product(range(scores.shape[1]), repeat=scores.shape[0]):
        labels = tuple(label for label, _ in itertools.groupby(path) if label != 0)
        sums[labels] = sums.get(labels, 0) + math.prod(float(scores[step, label]) for step, label in enumerate(path))
    return sums


def test_ctc_finds_what_the_paths_say():
    scores = np.random.default_rng(6).dirichlet(np.ones(3), 5).astype(np.float32)
    sums = paths(scores)
    (found,) = mxinfer.ctc_beam_search(scores, labels="ab", beam_width=1000, best=3)
    expected = sorted(sums, key=sums.get, reverse=True)[:3]
    assert [tuple(each.labels) for each in found] == expected
    for each in found:
        assert math.exp(each.log_probability) == pytest.approx(sums[tuple(each.labels)], rel=1e-4)
        assert each.text == "".join("?ab"[label] for label in each.labels)
    (greedy,) = mxinfer.ctc_greedy(scores, labels=["a", "b"])
    chosen = scores.argmax(axis=1)
    assert tuple(greedy.labels) == tuple(label for label, _ in itertools.groupby(chosen.tolist()) if label != 0)
    assert greedy.log_probability == pytest.approx(float(np.log(scores.max(axis=1)).sum()), rel=1e-4)


def test_ctc_layouts_and_kinds():
    logits = random(2, 4, 3)
    powers = np.exp(logits)
    probabilities = powers / powers.sum(axis=2, keepdims=True)
    expected = mxinfer.ctc_greedy(probabilities)
    assert len(expected) == 2 and expected[0].text == ""
    for other in (
        mxinfer.ctc_greedy(logits, scores="logits"),
        mxinfer.ctc_greedy(np.log(probabilities), scores="log_probabilities"),
        mxinfer.ctc_greedy(probabilities.transpose(1, 0, 2), layout="tnc"),
        mxinfer.ctc_greedy(np.roll(probabilities, -1, axis=2), blank=-1),
    ):
        assert [each.log_probability for each in other] == pytest.approx([each.log_probability for each in expected])
    words = mxinfer.Vocabulary(["-", "x", "y"])
    assert mxinfer.ctc_greedy(probabilities, labels=words, lengths=np.array([0, 4]))[0].labels == []
    assert mxinfer.ctc_greedy([[0.1, 0.8, 0.1]], labels="xy")[0].text == "x"


@pytest.mark.parametrize(
    "options",
    [
        {"scores": "numbers"},
        {"layout": "nct"},
        {"blank": 7},
        {"blank": "first"},
        {"labels": "abcdefg"},
        {"labels": [1, 2]},
        {"lengths": [9]},
        {"lengths": [1, 2]},
        {"lengths": ["a"]},
        {"lengths": [0.5]},
    ],
)
def test_wrong_options_of_ctc(options):
    scores = np.full((4, 3), 1 / 3, np.float32)
    with pytest.raises(mxinfer.InvalidArgumentError):
        mxinfer.ctc_greedy(scores, **options)
    with pytest.raises(mxinfer.InvalidArgumentError):
        mxinfer.ctc_beam_search(scores, **options)
    for array in (np.full((4, 3), np.nan, np.float32), np.zeros(3, np.float32), np.zeros((4, 3), np.int32), "text", None):
        with pytest.raises(mxinfer.InvalidArgumentError):
            mxinfer.ctc_greedy(array)
    with pytest.raises(mxinfer.InvalidArgumentError):
        mxinfer.ctc_beam_search(scores, beam_width=0)


# Generation


TOKENS = ["<s>", "</s>", "the", "ship", "sails", "on"]


def log_scores(ids):
    logits = stepped(ids)[0].astype(np.float64)
    return logits - logits.max() - math.log(np.exp(logits - logits.max()).sum())


def greedy(prompt, length):
    ids, total = [], 0.0
    for _ in range(length):
        scores = log_scores([*prompt, *ids])
        id = int(scores.argmax())
        total += scores[id]
        if id == 1:
            return ids, total, "end"
        ids.append(id)
    return ids, total, "length"


@pytest.fixture(scope="module")
def generator(step_model):
    words = mxinfer.Vocabulary(TOKENS, begin="<s>", end="</s>")
    return mxinfer.SequenceGenerator(step_model, states={"state": "next_output"}, vocabulary=words, threads=1)


def test_generation_takes_the_best_tokens(generator):
    assert generator.ids("the ship") == [2, 3] and generator.text([2, 3]) == "the ship"
    assert list(generator.vocabulary) == TOKENS
    found = generator.found()
    assert found["begin_id"] == 0 and found["end_id"] == 1 and found["states"] == [("state", "next_output")]
    for prompt in ([], [2], [2, 3], [5]):
        (made,) = generator.generate(prompt, max_length=7)
        ids, total, finish = greedy([0, *prompt], 7)
        assert (made.ids, made.finish) == (ids, finish)
        assert made.log_probability == pytest.approx(total, abs=1e-4)
        assert made.end_id == (1 if finish == "end" else None)
    assert generator.generate("the ship", max_length=7) == generator.generate(np.array([2, 3]), max_length=7)
    several = generator.generate_batch(["the", "the ship"], max_length=7)
    assert several == generator.generate_batch([[2], [2, 3]], max_length=7)
    assert [made.ids for (made,) in several] == [greedy([0, 2], 7)[0], greedy([0, 2, 3], 7)[0]]


def test_beams_and_samples(generator):
    beams = generator.generate([2], search="beam", beam=6, num_sequences=3, max_length=2, alpha=0)
    totals = {}
    for first in range(6):
        if first == 1:
            totals[()] = log_scores([0, 2])[1]
            continue
        for second in range(6):
            ids = (first,) if second == 1 else (first, second)
            totals[ids] = log_scores([0, 2])[first] + log_scores([0, 2, first])[second]
    expected = sorted(totals, key=totals.get, reverse=True)[:3]
    assert [tuple(made.ids) for made in beams] == expected
    samples = [
        [made.ids for made in generator.generate([2], search="sample", seed=seed, num_sequences=4, max_length=9)]
        for seed in (1, 1, 2)
    ]
    assert samples[0] == samples[1] != samples[2] and len(samples[0]) == 4
    cold = generator.generate([2], search="sample", top_k=1, max_length=7)[0]
    assert cold.ids == greedy([0, 2], 7)[0]


def test_tokens_one_by_one(generator):
    whole = generator.generate([2], max_length=7)[0]
    generation = generator.start([2], max_length=7)
    assert generation.piece == ""
    assert list(generation) == whole.ids and list(generation) == []
    assert generation.result() == whole
    assert "".join(generator.start("the", max_length=7).pieces()).strip() == whole.text
    for _ in zip(generator.start([2], max_length=7), range(2)):
        pass  # one that is given up


def test_a_stop_of_python(step_model):
    generator = mxinfer.SequenceGenerator(step_model, states={"state": "next_output"}, begin_id=0, end_id=-1)
    seen = []
    whole = generator.generate([2], max_length=7)

    def stop(ids):
        seen.append(ids)
        return len(ids) == 2

    assert len(whole[0].ids) == 7 and whole[0].finish == "length"
    (made,) = generator.generate([2], max_length=7, stop=stop)
    assert made.ids == whole[0].ids[:2] and made.finish == "stopped" and seen == [made.ids[:1], made.ids]
    with pytest.raises(ZeroDivisionError):
        generator.generate([2], stop=lambda ids: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        list(generator.start([2], stop=lambda ids: 1 / 0))
    assert list(generator.start([2], max_length=7, stop=lambda ids: len(ids) == 2)) == made.ids


def test_a_stop_does_not_wait_for_its_own_generation(step_model):
    generator = mxinfer.SequenceGenerator(step_model, states={"state": "next_output"}, begin_id=0, end_id=-1)
    for use in (mxinfer.Generation.result, next):
        held, raised = [], []

        def run():
            try:
                next(held[0])
            except mxinfer.InvalidArgumentError as error:
                raised.append(str(error))

        held.append(generator.start([2], stop=lambda ids: bool(use(held[0]))))
        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        thread.join(60)
        assert len(raised) == 1 and "stop function" in raised[0]
        assert held[0].result().ids
        held.clear()  # the stop function holds its generation, which holds it


def test_what_calls_borrow_is_let_go(generator, bag):
    class Stop:
        def __call__(self, ids):
            return False

    state, stop, ids = random(1, 4), Stop(), list(range(2000, 2003))
    before = [sys.getrefcount(each) for each in (state, stop, ids)]
    for _ in range(50):
        generator.generate([2], inputs={"state": state}, stop=stop, max_length=2)
        generation = generator.start([2], inputs={"state": state}, stop=stop)
        next(generation, None)
        del generation
        with pytest.raises(mxinfer.InvalidArgumentError):
            bag.predict_sequences([ids])
    assert [sys.getrefcount(each) for each in (state, stop, ids)] == before


def test_states_to_begin_with(generator):
    state = random(1, 4, seed=9)
    (made,) = generator.generate([2], inputs={"state": state}, max_length=1)
    assert made.ids == [int(stepped([0, 2], state[0])[0].argmax())] or made.finish == "end"
    for inputs in (state, {"memory": state}, {"state": state[:, :3]}, {"state": state.astype(np.float64)}):
        with pytest.raises(mxinfer.InvalidArgumentError):
            generator.generate([2], inputs=inputs)


def test_wrong_generation(generator, step_model):
    wrong = mxinfer.InvalidArgumentError
    for options in (
        {"search": "best"},
        {"max_length": 0},
        {"max_length": "long"},
        {"search": "sample", "temperature": 0},
        {"search": "sample", "top_p": 2},
        {"search": "beam", "beam": 0},
        {"num_sequences": 2},
        {"stop_ids": "ab"},
        {"seed": -1},
    ):
        with pytest.raises(wrong):
            generator.generate([2], **options)
    for prompt in ([99], [-1], None, 5, [0.5], "\ud800"):
        with pytest.raises(wrong):
            generator.generate(prompt)
        with pytest.raises(wrong):
            list(generator.start(prompt))
    with pytest.raises(TypeError, match="beams"):
        generator.generate([2], beams=3)
    with pytest.raises(TypeError, match="stop"):
        generator.generate([2], stop=3)
    with pytest.raises(wrong, match="list"):
        generator.generate_batch("the ship")
    with pytest.raises(wrong):
        generator.start([2], search="beam")
    with pytest.raises(wrong, match="vocabulary"):
        mxinfer.SequenceGenerator(step_model, vocabulary=TOKENS)
    with pytest.raises(wrong, match="option 'step'"):
        mxinfer.SequenceGenerator(step_model, step="two_tokens")


def test_generators_in_threads(generator):
    expected = [made.ids for (made,) in generator.generate_batch([[i] for i in range(2, 6)], max_length=7)]
    shared = generator.start([2], search="sample", max_length=50, stop=lambda ids: False)

    def work(number):
        prompt = number % 4
        assert generator.generate([prompt + 2], max_length=7, stop=lambda ids: False)[0].ids == expected[prompt]
        return list(shared)

    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        tokens = [id for ids in threads.map(work, range(16)) for id in ids]
    assert sorted(tokens) == sorted(shared.result().ids)
