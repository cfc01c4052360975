"""Makes the files of a network that are not there yet: MXNet's, then ONNX, then ncnn's, and those of quantized networks."""
import pathlib
import subprocess
import sys

import calibration
from names import GPU_PEERS, TITLES

HERE = pathlib.Path(__file__).resolve().parent


def run(command, what, log):
    """Returns whether the command succeeded; `log` keeps its output."""
    if not pathlib.Path(command[0]).exists():
        print(f"  {what}: there is no {command[0]}; run bench/peers/setup.sh", file=sys.stderr)
        return False
    with log.open("w") as file:
        failed = subprocess.run(list(map(str, command)), stdout=file, stderr=subprocess.STDOUT).returncode
    if failed:
        print(f"  {what} failed: {log}", file=sys.stderr)
    return not failed


def prepare(setup, environments, network, batch, names):
    """Files that could not be made are missed by the contestants that want them, and they say so."""
    names = set(network.taking_part(names))
    folder = setup.folder(network, batch)
    prefix = folder.parent / "model"
    if not (folder / "inputs.npz").exists() or not prefix.with_name("model-0000.params").exists():
        folder.mkdir(parents=True, exist_ok=True)
        print(f"  making {network.name}", file=sys.stderr)
        if not run([environments["mxnet"], "-W", "ignore", HERE / "make_network.py", network.name, "--batch", batch,
                    "--output", folder.parent], "making the network", folder / "make.log"):
            raise SystemExit(f"{network.name} could not be made")
    prepare_onnx(environments, folder, batch, names)
    if setup.precision == "int8":
        prepare_int8(setup, environments, network, folder, names)


def prepare_onnx(environments, folder, batch, names):
    prefix, onnx = folder.parent / "model", folder / "model.onnx"
    # A log without its file: it failed before.
    if {"onnxruntime", "openvino", "ncnn", *GPU_PEERS} & names and not onnx.exists() and not (folder / "onnx.log").exists():
        run([environments["export"], "-W", "ignore", HERE / "export_onnx.py", prefix, folder / "inputs.npz", onnx],
            "exporting as ONNX", folder / "onnx.log")
    if "ncnn" in names and batch == 1 and onnx.exists() and not (folder / "pnnx.log").exists():
        run([environments["pnnx"], onnx, "fp16=0"], "converting for ncnn", folder / "pnnx.log")
        for pattern in ("model.pnnx*", "model_pnnx.py", "model_ncnn.py"):
            for path in folder.glob(pattern):
                path.unlink()


def prepare_int8(setup, environments, network, folder, names):
    """The calibration set of all, and what each quantizes by it. Log files say what failed, as above."""
    samples = folder.parent / calibration.INPUTS
    if not samples.exists():
        print(f"  making the calibration set of {network.name}", file=sys.stderr)
        if not run([environments["mxnet"], "-W", "ignore", HERE / "make_calibration.py", network.name, folder.parent],
                   "making the calibration set", folder.parent / "calibration.log"):
            raise SystemExit(f"the calibration set of {network.name} could not be made")
    onnx = folder / "model.onnx"
    for name in ("onnxruntime", "openvino"):
        output, log = folder / setup.file_of(name), folder / f"{name}-int8.log"
        if name in names and onnx.exists() and not output.exists() and not log.exists():
            run([environments[name], "-W", "ignore", HERE / "quantizers" / f"{name}_quantizer.py", onnx, samples, output],
                f"quantizing for {TITLES[name]}", log)
    bundle = setup.mxinfer_model(network, "mxinfer")
    if "mxinfer" in names and is_older(bundle, pathlib.Path(setup.mxinfer)):
        bundle.unlink(missing_ok=True)
        run([setup.mxinfer, "quantize", folder.parent / "model", "--inputs", samples, "--method", "minmax", "--output", bundle],
            "mxinfer quantize", bundle.with_suffix(".log"))


def is_older(made, program):
    """Whether a file is missing, or was made before the program that makes it was built."""
    return not made.exists() or program.exists() and made.stat().st_mtime < program.stat().st_mtime
