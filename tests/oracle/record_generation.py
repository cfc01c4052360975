#!/usr/bin/env python3
"""Records what GluonNLP's BeamSearchSampler finds on four small decoders of random weights: tests/golden/generation.

    record_generation.py [--check]

lstm takes one token and the states of an LSTM. transformer is GluonNLP's TransformerOneStepDecoder: its state, the
embeddings so far, grows by one in each step, beginning with one of zeros, and it reads a memory with a mask. prefix takes
all tokens (N, T), two causal convolutions. layers is the LSTM of GluonNLP's language models, two layers of one RNN operator
over tokens (T, N), with the states (2, N, 12). cases.json has the runs: what began, the options, and the samples, their
lengths and scores. With --check nothing is written: MXNet must find on the files what cases.json has.
"""
import argparse
import json
import os
import pathlib
import sys

os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"
os.environ["MXNET_MKLDNN_ENABLED"] = "0"
os.environ["MXNET_SUBGRAPH_VERBOSE"] = "0"
os.environ["MXNET_STORAGE_FALLBACK_LOG_VERBOSE"] = "0"
os.environ.setdefault("MXNET_USE_MKLDNN_RNN", "0")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import mxnet as mx
import numpy as np
from mxnet import gluon
from mxnet.gluon import HybridBlock, nn, rnn

try:
    import gluonnlp
    from gluonnlp.model.transformer import TransformerOneStepDecoder
except ImportError:
    print("there is no GluonNLP here; setup.sh --networks installs it")
    sys.exit(77)

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "golden" / "generation"
VOCABULARY, WIDTH, MEMORY = 11, 8, 5


def randomise(parameters, seed, scale):
    source = np.random.RandomState(seed)
    values = {}
    for name in sorted(parameters):
        if name.endswith("const"):
            values[name] = parameters[name].data().asnumpy()
        elif "gamma" in name:
            values[name] = np.ones(parameters[name].shape, np.float32)
        else:
            values[name] = source.uniform(-scale, scale, parameters[name].shape).astype(np.float32)
    return values


def save(name, symbol, values):
    symbol.save(str(FOLDER / (name + "-symbol.json")))
    known = set(symbol.list_arguments())
    mx.nd.save(str(FOLDER / (name + "-0000.params")),
               {"arg:" + key: mx.nd.array(value) for key, value in values.items() if key in known})


def make_lstm():
    embedding = nn.Embedding(VOCABULARY, WIDTH, prefix="embedding_")
    cell = rnn.LSTMCell(12, input_size=WIDTH, prefix="lstm_")
    words = nn.Dense(VOCABULARY, in_units=12, prefix="words_")
    for block in (embedding, cell, words):
        block.initialize()
    output, states = cell(embedding(mx.sym.var("token")), [mx.sym.var("lstm_init_h"), mx.sym.var("lstm_init_c")])
    parameters = {k: v for block in (embedding, cell, words) for k, v in block.collect_params().items()}
    save("lstm", mx.sym.Group([words(output)] + states), randomise(parameters, 1, 1.2))


def make_transformer():
    embedding = nn.Embedding(VOCABULARY, WIDTH, prefix="embedding_")
    decoder = TransformerOneStepDecoder(num_layers=1, units=WIDTH, hidden_size=16, max_length=64, num_heads=2, dropout=0.0,
                                        prefix="decoder_")
    words = nn.Dense(VOCABULARY, in_units=WIDTH, prefix="words_")
    for block in (embedding, decoder, words):
        block.initialize()
    decoder(mx.nd.zeros((1, WIDTH)), [mx.nd.zeros((1, 1, WIDTH)), mx.nd.zeros((1, MEMORY, WIDTH)), mx.nd.ones((1, MEMORY))])
    embedded = mx.sym.expand_dims(embedding(mx.sym.var("token")), axis=1)
    so_far = mx.sym.concat(mx.sym.var("embeddings"), embedded, dim=1)
    output, states, _ = HybridBlock.forward(decoder, so_far, [mx.sym.var("memory"), mx.sym.var("memory_mask")])
    parameters = {k: v for block in (embedding, decoder, words) for k, v in block.collect_params().items()}
    scores = mx.sym.log_softmax(words(output))
    save("transformer", mx.sym.Group([scores, states[0]]), randomise(parameters, 2, 1.0))


def make_layers():
    embedding = nn.Embedding(VOCABULARY, WIDTH, prefix="embedding_")
    lstm = rnn.LSTM(12, 2, input_size=WIDTH, prefix="lstm_")
    words = nn.Dense(VOCABULARY, in_units=12, flatten=False, prefix="words_")
    for block in (embedding, lstm, words):
        block.initialize()
    begin = [mx.sym.var("lstm_begin_state_0"), mx.sym.var("lstm_begin_state_1")]
    output, states = lstm(embedding(mx.sym.var("data")), begin)
    parameters = {k: v for block in (embedding, lstm, words) for k, v in block.collect_params().items()}
    save("layers", mx.sym.Group([words(output)] + states), randomise(parameters, 4, 1.5))


