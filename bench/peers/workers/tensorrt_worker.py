"""TensorRT on an NVIDIA GPU, through ONNX Runtime. It compiles the network when it is loaded."""
import os

from onnxruntime_cuda_worker import start
from serve import serve


def load(_, folder, inputs, __):
    float16 = os.environ.get("PEERS_PRECISION") == "float16"
    session = start(folder, "TensorrtExecutionProvider", {"trt_fp16_enable": float16, "trt_cuda_graph_enable": True})
    return lambda: session.run(None, inputs)


if __name__ == "__main__":
    serve(load)
