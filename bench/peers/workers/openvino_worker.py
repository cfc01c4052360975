"""OpenVINO on the CPU, in float32 unless OPENVINO_PRECISION says otherwise. OPENVINO_HINT says what it is to be good at, and
PEERS_MODEL which file to run in place of model.onnx."""
import os
import time

from serve import serve


class Run:
    def __init__(self, compiled, inputs):
        self.compiled, self.inputs, self.queues = compiled, inputs, {}
        self.request = compiled.create_infer_request()
        self.set_inputs(self.request)

    def set_inputs(self, request):
        import openvino
        for name, array in self.inputs.items():
            request.set_tensor(name, openvino.Tensor(array.copy()))

    def __call__(self):
        self.request.infer()
        return [self.request.get_output_tensor(i).data for i in range(len(self.compiled.outputs))]

    def on(self, inputs):
        return Run(self.compiled, inputs)

    def queue_of(self, callers):
        import openvino
        if callers not in self.queues:
            queue, ms = openvino.AsyncInferQueue(self.compiled, callers), []
            for request in queue:
                self.set_inputs(request)
            queue.set_callback(lambda _, start: ms.append((time.monotonic() - start) * 1e3))
            self.queues[callers] = queue, ms
        return self.queues[callers]

    def at_once(self, callers, begin, end):
        """OpenVINO's own queue, with so many jobs in flight: from the start of each to its callback."""
        queue, ms = self.queue_of(callers)
        ms.clear()
        time.sleep(max(0.0, begin - time.monotonic()))
        started = 0
        while True:
            queue.get_idle_request_id()  # waits, so that the time below is that of the start
            start = time.monotonic()
            if started >= callers and start >= end:
                break
            queue.start_async(userdata=start)
            started += 1
        queue.wait_all()
        return list(ms)


def load(_, folder, inputs, threads):
    import openvino
    hint = os.environ.get("OPENVINO_HINT", "LATENCY")
    model = folder / os.environ.get("PEERS_MODEL", "model.onnx")
    compiled = openvino.Core().compile_model(str(model), "CPU", {
        "INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": hint, **({"NUM_STREAMS": 1} if hint == "LATENCY" else {}),
        "INFERENCE_PRECISION_HINT": os.environ.get("OPENVINO_PRECISION", "f32")})
    return Run(compiled, inputs)


if __name__ == "__main__":
    serve(load)
