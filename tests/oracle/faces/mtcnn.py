"""MTCNN as InsightFace publishes it, over MXNet: an image pyramid through det1, what that proposes through det2 and det3."""
import math

import numpy as np

from .networks import Network, resize, suppress

SMALLEST_FACE = 20
FACTOR = 0.709
THRESHOLDS = (0.6, 0.7, 0.8)


def scales_of(height, width):
    """Of the pyramid: at the first, the smallest face has the 12 pixels of det1's window."""
    scale, scales = 12.0 / SMALLEST_FACE, []
    side = min(height, width) * scale
    while side > 12:
        scales.append(scale)
        scale, side = scale * FACTOR, side * FACTOR
    return scales


def network_input(pictures):
    pixels = np.stack(pictures).astype(np.float32)
    return ((pixels - 127.5) * 0.0078125).transpose(0, 3, 1, 2)


class Mtcnn:
    def __init__(self, models):
        self.networks = [Network(models / f"mtcnn_det{i}") for i in (1, 2, 3)]

    def detect(self, picture):
        """Rows (score, left, top, right, bottom, x and y of five landmarks), best first."""
        picture = np.ascontiguousarray(picture[:, :, ::-1])  # the networks want BGR
        proposals = self.propose(picture)
        if len(proposals) == 0:
            return np.zeros((0, 15))
        boxes = self.refine(picture, proposals)
        if len(boxes) == 0:
            return np.zeros((0, 15))
        return self.finish(picture, boxes)

    def propose(self, picture):
        found = [self.propose_at(picture, scale) for scale in scales_of(*picture.shape[:2])]
        found = [boxes for boxes in found if len(boxes) > 0]
        if not found:
            return np.zeros((0, 5))
        boxes = np.concatenate(found)
        boxes = boxes[suppress(boxes, 0.7)]
        return rounded_square(calibrate(boxes[:, :5], boxes[:, 5:9]))

    def propose_at(self, picture, scale):
        height, width = (math.ceil(side * scale) for side in picture.shape[:2])
        outputs = self.networks[0].run(network_input([resize(picture, width, height)]))
        scores, offsets = outputs["prob1_output"][0, 1], outputs["conv4_2_output"][0]
        y, x = np.where(scores > THRESHOLDS[0])
        corners = np.stack([2 * x + 1, 2 * y + 1, 2 * x + 13, 2 * y + 13], axis=1)
        boxes = np.concatenate([np.round(corners / scale), scores[y, x][:, None], offsets[:, y, x].T], axis=1)
        return boxes[suppress(boxes, 0.5)]

    def refine(self, picture, boxes):
        outputs = self.networks[1].run(crops(picture, boxes, 24))
        scores = outputs["prob1_output"][:, 1]
        passed = scores > THRESHOLDS[1]
        boxes, offsets = boxes[passed], outputs["conv5_2_output"][passed]
        boxes[:, 4] = scores[passed]
        kept = suppress(boxes, 0.7)
        return rounded_square(calibrate(boxes[kept], offsets[kept]))

    def finish(self, picture, boxes):
        outputs = self.networks[2].run(crops(picture, boxes, 48))
        scores = outputs["prob1_output"][:, 1]
        passed = scores > THRESHOLDS[2]
        boxes, offsets = boxes[passed], outputs["conv6_2_output"][passed]
        points = outputs["conv6_3_output"][passed].astype(np.float64)
        boxes[:, 4] = scores[passed]
        width, height = boxes[:, 2] - boxes[:, 0] + 1, boxes[:, 3] - boxes[:, 1] + 1
        x = boxes[:, 0:1] + width[:, None] * points[:, :5]
        y = boxes[:, 1:2] + height[:, None] * points[:, 5:]
        boxes = calibrate(boxes, offsets)
        kept = suppress(boxes, 0.7, over="minimum")
        landmarks = np.stack([x, y], axis=2).reshape(-1, 10)
        edges = boxes[:, :4] + (0, 0, 1, 1)  # behind the last pixel
        return np.concatenate([boxes[:, 4:5], edges, landmarks], axis=1)[kept]


def calibrate(boxes, offsets):
    """Offsets are in parts of the box's sides."""
    boxes = boxes.copy()
    sides = boxes[:, 2:4] - boxes[:, 0:2] + 1
    boxes[:, 0:2] += offsets[:, 0:2] * sides
    boxes[:, 2:4] += offsets[:, 2:4] * sides
    return boxes


def rounded_square(boxes):
    """The longer side becomes both."""
    boxes = boxes.copy()
    sides = boxes[:, 2:4] - boxes[:, 0:2] + 1
    longer = sides.max(axis=1, keepdims=True)
    boxes[:, 0:2] += sides * 0.5 - longer * 0.5
    boxes[:, 2:4] = boxes[:, 0:2] + longer - 1
    boxes[:, :4] = np.round(boxes[:, :4])
    return boxes


def crops(picture, boxes, side):
    """The network's input of what lies in boxes; beyond the picture all is black."""
    height, width = picture.shape[:2]
    pictures = []
    for x1, y1, x2, y2 in boxes[:, :4].astype(int):
        crop = np.zeros((y2 - y1 + 1, x2 - x1 + 1, 3), np.uint8)
        left, top, right, bottom = max(x1, 0), max(y1, 0), min(x2 + 1, width), min(y2 + 1, height)
        if left < right and top < bottom:
            crop[top - y1:bottom - y1, left - x1:right - x1] = picture[top:bottom, left:right]
        pictures.append(resize(crop, side, side))
    return network_input(pictures)
