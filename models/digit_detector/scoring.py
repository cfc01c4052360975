"""How well boxes fit the truth: average precision as PASCAL VOC measures it since 2010, over all points of the curve."""
import numpy as np

IOU = 0.5  # of a box with what it shall have found


def overlaps(box, boxes):
    """The intersection over union of one box (left, top, right, bottom) with each of (N, 4)."""
    corner = np.maximum(box[:2], boxes[:, :2]), np.minimum(box[2:], boxes[:, 2:])
    shared = np.prod(np.maximum(corner[1] - corner[0], 0), axis=1)
    areas = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)
    return shared / (np.prod(box[2:] - box[:2]) + areas - shared)


def average_precision(found, truth):
    """Of one class. found: (scene, score, box) of each detection; truth: from scene to boxes (N, 4).

    The best detections come first, and each object is found once: a second box on it is a wrong one.
    """
    taken = {scene: np.zeros(len(boxes), bool) for scene, boxes in truth.items()}
    right = []
    for scene, _, box in sorted(found, key=lambda entry: -entry[1]):
        boxes = truth.get(scene, np.zeros((0, 4)))
        shares = overlaps(np.asarray(box, dtype=np.float64), boxes)
        best = int(shares.argmax()) if len(shares) else -1
        right.append(best >= 0 and shares[best] > IOU and not taken[scene][best])
        if right[-1]:
            taken[scene][best] = True
    hits = np.cumsum(right)
    recall = hits / sum(len(boxes) for boxes in truth.values())
    precision = hits / np.arange(1, len(hits) + 1)
    # The precision at a recall is the best that is reached at that recall or a higher one.
    best_after = np.maximum.accumulate(precision[::-1])[::-1]
    return float(np.sum(np.diff(recall, prepend=0) * best_after))


def average_precisions(found, truth, classes):
    """One for each class. found: a list for each scene of (class, score, left, top, right, bottom); truth: a list for
    each scene of (class, left, top, right, bottom)."""
    result = []
    for index in range(classes):
        boxes = {i: np.array([row[1:] for row in rows if int(row[0]) == index], dtype=np.float64)
                 for i, rows in enumerate(truth)}
        boxes = {i: rows for i, rows in boxes.items() if len(rows)}
        own = [(i, row[1], row[2:]) for i, rows in enumerate(found) for row in rows if int(row[0]) == index]
        result.append(average_precision(own, boxes) if boxes else float("nan"))
    return result
