"""RetinaFace (mnet.25) as InsightFace publishes it, over MXNet: the graph ends in scores and offsets of anchors."""
import numpy as np

from .networks import Network, resize, suppress

STRIDES = {32: (32, 16), 16: (8, 4), 8: (2, 1)}  # sides of a stride's anchors, in sixteens of pixels
THRESHOLD = 0.8


def anchors_of(stride, height, width):
    """Corners (height * width * 2, 4) of the anchors of a map, as of pixels that belong to them."""
    centre = (16 - 1) / 2
    base = []
    for scale in STRIDES[stride]:
        half = (16 * scale - 1) / 2
        base.append([centre - half, centre - half, centre + half, centre + half])
    y, x = np.mgrid[0:height, 0:width] * stride
    shifts = np.stack([x, y, x, y], axis=2)
    return (shifts[:, :, None, :] + np.array(base)[None, None]).reshape(-1, 4)


class RetinaFace:
    def __init__(self, folder):
        self.network = Network(folder)

    def detect(self, picture, long_side=640):
        """Rows (score, left, top, right, bottom, x and y of five landmarks), best first."""
        height, width = picture.shape[:2]
        scale = long_side / max(height, width)
        resized = resize(picture, int(width * scale + 0.5), int(height * scale + 0.5))
        padded = np.zeros((*(-(-side // 32) * 32 for side in resized.shape[:2]), 3), np.float32)
        padded[:resized.shape[0], :resized.shape[1]] = resized
        outputs = self.network.run(padded.transpose(2, 0, 1)[None])
        rows = np.concatenate([self.decode(outputs, stride) for stride in STRIDES])
        rows = rows[rows[:, 4] >= THRESHOLD]
        rows = rows[suppress(rows, 0.4)] if len(rows) else rows
        # The sides of the resized picture are whole numbers, so that x and y have a scale each.
        to_x, to_y = width / resized.shape[1], height / resized.shape[0]
        edges = (rows[:, :4] + (0, 0, 1, 1)) * (to_x, to_y, to_x, to_y)
        edges = np.clip(edges, 0, (width, height, width, height))
        landmarks = rows[:, 5:].reshape(-1, 5, 2) * (to_x, to_y)
        return np.concatenate([rows[:, 4:5], edges, landmarks.reshape(-1, 10)], axis=1)

    @staticmethod
    def decode(outputs, stride):
        """Rows (x1, y1, x2, y2, score, landmarks) of one stride's maps."""
        scores = outputs[f"face_rpn_cls_prob_reshape_stride{stride}_output"][0, 2:]
        _, height, width = scores.shape
        flat = lambda name: outputs[f"face_rpn_{name}_stride{stride}_output"][0].transpose(1, 2, 0)
        offsets = flat("bbox_pred").reshape(-1, 4)
        points = flat("landmark_pred").reshape(-1, 5, 2)
        anchors = anchors_of(stride, height, width)
        sides = anchors[:, 2:] - anchors[:, :2] + 1
        centres = anchors[:, :2] + 0.5 * (sides - 1)
        centre = offsets[:, :2] * sides + centres
        half = 0.5 * (np.exp(offsets[:, 2:]) * sides - 1)
        landmarks = points * sides[:, None] + centres[:, None]
        return np.concatenate([centre - half, centre + half, scores.transpose(1, 2, 0).reshape(-1, 1),
                               landmarks.reshape(-1, 10)], axis=1)
