"""python3 -m unittest discover -s bench/peers/callers -p '*_test.py'; needs nothing but Python."""
import pathlib
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import callers_report as report
import memory
from workers import at_once


def result(rate, p99=10.0, best=None, **more):
    return {"calls_per_s": rate, "best_calls_per_s": best or rate, "p50_ms": p99 / 2, "p99_ms": p99, "calls": 100, **more}


def cell(callers=16, network="resnet18_v1", **ways):
    return {"network": network, "callers": callers,
            "ways": {name: {"unable": found} if isinstance(found, str) else found for name, found in ways.items()}}


class Turns(unittest.TestCase):
    def test_percentiles_are_those_of_the_command(self):
        hundred = list(range(1, 101))
        self.assertEqual([report.percentile(hundred, share) for share in (0.5, 0.99, 1.0)], [50, 99, 100])
        self.assertEqual(report.percentile([7], 0.5), 7)

    def test_a_turn_counts_all_calls(self):
        self.assertEqual(report.turn([3.0, 1.0, 2.0], 0.5), {"calls_per_s": 6, "p50_ms": 2.0, "p99_ms": 3.0, "calls": 3})

    def test_one_disturbed_turn_moves_no_median(self):
        found = report.summary([result(100, 10), result(20, 90), result(102, 11)])
        self.assertEqual((found["calls_per_s"], found["p99_ms"], found["best_calls_per_s"], found["calls"]), (100, 11, 102, 300))


class Ratios(unittest.TestCase):
    def test_the_best_way_of_each_side_counts(self):
        found = cell(mxinfer_threads=result(100), mxinfer_async=result(120), openvino_latency=result(60), openvino_throughput=result(80))
        self.assertEqual(report.fastest(found, report.PEERS), "openvino_throughput")
        self.assertEqual(report.ratio(found), 1.5)
        self.assertEqual(report.ratio_rows([found])[1], ["ResNet-18 v1", "16", "100 (10.0)", "120 (10.0)", "OpenVINO, THROUGHPUT",
                                                         "80.0 (10.0)", "1.50", "1.50"])

    def test_nothing_is_said_without_a_peer(self):
        found = cell(mxinfer_async=result(120), mxnet="too large")
        self.assertIsNone(report.ratio(found))
        self.assertEqual(report.ratio_rows([found])[1][2:], ["-", "120 (10.0)", "-", "-", "-", "-"])
        self.assertEqual(len(report.p99_rows([found])), 1)

    def test_what_was_not_measured_says_why(self):
        rows = report.measured_rows([cell(mxnet="64 more processes")])
        self.assertEqual(rows[1], ["ResNet-18 v1", "16", "MXNet, a process a caller", "-", "-", "64 more processes"])


class Bars(unittest.TestCase):
    def test_many_callers_keep_the_best_rate_of_the_same_way_and_network(self):
        cells = [cell(2, mxinfer_threads=result(100), mxinfer_async=result(50)),
                 cell(16, mxinfer_threads=result(95), mxinfer_async=result(51)), cell(64, mxinfer_threads=result(94, best=99)),
                 cell(2, "mobilenetv2_1.0", mxinfer_threads=result(900))]
        self.assertEqual([row[1:] for row in report.scaling_rows(cells)[1:]],
                         [["mxinfer, threads", "16", "0.950", "0.950", "yes"], ["mxinfer, in flight", "16", "1.000", "1.000", "yes"],
                          ["mxinfer, threads", "64", "0.940", "0.990", "NO"]])

    def test_p99_is_held_to_the_least_of_a_peer(self):
        ways = {"mxinfer_threads": result(1, 10), "mxinfer_async": result(1, 12.5), "onnxruntime_1": result(9, 20), "mxnet": result(1, 10)}
        self.assertEqual([row[1:] for row in report.p99_rows([cell(16, **ways), cell(64, **ways)])[1:]],
                         [["mxinfer, threads", "16", "10.0", "10.0", "MXNet, a process a caller", "1.00", "yes"],
                          ["mxinfer, in flight", "16", "12.5", "10.0", "MXNet, a process a caller", "1.25", "NO"]])

    def test_tables_without_rows_are_left_out(self):
        self.assertEqual(len(report.tables([cell(4, mxinfer_async=result(1), mxnet=result(1))])), 2)
        self.assertEqual(len(report.tables([cell(16, mxinfer_async=result(1), mxnet=result(1))])), 4)

    def test_a_note_is_told_once(self):
        noted = result(1, note="without its fusion: it fails")
        self.assertEqual(report.notes([cell(1, mxnet=noted), cell(2, mxnet=noted)]),
                         ["ResNet-18 v1: MXNet, a process a caller, without its fusion: it fails"])


class Memory(unittest.TestCase):
    def test_other_programs_keep_some(self):
        self.assertEqual(memory.lacking(10, 400, 4000 + memory.LEFT_FREE), "")
        self.assertEqual(memory.lacking(62, 400, 9000.4), "62 more processes of 400 MB each; 9000 MB are free")

    def test_of_this_process_and_machine_it_is_known(self):
        self.assertGreater(memory.private_mb("self"), 1)
        self.assertGreater(memory.available_mb(), 1)


class AtOnce(unittest.TestCase):
    def test_every_caller_calls_at_least_once_and_from_the_beginning(self):
        begin = time.monotonic() + 0.01
        for callers in (1, 3):
            starts = []
            ms = at_once.on_threads([lambda: starts.append(time.monotonic())] * callers, begin, begin)
            self.assertEqual((len(ms), len(starts)), (callers, callers))
            self.assertGreaterEqual(min(starts), begin)

    def test_calls_follow_each_other_until_the_end(self):
        ended = []

        def call():
            time.sleep(0.001)
            ended.append(time.monotonic())

        begin = time.monotonic()
        ms = at_once.on_threads([call] * 2, begin, begin + 0.02)
        self.assertEqual(len(ms), len(ended))
        # However few calls a busy machine lets them make.
        self.assertGreaterEqual(time.monotonic(), begin + 0.02)
        self.assertGreaterEqual(min(ms), 1.0)


if __name__ == "__main__":
    unittest.main()
