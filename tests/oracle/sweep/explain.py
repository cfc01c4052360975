"""What is behind a difference: each node by itself, and how far MXNet's own result moves when its input hardly changes."""
import json
import pathlib
import urllib.parse

import mxnet as mx
import numpy as np

from sweep import compare, graph

NUDGES = 3


class Exported:
    """A network as it was exported."""

    def __init__(self, prefix):
        self.symbol = mx.sym.load(f"{prefix}-symbol.json")
        self.parameters = {}
        for name, array in mx.nd.load(f"{prefix}-0000.params").items():
            self.parameters[name.split(":", 1)[1]] = array
        self.nodes = json.loads(self.symbol.tojson())["nodes"]

    def evaluate(self, inputs, run=graph.mended):
        inputs = {name: mx.nd.array(array, dtype=array.dtype) for name, array in inputs.items()}
        return [output.asnumpy() for output in graph.evaluate(self.symbol, inputs, self.parameters, run)]

    def value_names(self):
        """The name of every value by its node and number; of layers that are used twice, the first use counts."""
        inner = self.symbol.get_internals()
        names = {}
        for name, head in zip(inner.list_outputs(), json.loads(inner.tojson())["heads"]):
            if name not in names.values():
                names[tuple(head[:2])] = name
        return names


def nudged(inputs, random):
    """Inputs with noise, but for those of whole numbers, such as words; None where that is all of them."""
    changed = {}
    for name, array in inputs.items():
        if array.dtype.kind == "f" and not (array == np.round(array)).all():
            noise = random.uniform(-1, 1, array.shape) * compare.NUDGE * np.abs(array).max()
            changed[name] = (array + noise).astype(array.dtype)
    return {**inputs, **changed} if changed else None


def movement(network, inputs, expected):
    """How far MXNet's own outputs move when its inputs change by a millionth: the largest of a few tries, until one is too
    far to agree. None where the inputs cannot change by so little."""
    random = np.random.default_rng(0)
    largest = 0.0
    for _ in range(NUDGES):
        changed = nudged(inputs, random)
        if changed is None:
            return None
        largest = max(largest, compare.compare(expected, network.evaluate(changed)))
        if largest > compare.TOLERANCE:
            break
    return largest


class Alone:
    """Runs each node as a network of its own, on the values that MXNet gives it."""

    def __init__(self, network, command, folder):
        self.network, self.command, self.folder = network, command, folder
        self.auxiliary = set(network.symbol.list_auxiliary_states())
        self.worst = {"difference": 0.0, "node": "", "op": ""}
        self.count = 0

    def write(self, node, sources, outputs):
        """The model; its inputs as arguments of the command."""
        nodes, places, parameters, arguments = [], {}, {}, []
        origins = [self.network.nodes[source[0]] for source in node["inputs"]]
        weights = {origin["name"] for origin in origins if origin["op"] == "null"} & self.network.parameters.keys()
        if all(origin["name"] in weights for origin in origins):
            weights = set()  # a model has an input
        for source, origin, value in zip(map(tuple, node["inputs"]), origins, sources):
            if source in places:
                continue
            name = origin["name"] if origin["op"] == "null" else f"value{len(nodes)}"
            places[source] = len(nodes)
            nodes.append({"op": "null", "name": name, "inputs": []})
            if name in weights:
                parameters[("aux:" if name in self.auxiliary else "arg:") + name] = value
            else:
                array = value.asnumpy()
                np.save(self.folder / f"{places[source]}.npy", array)
                shape = ",".join(map(str, array.shape))
                arguments += ["--describe", f"{name}={shape}:{array.dtype}", "--input", f"{name}={self.folder}/{places[source]}.npy"]
        nodes.append({**node, "inputs": [[places[tuple(source)], 0, 0] for source in node["inputs"]]})
        symbol = {"nodes": nodes, "arg_nodes": list(range(len(nodes) - 1)), "attrs": {"mxnet_version": ["int", 10901]},
                  "heads": [[len(nodes) - 1, o, 0] for o in range(outputs)]}
        (self.folder / "node-symbol.json").write_text(json.dumps(symbol))
        mx.nd.save(str(self.folder / "node-0000.params"), parameters)
        return arguments

    def run(self, node, sources, outputs):
        arguments = self.write(node, sources, outputs)
        done = self.command("predict", self.folder / "node", "--output", self.folder / "out", "--force", *arguments)
        if done.returncode:
            raise RuntimeError(f"node '{node['name']}' alone: {(done.stderr or done.stdout).strip()[:300]}")
        return [np.load(self.folder / "out" / f"{o}.npy") for o in range(outputs)]

    def difference(self, node, sources, expected):
        actual = self.run(node, sources, len(expected))
        return max(compare.relative(e.asnumpy(), a) for e, a in zip(expected, actual))

    def __call__(self, i, node, sources):
        outputs = graph.mended(i, node, sources)
        if not sources:
            return outputs
        difference = self.difference(node, sources, outputs)
        self.count += 1
        if difference >= self.worst["difference"]:
            self.worst = {"difference": difference, "node": node["name"], "op": node["op"]}
        return outputs


def save_reference(network, inputs, folder):
    """Every value inside, for `mxinfer diff`."""
    names = network.value_names()

    def save(name, value):
        np.save(folder / (urllib.parse.quote(name, safe="") + ".npy"), value)

    def run(i, node, sources):
        outputs = graph.mended(i, node, sources)
        for o, output in enumerate(outputs):
            if (i, o) in names:
                save(names[i, o], output.asnumpy())
        return outputs

    folder.mkdir()
    for name, array in inputs.items():
        save(name, array)
    network.evaluate(inputs, run)


def first(network, command, prefix, inputs, folder):
    """The first node that differs when all of them follow each other: name, operator, difference."""
    save_reference(network, inputs, folder)
    done = command("diff", prefix, "--reference", folder, "--json")
    try:
        found = json.loads(done.stdout)["first"]
    except ValueError:
        raise RuntimeError("diff: " + (done.stderr or done.stdout).strip()[:300]) from None
    return found and {"difference": found["difference"], "node": found["name"], "op": found["op"]}


def explain(command, folder, inputs, expected):
    """What is to be said of a network that does not agree."""
    network = Exported(folder / "model")
    result = {"first": first(network, command, folder / "model", inputs, folder / "reference")}
    alone = Alone(network, command, pathlib.Path(folder) / "alone")
    alone.folder.mkdir()
    network.evaluate(inputs, alone)
    result.update(alone=alone.worst, nodes=alone.count, moves=movement(network, inputs, expected))
    return result
