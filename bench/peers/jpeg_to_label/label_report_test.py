"""python3 -m unittest discover -s bench/peers/jpeg_to_label -p '*_test.py'; needs nothing but Python."""
import pathlib
import struct
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import arrangements
import label_report as report
import opencv_steps


def result(rate, cpu_ms=10.0, **more):
    return {**report.summary([(rate, cpu_ms)]), **more}


def cell(**contestants):
    return {"network": "resnet18_v1", "width": 500, "height": 375, "scaled": False,
            "contestants": {name: found if isinstance(found, dict) else {"unable": found} for name, found in contestants.items()}}


class Ratios(unittest.TestCase):
    def test_the_best_way_of_each_side_counts(self):
        found = cell(mxinfer=result(130, 12), mxinfer_lists=result(120, 11), openvino_each=result(100, 22), onnxruntime_ahead=result(80, 33))
        self.assertAlmostEqual(report.ratio(found), 1.3)
        self.assertAlmostEqual(report.cpu_ratio(found), 2.0)
        self.assertEqual(report.rows([found])[1][:3], ["ResNet-18 v1", "500 x 375", "130 (12.0)"])

    def test_nothing_is_said_without_a_peer(self):
        found = cell(mxinfer=result(130), openvino_each="it is not installed")
        self.assertIsNone(report.ratio(found))
        self.assertIsNone(report.cpu_ratio(found))
        self.assertEqual(report.notes([found]), ["ResNet-18 v1, 500 x 375: OpenVINO, a file a thread: it is not installed"])

    def test_turns_are_summed_up(self):
        found = report.summary([(100, 12), (140, 10), (120, 11)])
        self.assertEqual((found["images_per_s"], found["best_images_per_s"], found["cpu_ms"]), (120, 140, 11))


class Labels(unittest.TestCase):
    def test_the_class_that_stands_out_counts(self):
        # The last class is the best of all files.
        self.assertEqual(report.centred_labels([[1, 0, 9], [0, 1, 9], [0, 0, 9.5]]), [0, 1, 2])

    def test_the_share_of_equal_labels(self):
        self.assertEqual(report.agreement([1, 2, 3, 4], [1, 2, 3, 5]), 0.75)


class Steps(unittest.TestCase):
    def test_the_size_is_in_the_first_frame(self):
        jpeg = b"\xff\xd8" + b"\xff\xe0" + struct.pack(">H", 4) + b"ab" + b"\xff\xc4" + struct.pack(">H", 2)
        jpeg += b"\xff\xc0" + struct.pack(">HBHH", 17, 8, 375, 500)
        self.assertEqual(opencv_steps.size_of(jpeg), (500, 375))
        with self.assertRaises(ValueError):
            opencv_steps.size_of(b"\xff\xd8")

    def test_photos_keep_what_the_resize_needs(self):
        self.assertEqual([opencv_steps.reduction(*size) for size in ((1920, 1080), (500, 375), (640, 511), (640, 510), (4096, 2160))],
                         [4, 1, 2, 1, 8])

    def test_the_shorter_side_becomes_256(self):
        self.assertEqual([opencv_steps.resized(*size) for size in ((1920, 1080), (375, 500))], [(455, 256), (256, 341)])


class Arrangements(unittest.TestCase):
    def test_results_are_in_the_order_of_the_files(self):
        names = [str(i) for i in range(21)]
        expected = [2 * i for i in range(21)]
        double = lambda inputs: [2 * value for value in inputs]  # noqa: E731
        self.assertEqual(arrangements.each(names, 3, int, double), expected)
        self.assertEqual(arrangements.ahead(names, 3, int, double, 8), expected)

    def test_the_caller_gets_the_error(self):
        for run in (lambda: arrangements.each(["1", "x", "3"], 2, int, list), lambda: arrangements.ahead(["1", "x"], 2, int, list, 8)):
            with self.assertRaises(ValueError):
                run()

    def test_few_inputs_wait(self):
        decoded, inferred, most = [], [], []
        lock = threading.Lock()

        def decode(path):
            with lock:
                decoded.append(path)
            return path

        def infer(inputs):
            inferred.extend(inputs)
            with lock:
                most.append(len(decoded) - len(inferred))
            return inputs

        arrangements.ahead(list(range(100)), 2, decode, infer, 4)
        self.assertLessEqual(max(most), 4 * (arrangements.WAITING + 2))


if __name__ == "__main__":
    unittest.main()
