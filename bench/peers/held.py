"""What contestants are held to: instruction set, precision, device; and where they are. Needs nothing but Python."""
import dataclasses
import json
import os
import pathlib

from names import FLOAT32, GPU_PEERS

# Who can be held to an instruction set, and how. The others choose by the CPU alone.
ISA = {"avx2": {"mxinfer": {"MXINFER_TARGET": "avx2"}, "mxnet": {"DNNL_MAX_CPU_ISA": "AVX2"},
                "openvino": {"ONEDNN_MAX_CPU_ISA": "AVX2", "DNNL_MAX_CPU_ISA": "AVX2"}}}
# Who can be asked for a precision other than float32, and how: mxinfer by its own option, workers of GPUs by PEERS_PRECISION.
# int8 is a file of its own, which prepare.py makes.
PRECISIONS = {"bfloat16": {"mxinfer": {}, "openvino": {"OPENVINO_PRECISION": "bf16"}},
              "int8": {"mxinfer": {}, FLOAT32: {}, "onnxruntime": {"PEERS_MODEL": "model-int8.onnx"},
                       "openvino": {"PEERS_MODEL": "model-int8.xml"}},
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

    def file_of(self, name):
        """The file that a peer runs in this precision."""
        return PRECISIONS.get(self.precision, {}).get(name, {}).get("PEERS_MODEL", "model.onnx")

    def mxinfer_model(self, network, name):
        """What the command line opens: a prefix, or the bundle that `mxinfer quantize` writes."""
        quantized = self.precision == "int8" and name == "mxinfer"
        return self.models / network.name / ("model-int8.mxz" if quantized else "model")

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
        """What mxinfer is told of it. A quantized model is int8 by itself."""
        settings = {"precision": "" if self.precision == "int8" else self.precision, "device": self.device}
        return {name: value for name, value in settings.items() if value}

    def mxinfer_words(self):
        return [word for name, value in self.mxinfer_settings().items() for word in (f"--{name}", value)]
