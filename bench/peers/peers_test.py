"""python3 -m unittest discover -s bench/peers -p '*_test.py'; needs nothing but Python."""
import types
import unittest

import report
from networks import NETWORKS
from onnx_inputs import strip_weights_from_inputs


def named(*names):
    return [types.SimpleNamespace(name=name) for name in names]


def cell(network="resnet18_v1", threads=1, **times):
    contestants = {name: {"ms_per_image": ms, "best_ms_per_image": ms / 2} if isinstance(ms, (int, float)) else {"unable": ms}
                   for name, ms in times.items()}
    return {"network": network, "batch": 1, "threads": threads, "contestants": contestants}


class StrippingInputs(unittest.TestCase):
    def test_weights_go_and_inputs_stay_in_order(self):
        graph = types.SimpleNamespace(input=named("data1", "weight", "data0", "bias"), initializer=named("weight", "bias", "shape"))
        strip_weights_from_inputs(graph)
        self.assertEqual([value.name for value in graph.input], ["data1", "data0"])


class Networks(unittest.TestCase):
    def test_batch_is_filled_in_where_it_belongs(self):
        self.assertEqual(NETWORKS["lstm_2x512"].inputs(4), {"data": (100, 4, 512)})
        self.assertEqual(NETWORKS["bert_12_768_12"].inputs(2), {"data0": (2, 128), "data1": (2, 128), "data2": (2,)})


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


class Tables(unittest.TestCase):
    def test_contestants_that_took_no_part_have_no_column(self):
        lines = report.markdown_table([cell(mxinfer=10, openvino=125.0)]).splitlines()
        self.assertEqual(lines[0], "| network | batch | threads | mxinfer | OpenVINO | fastest peer | ratio | of the best calls |")
        self.assertEqual(lines[2], "| ResNet-18 v1 | 1 | 1 | 10.0 | 125 | OpenVINO | 0.08 | 0.08 |")


if __name__ == "__main__":
    unittest.main()
