"""What contestants are held to: instruction set, precision, device; and where they are. Needs nothing but Python."""
import dataclasses
import json
import os
import pathlib

from names import GPU_PEERS

# Who can be held to an instruction set, and how. The others choose by the CPU alone.
ISA = {"avx2": {"mxinfer": {"MXINFER_TARGET": "avx2"}, "mxnet": {"DNNL_MAX_CPU_ISA": "AVX2"},
                "openvino": {"ONEDNN_MAX_CPU_ISA": "AVX2", "DNNL_MAX_CPU_ISA": "AVX2"}}}
# Who can be asked for a precision other than float32, and how: mxinfer by its own option, workers of GPUs by PEERS_PRECISION.
PRECISIONS = {"bfloat16": {"mxinfer": {}, "openvino": {"OPENVINO_PRECISION": "bf16"}},
              "tf32": {"mxinfer": {}, **{name: {"PEERS_PRECISION": "tf32"} for name in GPU_PEERS}},
              "float16": {"mxinfer": {}, "torch_cuda": {"PEERS_PRECISION": "float16"}, "tensorrt": {"PEERS_PRECISION": "float16"}}}


@dataclasses.dataclass
class Setup:
    mxinfer: str
    models: pathlib.Path
    pythons: dict  # by contestant
    isa: str = ""
    precision: str = ""  # float32 where empty
    device: str = ""  # "cuda:0"; the CPU where empty

    def folder(self, network, batch):
        return self.models / network.name / f"b{batch}"

    def environment(self, name, threads, **more):
        limits = {**ISA.get(self.isa, {}).get(name, {}), **PRECISIONS.get(self.precision, {}).get(name, {})}
        if self.device:
            limits["PEERS_DEVICE"] = self.device.partition(":")[2] or "0"
            if not self.precision:
                limits["NVIDIA_TF32_OVERRIDE"] = "0"  # float32 means float32, in all of NVIDIA's libraries
        if name == "mxinfer":
            limits.update(PEERS_LIBRARY=str(self.c_library()), PEERS_SETTINGS=json.dumps(self.mxinfer_settings()))
        return {**os.environ, "OMP_NUM_THREADS": str(threads), "MXNET_SUBGRAPH_VERBOSE": "0", **limits, **more}

    def c_library(self):
        """The C interface that was built, or installed, with the command."""
        root = pathlib.Path(self.mxinfer).parent.parent
        return next((path for path in root.glob("lib*/libmxinfer_c.so")), root / "libmxinfer_c.so")

    def mxinfer_settings(self):
        """What mxinfer is told of it."""
        return {name: getattr(self, name) for name in ("precision", "device") if getattr(self, name)}

    def mxinfer_words(self):
        return [word for name, value in self.mxinfer_settings().items() for word in (f"--{name}", value)]
