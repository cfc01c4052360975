"""docs/reference/languages.md, the one list of what each language has, against the headers, Python's modules and Java's classes.

    languages_test.py SOURCES [--selftest]

A method or function that is not on the page fails, and so does a name on it that is not there.
"""
import ast
import pathlib
import re
import sys

CLASSES = {
    "Model": "model",
    "Predictor": "predictor",
    "Classifier": "classifier",
    "ImageClassifier": "image_classifier",
    "ObjectDetector": "object_detector",
    "ImageSegmenter": "image_segmenter",
    "KeypointDetector": "keypoint_detector",
    "Vocabulary": "vocabulary",
    "Tokenizer": "tokenizer",
    "WordVectors": "word_vectors",
    "SequencePredictor": "sequence_predictor",
    "BucketedModel": "bucketed_model",
    "Session": "session",
    "TextClassifier": "text_classifier",
    "SequenceGenerator": "sequence_generator",
    "Generation": "sequence_generator",
}
# Where the header is not include/mxinfer/<module>.h.
HEADERS = {
    "ImageClassifier": "vision/image_classifier.h",
    "ObjectDetector": "vision/object_detector.h",
    "ImageSegmenter": "vision/image_segmenter.h",
    "KeypointDetector": "vision/keypoint_detector.h",
    "Vocabulary": "sequence/vocabulary.h",
    "Tokenizer": "sequence/tokenizer.h",
    "WordVectors": "sequence/word_vectors.h",
    "SequencePredictor": "sequence/sequence_predictor.h",
    "BucketedModel": "sequence/bucketed_model.h",
    "Session": "sequence/session.h",
    "TextClassifier": "sequence/text_classifier.h",
    "SequenceGenerator": "sequence/generator.h",
    "Generation": "sequence/generator.h",
}
COLUMNS = ["C++", "C", "Python", "Java"]


def read_page(text):
    """{section: {column: [names]}}, and sentences about cells that make no sense."""
    sections, section, wrong = {}, None, []
    for line in text.splitlines():
        if line.startswith("## "):
            section = line[3:].strip()
            sections[section] = {column: [] for column in COLUMNS}
        elif section and line.startswith("|") and not line.startswith(("|---", "| what |")):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if len(cells) != 5:
                wrong.append(f"{section}: {line} has {len(cells)} cells, not 5")
                continue
            for column, cell in zip(COLUMNS, cells[1:]):
                names = re.findall(r"`([^`]+)`", cell)
                if cell.startswith("–"):
                    if len(cell) < 6:
                        wrong.append(f"{section}: '{cells[0]}' of {column} does not say why it is missing")
                    continue
                if not names and section in CLASSES:
                    wrong.append(f"{section}: '{cells[0]}' of {column} names nothing")
                sections[section][column] += names
    return sections, wrong


def cpp_methods(text, name):
    """The public methods of a class in its header."""
    body = re.search(r"class MXINFER_API " + name + r"\b[^;{]*\{(.*?)\n\};", text, re.S).group(1)
    body = re.split(r"\n (?:protected|private):", body)[0]
    body = re.sub(r"//[^\n]*", "", body)
    body = re.sub(r"\{[^{}]*\}", "", re.sub(r"\{[^{}]*\}", "", body))
    names = set(re.findall(r"\b([a-z_][a-z_0-9]*)\s*\((?!\*)", body))
    # What bodies of templates call.
    return names - {"bad_alloc", "begin", "catch", "data", "decltype", "emplace_back", "end", "hold", "move", "noexcept", "operator", "size",
                    "span", "submit", "classify_held_async", "classify_moved_async", "detect_held_async", "flat_outputs", "flat_shape",
                    "predict_moved_async", "run_flat_into"}


def c_functions(folder):
    names = set()
    for header in folder.glob("*.h"):
        names |= set(re.findall(r"MXINFER_C_API[^;(]*?\b(mxinfer_\w+)\s*\(", header.read_text()))
    return names


def python_methods(path, name):
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            return {f.name for f in node.body if isinstance(f, (ast.FunctionDef, ast.AsyncFunctionDef)) and not f.name.startswith("_")}
    raise SystemExit(f"{path} has no class {name}")


def java_methods(path, name):
    if not path.exists():
        return set()
    names = set(re.findall(r"^  public (?:static |final |synchronized )*[\w<>\[\], .?]+ (\w+)\(", path.read_text(), re.M))
    return names - {name, "toString", "equals", "hashCode"}


def compare(section, column, listed, there, may_miss=frozenset()):
    listed, wrong = set(listed), []
    for name in sorted(there - listed - may_miss):
        wrong.append(f"{section}: {column} has {name}, which docs/reference/languages.md does not list")
    for name in sorted(listed - there):
        wrong.append(f"{section}: docs/reference/languages.md lists {name} of {column}, which is not there")
    return wrong


def check(root, page):
    sections, wrong = read_page(page)
    c_listed = [name for section in sections.values() for name in section["C"]]
    wrong += compare("C", "C", c_listed, c_functions(root / "include/mxinfer_c"))
    for name, module in CLASSES.items():
        section = sections[name]
        header = (root / "include/mxinfer" / HEADERS.get(name, module + ".h")).read_text()
        wrong += compare(name, "C++", section["C++"], cpp_methods(header, name))
        wrong += compare(name, "Python", section["Python"], python_methods(next((root / "python/mxinfer").rglob(f"{module}.py")), name))
        wrong += compare(name, "Java", section["Java"], java_methods(root / f"java/org/mxinfer/{name}.java", name))
    return wrong


def selftest(root, page):
    for old, new, fact in [
        ("| `mxinfer_model_load` |", "| – for no reason |", "C has mxinfer_model_load"),
        ("`predict_into` |", "`predict_onto` |", "predict_onto"),
        ("`detectImages`", "`detectPictures`", "lists detectPictures of Java"),
        ("`predict_list` |", "–  |", "does not say why"),
    ]:
        assert old in page, old
        found = check(root, page.replace(old, new))
        assert any(fact in sentence for sentence in found), (old, found)
    print("what is missing is found")


def main():
    root = pathlib.Path(sys.argv[1])
    page = (root / "docs/reference/languages.md").read_text()
    if "--selftest" in sys.argv:
        return selftest(root, page)
    wrong = check(root, page)
    if wrong:
        sys.exit("\n".join(wrong))
    print("docs/reference/languages.md lists what there is")


if __name__ == "__main__":
    main()