def make_prefix():
    x = mx.sym.transpose(mx.sym.Embedding(mx.sym.var("data"), input_dim=VOCABULARY, output_dim=WIDTH, name="embedding"),
                         axes=(0, 2, 1))
    values = {}
    source = np.random.RandomState(3)
    for name, channels in (("first", WIDTH), ("second", WIDTH)):
        wide = mx.sym.Convolution(x, kernel=(3,), pad=(2,), num_filter=channels, name=name)
        x = mx.sym.Activation(mx.sym.slice_axis(wide, axis=2, begin=0, end=-2), act_type="tanh")
        values[name + "_weight"] = source.uniform(-1, 1, (channels, WIDTH, 3))
        values[name + "_bias"] = source.uniform(-1, 1, (channels,))
    values["embedding_weight"] = source.uniform(-2, 2, (VOCABULARY, WIDTH))
    values["words_weight"] = source.uniform(-1.5, 1.5, (VOCABULARY, WIDTH))
    values["words_bias"] = source.uniform(-1, 1, (VOCABULARY,))
    words = mx.sym.FullyConnected(mx.sym.transpose(x, axes=(0, 2, 1)), num_hidden=VOCABULARY, flatten=False, name="words")
    save("prefix", mx.sym.softmax(words, axis=-1), values)


def load(name, inputs):
    return gluon.SymbolBlock.imports(str(FOLDER / (name + "-symbol.json")), inputs, str(FOLDER / (name + "-0000.params")))


def decoder_of(name):
    """(step_input, states) -> scores and states, as the samplers of GluonNLP want it, and the states of a batch."""
    if name == "lstm":
        net = load(name, ["token", "lstm_init_h", "lstm_init_c"])
        step = lambda token, states: (lambda out: (out[0], list(out[1:])))(net(token, *states))
        return step, lambda batch, fixed: [mx.nd.zeros((batch, 12)), mx.nd.zeros((batch, 12))], False
    if name == "transformer":
        net = load(name, ["token", "embeddings", "memory", "memory_mask"])

        def step(token, states):
            scores, embeddings = net(token, *states)
            return scores, [embeddings, states[1], states[2]]

        def begin(batch, fixed):
            return [mx.nd.zeros((batch, 1, WIDTH))] + [mx.nd.array(fixed[key]) for key in ("memory", "memory_mask")]

        return step, begin, True
    if name == "layers":
        net = load(name, ["data", "lstm_begin_state_0", "lstm_begin_state_1"])

        def step(token, states):  # the samplers take states with the batch in front
            scores, h, c = net(token.reshape((1, -1)), *[state.transpose((1, 0, 2)) for state in states])
            return scores[0], [h.transpose((1, 0, 2)), c.transpose((1, 0, 2))]

        return step, lambda batch, fixed: [mx.nd.zeros((batch, 2, 12)), mx.nd.zeros((batch, 2, 12))], False
    net = load(name, ["data"])

    def step(token, states):
        tokens = token.reshape((-1, 1))
        so_far = tokens if states[0].shape[1] == 1 and states[1].sum().asscalar() == 0 else mx.nd.concat(states[0], tokens, dim=1)
        return mx.nd.log(net(so_far)[:, -1]), [so_far, mx.nd.ones_like(states[1])]

    return step, lambda batch, fixed: [mx.nd.zeros((batch, 1), dtype="int32"), mx.nd.zeros((batch, 1))], True


def run(case):
    step, begin, from_logits = decoder_of(case["model"])
    scorer = gluonnlp.model.BeamSearchScorer(alpha=case["alpha"], K=case["K"], from_logits=from_logits)
    sampler = gluonnlp.model.BeamSearchSampler(beam_size=case["beam"], decoder=step, eos_id=case["eos"], scorer=scorer,
                                               max_length=case["max_length"])
    first = mx.nd.array(case["begin"], dtype="int32")
    samples, scores, lengths = sampler(first, begin(len(case["begin"]), case.get("inputs", {})))
    return {"samples": samples.asnumpy().astype(int).tolist(), "lengths": lengths.asnumpy().astype(int).tolist(),
            "scores": [[round(float(x), 6) for x in row] for row in scores.asnumpy()]}


def cases():
    source = np.random.RandomState(9)
    for model in ("lstm", "transformer", "prefix", "layers"):
        for beam, alpha, k, longest, eos in ((1, 1.0, 5, 12, 3), (1, 0.0, 5, 6, 7), (2, 0.0, 5, 12, 3), (3, 0.6, 5, 15, 0),
                                             (4, 1.0, 5, 12, 3), (4, 1.0, 5, 3, 3), (5, 2.0, 1, 12, 8), (4, 1.0, 5, 20, 10),
                                             (11, 1.0, 5, 8, 5), (3, 1.0, 5, 1, 2)):
            begin = [1] if beam == 3 else [1, 4, 9]
            case = dict(model=model, beam=beam, alpha=alpha, K=k, max_length=longest, eos=eos, begin=begin)
            if model == "transformer":
                lengths = [3, MEMORY, 1][:len(begin)]
                case["inputs"] = {
                    "memory": np.round(source.uniform(-1, 1, (len(begin), MEMORY, WIDTH)), 3).tolist(),
                    "memory_mask": [[float(i < length) for i in range(MEMORY)] for length in lengths]}
            yield case


def differences(recorded):
    for number, case in enumerate(recorded):
        found = run(case)
        same = found["samples"] == case["samples"] and found["lengths"] == case["lengths"]
        if not same or not np.allclose(found["scores"], case["scores"], atol=1e-4):
            yield f"case {number}: {case['model']} gives {found}, recorded is {case['samples']}, {case['scores']}"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--check", action="store_true")
    file = FOLDER / "cases.json"
    if arguments.parse_args().check:
        wrong = list(differences(json.loads(file.read_text())))
        sys.exit("\n".join(wrong) if wrong else 0)
    FOLDER.mkdir(exist_ok=True)
    make_lstm()
    make_transformer()
    make_prefix()
    make_layers()
    done = [dict(case, **run(case)) for case in cases()]
    file.write_text("[" + ",\n ".join(json.dumps(case) for case in done) + "]\n")
    print(len(done), "cases")


if __name__ == "__main__":
    main()
