"""OpenCV in front of ONNX Runtime or OpenVINO, each set up for many images. See label_worker.py."""
import functools
import sys
import threading

import arrangements
import opencv_steps
from label_worker import serve

BATCH = 8


class OnnxRuntime:
    """One session, which any number of threads may call."""

    def __init__(self, model, threads, arrangement):
        import onnxruntime
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1 if arrangement == "each" else threads
        options.inter_op_num_threads = 1
        if arrangement == "ahead":  # its threads would spin on the cores that the decoding needs
            options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3
        self.session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    @staticmethod
    def prepare(pixels):
        return opencv_steps.normalised(pixels)

    def infer(self, inputs):
        import numpy as np
        return list(self.session.run(None, {"data": np.stack(inputs)})[0])


class OpenVino:
    """The network with its normalisation in front, as OpenVINO has it for pixels; a request for each thread."""

    def __init__(self, model, threads, arrangement):
        import openvino
        streams = threads if arrangement == "each" else 1
        self.compiled = openvino.Core().compile_model(self.with_pixels(model), "CPU", {
            "INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": streams, "INFERENCE_PRECISION_HINT": "f32",
            "PERFORMANCE_HINT": "THROUGHPUT" if streams > 1 else "LATENCY"})
        self.local = threading.local()

    @staticmethod
    def with_pixels(model):
        import openvino
        from openvino.preprocess import ColorFormat, PrePostProcessor
        steps = PrePostProcessor(openvino.Core().read_model(model))
        steps.input().tensor().set_element_type(openvino.Type.u8).set_layout(openvino.Layout("NHWC")).set_color_format(ColorFormat.BGR)
        steps.input().preprocess().convert_element_type(openvino.Type.f32).convert_color(ColorFormat.RGB).mean(
            [255 * mean for mean in opencv_steps.MEAN]).scale([255 * std for std in opencv_steps.STD])
        steps.input().model().set_layout(openvino.Layout("NCHW"))
        return steps.build()

    @staticmethod
    def prepare(pixels):
        return pixels

    def infer(self, inputs):
        import numpy as np
        if not hasattr(self.local, "request"):
            self.local.request = self.compiled.create_infer_request()
        self.local.request.infer([np.stack(inputs)])
        return list(self.local.request.get_output_tensor(0).data.copy())


def padded(infer, batch):
    """The files of the networks fix the batch: the last one of a list is filled up."""
    return lambda inputs: infer(inputs + inputs[-1:] * (batch - len(inputs)))[:len(inputs)]


def load(config):
    import cv2
    import numpy as np
    cv2.setNumThreads(1)  # the images run side by side
    threads, arrangement = config["threads"], config["arrangement"]
    kind = {"onnxruntime": OnnxRuntime, "openvino": OpenVino}[config["library"]]
    batch = 1 if arrangement == "each" else BATCH
    library = kind(config["model"].replace("{batch}", str(batch)), threads, arrangement)

    def decode(path):
        return library.prepare(opencv_steps.decode(path, config["scaled"]))

    # On this thread alone: two first calls of OpenVINO at once wait for each other and for Python's lock, for ever.
    library.infer([library.prepare(np.zeros((opencv_steps.SIDE, opencv_steps.SIDE, 3), np.uint8))] * batch)

    run = functools.partial(arrangements.each, threads=threads, decode=decode, infer=library.infer)
    if arrangement == "ahead":
        run = functools.partial(arrangements.ahead, threads=threads, decode=decode, infer=padded(library.infer, batch), batch=batch)

    def classify(paths, all_scores):
        scores = run(paths)
        return scores if all_scores else [int(one.argmax()) for one in scores]
    return classify


if __name__ == "__main__":
    serve(load, sys.argv[1])
