"""A detector in mxinfer's ObjectDetector, from the bytes of a file to boxes, through the C interface (PEERS_LIBRARY) with
options by name (PEERS_SETTINGS)."""
import ctypes
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import boxes
from networks import NETWORKS
from serve import serve


class Detection(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("label", ctypes.c_char_p), ("score", ctypes.c_float),
                ("index", ctypes.c_int32), *[(side, ctypes.c_float) for side in ("left", "top", "right", "bottom")]]


class DetectOptions(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("score_threshold", ctypes.c_float), ("max_detections", ctypes.c_int32)]


class Library:
    """mxinfer_NAME(...) as NAME(...), whose status is checked."""

    def __init__(self, path):
        self.functions = ctypes.CDLL(path)
        self.functions.mxinfer_last_error.restype = ctypes.c_char_p
        self.functions.mxinfer_detections_count.restype = ctypes.c_size_t

    def __getattr__(self, name):
        function = getattr(self.functions, "mxinfer_" + name)

        def call(*arguments):
            if function(*arguments):
                raise RuntimeError(self.functions.mxinfer_last_error().decode())
        return call


def open_detector(library, prefix, **settings):
    options, detector = ctypes.c_void_p(), ctypes.c_void_p()
    library.options_create(ctypes.byref(options))
    for name, value in settings.items():
        library.options_set(options, name.encode(), str(value).encode())
    library.object_detector_open(prefix.encode(), options, ctypes.byref(detector))
    return detector


def rows_of(library, detections):
    found = Detection(ctypes.sizeof(Detection))
    rows = []
    for i in range(library.functions.mxinfer_detections_count(detections, ctypes.c_size_t(0))):
        library.detections_get(detections, ctypes.c_size_t(0), ctypes.c_size_t(i), ctypes.byref(found))
        rows.append([found.index, found.score, found.left, found.top, found.right, found.bottom])
    return rows


def load(prefix, folder, inputs, threads):
    library = Library(os.environ["PEERS_LIBRARY"])
    height, width = NETWORKS[folder.parent.name].photo.resized()
    # As GluonCV's transform_test: cubic, and the mean and deviation of ImageNet.
    detector = open_detector(library, prefix, threads=threads, preset="imagenet", resize="stretch", interpolation="cubic",
                             height=height, width=width, **json.loads(os.environ.get("PEERS_SETTINGS", "{}")))
    encoded = inputs["data"].tobytes()
    wanted = DetectOptions(ctypes.sizeof(DetectOptions), boxes.THRESHOLD, 0)

    def run():
        detections = ctypes.c_void_p()
        library.object_detector_detect_bytes(detector, encoded, ctypes.c_size_t(len(encoded)), ctypes.byref(wanted),
                                             ctypes.byref(detections))
        rows = rows_of(library, detections)
        library.functions.mxinfer_detections_free(detections)
        return boxes.outputs(rows)
    return run


if __name__ == "__main__":
    serve(load)
