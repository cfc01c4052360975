"""Sentences of which the language is known, and how many of them are told right, by their length."""
import csv
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
BANDS = [(1, 19), (20, 49), (50, 99), (100, 10**9)]  # characters


def read(file):
    """Rows (language, source, sentence) of one of the .tsv files."""
    with open(file, encoding="utf-8", newline="") as opened:
        return [tuple(row) for row in csv.reader(opened, delimiter="\t", quoting=csv.QUOTE_NONE)]


def write(file, rows):
    with open(file, "w", encoding="utf-8", newline="") as opened:
        opened.writelines("\t".join(row) + "\n" for row in rows)


def names():
    return (HERE / "synset.txt").read_text(encoding="utf-8").split()


def report(title, rows, told):
    """Prints the accuracy, for each band too, and what is mistaken for what; gives the accuracy."""
    right = [row[0] == label for row, label in zip(rows, told)]
    print(f"{title}: {sum(right)} of {len(rows)} right, {sum(right) / len(rows):.4f}")
    for low, high in BANDS:
        band = [ok for row, ok in zip(rows, right) if low <= len(row[2]) <= high]
        if band:
            length = f"{low} to {high}" if high < 10**9 else f"{low} and more"
            print(f"  {length} characters: {sum(band)} of {len(band)}, {sum(band) / len(band):.4f}")
    mistakes = {}
    for row, label in zip(rows, told):
        if row[0] != label:
            mistakes[row[0], label] = mistakes.get((row[0], label), 0) + 1
    for (language, label), count in sorted(mistakes.items(), key=lambda item: (-item[1], item[0]))[:10]:
        print(f"  {language} taken for {label}: {count}")
    return sum(right) / len(rows)
