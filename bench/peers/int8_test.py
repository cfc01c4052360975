"""What compares quantized networks. Needs nothing but Python; with NumPy more is tested."""
import os
import pathlib
import tempfile
import unittest
import unittest.mock

import calibration
import fidelity
import held
import prepare
import report
from networks import IMAGE_NETWORKS, NETWORKS
from peers_test import cell

try:
    import numpy as np
except ImportError:
    np = None


class Calibration(unittest.TestCase):
    def test_the_last_batch_is_filled_up_from_the_beginning(self):
        self.assertEqual(calibration.indices(4, 1), [[0], [1], [2], [3]])
        self.assertEqual(calibration.indices(5, 3), [[0, 1, 2], [3, 4, 0]])
        self.assertEqual(calibration.indices(2, 5), [[0, 1, 0, 1, 0]])

    @unittest.skipUnless(np, "needs NumPy")
    def test_each_sample_has_its_output_whatever_the_batch(self):
        samples, reused = np.arange(10.0).reshape(5, 2), np.empty((3, 2))

        def run_on(batch):
            reused[:] = batch["data"] + 1  # as libraries do that keep their outputs
            return [reused, reused.sum(axis=1)]
        outputs = calibration.predict(run_on, {"data": samples}, 3)
        np.testing.assert_array_equal(outputs[0], samples + 1)
        np.testing.assert_array_equal(outputs[1], (samples + 1).sum(axis=1))

    def test_networks_whose_inputs_do_not_begin_with_the_batch_are_left_out(self):
        for name in ("lstm_2x512", "faster_rcnn_resnet50_v1b_trunk", "yolo3_darknet53_photo"):
            self.assertFalse(NETWORKS[name].is_batched())
        self.assertTrue(NETWORKS["bert_12_768_12"].is_batched())
        self.assertTrue({"resnet18_v1", "mobilenetv2_1.0", "arcface_r100"} <= set(IMAGE_NETWORKS))
        self.assertFalse({"bert_12_768_12", "lstm_2x512", "yolo3_darknet53_photo"} & set(IMAGE_NETWORKS))


class Quantizing(unittest.TestCase):
    NAMES = ["mxinfer", "mxinfer-float32", "onnxruntime", "openvino"]

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.command = self.root / "mxinfer"
        self.command.touch()
        self.network = NETWORKS["resnet18_v1"]
        self.setup = held.Setup(str(self.command), self.root / "models", {}, precision="int8")
        self.folder = self.setup.folder(self.network, 1)
        self.folder.mkdir(parents=True)
        for path in (self.folder / "inputs.npz", self.folder / "model.onnx", self.folder.parent / "model-0000.params"):
            path.touch()

    def prepare(self, fails=()):
        """What is run, by its log. It writes the file that it is told last, or after --output."""
        ran = []

        def run(command, what, log):
            ran.append(log.name)
            log.touch()
            if log.name not in fails:
                pathlib.Path(command[-1]).touch()
                (self.folder.parent / calibration.INPUTS).touch()
            return log.name not in fails
        environments = {name: "python" for name in ("mxnet", "export", "onnxruntime", "openvino")}
        with unittest.mock.patch.object(prepare, "run", run), unittest.mock.patch.object(prepare.sys, "stderr"):
            prepare.prepare(self.setup, environments, self.network, 1, self.NAMES)
        return ran

    def test_mxinfer_opens_its_bundle_and_no_precision(self):
        self.assertEqual(self.setup.mxinfer_model(self.network, "mxinfer").name, "model-int8.mxz")
        self.assertEqual(self.setup.mxinfer_model(self.network, "mxinfer-float32").name, "model")
        self.assertEqual(self.setup.mxinfer_words(), [])
        whole = held.Setup("mxinfer", self.root, {}, precision="bfloat16")
        self.assertEqual(whole.mxinfer_model(self.network, "mxinfer").name, "model")
        self.assertEqual(whole.mxinfer_words(), ["--precision", "bfloat16"])

    def test_workers_open_the_files_that_are_made_for_them(self):
        for name, file in (("onnxruntime", "model-int8.onnx"), ("openvino", "model-int8.xml")):
            self.assertEqual(self.setup.file_of(name), file)
            self.assertEqual(self.setup.environment(name, 1)["PEERS_MODEL"], file)
        self.assertNotIn("PEERS_MODEL", held.Setup("mxinfer", self.root, {}).environment("openvino", 1))

    def test_files_are_made_once(self):
        self.assertEqual(self.prepare(), ["calibration.log", "onnxruntime-int8.log", "openvino-int8.log", "model-int8.log"])
        self.assertEqual(self.prepare(), [])

    def test_another_mxinfer_quantizes_anew(self):
        self.prepare()
        later = (self.folder.parent / "model-int8.mxz").stat().st_mtime + 10
        os.utime(self.command, (later, later))
        self.assertEqual(self.prepare(), ["model-int8.log"])

    def test_a_bundle_of_an_mxinfer_that_fails_is_not_kept(self):
        self.prepare()
        later = (self.folder.parent / "model-int8.mxz").stat().st_mtime + 10
        os.utime(self.command, (later, later))
        self.prepare(fails=["model-int8.log"])
        self.assertFalse((self.folder.parent / "model-int8.mxz").exists())

    def test_peers_that_failed_are_not_asked_again(self):
        self.assertIn("openvino-int8.log", self.prepare(fails=["openvino-int8.log"]))
        self.assertEqual(self.prepare(), [])

    def test_without_a_calibration_set_nothing_is_measured(self):
        with self.assertRaises(SystemExit):
            self.prepare(fails=["calibration.log"])

    def test_other_precisions_quantize_nothing(self):
        self.setup.precision = ""
        self.assertEqual(self.prepare(), [])


