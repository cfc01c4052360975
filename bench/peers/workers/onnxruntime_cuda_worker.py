"""ONNX Runtime on an NVIDIA GPU, by cuDNN and cuBLAS. PEERS_DEVICE is the GPU's number."""
import os

from serve import serve


def start(folder, provider, options):
    """A session that runs on the provider, and not, silently, on the CPU."""
    import onnxruntime
    settings = onnxruntime.SessionOptions()
    settings.log_severity_level = 3
    options = {"device_id": int(os.environ.get("PEERS_DEVICE", "0")), **options}
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), settings, providers=[(provider, options), "CPUExecutionProvider"])
    if provider not in session.get_providers():
        raise RuntimeError(f"ONNX Runtime has no {provider} here")
    return session


def load(_, folder, inputs, __):
    tf32 = int(os.environ.get("PEERS_PRECISION") == "tf32")
    session = start(folder, "CUDAExecutionProvider", {"cudnn_conv_algo_search": "EXHAUSTIVE", "use_tf32": tf32})
    return lambda: session.run(None, inputs)


if __name__ == "__main__":
    serve(load)
