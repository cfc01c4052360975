#!/usr/bin/env python3
"""Writes the sentences that the tests use, and what MXNet says of them.

    build/oracle/bin/python models/language_id/record.py [--keep]

held_out.tsv has sentences that texts.py keeps apart from training, as many of each language; general.tsv the example sentences of
spaCy's languages, which are of no source that it is trained on; mxnet.npz the label and the score that MXNet 1.9.1 gives each of
them with the files of this folder. --keep leaves the sentences as they are.
"""
import argparse
import ast
import pathlib
import random

import numpy as np

import mxnet_scores
import scoring
import texts

HERE = pathlib.Path(__file__).resolve().parent
EACH, LONGEST = 20, 160
FREE = ("gnome-user-docs", "debian-handbook")  # CC BY-SA; others only where these have too few


def held_out(rows):
    """Half of them short: up to 60 characters."""
    source, chosen = random.Random(2026), []
    for language in sorted(texts.LANGUAGES):
        own = [row for row in rows if row[0] == language and len(row[3]) <= LONGEST and row[1] != texts.GAME]
        source.shuffle(own)
        own.sort(key=lambda row: row[1] not in FREE)
        short = [row for row in own if len(row[3]) <= 60][:EACH // 2]
        long = [row for row in own if len(row[3]) > 60][:EACH - len(short)]
        chosen += [(row[0], row[1], row[3]) for row in short + long]
    return chosen


def general(cache):
    rows = []
    for language in sorted(texts.LANGUAGES):
        for value in texts.spacy(cache, language, "examples"):
            rows += [(language, "spaCy", " ".join(sentence.split())) for sentence in ast.literal_eval(value)]
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", default=str(texts.CACHE), help="folder that keeps packages and sentences")
    parser.add_argument("--keep", action="store_true", help="record for the sentences that are there")
    arguments = parser.parse_args()
    if not arguments.keep:
        cache = pathlib.Path(arguments.cache)
        scoring.write(HERE / "held_out.tsv", held_out(texts.prepare(cache)[1]))
        scoring.write(HERE / "general.tsv", general(cache))
    answers = {}
    for file in ("held_out", "general"):
        rows = scoring.read(HERE / f"{file}.tsv")
        scores = mxnet_scores.scores([row[2] for row in rows])
        labels = scores.argmax(1)
        answers[f"{file}_label"], answers[f"{file}_score"] = labels.astype(np.int32), scores.max(1)
        scoring.report(file, rows, [scoring.names()[label] for label in labels])
    np.savez_compressed(HERE / "mxnet.npz", **answers)


if __name__ == "__main__":
    main()
