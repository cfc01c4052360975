"""python3 -m unittest discover -s bench/peers -p '*_test.py'; needs nothing but Python."""
import pathlib
import tempfile
import types
import unittest

import held
import layers
import mend_onnx
import mend_symbol
import page
import report
import roofline
from networks import DETECTORS, NETWORKS, Photo


def named(*names):
    return [types.SimpleNamespace(name=name) for name in names]


def cell(network="resnet18_v1", threads=1, **times):
    contestants = {name: {"ms_per_image": ms, "best_ms_per_image": ms / 2} if isinstance(ms, (int, float)) else {"unable": ms}
                   for name, ms in times.items()}
    return {"network": network, "batch": 1, "threads": threads, "contestants": contestants}


class MendingOnnx(unittest.TestCase):
    def test_weights_go_and_inputs_stay_in_order(self):
        graph = types.SimpleNamespace(input=named("data1", "weight", "data0", "bias"), initializer=named("weight", "bias", "shape"))
        mend_onnx.strip_weights_from_inputs(graph)
        self.assertEqual([value.name for value in graph.input], ["data1", "data0"])

    def test_topk_gets_its_second_output(self):
        graph = types.SimpleNamespace(node=[types.SimpleNamespace(op_type="TopK", output=["a"]),
                                            types.SimpleNamespace(op_type="TopK", output=["b", "c"]),
                                            types.SimpleNamespace(op_type="Relu", output=["d"])])
        mend_onnx.complete_outputs(graph)
        self.assertEqual([len(one.output) for one in graph.node], [2, 2, 1])

    def test_outputs_come_as_the_symbol_lists_them(self):
        graph = types.SimpleNamespace(output=named("key", "split1", "norm"))
        mend_onnx.order_outputs(graph, ["norm_output", "key_output", "split_output1"])
        self.assertEqual([value.name for value in graph.output], ["norm", "key", "split1"])
        mend_onnx.order_outputs(graph, ["key_output", "other_output", "norm_output"])
        self.assertEqual([value.name for value in graph.output], ["norm", "key", "split1"])

    def test_slopes_of_a_prelu_belong_to_channels(self):
        slopes, bias = types.SimpleNamespace(name="slopes", dims=[64]), types.SimpleNamespace(name="bias", dims=[64])
        graph = types.SimpleNamespace(node=[types.SimpleNamespace(op_type="PRelu", input=["x", "slopes"]),
                                            types.SimpleNamespace(op_type="Add", input=["x", "bias"])], initializer=[slopes, bias])
        mend_onnx.align_slopes(graph)
        self.assertEqual((slopes.dims, bias.dims), ([64, 1, 1], [64]))


def repeat(source, axis, times="2"):
    return {"op": "repeat", "name": f"repeat{axis}", "attrs": {"axis": axis, "repeats": times}, "inputs": [[source, 0, 0]]}


class MendingSymbols(unittest.TestCase):
    def mended(self, *repeats):
        nodes = [{"op": "null", "name": "data", "inputs": []}, *repeats]
        mend_symbol.mend({"nodes": nodes})
        return [node["op"] for node in nodes], nodes[-1]

    def test_repeats_of_both_sides_are_an_upsampling(self):
        ops, last = self.mended(repeat(0, "-1"), repeat(1, "-2"))
        self.assertEqual(ops, ["null", "repeat", "UpSampling"])  # nothing leads to the first repeat any more
        self.assertEqual((last["attrs"]["scale"], last["inputs"]), ("2", [[0, 0, 0]]))

    def test_other_repeats_stay(self):
        for repeats in ([repeat(0, "-1")], [repeat(0, "-1"), repeat(1, "-1")], [repeat(0, "-1", "3"), repeat(1, "-2")],
                        [repeat(0, "-2"), repeat(1, "-1")]):
            self.assertEqual(set(self.mended(*repeats)[0]), {"null", "repeat"})

    def test_softmax_over_channels_has_an_axis(self):
        nodes = [{"op": "SoftmaxActivation", "name": mode, "attrs": {"mode": mode}, "inputs": []} for mode in ("channel", "instance")]
        mend_symbol.mend({"nodes": nodes})
        self.assertEqual([(node["op"], node["attrs"]) for node in nodes],
                         [("softmax", {"axis": "1"}), ("SoftmaxActivation", {"mode": "instance"})])


