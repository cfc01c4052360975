"""The image that detectors are given, as the bytes of its file. Needs NumPy and Pillow."""
import io

import numpy as np
from PIL import Image

QUALITY = 90


def jpeg(pattern):
    """Of a pattern (3, height, width) that varies by about 1."""
    pixels = np.clip(128 + 50 * pattern, 0, 255).astype(np.uint8).transpose(1, 2, 0)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", quality=QUALITY)
    return np.frombuffer(file.getvalue(), np.uint8)
