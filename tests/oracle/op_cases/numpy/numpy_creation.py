"""Arrays that mx.np makes."""
from op_case import DTYPES, case

NUMBERS = [t for t in DTYPES if t != "bool"]  # MXNet refuses it


def made(name, op, tol=None, **attrs):
    return case(name, op, attrs, [], np_shape=True, tol=tol)


CASES = [made(f"arange_{t}", "_npi_arange", start=0, stop=5, step=1, dtype=t, ctx="cpu(0)") for t in NUMBERS]
CASES += [made(f"arange_{i}", "_npi_arange", **attrs) for i, attrs in enumerate([
    {"start": 0.5, "stop": 5, "step": 0.7, "dtype": "int32"}, {"start": 0.5, "stop": 5, "step": 0.7},
    {"start": 0.5, "stop": 5, "step": 0.7, "dtype": "float16"}, {"start": 0.5, "stop": 5, "step": 0.7, "dtype": "float64"},
    {"start": 5, "stop": 0, "step": -1.5}, {"start": 5, "stop": 0, "step": 1}, {"start": 0, "stop": 0},
    {"start": 5, "stop": "None", "step": 1}, {"start": 5}, {"start": 2, "stop": 7, "step": 2, "dtype": "int64"},
    {"start": 0, "stop": 1e7, "step": 3e6}])]
CASES += [made(f"eye_{t}", "_npi_eye", N=2, M=3, k=1, dtype=t, ctx="cpu(0)") for t in NUMBERS]
CASES += [made(f"eye_{i}", "_npi_eye", **attrs) for i, attrs in enumerate([
    {"N": 2, "M": "None", "k": 0}, {"N": 3}, {"N": 0}, {"N": 2, "M": 0}, {"N": 2, "k": -1}, {"N": 2, "k": -7}, {"N": 4, "M": 2, "k": -1},
    {"N": 2, "M": 4, "k": 3}, {"N": 2, "M": 4, "k": 4}])]
CASES += [made(f"identity_{t}", "_npi_identity", shape=(3, 3), dtype=t) for t in DTYPES]
CASES += [made(f"identity_{i}", "_npi_identity", shape=shape) for i, shape in enumerate([(0, 0), (1, 1)])]
for op in ("zeros", "ones"):
    CASES += [made(f"{op}_{t}", f"_npi_{op}", shape=(2,), dtype=t, ctx="cpu(0)") for t in DTYPES]
    CASES += [made(f"{op}_{i}", f"_npi_{op}", **attrs) for i, attrs in enumerate([
        {}, {"shape": "()"}, {"shape": 3}, {"shape": (2, 0)}, {"shape": (2, 3, 1)}, {"shape": "[2, 2]"}])]
CASES += [made(f"full_{t}", "_npi_full", shape=(2,), value=3.7, dtype=t) for t in DTYPES]
CASES += [made(f"full_{i}", "_npi_full", **attrs) for i, attrs in enumerate([
    {"shape": "()", "value": 3}, {"shape": (2, 0), "value": 3}, {"shape": 2, "value": "inf", "dtype": "float16"},
    {"shape": 2, "value": "nan"}, {"shape": 2, "value": -1, "dtype": "uint8"}, {"shape": 2, "value": 300, "dtype": "int8"}])]
CASES += [made(f"linspace_{t}", "_npi_linspace", start=-5, stop=7.3, num=7, endpoint=True, dtype=t) for t in NUMBERS if t != "uint8"]
CASES += [made(f"logspace_{t}", "_npi_logspace", start=0, stop=2, num=4, endpoint=True, base=10.0, dtype=t) for t in NUMBERS]
for op in ("linspace", "logspace"):
    CASES += [made(f"{op}_{i}", f"_npi_{op}", **attrs) for i, attrs in enumerate([
        {"start": 2, "stop": 3, "num": 5, "endpoint": False}, {"start": 2, "stop": 3, "num": 0}, {"start": 2, "stop": 3, "num": 1},
        {"start": 2, "stop": 3, "num": 1, "endpoint": False}, {"start": 0, "stop": -2.3, "num": 7}, {"start": 1, "stop": 1, "num": 3}])]
CASES += [made(f"logspace_base_{i}", "_npi_logspace", start=start, stop=1, num=4, base=base)
          for i, (start, base) in enumerate([(2, 2.0), (-1, 0), (0, -2), (0.5, 1)])]
for op in ("hanning", "hamming", "blackman"):
    CASES += [made(f"{op}_{t}", f"_npi_{op}", M=6, dtype=t) for t in NUMBERS]
    CASES += [made(f"{op}_one_{t}", f"_npi_{op}", M=1, dtype=t) for t in NUMBERS]
    CASES += [made(f"{op}_{i}", f"_npi_{op}", M=M) for i, M in enumerate([0, 2, 5, 64, -3])]
CASES += [made(f"indices_{t}", "_npi_indices", dimensions=(2, 3), dtype=t) for t in NUMBERS]
CASES += [made(f"indices_{i}", "_npi_indices", dimensions=dims) for i, dims in enumerate([
    (2,), "()", (2, 0), (0,), 2, (1, 2, 2), "[2, 2]"])]
