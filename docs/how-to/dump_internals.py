"""dump_internals.py PREFIX EPOCH DIR NAME=FILE.npy...: what MXNet computes inside of a model, for `mxinfer diff`."""
import os, sys, urllib.parse
os.environ.update(MXNET_SUBGRAPH_BACKEND="NONE", MXNET_USE_MKLDNN_RNN="0")  # the plain operators, nothing fused
import mxnet as mx, numpy as np

prefix, epoch, folder = sys.argv[1:4]
inputs = {name: np.load(file) for name, file in (text.split("=", 1) for text in sys.argv[4:])}
symbol, arguments, auxiliary = mx.model.load_checkpoint(prefix, int(epoch))
inner = symbol.get_internals()
every = inner.list_outputs()
own = [name for name in every if name not in arguments and name not in auxiliary]
places = {name: [place for place, each in enumerate(every) if each == name] for name in own}  # several of one name are numbered
found = {name if len(at) == 1 else "{}#{}".format(name, i): place for name, at in places.items() for i, place in enumerate(at)}
executor = mx.sym.Group([inner[place] for place in found.values()]).simple_bind(
    mx.cpu(), grad_req="null", type_dict={name: array.dtype for name, array in inputs.items()},
    **{name: array.shape for name, array in inputs.items()})
executor.copy_params_from(arguments, auxiliary, allow_extra_params=True)
values = executor.forward(is_train=False, **{name: mx.nd.array(array, dtype=array.dtype) for name, array in inputs.items()})
os.makedirs(folder, exist_ok=True)
for name, value in zip(found, values):
    np.save(os.path.join(folder, urllib.parse.quote(name, safe="") + ".npy"), value.asnumpy())
