#!/usr/bin/env python3
"""Holds sequences, buckets and sessions to MXNet: a BucketingModule of unrolled LSTMs, a Gluon BiLSTM with valid lengths in
one file, and a language model of Gluon whose states go in and come out.

    sequences.py --runner build/release/tests/oracle/mxinfer_run_sequences     makes them, runs them in both, compares
    sequences.py --record                                                      small ones, into tests/golden/sequences
    sequences.py --check                                                       whether MXNet still answers what is recorded

Weights are seeded random numbers. Outputs may differ by 1e-5 of the largest magnitude.
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile

os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"  # no fusion: the plain operators are the specification
os.environ["MXNET_USE_MKLDNN_RNN"] = "0"
os.environ["MXNET_STORAGE_FALLBACK_LOG_VERBOSE"] = "0"

import mxnet as mx
import numpy as np
from mxnet import gluon

TOLERANCE = 1e-5
GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden" / "sequences"


class Sizes:
    """Of the networks: rows of the Embedding, its width, the size of the states, classes, and the buckets."""

    def __init__(self, vocabulary, width, hidden, classes, keys, lengths):
        self.vocabulary, self.width, self.hidden, self.classes = vocabulary, width, hidden, classes
        self.keys, self.lengths = keys, lengths


SMALL = Sizes(vocabulary=13, width=3, hidden=4, classes=5, keys=(3, 5, 8), lengths=(1, 2, 3, 4, 5, 7, 8))
LARGE = Sizes(vocabulary=500, width=32, hidden=48, classes=500, keys=(10, 20, 35), lengths=(1, 4, 10, 13, 20, 27, 35))


def random_ids(sizes, length, seed):
    return np.random.default_rng(1000 + seed).integers(1, sizes.vocabulary, length).astype(np.int32)


def fill(arrays, random):
    for name in sorted(arrays):
        array = arrays[name]
        scale = 0.1 if name.endswith("bias") else 0.5
        array[:] = mx.nd.array(random.normal(0, scale, array.shape))


# The classical language model: all steps as rows of one product, and a BucketingModule around it.


def make_cell(sizes):
    cell = mx.rnn.SequentialRNNCell()
    for layer in range(2):
        cell.add(mx.rnn.LSTMCell(num_hidden=sizes.hidden, prefix=f"lstm_l{layer}_"))
    return cell


def state_names(sizes):
    return [state.name for state in make_cell(sizes).begin_state(func=mx.sym.Variable)]


def generate(sizes):
    """sym_gen of BucketingModule: the network for sequences of one length."""

    def symbol_of(length):
        cell = make_cell(sizes)
        begin = cell.begin_state(func=mx.sym.Variable)
        embedded = mx.sym.Embedding(mx.sym.var("data"), input_dim=sizes.vocabulary, output_dim=sizes.width, name="embed")
        outputs, states = cell.unroll(length, inputs=embedded, begin_state=begin, merge_outputs=True)
        rows = mx.sym.Reshape(outputs, shape=(-1, sizes.hidden))
        scores = mx.sym.FullyConnected(rows, num_hidden=sizes.classes, name="pred")
        softmax = mx.sym.SoftmaxOutput(scores, mx.sym.Reshape(mx.sym.var("softmax_label"), shape=(-1,)), name="softmax")
        whole = mx.sym.Group([softmax, mx.sym.identity(outputs, name="hidden")] + list(states))
        return whole, ["data"] + [state.name for state in begin], ["softmax_label"]

    return symbol_of


def bucketing_module(sizes, prefix):
    """Made, given weights, bound for all buckets, and saved as prefix*."""
    names = state_names(sizes)
    module = mx.mod.BucketingModule(generate(sizes), default_bucket_key=max(sizes.keys))

    def shapes(length, batch=1):
        return ([("data", (batch, length))] + [(name, (batch, sizes.hidden)) for name in names],
                [("softmax_label", (batch, length))])

    module.bind(*shapes(max(sizes.keys)), for_training=False)
    module.init_params(mx.init.Zero())
    args, aux = module.get_params()
    fill(args, np.random.default_rng(5))
    module.set_params(args, aux)
    for key in sizes.keys:
        module.switch_bucket(key, *shapes(key))
    module.save_checkpoint(str(prefix), 1)

    def run(ids, states=None):
        length = len(ids)
        data, labels = shapes(length)
        states = states or [np.zeros((1, sizes.hidden), np.float32) for _ in names]
        arrays = [mx.nd.array(np.asarray(ids)[None])] + [mx.nd.array(state) for state in states]
        module.forward(mx.io.DataBatch(arrays, [mx.nd.zeros((1, length))], bucket_key=length, provide_data=data,
                                       provide_label=labels), is_train=False)
        return [output.asnumpy() for output in module.get_outputs()]

    return run


def bucketing_answers(sizes, prefix):
    """What each sequence gives: padded on the right to its bucket by zeros, outputs cut to its length."""
    run = bucketing_module(sizes, prefix)
    answers = []
    for i, length in enumerate(sizes.lengths):
        ids = random_ids(sizes, length, i)
        key = min(k for k in sizes.keys if k >= length)
        softmax, hidden, *states = run(np.concatenate([ids, np.zeros(key - length, np.int32)]))
        answers.append((ids, [softmax[:length], hidden[0][:length]] + [state[0] for state in states]))
    # A sequence as long as all buckets together, in pieces, with the states of each for the next.
    whole = random_ids(sizes, sum(sizes.keys), 99)
    parts, states, start = [], None, 0
    for key in sizes.keys:
        softmax, hidden, *states = run(whole[start:start + key], states)
        parts.append((softmax, hidden[0]))
        start += key
    pieces = [np.concatenate([part[o] for part in parts]) for o in range(2)]
    return answers, (whole, pieces)


# Gluon: one file for all lengths.


class Tagger(gluon.HybridBlock):
    """A bidirectional LSTM that begins at each sequence's own end (MXNet's bidirectional RNN does so on GPUs alone, hence two
    of them); a score for each time, and one for the whole."""

    def __init__(self, sizes):
        super().__init__(prefix="tagger_")
        with self.name_scope():
            self.embed = gluon.nn.Embedding(sizes.vocabulary, sizes.width)
            self.forth = gluon.rnn.LSTM(sizes.hidden, layout="TNC")
            self.back = gluon.rnn.LSTM(sizes.hidden, layout="TNC")
            self.tags = gluon.nn.Dense(sizes.classes, flatten=False)
            self.whole = gluon.nn.Dense(sizes.classes)

    def hybrid_forward(self, F, data, valid_length):
        embedded = F.transpose(self.embed(data), axes=(1, 0, 2))

        def reverse(values):
            return F.SequenceReverse(values, sequence_length=valid_length, use_sequence_length=True)

        states = F.concat(self.forth(embedded), reverse(self.back(reverse(embedded))), dim=2)
        masked = F.SequenceMask(states, sequence_length=valid_length, use_sequence_length=True)
        mean = F.broadcast_div(F.sum(masked, axis=0), F.expand_dims(valid_length, axis=1))
        return F.transpose(self.tags(masked), axes=(1, 0, 2)), self.whole(mean)


class LanguageModel(gluon.HybridBlock):
    """Time first; states go in and come out."""

    def __init__(self, sizes):
        super().__init__(prefix="lm_")
        with self.name_scope():
            self.embed = gluon.nn.Embedding(sizes.vocabulary, sizes.width)
            self.lstm = gluon.rnn.LSTM(sizes.hidden, num_layers=2, layout="TNC")
            self.decode = gluon.nn.Dense(sizes.classes, flatten=False)

    def hybrid_forward(self, F, data, h, c):
        outputs, states = self.lstm(self.embed(data), [h, c])
        return self.decode(outputs), states[0], states[1]


def save_gluon(net, names, prefix, seed, *arrays):
    """The symbol with inputs of these names, and the weights, as MXNet saves them."""
    net.initialize(mx.init.Zero())
    net(*arrays)
    random = np.random.default_rng(seed)
    for name, parameter in sorted(net.collect_params().items()):
        parameter.set_data(mx.nd.array(random.normal(0, 0.1 if name.endswith("bias") else 0.5, parameter.shape)))
    symbols = net(*(mx.sym.var(name) for name in names))
    mx.sym.Group(list(symbols)).save(f"{prefix}-symbol.json")
    mx.nd.save(f"{prefix}-0000.params",
               {f"arg:{name}": parameter.data() for name, parameter in net.collect_params().items()})


def tagger_answers(sizes, prefix):
    net = Tagger(sizes)
    save_gluon(net, ("data", "valid_length"), prefix, 6, mx.nd.zeros((2, 3)), mx.nd.array([3, 2]))
    answers = []
    for i, length in enumerate(sizes.lengths):
        ids = random_ids(sizes, length, i)
        tags, whole = net(mx.nd.array(ids[None]), mx.nd.array([length]))
        answers.append((ids, [tags.asnumpy()[0], whole.asnumpy()[0]]))
    return answers, None


def language_model_answers(sizes, prefix):
    net = LanguageModel(sizes)
    zeros = mx.nd.zeros((2, 1, sizes.hidden))
    save_gluon(net, ("data", "h", "c"), prefix, 7, mx.nd.zeros((3, 1)), zeros, zeros)
    answers = []
    for i, length in enumerate(sizes.lengths):
        ids = random_ids(sizes, length, i)
        scores, h, c = net(mx.nd.array(ids[:, None]), zeros, zeros)
        answers.append((ids, [scores.asnumpy()[:, 0], h.asnumpy()[:, 0], c.asnumpy()[:, 0]]))
    whole = random_ids(sizes, sum(sizes.keys), 99)
    return answers, (whole, [net(mx.nd.array(whole[:, None]), zeros, zeros)[0].asnumpy()[:, 0]])


MODELS = {"lstm": bucketing_answers, "tagger": tagger_answers, "language_model": language_model_answers}


def arrays_of(answers, pieces):
    """For an .npz: the ids and outputs of each sequence, and those of the long one."""
    arrays = {}
    for i, (ids, outputs) in enumerate(answers):
        arrays[f"{i}/ids"] = ids
        for o, output in enumerate(outputs):
            arrays[f"{i}/output/{o}"] = output
    if pieces:
        arrays["pieces/ids"] = pieces[0]
        for o, output in enumerate(pieces[1]):
            arrays[f"pieces/output/{o}"] = output
    return arrays


def close(name, ours, theirs):
    assert ours.shape == theirs.shape, (name, ours.shape, theirs.shape)
    difference = np.abs(ours - theirs).max() / max(np.abs(theirs).max(), 1e-30)
    assert difference <= TOLERANCE, (name, difference)
    return difference


def record(check):
    GOLDEN.mkdir(exist_ok=True)
    for name, answer in MODELS.items():
        with tempfile.TemporaryDirectory() as temporary:
            prefix = (pathlib.Path(temporary) if check else GOLDEN) / name
            arrays = arrays_of(*answer(SMALL, prefix))
        if not check:
            np.savez(GOLDEN / f"{name}.npz", **arrays)
            continue
        with np.load(GOLDEN / f"{name}.npz") as recorded:
            assert sorted(recorded.files) == sorted(arrays), name
            for key in recorded.files:
                close(f"{name} {key}", recorded[key], arrays[key])
        print(f"{name}: as recorded")


def run_ours(runner, prefix, folder, mode, sequences, *options):
    """The outputs of each sequence by mxinfer: `mode` is predict, pieces or sessions."""
    for i, ids in enumerate(sequences):
        np.save(folder / f"{i}.npy", ids)
    subprocess.run([runner, str(prefix), str(folder), mode, str(len(sequences)), *map(str, options)], check=True)
    counts = json.loads((folder / "counts.json").read_text())
    return [[np.load(folder / f"{i}_{o}.npy") for o in range(count)] for i, count in enumerate(counts)]


def compare(runner):
    for name, answer in MODELS.items():
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            answers, pieces = answer(LARGE, folder / name)
            worst = 0
            sequences = [ids for ids, _ in answers]
            for i, outputs in enumerate(run_ours(runner, folder / name, folder, "predict", sequences)):
                for o, output in enumerate(outputs):
                    worst = max(worst, close(f"{name} sequence {i} output {o}", output, answers[i][1][o]))
                assert len(outputs) == len(answers[i][1]), name
            if pieces:
                whole, expected = pieces
                for mode in ("pieces", "sessions"):
                    for outputs in run_ours(runner, folder / name, folder, mode, [whole], *LARGE.keys):
                        assert len(outputs) == len(expected), name
                        for o, output in enumerate(outputs):
                            worst = max(worst, close(f"{name} {mode} output {o}", output, expected[o]))
            print(f"{name}: {len(sequences)} sequences{' and sessions' if pieces else ''}, at most {worst:.1e} apart")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runner", metavar="PATH", help="mxinfer_run_sequences")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    mx.random.seed(3)
    if options.record or options.check:
        record(options.check)
    if options.runner:
        compare(str(pathlib.Path(options.runner).resolve()))


if __name__ == "__main__":
    main()
