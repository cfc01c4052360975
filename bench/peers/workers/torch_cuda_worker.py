"""PyTorch with cuDNN on an NVIDIA GPU. onnx2torch makes a module of the network; PEERS_DEVICE is the GPU's number."""
import os

from serve import serve


def load(_, folder, inputs, __):
    import onnx2torch
    import torch
    precision = os.environ.get("PEERS_PRECISION", "float32")
    torch.backends.cudnn.benchmark = True
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = precision == "tf32"
    device = torch.device("cuda", int(os.environ.get("PEERS_DEVICE", "0")))
    module = onnx2torch.convert(str(folder / "model.onnx")).eval().to(device)

    def run():
        with torch.inference_mode(), torch.autocast("cuda", torch.float16, enabled=precision == "float16"):
            outputs = module(*[torch.from_numpy(array).to(device) for array in inputs.values()])
        outputs = [outputs] if isinstance(outputs, torch.Tensor) else outputs
        return [output.float().cpu().numpy() for output in outputs]
    return run


if __name__ == "__main__":
    serve(load)
