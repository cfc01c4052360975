"""Sequences that are written token by token."""

import concurrent.futures
import math
import sys
import threading

import numpy as np
import pytest

import mxinfer
from small_sequences import random, stepped


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
