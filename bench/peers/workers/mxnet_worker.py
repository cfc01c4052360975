"""MXNet with oneDNN. MXNET_SUBGRAPH_BACKEND says whether it fuses, OMP_NUM_THREADS how many threads it takes."""
from serve import serve


def load(prefix, _, inputs, __):
    import mxnet as mx
    symbol, args, auxiliary = mx.model.load_checkpoint(prefix, 0)
    names = [name for name in symbol.list_inputs() if name in inputs]
    module = mx.mod.Module(symbol, data_names=names, label_names=None)
    module.bind(for_training=False, data_shapes=[(name, inputs[name].shape) for name in names])
    module.set_params(args, auxiliary, allow_missing=False)
    batch = mx.io.DataBatch([mx.nd.array(inputs[name]) for name in names])

    def run():
        module.forward(batch, is_train=False)
        return [output.asnumpy() for output in module.get_outputs()]
    return run


if __name__ == "__main__":
    serve(load)
