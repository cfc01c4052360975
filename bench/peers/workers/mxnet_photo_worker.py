"""A detector in MXNet with GluonCV's transforms, from the bytes of a file to boxes. MXNET_SUBGRAPH_BACKEND says whether oneDNN
fuses, OMP_NUM_THREADS how many threads it takes."""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import boxes
from networks import NETWORKS
from serve import serve


def load(prefix, folder, inputs, _):
    import mxnet as mx
    import numpy as np
    from gluoncv.data.transforms import presets
    photo = NETWORKS[folder.parent.name].photo
    transform_test = getattr(presets, photo.transforms).transform_test
    net = mx.gluon.SymbolBlock.imports(f"{prefix}-symbol.json", ["data"], f"{prefix}-0000.params")
    backend = os.environ.get("MXNET_SUBGRAPH_BACKEND", "NONE")
    net.hybridize(static_alloc=True, static_shape=True, backend=None if backend == "NONE" else backend)
    encoded = inputs["data"].tobytes()

    def run():
        image = mx.image.imdecode(encoded)
        data, _ = transform_test(image, short=photo.short)
        ids, scores, found = (output.asnumpy()[0] for output in net(data))
        kept = (ids[:, 0] >= 0) & (scores[:, 0] >= boxes.THRESHOLD)
        placed = boxes.led_back(found[kept], data.shape[2:], image.shape[:2])
        return boxes.outputs(np.concatenate([ids[kept], scores[kept], placed], axis=1))
    return run


if __name__ == "__main__":
    serve(load)
