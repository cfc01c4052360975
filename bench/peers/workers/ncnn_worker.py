"""ncnn, which takes one sample at a time: a batch is a loop. Inputs and outputs are named in the order of the ONNX graph."""
from serve import serve


def lacking(param):
    """Layers that pnnx could not put into ncnn's terms: they keep the names of other libraries, such as Tensor.reshape."""
    layers = {line.split()[0] for line in param.read_text().splitlines()[2:] if line.strip()}
    return ", ".join(sorted(layer for layer in layers if "." in layer)) or "nothing that has a name"


def load(_, folder, inputs, threads):
    import ncnn
    import numpy as np
    net = ncnn.Net()
    net.opt.num_threads = threads
    net.opt.use_fp16_packed = net.opt.use_fp16_storage = net.opt.use_fp16_arithmetic = False
    net.opt.use_bf16_storage = False
    param = folder.parent / "b1" / "model.ncnn.param"
    if not param.exists():
        raise RuntimeError("pnnx does not convert the network")
    if net.load_param(str(param)) or net.load_model(str(param.with_suffix(".bin"))):
        raise RuntimeError(f"pnnx leaves what ncnn lacks: {lacking(param)}")
    arrays = list(inputs.values())
    samples = [[ncnn.Mat(np.ascontiguousarray(array[i])) for array in arrays] for i in range(arrays[0].shape[0])]
    outputs = net.output_names()

    def run():
        found = []
        for sample in samples:
            with net.create_extractor() as extractor:
                for name, mat in zip(net.input_names(), sample):
                    extractor.input(name, mat)
                found.append([np.array(extractor.extract(name)[1]) for name in outputs])
        return [np.stack(values) for values in zip(*found)]
    return run


if __name__ == "__main__":
    serve(load)
