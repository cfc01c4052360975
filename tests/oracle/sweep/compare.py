"""How far apart two lists of outputs are."""
import numpy as np

TOLERANCE = 1e-4  # of an output's largest magnitude; float32 sums in other orders through hundreds of layers
# A change of the input, of its largest magnitude, that a result should not show.
NUDGE = 1e-6


def relative(expected, actual):
    """The largest difference, relative to the largest magnitude of what is expected; infinite where one has a number
    and the other none."""
    expected, actual = np.asarray(expected, np.float64), np.asarray(actual, np.float64)
    if expected.size == 0:
        return 0.0
    finite = np.isfinite(expected)
    with np.errstate(invalid="ignore"):
        same = np.where(finite, np.isfinite(actual), (expected == actual) | (np.isnan(expected) & np.isnan(actual)))
    if not same.all():
        return float("inf")
    scale = np.abs(expected[finite]).max(initial=0)
    return float(np.abs(expected - actual)[finite].max(initial=0) / (scale or 1))


def with_columns(outputs):
    """CenterNet's ids and scores are (n, k), those of other detectors (n, k, 1)."""
    if [o.ndim for o in outputs[:3]] == [2, 2, 3]:
        return [outputs[0][..., None], outputs[1][..., None], *outputs[2:]]
    return outputs


def is_detections(outputs):
    """ids (n, k, 1), scores (n, k, 1), boxes (n, k, 4), and perhaps more for each box."""
    return (len(outputs) >= 3 and [o.ndim for o in outputs[:3]] == [3, 3, 3] and [o.shape[2] for o in outputs[:3]] == [1, 1, 4]
            and all(o.shape[:2] == outputs[0].shape[:2] for o in outputs))


def finds_nothing(outputs):
    """Where a detector has no detection there is little to compare."""
    outputs = with_columns(outputs)
    return is_detections(outputs) and bool((outputs[0] < 0).all())


def reorder(expected, actual):
    """The rows of `actual` in the order of `expected`, where scores let them swap that agree within the tolerance."""
    result = [output.copy() for output in actual]
    scales = [np.abs(output).max(initial=0) or 1 for output in expected[:3]]
    for sample in range(expected[0].shape[0]):
        def rows(outputs):
            return np.concatenate([o[sample] / s for o, s in zip(outputs[:3], scales)], axis=1).astype(np.float64)

        wanted, given = rows(expected), rows(actual)
        free = np.ones(len(given), bool)
        for i, row in enumerate(wanted):
            close = free & (np.abs(given[:, 1] - row[1]) <= TOLERANCE)
            candidates = np.flatnonzero(close) if close.any() else np.flatnonzero(free)[:1]
            best = candidates[np.argmin(np.abs(given[candidates] - row).max(axis=1))]
            free[best] = False
            for target, source in zip(result, actual):
                target[sample, i] = source[sample, best]
    return result


def compare(expected, actual):
    """The largest relative difference of any output. ValueError where they cannot be compared."""
    if len(expected) != len(actual):
        raise ValueError(f"{len(actual)} outputs, MXNet has {len(expected)}")
    for i, (e, a) in enumerate(zip(expected, actual)):
        if e.shape != a.shape or e.dtype != a.dtype:
            raise ValueError(f"output {i} is {a.dtype} {a.shape}, MXNet's {e.dtype} {e.shape}")
    difference = max(map(relative, expected, actual), default=0.0)
    expected, actual = with_columns(expected), with_columns(actual)
    if difference > TOLERANCE and is_detections(expected):
        difference = min(difference, max(map(relative, expected, reorder(expected, actual))))
    return difference
