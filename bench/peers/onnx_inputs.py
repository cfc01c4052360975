"""Which inputs of an ONNX graph are inputs."""


def strip_weights_from_inputs(graph):
    """MXNet's exporter lists every weight as an input with a default. A caller could change those, so that ONNX Runtime
    folds no BatchNorm into its convolution, and looks slower than it is."""
    weights = {tensor.name for tensor in graph.initializer}
    kept = [value for value in graph.input if value.name not in weights]
    del graph.input[:]
    graph.input.extend(kept)
