"""Times of a network in PyTorch on a GPU, with cuDNN: channels last, cudnn.benchmark, as a CUDA graph and eagerly."""
import statistics
import time

import numpy as np
import torch

from torch_net import TorchNet

CALLS = 10  # between two events
LEAST_ROUNDS = 5
DEVICE = "cuda:0"


def set_precision(precision):
    torch.backends.cudnn.benchmark = True
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = precision == "tf32"


def device_ms(call, seconds):
    """The median over rounds of calls between two events; the stream is the current one."""
    times, end = [], time.perf_counter() + seconds
    while len(times) < LEAST_ROUNDS or time.perf_counter() < end:
        begin, finish = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(CALLS):
            call()
        finish.record()
        finish.synchronize()
        times.append(begin.elapsed_time(finish) / CALLS)
    return statistics.median(times)


def host_ms(call, seconds):
    """The median of calls that end with their outputs in the memory of the process."""
    times, end = [], time.perf_counter() + seconds
    while len(times) < LEAST_ROUNDS or time.perf_counter() < end:
        begin = time.perf_counter()
        call()
        times.append((time.perf_counter() - begin) * 1e3)
    return statistics.median(times)


class Graph:
    """Calls of a module, recorded with inputs of its own."""

    def __init__(self, module, inputs):
        self.inputs = [x.clone(memory_format=torch.preserve_format) for x in inputs]
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):  # what is chosen and allocated at first is not recorded
            for _ in range(3):
                module(*self.inputs)
        torch.cuda.current_stream().wait_stream(side)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.outputs = module(*self.inputs)

    def replay(self):
        self.graph.replay()


def on_gpu(array, half):
    """Words and lengths stay as they are: halves do not hold them."""
    tensor = torch.from_numpy(array).to(DEVICE)
    if tensor.dim() == 4:
        tensor = tensor.contiguous(memory_format=torch.channels_last)
    return tensor.half() if half and not is_whole(array) else tensor


def is_whole(array):
    return bool(np.all(array.reshape(-1)[:1000] == np.floor(array.reshape(-1)[:1000])))


def as_floats(outputs):
    return [output.float().cpu().numpy() for output in outputs]


class Side:
    """One network in one precision."""

    def __init__(self, net, parameters, precision):
        set_precision(precision)
        self.is_half = precision == "float16"
        with torch.device(DEVICE):
            self.module = TorchNet(net, parameters)
        if self.is_half:
            self.module.half()
        self.module.to(memory_format=torch.channels_last)

    def measure(self, arrays, seconds):
        """({"graph_ms", "eager_ms", "host_ms"}, outputs)"""
        with torch.inference_mode():
            inputs = [on_gpu(array, self.is_half) for array in arrays]
            for _ in range(3):
                outputs = self.module(*inputs)
            found = {"eager_ms": device_ms(lambda: self.module(*inputs), seconds)}
            outputs = as_floats(outputs)
            try:
                graph = Graph(self.module, inputs)
            except RuntimeError as error:
                found["note"] = "not recorded as a graph: " + str(error).partition("\n")[0]
                found["host_ms"] = host_ms(lambda: as_floats(self.module(*[on_gpu(a, self.is_half) for a in arrays])), seconds)
                return found, outputs
            graph.replay()
            found["graph_ms"] = device_ms(graph.replay, seconds)
            found["host_ms"] = host_ms(lambda: self.through_the_host(graph, arrays), seconds)
        return found, outputs

    @staticmethod
    def through_the_host(graph, arrays):
        for to, array in zip(graph.inputs, arrays):
            to.copy_(torch.from_numpy(array).to(DEVICE))  # as floats: the GPU converts them faster than the CPU
        graph.replay()
        return as_floats(graph.outputs)


def release():
    torch.cuda.empty_cache()


def title():
    return f"PyTorch {torch.__version__}, cuDNN {torch.backends.cudnn.version()}"