@unittest.skipUnless(np, "needs NumPy")
class Fidelity(unittest.TestCase):
    def setUp(self):
        random = np.random.default_rng(1)
        # As of random weights: one class is ahead in all samples.
        self.expected = random.normal(0, 1, (32, 10)).astype(np.float32) + np.eye(10, dtype=np.float32)[3] * 100
        self.noise = random.normal(0, 0.1, (32, 10)).astype(np.float32)

    def test_noise_of_a_tenth_is_20_db(self):
        self.assertAlmostEqual(fidelity.signal_to_noise(self.expected, self.expected + self.noise), 20, delta=1)
        self.assertEqual(fidelity.signal_to_noise(self.expected, self.expected), fidelity.EXACT_DB)

    def test_an_output_that_is_the_same_for_all_samples_is_seen(self):
        same = np.broadcast_to(self.expected.mean(axis=0), self.expected.shape)
        self.assertLess(fidelity.signal_to_noise(self.expected, same), 0.1)
        self.assertLess(fidelity.top1_agreement(self.expected, same), 0.5)

    def test_best_classes_are_those_that_differ_from_the_mean(self):
        self.assertEqual(fidelity.top1_agreement(self.expected, self.expected), 1)
        self.assertLess(fidelity.top1_agreement(self.expected, self.expected[::-1]), 0.5)
        self.assertIsNone(fidelity.top1_agreement(self.expected[..., None], self.expected[..., None]))

    def test_the_output_with_the_most_noise_counts(self):
        found = fidelity.measured([self.expected] * 2, [self.expected, self.expected + self.noise])
        self.assertAlmostEqual(found["snr_db"], 20, delta=1)
        self.assertEqual(found["top1"], 1)

    def test_other_shapes_and_values_that_are_not_finite_are_not_compared(self):
        self.assertEqual(fidelity.differing([self.expected], [self.expected]), "")
        self.assertIn("[[31, 10]]", fidelity.differing([self.expected], [self.expected[1:]]))
        self.assertIn("finite", fidelity.differing([self.expected], [self.expected * np.nan]))


def int8_cell():
    found = {**cell(**{"mxinfer": 8, "mxinfer-float32": 20, "onnxruntime": 16, "openvino": "no"}), "precision": "int8"}
    for name, snr_db, top1 in (("mxinfer", 35.07, 0.9375), ("onnxruntime", 30.0, None)):
        found["contestants"][name].update(snr_db=snr_db, top1=top1)
    return found


class Int8Tables(unittest.TestCase):
    def test_float32_is_no_peer(self):
        self.assertEqual(report.fastest_peer(int8_cell()), ("onnxruntime", 16))
        self.assertEqual(report.ahead([int8_cell()])[0], ["network", "ONNX Runtime", "OpenVINO"])

    def test_the_ratio_to_float32_comes_last(self):
        head, row = report.rows([int8_cell()])
        self.assertEqual(head[-4:], ["ratio", "of the best calls", "of its float32", "of the best calls"])
        self.assertEqual(row[-4:], ["0.50", "0.50", "0.40", "0.40"])
        unable = cell(**{"mxinfer": "no command", "mxinfer-float32": 20})
        self.assertEqual(report.rows([unable])[1][-2:], ["-", "-"])

    def test_what_is_left_of_float32_has_a_table(self):
        lines = report.text_table([int8_cell()]).split("\n\n")[1].splitlines()
        self.assertEqual(lines[0].split("  ")[-2:], ["mxinfer, dB (top-1)", "ONNX Runtime, dB (top-1)"])
        self.assertEqual(lines[1].split()[-3:], ["35.1", "(94%)", "30.0"])
        self.assertIn("| 35.1 (94%) | 30.0 |", report.markdown_table([int8_cell()]))

    def test_other_precisions_have_no_such_table(self):
        self.assertEqual(len(report.text_table([cell(mxinfer=10, openvino=20)]).splitlines()), 2)
        self.assertEqual(report.rows([cell(mxinfer=10, openvino=20)])[0][-1], "of the best calls")


if __name__ == "__main__":
    unittest.main()
