"""ONNX Runtime on the CPU."""
import at_once
from serve import serve


class Run:
    def __init__(self, session, inputs):
        self.session, self.inputs, self.callers = session, inputs, []

    def __call__(self):
        return self.session.run(None, self.inputs)

    def at_once(self, callers, begin, end):
        """A thread for each caller, on one session."""
        while len(self.callers) < callers:
            self.callers.append(Run(self.session, {name: array.copy() for name, array in self.inputs.items()}))
        return at_once.on_threads(self.callers[:callers], begin, end)


def load(_, folder, inputs, threads):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])
    return Run(session, inputs)


if __name__ == "__main__":
    serve(load)
