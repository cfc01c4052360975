"""One network, in a process of its own: built, exported, run by MXNet and by mxinfer, compared."""
import json
import os
import time
import warnings

os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"  # no fusion: the plain operators are the specification
# oneDNN's sums are in another order, and with random weights a detector's last rounding decides what its NMS keeps.
os.environ["MXNET_MKLDNN_ENABLED"] = "0"
os.environ["MXNET_USE_MKLDNN_RNN"] = "0"
os.environ["MXNET_SUBGRAPH_VERBOSE"] = "0"
os.environ["MXNET_STORAGE_FALLBACK_LOG_VERBOSE"] = "0"

import mxnet as mx
import numpy as np

from sweep import compare, explain, graph, networks, numpy_networks, weights

warnings.filterwarnings("ignore")


class Untraceable(Exception):
    """MXNet itself makes no graph of it, or cannot run that."""


def flat(outputs):
    if isinstance(outputs, (list, tuple)):
        return [one for output in outputs for one in flat(output)]
    return [outputs]


def first_line(text):
    lines = [line.strip() for line in str(text).splitlines() if line.strip() and "Stack trace" not in line]
    return (lines[0] if lines else "no message")[:300]


def make_inputs(network, shapes, random):
    make = network.make or (lambda _, shape, random: weights.images(shape, random))
    return [make(i, shape, random) for i, shape in enumerate(shapes)]


def input_names(count):
    """As Gluon names the inputs of what it exports."""
    return ["data"] if count == 1 else [f"data{i}" for i in range(count)]


def find_shapes(net, arrays):
    """Gives every parameter its shape."""
    try:
        net.infer_shape(*arrays)
    except Exception:  # some take more arguments inside than outside
        net(*arrays)


def prepared(network, random):
    """(net, inputs) with weights, for the first shapes that MXNet takes."""
    if network.numpy:
        mx.npx.set_np()
        return numpy_networks.prepared(network.name, random)
    reason = ""
    for shapes in network.shapes:
        try:
            net = network.build()
            net.initialize()
            names = input_names(len(shapes))
            arrays = [mx.nd.array(array) for array in make_inputs(network, shapes, random)]
            symbol = mx.sym.Group(flat(net(*map(mx.sym.var, names))))
            find_shapes(net, arrays)
            weights.prepare(net, symbol, dict(zip(names, arrays)), random)
            return net, make_inputs(network, shapes, random)
        except Exception as error:  # whatever its constructor or tracing throws
            if os.environ.get("SWEEP_TRACE"):
                raise
            reason = f"{type(error).__name__}: {first_line(error)}"
    raise Untraceable(reason)


def run_mxnet(net, inputs, folder):
    """The outputs of the graph that is exported. MXNet's own order of the inputs names them."""
    try:
        net.hybridize()
        array = mx.np.array if mx.util.is_np_array() else mx.nd.array
        outputs = flat(net(*map(array, inputs)))
        net.export(str(folder / "model"))
        symbol = mx.sym.load(str(folder / "model-symbol.json"))
        if graph.is_mended(symbol):
            arrays = {name: array(value) for name, value in zip(input_names(len(inputs)), inputs)}
            outputs = graph.evaluate(symbol, arrays, graph.arrays_of(net), graph.mended)
        outputs = [output.asnumpy() for output in outputs]
    except Exception as error:
        raise Untraceable(f"{type(error).__name__}: {first_line(error)}") from error
    return outputs


def save_inputs(inputs, net, folder):
    """The inputs by name, as the exported graph names them, which are files too."""
    parameters = net.collect_params().keys()
    symbol = mx.sym.load(str(folder / "model-symbol.json"))
    names = sorted((name for name in symbol.list_inputs() if name not in parameters), key=lambda name: (len(name), name))
    if len(names) != len(inputs):
        raise Untraceable(f"the exported graph has the inputs {', '.join(names)}, of {len(inputs)}")
    for name, array in zip(names, inputs):
        np.save(folder / f"{name}.npy", array)
    return dict(zip(names, inputs))


def message(done):
    return first_line((done.stderr or done.stdout).replace("mxinfer: ", "", 1))


def without_folder(text, folder):
    return text.replace(f"{folder / 'model'}-symbol.json › ", "").replace(f"{folder / 'model'} › ", "").replace(str(folder), "")


def place(found):
    return f"{found['node']} ({found['op']}), {found['difference']:.1e}" if found else "none by itself"


def why(result):
    text = f"first: {place(result['first'])}; of its {result['nodes']} nodes alone, at most: {place(result['alone'])}"
    if result["moves"] is not None:
        text += f"; MXNet's own result moves by {result['moves']:.1e} when the input changes by {compare.NUDGE:.0e}"
    return text


def run_mxinfer(command, folder, inputs, expected, result):
    inspected = command("inspect", folder / "model", "--json")
    missing = sorted(op["op"] for op in json.loads(inspected.stdout)["unsupported"]) if inspected.returncode == 0 else []
    if inspected.returncode or missing:
        result["reason"] = "lacks " + ", ".join(missing) if missing else without_folder(message(inspected), folder)
        return
    start = time.time()
    done = command("predict", folder / "model", "--output", folder / "out",
                   *[word for name in inputs for word in ("--input", f"{name}={folder / name}.npy")])
    result["mxinfer_seconds"] = round(time.time() - start, 2)
    result["loads"] = True
    if done.returncode:
        result["reason"] = without_folder(message(done), folder)
        return
    result["runs"] = True
    actual = [np.load(folder / "out" / f"{i}.npy") for i in range(len(expected))]
    result["difference"] = compare.compare(expected, actual)
    result["agrees"] = result["difference"] <= compare.TOLERANCE
    if result["finds_nothing"]:
        result["reason"] = "nothing is detected"
    if not result["agrees"] and result["family"] != "numpy":  # whose nodes need mx.np's arrays
        result.update(explain.explain(command, folder, inputs, expected))
        result["reason"] = why(result)


def operators(folder):
    counts = {}
    for node in json.loads((folder / "model-symbol.json").read_text())["nodes"]:
        if node["op"] != "null":
            counts[node["op"]] = counts.get(node["op"], 0) + 1
    return counts


def check(name, command, folder):
    """The result of one network, as what goes into the results' file."""
    network = networks.networks()[name]
    result = {"network": name, "family": network.family, "traced": False, "loads": False, "runs": False, "agrees": False,
              "reason": network.skip}
    if network.skip:
        return result
    random = np.random.default_rng(sum(map(ord, name)))
    mx.random.seed(1)
    start = time.time()
    try:
        net, inputs = prepared(network, random)
        expected = run_mxnet(net, inputs, folder)
        named = save_inputs(inputs, net, folder)
    except Untraceable as error:
        result["reason"] = "MXNet: " + str(error)
        return result
    del net
    result.update(traced=True, shapes=[list(array.shape) for array in inputs], operators=operators(folder),
                  outputs=[list(output.shape) for output in expected],
                  largest=float(max(np.abs(np.where(np.isfinite(o), o, 0)).max(initial=0) for o in expected)),
                  finite=all(bool(np.isfinite(o).all()) for o in expected),
                  finds_nothing=compare.finds_nothing(expected), mxnet_seconds=round(time.time() - start, 2))
    for i, output in enumerate(expected):
        np.save(folder / f"expected{i}.npy", output)
    try:
        if command:
            run_mxinfer(command, folder, named, expected, result)
    except (RuntimeError, ValueError, OSError, KeyError, mx.MXNetError) as error:
        result["reason"] = first_line(error)
    return result
