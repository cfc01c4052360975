#!/usr/bin/env python3
"""Trains the language identifier and writes its files into this folder.

    python models/language_id/train.py [--minutes 35] [--seed 7] [--cache build/language_id]

It needs MXNet 1.9.1 and GluonNLP, the environment that tests/oracle/setup.sh makes, and a Debian that has the packages which
texts.py names. It runs on one thread, and gives the same network each time on one machine, if --steps bounds it.
"""
import argparse
import collections
import json
import os
import pathlib
import time

os.environ["OMP_NUM_THREADS"] = "1"
os.environ.setdefault("MXNET_SUBGRAPH_BACKEND", "NONE")

import gluonnlp
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon
from mxnet.gluon import nn, rnn

import texts

HERE = pathlib.Path(__file__).resolve().parent
NAMES = sorted(texts.LANGUAGES)
CHARACTERS, LONGEST, BATCH = 1500, 256, 128
EMBEDDING, HIDDEN = 32, 64
# How often a source is drawn, where a language has it: those with prose more often than those with short messages.
WEIGHTS = {"gnome-user-docs": 3, "debian-handbook": 3, "wesnoth-1.16-data": 5, "firefox-esr-l10n": 3}
WORDS = 0.25  # the share of texts that are made of a language's most frequent words and others, in any order


class Network(gluon.HybridBlock):
    """Ids of characters (N, length) and how many of them count, (N,), in; a number for each language out. What stands behind
    the last character that counts changes nothing: the second LSTM reads the text from its last character to its first."""

    def __init__(self):
        super().__init__(prefix="language_")
        with self.name_scope():
            self.embedding = nn.Embedding(CHARACTERS, EMBEDDING)
            self.ahead = rnn.LSTM(HIDDEN, input_size=EMBEDDING, prefix="ahead_")
            self.back = rnn.LSTM(HIDDEN, input_size=EMBEDDING, prefix="back_")
            self.classes = nn.Dense(len(NAMES), in_units=4 * HIDDEN, prefix="classes_")

    def hybrid_forward(self, F, data, valid_length):
        x = F.transpose(self.embedding(data), (1, 0, 2))
        reversed_x = F.SequenceReverse(x, valid_length, use_sequence_length=True)
        x = F.concat(self.ahead(x), self.back(reversed_x), dim=2)
        most = F.max(F.SequenceMask(x, valid_length, use_sequence_length=True, value=-1), axis=0)
        total = F.sum(F.SequenceMask(x, valid_length, use_sequence_length=True), axis=0)
        mean = F.broadcast_div(total, F.expand_dims(valid_length, 1))
        return self.classes(F.Dropout(F.concat(most, mean, dim=1), 0.1))


class Batches:
    """Every language as often as any other; often not a whole sentence but some words of it, in capitals or without its full
    stop now and then. Batches are of texts of like length."""

    def __init__(self, rows, words, vocabulary, seed):
        self.random = np.random.RandomState(seed)
        self.words, self.vocabulary = words, vocabulary
        found = collections.defaultdict(lambda: collections.defaultdict(list))
        for language, source, _, sentence in rows:
            found[language][source].append(sentence)
        self.sources = []
        for name in NAMES:
            lists = list(found[name].values())
            weights = [WEIGHTS[source] * min(1, len(found[name][source]) / 2000) for source in found[name]]
            self.sources.append((lists, np.array(weights) / sum(weights)))
        self.ready = []

    def draw(self):
        if not self.ready:
            drawn = sorted((self._sample() for _ in range(32 * BATCH)), key=lambda pair: len(pair[0]))
            self.ready = [drawn[i:i + BATCH] for i in range(0, len(drawn), BATCH)]
            self.random.shuffle(self.ready)
        ids, labels = zip(*self.ready.pop())
        return (*padded(ids), np.array(labels))

    def _sample(self):
        label = self.random.randint(len(NAMES))
        lists, weights = self.sources[label]
        sentences = lists[self.random.choice(len(lists), p=weights)]
        sentence = sentences[self.random.randint(len(sentences))]
        text = self._some_words(label, sentence) if self.random.rand() < WORDS else self._varied(sentence)
        return self.vocabulary[list(text[:LONGEST])], label

    def _some_words(self, label, sentence):
        words = self.words[label]
        chosen = [words[i] for i in self.random.randint(len(words), size=self.random.randint(2, 6))]
        if self.random.rand() < 0.6 and " " in sentence:
            others = sentence.split()
            chosen.append(others[self.random.randint(len(others))])
        text = ("" if texts.LANGUAGES[NAMES[label]][0] in texts.WITHOUT_SPACES else " ").join(chosen)
        text = text[0].upper() + text[1:] if self.random.rand() < 0.5 else text
        return text + ("", "", ".", "?")[self.random.randint(4)]

    def _varied(self, text):
        if self.random.rand() < 0.5:
            text = self._cut(text, int(np.exp(self.random.uniform(np.log(8), np.log(80)))))
        chance = self.random.rand()
        if chance < 0.04:
            text = text.upper()
        elif chance < 0.12:
            text = text.lower()
        if self.random.rand() < 0.3:
            text = text.rstrip(".!?…。！？।")
        return text or "?"

    def _cut(self, text, length):
        """Whole words, if it has spaces, of about that length."""
        if len(text) <= length:
            return text
        begin = self.random.randint(len(text) - length + 1)
        end = begin + length
        if text.count(" ") * 12 >= len(text):
            begin = text.rfind(" ", 0, begin + 1) + 1
            end = text.find(" ", end) if " " in text[end:] else len(text)
        return text[begin:end].strip() or text