class Networks(unittest.TestCase):
    def test_batch_is_filled_in_where_it_belongs(self):
        self.assertEqual(NETWORKS["lstm_2x512"].inputs(4), {"data": (100, 4, 512)})
        self.assertEqual(NETWORKS["bert_12_768_12"].inputs(2), {"data0": (2, 128), "data1": (2, 128), "data2": (2,)})

    def test_a_decoder_reads_four_arrays_of_each_layer_behind_its_word(self):
        inputs = NETWORKS["transformer_step_6x512"].inputs(3)
        self.assertEqual(list(inputs), [f"data{i}" for i in range(25)])
        self.assertEqual([inputs[f"data{i}"] for i in (0, 1, 2, 23, 24)],
                         [(3, 512), (3, 8, 32, 64), (3, 8, 32, 64), (3, 8, 64, 64), (3, 8, 64, 64)])

    def test_a_name_says_how_many_words_bert_reads(self):
        for name, words in (("bert_12_768_12_32_words", 32), ("bert_12_768_12_512_words", 512)):
            self.assertEqual(NETWORKS[name].inputs(8)["data0"], (8, words))
            self.assertEqual(NETWORKS[name].zoo_name, "bert_12_768_12")


class Detectors(unittest.TestCase):
    def test_a_photo_keeps_its_aspect(self):
        self.assertEqual(Photo("rcnn", 600).resized(), (600, 800))
        self.assertEqual(Photo("ssd", 512).resized(), (512, 683))
        self.assertEqual(Photo("yolo", 416, width=480, height=640).resized(), (555, 416))

    def test_networks_take_what_photos_become(self):
        for network in NETWORKS.values():
            if network.photo:
                self.assertEqual(network.inputs(1), {"data": (1, 3, *network.photo.resized())})

    def test_each_is_timed_to_its_boxes_and_up_to_them(self):
        whole = [NETWORKS[name] for name in DETECTORS if NETWORKS[name].photo]
        cut = [NETWORKS[name] for name in DETECTORS if NETWORKS[name].heads]
        self.assertEqual(len(whole) + len(cut), len(DETECTORS))
        self.assertEqual({network.zoo_name for network in whole}, {network.zoo_name for network in cut})

    def test_those_without_boxes_take_no_part_from_the_photo_on(self):
        self.assertEqual(NETWORKS["yolo3_darknet53_photo"].taking_part(["ncnn", "mxinfer", "openvino", "mxnet"]), ["mxinfer", "mxnet"])
        self.assertEqual(NETWORKS["yolo3_darknet53_trunk"].taking_part(["mxinfer", "openvino"]), ["mxinfer", "openvino"])

    def test_mxinfer_finds_its_library_beside_its_command(self):
        for made, expected in (("build/libmxinfer_c.so", "build/libmxinfer_c.so"), ("lib64/libmxinfer_c.so", "lib64/libmxinfer_c.so")):
            with tempfile.TemporaryDirectory() as folder:
                root = pathlib.Path(folder)
                for path in (root / made, root / "bin" / "mxinfer", root / "build" / "bin" / "mxinfer"):
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.touch()
                command = (root / made).parent / "bin" / "mxinfer" if made.startswith("build") else root / "bin" / "mxinfer"
                environment = held.Setup(str(command), root, {}).environment("mxinfer", 2)
                self.assertEqual(environment["PEERS_LIBRARY"], str(root / expected))

    def test_how_far_mxinfer_is_ahead_of_each(self):
        rows = report.ahead([cell("yolo3_darknet53_photo", mxinfer=10, mxnet=15), cell("yolo3_darknet53_trunk", mxinfer=10, openvino="no")])
        self.assertEqual(rows[0], ["network", "MXNet+oneDNN", "OpenVINO"])
        self.assertEqual(rows[1][1:], ["1.50 (1.50)", "-"])
        self.assertEqual(rows[2][1:], ["-", "-"])


