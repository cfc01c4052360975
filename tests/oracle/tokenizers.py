#!/usr/bin/env python3
"""Holds mxinfer's tokenizers to GluonNLP's and to Python's own, token by token and id by id.

    tokenizers.py --tokenize build/release/tests/oracle/mxinfer_tokenize_lines
    tokenizers.py --tokenize ... wordpiece_uncased bpe          # some; --list names all

10,000 lines of mixed scripts (text_lines.py), and for what follows Unicode's tables every character that Python's unicodedata
knows. The models of SentencePiece are trained here, on a part of the lines. Without the package sentencepiece, or where mxinfer
is built without it, those are skipped, and said to be.
"""
import argparse
import importlib.util
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import gluonnlp

from text_lines import every_character, random_lines

SEED = 20260101
EXIT_SKIPPED = 77

# What sentencepiece trains: of both kinds, and with what else changes how texts are cut.
MODELS = {
    "unigram": {"model_type": "unigram", "vocab_size": 1500},
    "bpe": {"model_type": "bpe", "vocab_size": 2500},
    "unigram_bytes": {"model_type": "unigram", "vocab_size": 1500, "byte_fallback": True,
                      "user_defined_symbols": ["<sep>", "ab"], "normalization_rule_name": "identity"},
    "bpe_suffix": {"model_type": "bpe", "vocab_size": 2500, "treat_whitespace_as_suffix": True, "pad_id": 3,
                   "normalization_rule_name": "nfkc_cf"},
}


class Folder:
    """Where requests and answers, vocabularies and models are."""

    def __init__(self, path, program):
        self.path, self.program = pathlib.Path(path), program

    def ask(self, texts, **request):
        """What mxinfer answers: tokens and ids of each text."""
        source, answer = self.path / "request.json", self.path / "answer.json"
        source.write_text(json.dumps({"texts": texts, **request}), encoding="utf-8")
        subprocess.run([self.program, source, answer], check=True)
        found = json.loads(answer.read_text(encoding="utf-8"))
        return found["tokens"], found["ids"]

    def vocabulary(self, tokens, **special):
        """A file with a part of the tokens, the pieces and the characters that they are made of, and what it holds."""
        dice, pieces = random.Random(SEED), set()
        for token in sorted(set(tokens)):
            if dice.random() < 0.3 and len(token) < 30:
                pieces.add(token)
            if dice.random() < 0.5:
                at = dice.randint(0, len(token) - 1)
                pieces.update((token[: at + 1], "##" + token[at:], "##" + token[at : at + 2]))
        characters = sorted(set("".join(sorted(set(tokens)))))
        for character in characters:
            if dice.random() < 0.8:
                pieces.update((character, "##" + character))
        # gluonnlp takes no word that is already there as a special token.
        counts = gluonnlp.data.count_tokens(sorted(piece for piece in pieces if piece))
        vocabulary = gluonnlp.Vocab(counts, **special)
        path = self.path / "vocabulary.json"
        path.write_text(vocabulary.to_json(), encoding="utf-8")
        return str(path), vocabulary

    def model(self, name, lines):
        import sentencepiece

        clean = [" ".join(line.replace("\0", " ").split()) for line in lines]
        prefix = self.path / name
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(line for line in clean if line), model_prefix=str(prefix), hard_vocab_limit=False,
            character_coverage=0.999, minloglevel=2, num_threads=1, max_sentence_length=100000, **MODELS[name])
        return str(prefix) + ".model"


def differences(texts, found, expected, what):
    """How many answers are not the expected ones; prints the first."""
    wrong = [i for i, (a, b) in enumerate(zip(found, expected)) if list(a) != list(b)]
    if len(found) != len(expected):
        print(f"{what}: {len(found)} answers to {len(expected)} texts")
        return max(len(found), len(expected))
    for i in wrong[:3]:
        print(f"{what}: {ascii(texts[i])}\n  mxinfer  {ascii(found[i])}\n  expected {ascii(list(expected[i]))}")
    print(f"{what}: {sum(len(e) for e in expected)} of {len(texts)} texts, {len(wrong)} texts differ")
    return len(wrong)


def check_split(folder, name, lower):
    texts = random_lines(10_000, SEED) + every_character()
    split = list if name == "characters" else str.split
    expected = [split(text.lower() if lower else text) for text in texts]
    path, vocabulary = folder.vocabulary([token for tokens in expected for token in tokens])
    tokens, ids = folder.ask(texts, tokenizer=name, lower=lower, vocabulary=path)
    return differences(texts, tokens, expected, "tokens") + differences(
        texts, ids, [vocabulary.to_indices(tokens) for tokens in expected], "ids")


