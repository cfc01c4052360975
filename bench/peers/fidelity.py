"""How much of a network's float32 outputs is left where it is computed in int8. Needs NumPy when it computes."""
EXACT_DB = 200.0  # no noise at all


def centred(expected, actual):
    """Both without the mean of what is expected. Networks with random weights give all samples nearly the same output, and
    favour one class: what differs between the samples is their signal, as if the last biases were chosen to make up for that."""
    mean = expected.mean(axis=0, dtype="float64")
    return expected - mean, actual - mean


def signal_to_noise(expected, actual):
    """In dB, of one output for all samples."""
    import numpy as np
    signal, found = centred(expected, actual)
    noise = np.square(found - signal).sum()
    return min(EXACT_DB, float(10 * np.log10(np.square(signal).sum() / noise))) if noise else EXACT_DB


def top1_agreement(expected, actual):
    """The part of the samples with the same best class; None for outputs that are not a score for each class."""
    if expected.ndim != 2:
        return None
    signal, found = centred(expected, actual)
    return float((signal.argmax(axis=1) == found.argmax(axis=1)).mean())


def differing(expected, actual):
    """Why outputs cannot be compared; "" if they can."""
    import numpy as np
    shapes, found = [list(o.shape) for o in expected], [list(o.shape) for o in actual]
    if shapes != found:
        return f"outputs have the shapes {found}, those of MXNet in float32 {shapes}"
    return "" if all(np.isfinite(output).all() for output in actual) else "outputs have values that are not finite"


def measured(expected, actual):
    """{"snr_db", "top1"}: of the output with the most noise, and of the first."""
    return {"snr_db": min(signal_to_noise(e, a) for e, a in zip(expected, actual)),
            "top1": top1_agreement(expected[0], actual[0])}
