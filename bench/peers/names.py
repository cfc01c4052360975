"""Who is compared: on the CPU, or on an NVIDIA GPU (--device)."""
PEERS = ["mxnet", "onnxruntime", "openvino", "ncnn"]
GPU_PEERS = ["torch_cuda", "onnxruntime_cuda", "tensorrt"]
NAMES = ["mxinfer", *PEERS]
FLOAT32 = "mxinfer-float32"  # beside mxinfer in int8
GPU_NAMES = ["mxinfer", *GPU_PEERS]
TITLES = {"mxinfer": "mxinfer", FLOAT32: "mxinfer, float32", "mxnet": "MXNet+oneDNN", "onnxruntime": "ONNX Runtime",
          "openvino": "OpenVINO", "ncnn": "ncnn", "torch_cuda": "PyTorch+cuDNN", "onnxruntime_cuda": "ONNX Runtime, CUDA",
          "tensorrt": "TensorRT"}