def check_basic(folder, lower):
    texts = random_lines(10_000, SEED) + every_character()
    tokenizer = gluonnlp.data.BERTBasicTokenizer(lower=lower)
    tokens, _ = folder.ask(texts, tokenizer="basic", lower=lower)
    return differences(texts, tokens, [tokenizer(text) for text in texts], "tokens")


def check_wordpiece(folder, lower):
    texts = random_lines(10_000, SEED)
    basic = gluonnlp.data.BERTBasicTokenizer(lower=lower)
    path, vocabulary = folder.vocabulary(
        [token for text in texts for token in basic(text)], unknown_token="[UNK]", padding_token="[PAD]", bos_token=None,
        eos_token=None, cls_token="[CLS]", sep_token="[SEP]", mask_token="[MASK]")
    tokenizer = gluonnlp.data.BERTTokenizer(vocabulary, lower=lower)
    expected = [tokenizer(text) for text in texts]
    unknown = sum(token == "[UNK]" for tokens in expected for token in tokens)
    pieces = sum(token.startswith("##") for tokens in expected for token in tokens)
    print(f"{unknown} of the tokens are unknown, {pieces} go on a word")
    assert unknown > 1000 and pieces > 1000
    tokens, ids = folder.ask(texts, tokenizer="wordpiece", lower=lower, vocabulary=path)
    return differences(texts, tokens, expected, "tokens") + differences(
        texts, ids, [tokenizer.convert_tokens_to_ids(tokens) for tokens in expected], "ids")


def ask_as_before(processor):
    """GluonNLP asks for one sample, which is the best; newer packages refuse that in Python, and what lies below does not."""
    processor.SampleEncodeAsPieces = lambda text, count, alpha: processor._EncodeAsPieces(
        text, True, count, alpha, False, False, False, False)


def check_sentencepiece(folder, name):
    texts = random_lines(10_000, SEED)
    model = folder.model(name, texts[:4000])
    tokenizer = gluonnlp.data.SentencepieceTokenizer(model, alpha=0)
    ask_as_before(tokenizer._processor)
    tokens, ids = folder.ask(texts, tokenizer="sentencepiece", model=model)
    return differences(texts, tokens, [tokenizer(text) for text in texts], "tokens") + differences(
        texts, ids, [tokenizer._processor.encode_as_ids(text) for text in texts], "ids")


def check_bert_sentencepiece(folder):
    """BERTSPTokenizer gives SentencePiece one word of the basic tokenizer after another."""
    texts = random_lines(10_000, SEED)
    model = folder.model("unigram", texts[:4000])
    vocabulary = gluonnlp.vocab.BERTVocab.from_sentencepiece(model)
    tokenizer = gluonnlp.data.BERTSPTokenizer(model, vocabulary, alpha=0, lower=True)
    tokenizer._activate_sp()
    ask_as_before(tokenizer.sentencepiece._processor)
    tokens, _ = folder.ask(texts, tokenizer="basic_sentencepiece", model=model, lower=True)
    return differences(texts, tokens, [tokenizer(text) for text in texts], "tokens")


CASES = {
    "whitespace": lambda folder: check_split(folder, "whitespace", False),
    "whitespace_lower": lambda folder: check_split(folder, "whitespace", True),
    "characters": lambda folder: check_split(folder, "characters", False),
    "basic_uncased": lambda folder: check_basic(folder, True),
    "basic_cased": lambda folder: check_basic(folder, False),
    "wordpiece_uncased": lambda folder: check_wordpiece(folder, True),
    "wordpiece_cased": lambda folder: check_wordpiece(folder, False),
    "bert_sentencepiece": check_bert_sentencepiece,
    **{name: lambda folder, name=name: check_sentencepiece(folder, name) for name in MODELS},
}


def lacks_sentencepiece(name, without):
    if name not in MODELS and name != "bert_sentencepiece":
        return False
    return without or importlib.util.find_spec("sentencepiece") is None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokenize", help="the program mxinfer_tokenize_lines")
    parser.add_argument("--without-sentencepiece", action="store_true", help="mxinfer is built without it")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    if options.list:
        print("\n".join(CASES))
        return 0
    wrong, ran = 0, 0
    for name in options.cases or CASES:
        if lacks_sentencepiece(name, options.without_sentencepiece):
            print(f"{name} is NOT tested: there is no sentencepiece")
            continue
        ran += 1
        print(f"{name}:")
        with tempfile.TemporaryDirectory() as folder:
            wrong += CASES[name](Folder(folder, options.tokenize))
    if ran == 0:
        return EXIT_SKIPPED
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
