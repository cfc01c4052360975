"""OpenVINO on the CPU, in float32 or, where the environment asks for it, in bfloat16."""
import os

from serve import serve


def load(_, folder, inputs, threads):
    import openvino
    core = openvino.Core()
    precision = "bf16" if os.environ.get("PEERS_PRECISION") == "bfloat16" else "f32"
    compiled = core.compile_model(str(folder / "model.onnx"), "CPU", {
        "INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1, "INFERENCE_PRECISION_HINT": precision,
        "PERFORMANCE_HINT": "LATENCY"})
    request = compiled.create_infer_request()
    for name, array in inputs.items():
        request.set_tensor(name, openvino.Tensor(array))

    def run():
        request.infer()
        return [request.get_output_tensor(i).data for i in range(len(compiled.outputs))]
    return run


if __name__ == "__main__":
    serve(load)
