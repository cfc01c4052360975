"""Who is compared."""
PEERS = ["mxnet", "onnxruntime", "openvino", "ncnn"]
NAMES = ["mxinfer", *PEERS]
TITLES = {"mxinfer": "mxinfer", "mxnet": "MXNet+oneDNN", "onnxruntime": "ONNX Runtime", "openvino": "OpenVINO", "ncnn": "ncnn"}