def padded(ids):
    lengths = np.array([len(row) for row in ids], dtype=np.float32)
    data = np.zeros((len(ids), -(-int(lengths.max()) // 16) * 16), dtype=np.float32)
    for row, values in zip(data, ids):
        row[:len(values)] = values
    return data, lengths


def make_vocabulary(rows):
    """The characters that are the most frequent, where every language counts as much as any other."""
    shares = collections.Counter()
    for name in NAMES:
        counts = collections.Counter("".join(row[3] for row in rows if row[0] == name))
        total = sum(counts.values())
        for character, count in counts.items():
            shares[character] += count / total
    best = sorted(shares, key=lambda character: (-shares[character], character))[:CHARACTERS - 2]
    order = {character: CHARACTERS - i for i, character in enumerate(best)}
    return gluonnlp.Vocab(order, unknown_token="<unk>", padding_token="<pad>", bos_token=None, eos_token=None)


def write_vocabulary(vocabulary):
    compact = json.dumps(json.loads(vocabulary.to_json()), ensure_ascii=False, separators=(",", ":"))
    (HERE / "vocab.json").write_text(compact + "\n", encoding="utf-8")
    (HERE / "synset.txt").write_text("".join(f"{name}\n" for name in NAMES))


def accuracy(net, rows, vocabulary):
    """By MXNet; evaluate.py measures through mxinfer."""
    rows = sorted(rows, key=lambda row: len(row[3]))
    right = 0
    for i in range(0, len(rows), BATCH):
        part = rows[i:i + BATCH]
        data, lengths = padded([vocabulary[list(row[3][:LONGEST])] for row in part])
        best = net(mx.nd.array(data), mx.nd.array(lengths)).argmax(1).asnumpy()
        right += sum(NAMES[int(label)] == row[0] for label, row in zip(best, part))
    return right / len(rows)


def learning_rate(progress, largest):
    return largest * min(1, 0.05 + progress / 0.03) * (0.5 + 0.5 * np.cos(np.pi * min(progress, 1)))


def train(net, batches, held_out, arguments):
    net.initialize(mx.init.Xavier())
    for lstm in (net.ahead, net.back):  # a cell that begins by keeping what it has: gates in, forget, new, out
        lstm.l0_h2h_bias.set_data(mx.nd.concat(mx.nd.zeros(HIDDEN), mx.nd.ones(HIDDEN), mx.nd.zeros(2 * HIDDEN), dim=0))
    if arguments.start:
        net.load_parameters(arguments.start)
    net.hybridize()
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    loss_of.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"clip_gradient": 1.0})
    start, total, step, progress = time.time(), 0.0, 0, 0.0
    while progress < 1:
        trainer.set_learning_rate(learning_rate(progress, arguments.rate))
        data, lengths, labels = batches.draw()
        with autograd.record():
            loss = loss_of(net(mx.nd.array(data), mx.nd.array(lengths)), mx.nd.array(labels)).mean()
        loss.backward()
        trainer.step(1)
        total += float(loss.asscalar())
        step += 1
        minutes = (time.time() - start) / 60
        progress = step / arguments.steps if arguments.minutes is None else minutes / arguments.minutes
        if step % 100 == 0:
            print(f"step {step}: loss {total / 100:.4f}; {minutes:.1f} minutes, {100 * progress:.0f} %", flush=True)
            total = 0.0
        if step % 1000 == 0 or progress >= 1:
            export(net, arguments.cache)
            print(f"accuracy of {len(held_out)} held-out sentences: {accuracy(net, held_out, batches.vocabulary):.4f}", flush=True)


def export(net, cache):
    """Both batch and length are free."""
    net.save_parameters(str(pathlib.Path(cache) / "checkpoint.params"))
    scores = net(mx.sym.var("data"), mx.sym.var("valid_length"))
    mx.sym.softmax(scores, axis=1, name="languages").save(str(HERE / "network" / "model-symbol.json"))
    weights = {f"arg:{name}": value.data() for name, value in sorted(net.collect_params().items())}
    mx.nd.save(str(HERE / "model-0000.params"), weights)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=12000, help="batches of %d texts to learn from" % BATCH)
    parser.add_argument("--minutes", type=float, help="learn for so long instead, however many steps that makes")
    parser.add_argument("--seed", type=int, default=7, help="of the texts' order and of the first weights")
    parser.add_argument("--rate", type=float, default=4e-3, help="the largest learning rate")
    parser.add_argument("--start", metavar="FILE", help="go on with the parameters of this file, the cache's checkpoint.params")
    parser.add_argument("--cache", default=str(texts.CACHE), help="folder that keeps packages, sentences and the checkpoint")
    parser.add_argument("--sentences", type=int, default=3000, help="held-out sentences that it is tried on in between")
    arguments = parser.parse_args()
    mx.random.seed(arguments.seed)
    np.random.seed(arguments.seed)
    rows, held_out = texts.prepare(arguments.cache)
    if arguments.start:
        vocabulary = gluonnlp.Vocab.from_json((HERE / "vocab.json").read_text(encoding="utf-8"))
    else:
        vocabulary = make_vocabulary(rows)
        write_vocabulary(vocabulary)
    words = [texts.function_words(arguments.cache, name) for name in NAMES]
    chosen = np.random.RandomState(1).permutation(len(held_out))[:arguments.sentences]
    train(Network(), Batches(rows, words, vocabulary, arguments.seed), [held_out[i] for i in chosen], arguments)
    size = sum((HERE / name).stat().st_size for name in ("network/model-symbol.json", "model-0000.params", "vocab.json", "synset.txt"))
    print(f"{size} bytes")


if __name__ == "__main__":
    main()
