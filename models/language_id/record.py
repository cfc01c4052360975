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
import subprocess
import sys
import zipfile

import numpy as np

import mxnet_scores
import scoring
import texts

HERE = pathlib.Path(__file__).resolve().parent
EACH, LONGEST = 20, 160
FREE = ("gnome-user-docs", "debian-handbook")  # CC BY-SA; others only where these have too few
SPACY = "spacy==3.8.18"
CODES = {"Norwegian": "nb", "Spanish": "es", "Swedish": "sv", "Portuguese": "pt", "Chinese": "zh", "English": "en", "Hindi": "hi"}


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
    if not list(cache.glob("spacy-*.whl")):
        subprocess.run([sys.executable, "-m", "pip", "download", "--no-deps", "-d", cache, SPACY], check=True)
    rows = []
    with zipfile.ZipFile(next(cache.glob("spacy-*.whl"))) as wheel:
        for language, (_, browser, _) in sorted(texts.LANGUAGES.items()):
            name = f"spacy/lang/{CODES.get(language, browser)}/examples.py"
            if name not in wheel.namelist():
                continue
            for statement in ast.parse(wheel.read(name)).body:
                if isinstance(statement, ast.Assign):
                    sentences = ast.literal_eval(statement.value)
                    rows += [(language, "spaCy", " ".join(sentence.split())) for sentence in sentences]
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
