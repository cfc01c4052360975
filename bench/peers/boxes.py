"""What detectors end to end give, so that they can be compared: ids (1, n, 1), scores (1, n, 1) and boxes (1, n, 4) in pixels
of the image, by falling score. Needs NumPy."""
import numpy as np

# Of the score, below which objects are left out.
THRESHOLD = 0.1


def outputs(rows):
    """Of rows (id, score, left, top, right, bottom), which Faster R-CNN gives class by class."""
    rows = np.asarray(rows, np.float32).reshape(-1, 6)
    rows = rows[np.argsort(-rows[:, 1], kind="stable")][np.newaxis]
    return [rows[..., :1], rows[..., 1:2], rows[..., 2:]]


def led_back(boxes, resized, size):
    """Boxes in pixels of the network's input, in those of the image and cut at its edges; sizes are (height, width)."""
    scale = np.float32([size[1] / resized[1], size[0] / resized[0]] * 2)
    return np.clip(boxes * scale, 0, np.float32([size[1], size[0]] * 2))
