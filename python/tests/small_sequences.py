"""Networks of sequences that tests of many kinds use, and what they compute."""

import numpy as np

WORDS = ["<unk>", "<pad>", "the", "ship", "sails", "sinks", "day", "pleasant"]


def random(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


BAG = {"rows": random(8, 4), "weight": random(3, 4, seed=1)}


def bag_scores(ids):
    logits = BAG["weight"] @ BAG["rows"][list(ids)].sum(axis=0)
    powers = np.exp(logits - logits.max())
    return powers / powers.sum()


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
