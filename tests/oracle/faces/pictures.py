"""Pictures to find faces in: photographs as they are, cut and resized, as PNG files so that all read the same pixels."""
import struct
import zlib

import mxnet as mx
import numpy as np

from .networks import resize


def pictures(folder):
    """{name: pixels (height, width, 3), RGB} of the photographs in a folder."""
    crowd, kitten, street = (mx.image.imread(str(folder / name)).asnumpy()
                             for name in ("lffd_faces1.jpg", "kitten.jpg", "dog_bike_car.jpg"))
    height, width = crowd.shape[:2]
    return {
        "crowd": crowd,
        "crowd_larger": resize(crowd, width * 3 // 2, height * 3 // 2),
        "crowd_smaller": resize(crowd, width * 2 // 3, height * 2 // 3),
        "crowd_wide": resize(crowd, width * 5 // 4, height),
        "crowd_mirrored": np.ascontiguousarray(crowd[:, ::-1]),
        "crowd_dark": (crowd // 2).astype(np.uint8),
        "left": np.ascontiguousarray(crowd[90:, :200]),
        "middle": np.ascontiguousarray(crowd[60:301, 150:351]),  # odd sides
        "right": np.ascontiguousarray(crowd[80:, 330:]),
        "one_face": resize(np.ascontiguousarray(crowd[145:225, 270:350]), 240, 240),
        "cut_face": np.ascontiguousarray(crowd[100:200, 102:330]),  # the edge goes through a face
        "tiny": np.ascontiguousarray(crowd[126:158, 88:116]),
        "kitten": kitten,
        "street": street,
    }


def write_png(path, pixels):
    height, width = pixels.shape[:2]
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, data in ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
                           (b"IDAT", zlib.compress(rows)), (b"IEND", b"")):
            file.write(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)))
