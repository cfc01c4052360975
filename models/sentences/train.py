#!/usr/bin/env python3
"""Trains a language model of a few words and writes the files of this folder.

    python models/sentences/train.py [--steps 600]

It needs MXNet 1.9.1 and GluonNLP: the environment that tests/oracle/setup.sh makes. It runs on one thread, and gives the
same network each time on one machine.
"""
import argparse
import os
import pathlib
import random

os.environ["OMP_NUM_THREADS"] = "1"
os.environ.setdefault("MXNET_SUBGRAPH_BACKEND", "NONE")
os.environ.setdefault("MXNET_SUBGRAPH_VERBOSE", "0")

import gluonnlp
import mxnet as mx
from mxnet import autograd, gluon
from mxnet.gluon import nn, rnn

HERE = pathlib.Path(__file__).resolve().parent
WIDTH, HIDDEN = 8, 20
ANIMALS = ["cat", "dog", "bird", "mouse"]
FOOD = {"cat": "fish", "dog": "bones", "bird": "seeds", "mouse": "cheese"}
PLACES = {"cat": "on the roof", "dog": "in the garden", "bird": "in the tree", "mouse": "under the table"}


def sentence(source):
    """A sentence of the language: who does what, and where."""
    who = source.choice(ANIMALS)
    words = ["the"] + source.choice([[], ["little"], ["old"]]) + [who]
    kind = source.random()
    if kind < 0.4:
        words += ["eats", FOOD[who]]
    elif kind < 0.7:
        words += ["sleeps"]
    else:
        words += ["sees", "the", source.choice([other for other in ANIMALS if other != who])]
        who = words[-1]
    if source.random() < 0.6:
        words += PLACES[who].split()
    return words


class Step(gluon.HybridBlock):
    """One token (N,) and the state of the LSTM in; a score for each word, and the next state out."""

    def __init__(self, vocabulary):
        super().__init__(prefix="")
        with self.name_scope():
            self.embedding = nn.Embedding(vocabulary, WIDTH, prefix="embedding_")
            self.cell = rnn.LSTMCell(HIDDEN, prefix="lstm_")
            self.words = nn.Dense(vocabulary, prefix="words_")

    def hybrid_forward(self, F, token, h, c):
        output, (next_h, next_c) = self.cell(self.embedding(token), [h, c])
        return self.words(output), next_h, next_c


def batch_of(source, vocabulary, size):
    """Tokens (T, N), with <bos> in front, and how many of the targets count."""
    rows = [vocabulary[["<bos>"] + sentence(source) + ["<eos>"]] for _ in range(size)]
    longest = max(map(len, rows))
    lengths = [len(row) - 1 for row in rows]
    padding = vocabulary[vocabulary.padding_token]
    tokens = mx.nd.array([row + [padding] * (longest - len(row)) for row in rows])
    return tokens.T, mx.nd.array(lengths)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--steps", type=int, default=600)
    steps = arguments.parse_args().steps
    source = random.Random(5)
    mx.random.seed(5)
    counter = gluonnlp.data.count_tokens(word for _ in range(2000) for word in sentence(source))
    vocabulary = gluonnlp.Vocab(counter)
    net = Step(len(vocabulary))
    net.initialize(mx.init.Xavier())
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    size = 64
    for step in range(steps):
        tokens, lengths = batch_of(source, vocabulary, size)
        h = c = mx.nd.zeros((size, HIDDEN))
        with autograd.record():
            loss = 0
            for t in range(len(tokens) - 1):
                scores, h, c = net(tokens[t], h, c)
                loss = loss + loss_of(scores, tokens[t + 1]) * (lengths > t)
            mean = loss.sum() / lengths.sum()
        mean.backward()
        trainer.step(1)
        if step % 100 == 99:
            print(f"step {step + 1}: loss {mean.asscalar():.3f} a word")
    net.cell.reset()  # names count its steps
    scores, h, c = net(mx.sym.var("token"), mx.sym.var("lstm_init_h"), mx.sym.var("lstm_init_c"))
    mx.sym.Group([scores, h, c]).save(str(HERE / "sentences-symbol.json"))
    mx.nd.save(str(HERE / "sentences-0000.params"),
               {"arg:" + name: value.data() for name, value in net.collect_params().items()})
    (HERE / "vocab.json").write_text(vocabulary.to_json() + "\n")


if __name__ == "__main__":
    main()
