"""What MXNet says of sentences, with the network of this folder without the texts in front of it."""
import os
import pathlib

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("MXNET_SUBGRAPH_BACKEND", "NONE")

import gluonnlp
import mxnet as mx
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
LONGEST, BATCH = 256, 64


def load():
    return mx.gluon.SymbolBlock.imports(str(HERE / "network" / "model-symbol.json"), ["data", "valid_length"],
                                        str(HERE / "model-0000.params"))


def scores(sentences):
    """(sentences, languages) of float32."""
    vocabulary = gluonnlp.Vocab.from_json((HERE / "vocab.json").read_text(encoding="utf-8"))
    net, result = load(), [None] * len(sentences)
    order = sorted(range(len(sentences)), key=lambda i: len(sentences[i]))
    for begin in range(0, len(order), BATCH):
        chosen = order[begin:begin + BATCH]
        ids = [vocabulary[list(sentences[i][:LONGEST])] for i in chosen]
        data = np.zeros((len(ids), max(map(len, ids))), dtype=np.float32)
        for row, values in zip(data, ids):
            row[:len(values)] = values
        answers = net(mx.nd.array(data), mx.nd.array([len(row) for row in ids])).asnumpy()
        for i, answer in zip(chosen, answers):
            result[i] = answer
    return np.stack(result)