class Ratios(unittest.TestCase):
    def test_ratio_is_over_the_fastest_peer(self):
        found = cell(mxinfer=10, mxnet=40, openvino=20, ncnn="no")
        self.assertEqual(report.fastest_peer(found), ("openvino", 20))
        self.assertEqual(report.ratio(found), 0.5)

    def test_nothing_is_said_without_a_peer_or_without_mxinfer(self):
        self.assertIsNone(report.ratio(cell(mxinfer=10, mxnet="no")))
        self.assertIsNone(report.ratio(cell(mxnet=10)))
        self.assertIn("-", report.row(cell(mxnet=10), ["mxinfer", "mxnet"]))

    def test_the_worst_cells_come_first(self):
        cells = [cell(mxinfer=11, mxnet=10), cell(mxinfer=9, mxnet=10), cell(mxinfer=30, mxnet=10)]
        self.assertEqual([round(found, 1) for found, _ in report.lost(cells)], [3.0, 1.1])

    def test_who_does_not_run_is_told_with_the_reason(self):
        found = cell(mxinfer=1, ncnn="no such layer")
        self.assertEqual(report.unable([found]), [(found, "ncnn", "no such layer")])


class Gpus(unittest.TestCase):
    def setup(self, **how):
        return held.Setup("mxinfer", pathlib.Path("models"), {}, **how)

    def test_workers_know_the_gpu_and_compute_what_is_asked_for(self):
        environment = self.setup(device="cuda:1").environment("torch_cuda", 1)
        self.assertEqual((environment["PEERS_DEVICE"], environment["NVIDIA_TF32_OVERRIDE"]), ("1", "0"))
        environment = self.setup(device="cuda", precision="tf32").environment("tensorrt", 1)
        self.assertEqual((environment["PEERS_DEVICE"], environment["PEERS_PRECISION"]), ("0", "tf32"))
        self.assertNotIn("NVIDIA_TF32_OVERRIDE", environment)
        self.assertNotIn("PEERS_DEVICE", self.setup().environment("mxnet", 1))

    def test_mxinfer_is_told_device_and_precision(self):
        self.assertEqual(self.setup(device="cuda:1", precision="float16").mxinfer_words(),
                         ["--precision", "float16", "--device", "cuda:1"])
        self.assertEqual(self.setup().mxinfer_words(), [])
        environment = self.setup(device="cuda:1").environment("mxinfer", 1)
        self.assertEqual(environment["PEERS_SETTINGS"], '{"device": "cuda:1"}')

    def test_peers_of_gpus_are_compared_and_named(self):
        found = {**cell(mxinfer=1, torch_cuda=2, tensorrt=0.5), "device": "cuda:0"}
        self.assertEqual(report.fastest_peer(found), ("tensorrt", 0.5))
        self.assertEqual(report.describe(found), "ResNet-18 v1, batch 1, 1 thread, cuda:0")


class Tables(unittest.TestCase):
    def test_contestants_that_took_no_part_have_no_column(self):
        lines = report.markdown_table([cell(mxinfer=10, openvino=125.0)]).splitlines()
        self.assertEqual(lines[0], "| network | batch | threads | mxinfer | OpenVINO | fastest peer | ratio | of the best calls |")
        self.assertEqual(lines[2], "| ResNet-18 v1 | 1 | 1 | 10.0 | 125 | OpenVINO | 0.08 | 0.08 |")

    def test_a_cell_says_what_it_was_held_to(self):
        held = {**cell(mxinfer=10, openvino=12.5), "isa": "avx2", "precision": "bfloat16"}
        self.assertTrue(report.markdown_table([held]).splitlines()[2].startswith("| ResNet-18 v1, avx2, bfloat16 | 1 |"))
        self.assertEqual(report.describe(held), "ResNet-18 v1, batch 1, 1 thread, avx2, bfloat16")


def node(op, output, flops, ms=1.0, kernel="gemm_f32 [avx2]"):
    return {"node": "n", "op": op, "output": "float32 " + output, "kernel": kernel, "flops": flops, "median_ms": ms}


