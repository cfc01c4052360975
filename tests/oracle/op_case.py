"""How the files in op_cases/ state what MXNet is asked.

    from op_case import case, rand, ints

    CASES = [
        case("max_3x3", "Pooling", {"kernel": (3, 3), "pool_type": "max"}, [rand((2, 3, 7, 9))]),
        case("conv_3x3", "Convolution", {"kernel": (3, 3), "num_filter": 4},
             [rand((1, 2, 6, 6)), rand((4, 2, 3, 3), 1), rand((4,), 2)], parameters=[1, 2]),
    ]
"""
import re

import numpy as np


def rand(shape, seed=0, low=-1, high=1, dtype="float32"):
    """Uniform numbers in [low, high), the same ones for the same seed."""
    return np.random.RandomState(seed).uniform(low, high, shape).astype(dtype)


def ints(shape, high, seed=0, low=0, dtype="float32"):
    """Whole numbers in [low, high): labels, ids, indices, or values that a sum keeps exact."""
    return np.random.RandomState(seed).randint(low, high, shape).astype(dtype)


DTYPES = ("float16", "float32", "float64", "int8", "uint8", "int32", "int64", "bool")


def values(shape, dtype, seed=0):
    """Small values of any of the DTYPES; most of them differ."""
    if dtype == "bool":
        return ints(shape, 2, seed, dtype=dtype)
    return ints(shape, 100, seed, 0 if dtype == "uint8" else -27, dtype)


def case(name, op, attrs, inputs, parameters=(), outputs=None, training=(), tol=None, np_shape=False,
         environment=(), open_size=False, in_place=False):
    """One question to MXNet.

    name: letters, digits and _, one of its kind in the file.
    op: the operator's name or an alias of it, as a symbol file has it.
    attrs: attributes, as strings or as Python values that str() writes as MXNet does.
    inputs: arrays in the operator's order, auxiliary states last.
    parameters: which inputs are weights of the model, known before it runs.
    outputs: which outputs to record; all that a symbol shows where None.
    training: which inputs MXNet demands though only training needs them (labels); they are not recorded.
    tol: the largest difference allowed, relative to the largest output, where the test's own limits do not fit.
    np_shape: NumPy's meaning of shapes, in which () is a scalar and 0 no element, rather than "unknown".
    in_place: MXNet computes it only into its first input.
    open_size: the size of an output depends on the values of the inputs.
    environment: variables that MXNet reads while it computes, such as {"MXNET_SAFE_ACCUMULATION": "1"}.
    """
    if not re.fullmatch(r"\w+", name):
        raise ValueError(f"case name {name!r}: only letters, digits and _")
    inputs = [np.asarray(array) for array in inputs]
    for what, indices in (("parameters", parameters), ("training", training)):
        if any(i not in range(len(inputs)) for i in indices):
            raise ValueError(f"case {name}: {what}={list(indices)}, but there are {len(inputs)} inputs")
    return dict(name=name, op=op, attrs=dict(attrs), inputs=inputs, parameters=list(parameters), outputs=outputs,
                training=list(training), tol=tol, np_shape=np_shape,
                environment=dict(environment), open_size=open_size, in_place=in_place)
