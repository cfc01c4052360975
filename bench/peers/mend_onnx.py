"""What MXNet's exporter writes, as ONNX and its users want it."""
import re


def strip_weights_from_inputs(graph):
    """The exporter lists every weight as an input with a default. A caller could change those, so that ONNX Runtime folds
    no BatchNorm into its convolution, and looks slower than it is."""
    weights = {tensor.name for tensor in graph.initializer}
    kept = [value for value in graph.input if value.name not in weights]
    del graph.input[:]
    graph.input.extend(kept)


def complete_outputs(graph):
    """TopK has two outputs, of which the exporter names only the one that it needs (box_nms)."""
    for node in graph.node:
        if node.op_type == "TopK" and len(node.output) == 1:
            node.output.append(node.output[0] + "_places")


def align_slopes(graph):
    """ONNX aligns the slopes of a PRelu with the last dimension; MXNet's belong to the channels of an image. The exporter
    leaves them as they are."""
    names = {node.input[1] for node in graph.node if node.op_type == "PRelu"}
    for tensor in graph.initializer:
        if tensor.name in names and len(tensor.dims) == 1:
            tensor.dims.extend([1, 1])


def order_outputs(graph, outputs):
    """The exporter lists outputs in the order in which they are computed; here they come in the symbol's."""
    places = {re.sub(r"_output(\d*)$", r"\1", name): place for place, name in enumerate(outputs)}
    if all(value.name in places for value in graph.output):
        ordered = sorted(graph.output, key=lambda value: places[value.name])
        del graph.output[:]
        graph.output.extend(ordered)


def mend(graph, outputs):
    """`outputs`: as the symbol lists them."""
    strip_weights_from_inputs(graph)
    complete_outputs(graph)
    align_slopes(graph)
    order_outputs(graph, outputs)
