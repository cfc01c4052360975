#!/usr/bin/env python3
"""Holds what texts become in a graph to GluonNLP's BERTSentenceTransform: ids, segments and lengths.

    framed_texts.py --mxinfer build/release/bin/mxinfer

Single texts and pairs of mixed scripts (text_lines.py), long and short, empty ones among them, at several lengths. The network behind
them gives back what it is given; then it is a small BERT of GluonNLP, with its outputs as there.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import tempfile

os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"

import gluonnlp
import mxnet as mx
import numpy as np

from text_lines import random_lines

SEED = 20260102
TEXTS = 200
TOLERANCE = 1e-4
WHOLE_NUMBERS = ("--describe", "data0=-1,-1:int32", "--describe", "data1=-1,-1:int32", "--describe", "data2=-1:int32")


def write_network(folder):
    """Ids, segments and lengths, as they come."""
    heads = [mx.sym.identity(mx.sym.var(name), name=f"same_{name}") for name in ("data0", "data1", "data2")]
    mx.sym.Group(heads).save(str(folder / "net-symbol.json"))


def write_bert(folder, words):
    """A classifier of pairs, exported to folder/net."""
    mx.random.seed(SEED)
    encoder = gluonnlp.model.BERTEncoder(num_layers=2, units=16, hidden_size=32, max_length=128, num_heads=2)
    bert = gluonnlp.model.BERTModel(encoder, words, token_type_vocab_size=2, units=16, embed_size=16,
                                    use_decoder=False, use_classifier=False)
    net = gluonnlp.model.BERTClassifier(bert, num_classes=3)
    net.initialize(mx.init.Normal(0.3))
    net.hybridize(static_alloc=True)
    net(mx.nd.ones((2, 8)), mx.nd.zeros((2, 8)), mx.nd.array([4, 8]))
    net.export(str(folder / "net"))
    return net


def vocabulary(texts):
    """Some of the words, their beginnings and the characters, so that words are cut and others are unknown."""
    dice, pieces = random.Random(SEED), set()
    for token in sorted({token for text in texts for token in gluonnlp.data.BERTBasicTokenizer(lower=True)(text)}):
        if dice.random() < 0.4:
            pieces.add(token)
        pieces.update((token[0], "##" + token[-1], "##" + token[1:3]))
    pieces.discard("##")
    special = {"unknown_token": "[UNK]", "padding_token": "[PAD]", "bos_token": None, "eos_token": None,
               "cls_token": "[CLS]", "sep_token": "[SEP]", "mask_token": "[MASK]"}
    return gluonnlp.Vocab(gluonnlp.data.count_tokens(sorted(pieces)), **special)


def as_rows(texts):
    """uint8 (N, bytes), zeros behind each text."""
    encoded = [text.encode("utf-8") for text in texts]
    rows = np.zeros((len(texts), max(max(map(len, encoded)), 1)), np.uint8)
    for row, text in zip(rows, encoded):
        row[: len(text)] = np.frombuffer(text, np.uint8)
    return rows


class Case:
    def __init__(self, command, folder, vocab):
        self.command, self.folder, self.vocab = command, folder, vocab
        (folder / "vocab.json").write_text(vocab.to_json(), encoding="utf-8")
        self.tokenizer = gluonnlp.data.BERTTokenizer(vocab, lower=True)

    def run(self, *arguments):
        done = subprocess.run([self.command, *map(str, arguments)], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"mxinfer {arguments[0]} exited with {done.returncode}: {done.stderr or done.stdout}")
        return done.stdout

    def ours(self, columns, max_length, *described):
        names = ["text", "text_pair"][: len(columns)]
        (self.folder / "texts.json").write_text(json.dumps({"texts": {
            "inputs": names, "max_length": max_length, "begin": "[CLS]", "end": "[SEP]",
            "steps": [{"op": "basic_tokenize", "lower": True}, {"op": "wordpiece", "vocabulary": "vocab.json"}],
            "ids": "data0", "segments": "data1", "length": "data2"}}))
        self.run("fuse", "--network", self.folder / "net", "--transforms", self.folder / "texts.json",
                 *described, "--output", self.folder / "whole")
        arguments = ["predict", self.folder / "whole", "--output", self.folder / "out", "--force", "--json"]
        for name, texts in zip(names, columns):
            np.save(self.folder / f"{name}.npy", as_rows(texts))
            arguments += ["--input", f"{name}={self.folder / name}.npy"]
        return [np.load(output["file"]) for output in json.loads(self.run(*arguments))["outputs"]]

    def theirs(self, columns, max_length):
        transform = gluonnlp.data.BERTSentenceTransform(self.tokenizer, max_length, pair=len(columns) > 1)
        rows = [transform(line) for line in zip(*columns)]
        ids, lengths, segments = (np.stack([row[i] for row in rows]) for i in range(3))
        return [ids, segments, lengths]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mxinfer", required=True)
    options = parser.parse_args()
    # A text in an array ends at its zeros.
    texts = [text.replace("\0", "") for text in random_lines(2 * TEXTS, SEED)]
    first, second = texts[:TEXTS], texts[TEXTS:]
    first[3], second[5], first[7], second[7] = "", "", "", ""
    with tempfile.TemporaryDirectory() as path:
        folder = pathlib.Path(path)
        write_network(folder)
        case = Case(options.mxinfer, folder, vocabulary(texts))
        for columns in ([first], [first, second]):
            for max_length in (5, 16, 33, 128):
                what = f"{len(columns)} text(s), {max_length} ids"
                for name, ours, theirs in zip(("ids", "segments", "lengths"), case.ours(columns, max_length, *WHOLE_NUMBERS),
                                              case.theirs(columns, max_length)):
                    if ours.shape != theirs.shape or not np.array_equal(ours, theirs):
                        row = int(np.argmax(np.any((ours != theirs).reshape(len(ours), -1), axis=1)))
                        raise SystemExit(f"{what}: {name} of row {row}: {ours[row]}, GluonNLP has {theirs[row]}")
                print(f"{what}: {TEXTS} rows are equal")
        net = write_bert(folder, len(case.vocab))
        theirs = net(*[mx.nd.array(array, dtype="float32") for array in case.theirs([first, second], 64)]).asnumpy()
        difference = np.abs(case.ours([first, second], 64)[0] - theirs).max() / np.abs(theirs).max()
        print(f"BERT: the largest difference is {difference:.1e} of the largest output")
        if not difference <= TOLERANCE:
            raise SystemExit("that is too large")


if __name__ == "__main__":
    main()
