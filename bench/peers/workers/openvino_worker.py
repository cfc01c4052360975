"""OpenVINO on the CPU, in float32 unless OPENVINO_PRECISION says otherwise."""
import os

from serve import serve


def load(_, folder, inputs, threads):
    import openvino
    core = openvino.Core()
    compiled = core.compile_model(str(folder / "model.onnx"), "CPU", {
        "INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": os.environ.get("OPENVINO_PRECISION", "f32")})
    request = compiled.create_infer_request()
    for name, array in inputs.items():
        request.set_tensor(name, openvino.Tensor(array))

    def run():
        request.infer()
        return [request.get_output_tensor(i).data for i in range(len(compiled.outputs))]
    return run


if __name__ == "__main__":
    serve(load)
