"""python3 -m unittest discover -s bench/peers/beside_torch -p '*_test.py'; without NumPy or PyTorch, what needs them is left out."""
import contextlib
import io
import json
import math
import pathlib
import stat
import sys
import tempfile
import types
import unittest
from unittest import mock

import cells
import table
from architectures import NETWORKS, SMALL_NETWORKS
from description import Net
from mxnet_symbol import symbol_of

with contextlib.suppress(ImportError):
    import numpy as np
HAS_NUMPY = "numpy" in sys.modules
with contextlib.suppress(ImportError):
    import torch
HAS_TORCH = HAS_NUMPY and "torch" in sys.modules and hasattr(torch.nn.functional, "scaled_dot_product_attention")

STATISTICS = ("moving_mean", "moving_var")
# As the model zoos count them, without the statistics of BatchNorm; BERT with positions for 128 words instead of 512.
PARAMETERS = {"resnet18": 11689512, "resnet50": 25557032, "mobilenet_v2": 3504872, "vgg16": 138357544, "densenet121": 7978856,
              "bert_base": 109482240 - (512 - 128) * 768, "lstm": 4202496}


class Architectures(unittest.TestCase):
    def test_have_as_many_parameters_as_elsewhere(self):
        for name, make in NETWORKS.items():
            count = sum(math.prod(shape) for _, suffix, shape in make().parameters().values() if suffix not in STATISTICS)
            self.assertEqual(count, PARAMETERS[name], name)

    def test_outputs(self):
        for name, make in NETWORKS.items():
            net = make()
            expected = {"bert_base": [(128, 768), (768,)], "lstm": [(100, 512)]}.get(name, [(1000,)])
            self.assertEqual([net.shape(head) for head in net.heads], expected, name)


class Symbols(unittest.TestCase):
    def test_nodes_name_earlier_ones_and_names_differ(self):
        for name, make in {**NETWORKS, **SMALL_NETWORKS}.items():
            symbol = json.loads(symbol_of(make()))
            nodes = symbol["nodes"]
            self.assertEqual(len({node["name"] for node in nodes}), len(nodes), name)
            for number, node in enumerate(nodes):
                self.assertTrue(all(source < number for source, _, _ in node["inputs"]), node)
            self.assertTrue(all(isinstance(value, str) for node in nodes for value in node.get("attrs", {}).values()), name)

    def test_variables_are_inputs_and_parameters(self):
        net = NETWORKS["bert_base"]()
        symbol = json.loads(symbol_of(net))
        variables = [symbol["nodes"][i]["name"] for i in symbol["arg_nodes"]]
        self.assertEqual(set(variables), {"data0", "data1", "data2", *net.parameters()})

    def test_attributes_are_as_mxnet_writes_them(self):
        net = Net()
        net.heads = [net.conv(net.input("data", (3, 8, 8)), 4, 3, stride=2, pad=1)]
        data, _, conv = json.loads(symbol_of(net))["nodes"]
        self.assertEqual(data["attrs"]["__shape__"], "(0, 3, 8, 8)")
        attrs = conv["attrs"]
        self.assertEqual((attrs["kernel"], attrs["stride"], attrs["no_bias"]), ("(3, 3)", "(2, 2)", "True"))


class Ratios(unittest.TestCase):
    def test_to_the_better_of_graph_and_eager(self):
        cell = cells.Cell("a", 1, "float32", device_ms=3.0, torch={"graph_ms": 2.0, "eager_ms": 6.0})
        self.assertEqual(cell.ratio(), 1.5)
        cell.torch = {"eager_ms": 6.0}
        self.assertEqual(cell.ratio(), 0.5)
        self.assertIsNone(cells.Cell("a", 1, "float32", device_ms=3.0).ratio())

    def test_a_row_has_a_field_for_each_title(self):
        for cell in (cells.Cell("a", 1, "tf32"), cells.Cell("a", 1, "tf32", 1.0, 2.0, {"graph_ms": 1.0}, 1e-5)):
            self.assertEqual(len(cell.row()), len(cells.HEADER))

    def test_the_mean_is_geometric(self):
        measured = [cells.Cell("a", 1, "tf32", ms, torch={"graph_ms": 1.0}) for ms in (0.5, 2.0)]
        self.assertEqual(cells.mean_ratios(measured), [("tf32", 1, 1.0, 2)])
        self.assertIn("tf32 at batch 1: 1.00 of 2", cells.summary(measured)[0])

    def test_wrong_is_what_is_not_close(self):
        for difference, is_wrong in ((1e-5, False), (0.1, True), (math.nan, True), (math.inf, True), (None, False)):
            self.assertEqual(cells.Cell("a", 1, "float32", difference=difference).is_wrong(), is_wrong, difference)

    @unittest.skipUnless(HAS_NUMPY, "needs NumPy")
    def test_differences_are_of_the_scale(self):
        one, other = np.array([0.0, 4.0]), np.array([1.0, 4.0])
        self.assertEqual(cells.largest_difference([one], [other]), 0.25)
        self.assertEqual(cells.largest_difference([one], [other[:1]]), math.inf)
        self.assertEqual(cells.largest_difference([one], []), math.inf)
        self.assertEqual(cells.largest_difference([one], [np.array([math.nan, 4.0])]), math.inf)


