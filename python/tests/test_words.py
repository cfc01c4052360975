"""Vocabularies, tokenizers and word vectors."""

import math
import pickle

import numpy as np
import pytest

import mxinfer
from small_sequences import WORDS

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
