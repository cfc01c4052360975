"""Networks in MXNet, from folders with a symbol file and parameters."""
import os

os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"  # no fusion: the plain operators are the specification
os.environ["MXNET_SUBGRAPH_VERBOSE"] = "0"
os.environ["MXNET_STORAGE_FALLBACK_LOG_VERBOSE"] = "0"

import mxnet as mx
import numpy as np


class Network:
    def __init__(self, folder):
        self.symbol, self.arguments, self.states = mx.model.load_checkpoint(str(folder / "model"), 0)

    def run(self, data):
        """{name of an output: array} for a batch (n, channels, height, width)."""
        shapes, _, _ = self.symbol.infer_shape(data=data.shape)
        arguments = dict(self.arguments)
        for name, shape in zip(self.symbol.list_arguments(), shapes):
            if name not in arguments:  # labels, which mean nothing here
                arguments[name] = mx.nd.zeros(shape)
        arguments["data"] = mx.nd.array(data)
        executor = self.symbol.bind(mx.cpu(), arguments, aux_states=self.states, grad_req="null")
        outputs = executor.forward(is_train=False)
        return {name: output.asnumpy() for name, output in zip(self.symbol.list_outputs(), outputs)}


def resize(pixels, width, height):
    """Bilinear, by MXNet (which asks OpenCV)."""
    return mx.image.imresize(mx.nd.array(pixels, dtype=np.uint8), width, height, interp=1).asnumpy()


def suppress(boxes, threshold, over="union"):
    """Which of boxes (x1, y1, x2, y2, score, ...) stay, best first. Corners are of pixels that belong to a box, so that a
    box of one pixel has x1 = x2."""
    areas = (boxes[:, 2] - boxes[:, 0] + 1) * (boxes[:, 3] - boxes[:, 1] + 1)
    order = np.argsort(-boxes[:, 4], kind="stable")
    kept = []
    while order.size > 0:
        best, others = order[0], order[1:]
        kept.append(best)
        width = np.minimum(boxes[best, 2], boxes[others, 2]) - np.maximum(boxes[best, 0], boxes[others, 0]) + 1
        height = np.minimum(boxes[best, 3], boxes[others, 3]) - np.maximum(boxes[best, 1], boxes[others, 1]) + 1
        shared = np.maximum(width, 0) * np.maximum(height, 0)
        smaller = np.minimum(areas[best], areas[others])
        whole = smaller if over == "minimum" else areas[best] + areas[others] - shared
        order = others[shared / whole <= threshold]
    return kept
