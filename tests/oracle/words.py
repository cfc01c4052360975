"""Vocabularies and word vectors against GluonNLP: what it writes is read, and what it finds is found.

    words.py --mxinfer build/release/bin/mxinfer

Exit code 77: GluonNLP is not there.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"
try:
    import gluonnlp as nlp
    import mxnet as mx
    import numpy as np
except ImportError as missing:
    print(missing)
    sys.exit(77)

DIMENSIONS = 24


class Command:
    def __init__(self, program):
        self.program = program

    def __call__(self, *words):
        done = subprocess.run([self.program, "words", *map(str, words), "--json"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


def words_of_test():
    special = ["b", "|", "numpy", "O", "über", "猫", "\N{CAT FACE}", "don't", "1984", "[MASK]", "##ing"]
    return special + [f"word{i}" for i in range(500)]


def check_vocabularies(run, folder):
    """Ids of words there and not there, for vocabularies of several kinds."""
    counter = nlp.data.count_tokens(words_of_test())
    cases = {
        "default": nlp.Vocab(counter),
        "no_unknown": nlp.Vocab(counter, unknown_token=None),
        "one_for_two": nlp.Vocab(counter, padding_token="<eos>", bos_token=None),
        "bert": nlp.vocab.BERTVocab(counter),
        "reserved": nlp.Vocab(counter, reserved_tokens=["<x>", "<y>"], cls_token="<cls>"),
    }
    for name, vocabulary in cases.items():
        file = folder / f"{name}.json"
        file.write_text(vocabulary.to_json())
        asked = words_of_test() + (["nowhere"] if vocabulary.unknown_token else [])
        found = run(file, *asked)["words"]
        assert [one["id"] for one in found] == [vocabulary[word] for word in asked], name
        report = run(file)
        assert report["size"] == len(vocabulary), name
        for key, token in [("unknown", vocabulary.unknown_token), ("padding", vocabulary.padding_token),
                           ("begin", vocabulary.bos_token), ("end", vocabulary.eos_token)]:
            assert report.get(key, {}).get("word") == token, (name, key, report)
    theirs = mx.contrib.text.vocab.Vocabulary(counter, reserved_tokens=["<pad>"])
    file = folder / "contrib.json"
    file.write_text(json.dumps(theirs.token_to_idx))
    asked = words_of_test() + ["nowhere"]
    found = run(file, *asked, "--unknown", theirs.unknown_token)["words"]
    assert [one["id"] for one in found] == theirs.to_indices(asked), "mxnet.contrib.text"
    print(len(cases) + 1, "vocabularies are read as GluonNLP reads them")


def make_text(folder):
    """A file of vectors with a word that is there twice, and a vector of zeros."""
    numbers = np.random.RandomState(5).normal(size=(len(words_of_test()), DIMENSIONS)).astype(np.float32)
    lines = [f"{word} {' '.join(repr(float(x)) for x in row)}" for word, row in zip(words_of_test(), numbers)]
    lines.append("word3 " + " ".join(["1"] * DIMENSIONS))
    path = folder / "vectors.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def check_rows(run, file, embedding, *options):
    words = words_of_test()
    found = run(file, *words, *options)["words"]
    ours = np.array([one["vector"] for one in found], dtype=np.float32)
    assert np.array_equal(ours, embedding[words].asnumpy()), file


def cosines(embedding):
    rows = embedding.idx_to_vec.asnumpy().astype(np.float64)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths == 0, 1, lengths)


def check_nearest(run, file, embedding):
    """GluonNLP's tutorials: the products of vectors of length 1, the largest first."""
    unit = cosines(embedding)
    for word in words_of_test()[::37]:
        products = unit @ unit[embedding.token_to_idx[word]]
        products[embedding.token_to_idx[word]] = -2
        best = np.argsort(-products)[:10]
        found = run(file, "--nearest", word, "-k", 10)["words"]
        assert [one["word"] for one in found] == [embedding.idx_to_token[i] for i in best], word
        assert np.allclose([one["score"] for one in found], products[best], atol=1e-5), word
    print("neighbours are those of the products of unit vectors")


def check_similarity(run, file, embedding):
    evaluate = nlp.embedding.evaluation.WordEmbeddingSimilarity(
        idx_to_vec=embedding.idx_to_vec, similarity_function="CosineSimilarity")
    evaluate.initialize()
    words = words_of_test()
    for a, b in zip(words[::53], words[7::53]):
        ids = [mx.nd.array([embedding.token_to_idx[word]]) for word in (a, b)]
        theirs = evaluate(*ids).asscalar()
        ours = run(file, "--similarity", a, b)["cosine"]
        assert abs(ours - theirs) < 1e-5, (a, b, ours, theirs)
    print("similarities are those of gluonnlp.embedding.evaluation")


def check_analogies(run, file, embedding):
    evaluate = nlp.embedding.evaluation.WordEmbeddingAnalogy(
        idx_to_vec=embedding.idx_to_vec, analogy_function="ThreeCosAdd", k=5, exclude_question_words=True)
    evaluate.initialize()
    words = words_of_test()
    for a, b, c in zip(words[::61], words[11::61], words[23::61]):
        ids = [mx.nd.array([embedding.token_to_idx[word]]) for word in (a, b, c)]
        theirs = [embedding.idx_to_token[int(i)] for i in evaluate(*ids)[0].asnumpy()]
        ours = [one["word"] for one in run(file, "--analogy", a, b, c, "-k", 5)["words"]]
        assert ours == theirs, (a, b, c, ours, theirs)
    print("analogies are those of ThreeCosAdd")


def check_serialized(run, folder, embedding):
    for compress in (True, False):
        file = folder / f"serialized{compress}.npz"
        embedding.serialize(str(file), compress=compress)
        check_rows(run, file, embedding)
        report = run(file)
        assert report["size"] == len(embedding.idx_to_token), report
        assert report["unknown"]["word"] == embedding.unknown_token, report
        assert [one["id"] for one in run(file, "nowhere")["words"]] == [0]
    print("what TokenEmbedding.serialize writes is read")


def check_matrices(run, folder, embedding):
    vocabulary = nlp.Vocab(nlp.data.count_tokens(words_of_test()))
    vocabulary.set_embedding(embedding)
    (folder / "vocab.json").write_text(json.dumps(json.loads(vocabulary.to_json())))
    matrix = vocabulary.embedding.idx_to_vec
    np.save(folder / "matrix.npy", matrix.asnumpy())
    mx.nd.save(str(folder / "net-0000.params"),
               {"arg:fc_weight": mx.nd.ones((3, 4)), "arg:embedding0_weight": matrix})
    words = ["--vocabulary", folder / "vocab.json"]
    check_rows(run, folder / "matrix.npy", vocabulary.embedding, *words)
    check_rows(run, folder / "net-0000.params", vocabulary.embedding, *words, "--array", "embedding0_weight")
    print("matrices of .npy and .params go with a vocabulary")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mxinfer", required=True)
    run = Command(parser.parse_args().mxinfer)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_vocabularies(run, folder)
        file = make_text(folder)
        embedding = nlp.embedding.TokenEmbedding.from_file(str(file), unknown_token=None)
        check_rows(run, file, embedding)
        check_nearest(run, file, embedding)
        check_similarity(run, file, embedding)
        check_analogies(run, file, embedding)
        check_serialized(run, folder, nlp.embedding.TokenEmbedding.from_file(str(file)))
        check_matrices(run, folder, nlp.embedding.TokenEmbedding.from_file(str(file)))


if __name__ == "__main__":
    main()
