"""ONNX Runtime on the CPU. PEERS_MODEL is the file to run in place of model.onnx."""
import os

import at_once
from serve import serve


class Run:
    def __init__(self, session, inputs):
        self.session, self.inputs, self.callers = session, inputs, []

    def __call__(self):
        return self.session.run(None, self.inputs)

    def on(self, inputs):
        return Run(self.session, inputs)

    def at_once(self, callers, begin, end):
        """A thread for each caller, on one session."""
        while len(self.callers) < callers:
            self.callers.append(self.on({name: array.copy() for name, array in self.inputs.items()}))
        return at_once.on_threads(self.callers[:callers], begin, end)


def load(_, folder, inputs, threads):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    model = folder / os.environ.get("PEERS_MODEL", "model.onnx")
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    return Run(session, inputs)


if __name__ == "__main__":
    serve(load)