class Rooflines(unittest.TestCase):
    def test_weights_follow_from_operations(self):
        flops = 2 * 64 * 128 * 9 * 56 * 28  # 64 to 128 channels, 3 x 3
        for output, kernel in (("(1, 128, 56, 28)", "conv_gemm_f32 [avx2]"),
                               ("(1, 56, 28, 128)", "conv_nhwc_direct_f32 [avx2]"),
                               ("(1, 56, 28, 128)", "separable_strips_f32 [avx2]")):
            self.assertEqual(roofline.weight_bytes(node("Convolution", output, flops, kernel=kernel)), 64 * 128 * 9 * 4)
        self.assertEqual(roofline.weight_bytes(node("FullyConnected", "(5, 10)", 2 * 5 * 10 * 3)), 10 * 3 * 4)
        self.assertEqual(roofline.weight_bytes(node("Pooling", "(1, 2, 3, 3)", 100)), 0)

    def test_layers_that_are_alike_are_one_row(self):
        rows = roofline.layers([node("FullyConnected", "(1, 10)", 2e6, ms) for ms in (1, 2)] + [node("relu", "(1, 10)", 10)])
        self.assertEqual([(row["count"], row["ms"], row["flops"]) for row in rows], [(2, 3, 4e6)])

    def test_the_slower_of_arithmetic_and_memory_counts(self):
        row = {"flops": 1e9, "weight_bytes": 1e9, "count": 1}
        self.assertEqual(roofline.bound_ms(row, 100, 1000), 10)
        self.assertEqual(roofline.bound_ms(row, 1000, 100), 10)


class Layers(unittest.TestCase):
    def node(self, output, flops, ms, op="Convolution", kernel="conv_nhwc_direct_f32 [avx512]"):
        return {"node": "n", "op": op, "output": output, "kernel": kernel, "flops": flops, "median_ms": ms}

    def test_outputs_are_matched_whatever_their_layout(self):
        self.assertEqual(layers.key_of([1, 56, 56, 64]), layers.key_of([1, 64, 56, 56]))
        nodes = [self.node("float32 (1, 56, 56, 64)", 2e8, 1.0), self.node("float32 (1, 56, 56, 64)", 4e8, 2.0)]
        row, = layers.merge(nodes, [(layers.key_of([1, 64, 56, 56]), 3.0), (layers.key_of([1, 64, 56, 56]), 5.0)])
        self.assertEqual((row["count"], row["ms"], row["peer_ms"], row["flops"]), (2, 3.0, 8.0, 6e8))

    def test_what_one_library_fuses_has_no_row(self):
        nodes = [self.node("float32 (1, 28, 28, 32)", 2e8, 1.0)]
        self.assertEqual(layers.merge(nodes, [(layers.key_of([1, 32, 28, 28]), 3.0)] * 2), [])
        self.assertEqual(layers.merge(nodes, []), [])

    def test_the_table_gives_ratios_and_limits(self):
        rows = layers.merge([self.node("float32 (1, 56, 56, 64)", 2e8, 2.0)], [(layers.key_of([1, 64, 56, 56]), 4.0)])
        text = layers.table(rows, {"gflops": 200.0, "read_gb_s": 10.0})
        self.assertIn("0.50", text.splitlines()[1])  # the ratio, and half of the peak
        self.assertTrue(text.splitlines()[-1].startswith("together"))


class Pages(unittest.TestCase):
    def test_every_place_of_the_template_is_filled(self):
        found = {"date": "2000-01-01", "command": "run", "cells": [cell(mxinfer=12, openvino=10, ncnn="no such layer")],
                 "start_up": {"1": {"mxinfer": {"ms": 10, "peak_mb": 99}, "ncnn": {"ms": 20, "peak_mb": 100}}},
                 "machine": {"cpu": {"model": "a processor", "family": "1", "cores": 2, "isa": ["avx2"]},
                             "peak": [{"threads": 1, "gflops": 100.0, "read_gb_s": 10.0}], "versions": {"openvino": "1"}},
                 "roofline": roofline.layers([node("FullyConnected", "(1, 10)", 2e6)])}
        text = page.page(found)
        self.assertNotRegex(text, r"\{\w+\}")
        self.assertIn("ResNet-18 v1, batch 1, 1 thread: 1.20 (OpenVINO", text)
        self.assertIn("no such layer", text)
        self.assertIn("| mxinfer | 1 | 10 ms | 0.50 | 99 MB |", text)


if __name__ == "__main__":
    unittest.main()