# Prints what mxinfer_cuda_bench does, without tf32.
BENCH = """#!/bin/sh
case " $* " in *" --precision tf32 "*)
  echo '{"inputs": "b1", "precision": "tf32", "error": "the GPU lacks it"}' ;;
esac
echo '{"inputs": "b1", "precision": "float32", "device_ms": 2.0, "host_ms": 3.0, "first_ms": 9.0}'
"""


class Tables(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.bench = self.folder / "bench"
        self.bench.write_text(BENCH)
        self.bench.chmod(self.bench.stat().st_mode | stat.S_IXUSR)

    def print_table(self, *words, side_of=None, make=lambda *_: (None, pathlib.Path("nowhere"))):
        options = table.parse(["--bench", str(self.bench), "--network", "small_lstm", "--batch", "1", *words])
        printed, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
            status = table.print_table(options, make, side_of)
        return status, printed.getvalue() + errors.getvalue()

    def test_of_mxinfer_alone(self):
        status, text = self.print_table("--precision", "float32")
        self.assertEqual(status, 0)
        self.assertIn("| small_lstm | 1 | float32 | 2.00 | - | - | - | 3.00 | - | - |", text)

    def test_what_mxinfer_cannot_do_is_said(self):
        status, text = self.print_table("--precision", "float32", "tf32")
        self.assertEqual(status, 1)
        self.assertIn("small_lstm, batch 1, tf32: mxinfer: the GPU lacks it", text)

    def test_a_bench_that_ends_is_no_table(self):
        self.bench.write_text("#!/bin/sh\necho 'no GPU here' >&2; exit 1\n")
        status, text = self.print_table("--precision", "float32")
        self.assertEqual(status, 1)
        self.assertIn("mxinfer: no GPU here", text)

    def test_no_network_begins_after_its_time(self):
        status, text = self.print_table("--budget", "0")
        self.assertEqual(status, 1)
        self.assertIn("small_lstm and those behind it were not measured", text)

    def test_beside_pytorch(self):
        side = types.SimpleNamespace(measure=lambda *_: ({"graph_ms": 4.0, "eager_ms": 5.0, "host_ms": 6.0}, []))
        with mock.patch.multiple(table, inputs_of=lambda *_: [], saved_outputs=lambda _: []):
            status, text = self.print_table("--precision", "float32", side_of=lambda *_: side)
        self.assertEqual(status, 0)
        self.assertIn("| small_lstm | 1 | float32 | 2.00 | 4.00 | 5.00 | 0.50 | 3.00 | 6.00 | - |", text)

    def test_what_pytorch_cannot_do_is_said(self):
        def side_of(*_):
            raise RuntimeError("CUDA out of memory\n")
        with mock.patch.multiple(table, inputs_of=lambda *_: [], saved_outputs=lambda _: []):
            status, text = self.print_table("--precision", "float32", side_of=side_of)
        self.assertEqual(status, 0)
        self.assertIn("PyTorch: CUDA out of memory", text)

    @unittest.skipUnless(HAS_NUMPY, "needs NumPy")
    def test_outputs_that_differ_fail(self):
        side = types.SimpleNamespace(measure=lambda *_: ({"graph_ms": 4.0}, [np.ones(3)]))
        with mock.patch.multiple(table, inputs_of=lambda *_: [], saved_outputs=lambda _: [np.zeros(3) + 2]):
            status, text = self.print_table("--precision", "float32", side_of=lambda *_: side)
        self.assertEqual(status, 1)
        self.assertIn("outputs differ by 5.0e-01 of their scale", text)


@unittest.skipUnless(HAS_NUMPY, "needs NumPy")
class Files(unittest.TestCase):
    def test_parameters_are_read_as_they_were_written(self):
        import weights
        net = SMALL_NETWORKS["small_resnet"]()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model-0000.params"
            weights.write_params(path, len(net.parameters()), weights.arrays(net, 1))
            read = weights.read_params(path)
            self.assertEqual(list(read), list(net.parameters()))
            for name, values in weights.arrays(net, 1):
                np.testing.assert_array_equal(read[name], values)
            self.assertIn(b"aux:batch_norm2_moving_var", path.read_bytes())

    def test_networks_are_made_once_and_inputs_for_each_batch(self):
        from make import make
        with tempfile.TemporaryDirectory() as folder:
            _, made = make("small_bert", folder, [1])
            before = (made / "model-0000.params").stat().st_mtime_ns
            make("small_bert", folder, [3])
            self.assertEqual((made / "model-0000.params").stat().st_mtime_ns, before)
            self.assertEqual(np.load(made / "b3" / "data0.npy").shape, (3, 4))
            np.testing.assert_array_equal(np.load(made / "b3" / "data2.npy"), [4, 4, 4])


@unittest.skipUnless(HAS_TORCH, "needs NumPy and PyTorch 2")
class Modules(unittest.TestCase):
    def test_outputs_have_the_shapes_of_the_description(self):
        import weights
        from torch_net import TorchNet
        for name, make in SMALL_NETWORKS.items():
            net = make()
            module = TorchNet(net, dict(weights.arrays(net, 1)))
            with torch.inference_mode():
                outputs = module(*map(torch.from_numpy, weights.inputs(net, 2, 1).values()))
            for head, output in zip(net.heads, outputs):
                shape = list(net.shape(head))
                shape.insert(1 if name == "small_lstm" else 0, 2)
                self.assertEqual(list(output.shape), shape, name)


if __name__ == "__main__":
    unittest.main()
