"""mxinfer's ImageClassifier, through the C interface. See label_worker.py."""
import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "workers"))

from label_worker import serve
from mxinfer_photo_worker import Library

ALL = 1000


class Class(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("label", ctypes.c_char_p), ("score", ctypes.c_float), ("index", ctypes.c_int32)]


def open_classifier(library, prefix, settings):
    options, classifier = ctypes.c_void_p(), ctypes.c_void_p()
    library.options_create(ctypes.byref(options))
    for name, value in settings.items():
        library.options_set(options, name.encode(), str(value).encode())
    library.image_classifier_open(prefix.encode(), options, ctypes.byref(classifier))
    return classifier


def ranked(library, classes, sample):
    """[(index, score)], the best first."""
    one, rows = Class(ctypes.sizeof(Class)), []
    for i in range(library.functions.mxinfer_classes_count(classes, ctypes.c_size_t(sample))):
        library.classes_get(classes, ctypes.c_size_t(sample), ctypes.c_size_t(i), ctypes.byref(one))
        rows.append((one.index, one.score))
    return rows


def in_order(rows):
    import numpy as np
    scores = np.zeros(len(rows), np.float32)
    for index, score in rows:
        scores[index] = score
    return scores


def load(config):
    library = Library(config["library_path"])
    library.functions.mxinfer_classes_count.restype = ctypes.c_size_t
    classifier = open_classifier(library, config["model"], {"threads": config["threads"], "preset": "imagenet", **config["settings"]})

    def call(paths, top_k):
        encoded = (ctypes.c_char_p * len(paths))(*[path.encode() for path in paths])
        classes = ctypes.c_void_p()
        library.image_classifier_classify_files(classifier, encoded, ctypes.c_size_t(len(paths)), ctypes.c_int32(top_k), 0,
                                                ctypes.byref(classes))
        rows = [ranked(library, classes, i) for i in range(len(paths))]
        library.functions.mxinfer_classes_free(classes)
        return rows

    def classify(paths, all_scores):
        most = config["list"] or len(paths)
        rows = [row for at in range(0, len(paths), most) for row in call(paths[at:at + most], ALL if all_scores else 1)]
        return [in_order(row) for row in rows] if all_scores else [row[0][0] for row in rows]
    return classify


if __name__ == "__main__":
    serve(load, sys.argv[1])
