"""Where setup.sh has put what is compared."""
import os
import pathlib

from names import GPU_PEERS

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PEERS = pathlib.Path(os.environ.get("MXINFER_PEERS", ROOT / "build" / "peers"))
ORACLE = pathlib.Path(os.environ.get("MXINFER_ORACLE_VENV", ROOT / "build" / "oracle"))
MXINFER = ROOT / "build" / "release" / "bin" / "mxinfer"


def find_programs():
    """Programs by their purpose."""
    engines = PEERS / "environments" / "engines"
    found = {name: engines / "bin" / "python" for name in ("mxinfer", "onnxruntime", "openvino", "ncnn")}
    found.update({name: PEERS / "environments" / "gpu" / "bin" / "python" for name in GPU_PEERS})
    pnnx = next(engines.glob("lib/python3*/site-packages/pnnx/pnnx"), engines / "pnnx")
    return {**found, "mxnet": ORACLE / "bin" / "python", "export": PEERS / "environments" / "export" / "bin" / "python",
            "pnnx": pnnx}
