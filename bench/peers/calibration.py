"""The calibration set of a network: samples that all quantize by, and on which their outputs are compared with MXNet's in
float32. It is made once and kept beside the network."""
SAMPLES = 32
INPUTS, OUTPUTS = "calibration.npz", "calibration-float32.npz"


def indices(count, size):
    """Which samples make up each batch. The last batch is filled up from the beginning: files have a fixed batch size."""
    return [[i % count for i in range(first, first + size)] for first in range(0, count, size)]


def batches(arrays, size):
    """The samples of {name: array} in batches."""
    count = len(next(iter(arrays.values())))
    for chosen in indices(count, size):
        yield {name: array[chosen] for name, array in arrays.items()}


def read(path):
    import numpy as np
    with np.load(path) as arrays:
        return {name: arrays[name] for name in arrays.files}


def read_outputs(path):
    """A list, from arrays named "0", "1", ..."""
    found = read(path)
    return [found[str(i)] for i in range(len(found))]


def predict(run_on, arrays, size):
    """Outputs of all samples: run_on({name: array}) gives those of a batch. They are copied, as some libraries reuse them."""
    import numpy as np
    found = [[np.array(output) for output in run_on(batch)] for batch in batches(arrays, size)]
    count = len(next(iter(arrays.values())))
    return [np.concatenate(outputs)[:count] for outputs in zip(*found)]
