"""The machine of the measurements: the processor, its peak, and the versions that were compared."""
import json
import os
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ISA = ["avx2", "fma", "avx512f", "avx_vnni", "avx512_vnni", "avx512_bf16", "amx_bf16", "amx_int8"]
PACKAGES = {"mxnet": "mxnet", "onnxruntime": "onnxruntime", "openvino": "openvino", "ncnn": "ncnn"}


def cpu():
    facts = {}
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        name, _, value = line.partition(":")
        facts.setdefault(name.strip(), value.strip())
    flags = facts.get("flags", "").split()
    return {"model": facts.get("model name", "unknown"), "family": facts.get("cpu family"), "cores": os.cpu_count(),
            "isa": [flag for flag in ISA if flag in flags]}


def has_int8_dot_products():
    """Whether uint8 times int8 is added up in 32 bits. Without, pairs saturate in 16, and weights are kept to 7 bits."""
    return any(flag in cpu()["isa"] for flag in ("avx512_vnni", "avx_vnni", "amx_int8"))


def peak(threads):
    """[{"threads", "gflops", "read_gb_s"}], from machine_peak.cpp."""
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/machine_peak"
        subprocess.run([os.environ.get("CXX", "c++"), "-O3", "-march=native", "-pthread", "-o", program,
                        HERE / "machine_peak.cpp"], check=True)
        done = subprocess.run([program, *map(str, threads)], stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def versions(pythons, names):
    found = {}
    for name in names:
        if name in PACKAGES:
            code = f"import importlib.metadata as m; print(m.version('{PACKAGES[name]}'))"
            done = subprocess.run([pythons[name], "-c", code], capture_output=True, text=True)
            found[name] = done.stdout.strip() or "unknown"
    return found
