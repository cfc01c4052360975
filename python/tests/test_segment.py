"""Labels of pixels and key points, by networks whose outputs are the channels of their images."""

import numpy as np
import pytest

import mxinfer

COPY = """{"nodes": [{"op": "null", "name": "data", "attrs": {"__shape__": "(0, 3, 16, 32)"}, "inputs": []},
{"op": "_copy", "name": "out", "inputs": [[0, 0, 0]]}], "arg_nodes": [0], "heads": [[1, 0, 0]],
"attrs": {"mxnet_version": ["int", 10901]}}"""


def model():
    return mxinfer.Model.load_memory(COPY.encode(), b"", labels=["red", "green", "blue"])


def halves(height, width):
    pixels = np.full((height, width, 3), 20, np.uint8)
    pixels[:, : width // 4, 0] = 200
    pixels[:, width // 4 :, 1] = 200
    return pixels


def test_every_pixel_gets_a_label():
    segmenter = mxinfer.ImageSegmenter(model())
    labels, areas = segmenter.segment(halves(48, 64))
    assert labels.shape == (48, 64) and labels.dtype == np.uint8
    assert (labels[:, :16] == 0).all() and (labels[:, 16:] == 1).all()
    assert [(area.label, area.index, area.pixels) for area in areas] == [("green", 1, 48 * 48), ("red", 0, 48 * 16)]
    assert areas[0].part == 0.75
    unsure = segmenter.segment(halves(48, 64), min_score=201)
    assert (unsure.labels == mxinfer.UNKNOWN_LABEL).all() and not unsure.areas


def test_a_classifier_labels_no_pixels(digits):
    with pytest.raises(mxinfer.InvalidArgumentError, match="nothing for pixels"):
        mxinfer.ImageSegmenter(digits)


def test_points_are_in_pixels_of_the_image():
    pixels = np.zeros((60, 100, 3), np.uint8)
    pixels[20:22, 40:43, 0] = 255
    network = mxinfer.KeypointDetector(model())
    pose, whole = network.detect_keypoints(pixels, [(30, 10, 62, 26), np.float32([0, 0, 100, 60])], box_scale=1)
    assert pose.points[0].label == "red" and pose.points[0].score == 255
    assert (pose.points[0].x, pose.points[0].y) == (40, 20)  # the part is of the network's size
    assert abs(whole.points[0].x - 41) < 4 and whole.box.right == 100
    assert network.detect_keypoints(pixels)[0].points[0] == whole.points[0]
    assert network.detect_keypoints(pixels, []) == []


def test_boxes_and_peaks_are_checked():
    network = mxinfer.KeypointDetector(model())
    pixels = np.zeros((60, 100, 3), np.uint8)
    with pytest.raises(mxinfer.InvalidArgumentError, match="3 numbers"):
        network.detect_keypoints(pixels, [(1, 2, 3)])
    with pytest.raises(mxinfer.InvalidArgumentError, match="box 0"):
        network.detect_keypoints(pixels, [(200, 0, 300, 10)])
    with pytest.raises(mxinfer.InvalidArgumentError, match="peak"):
        network.detect_keypoints(pixels, [], peak="middle")


def test_classes_of_a_detector_are_checked(digits, root):
    detector = mxinfer.ObjectDetector(root / "models" / "digit_detector")
    network = mxinfer.KeypointDetector(model())
    scene = root / "models" / "digit_detector" / "scenes" / "08.jpg"
    with pytest.raises(mxinfer.InvalidArgumentError, match="10 labels"):
        network.detect_keypoints(scene, detector)
    with pytest.raises(TypeError, match="give a list"):
        network.detect_keypoints(scene, detector, classes="64")
    poses = network.detect_keypoints(scene, detector, classes=["6", "9"])
    assert len(poses) == 2 and all(0.5 < pose.score <= 1 for pose in poses)
    with pytest.raises(mxinfer.InvalidArgumentError, match="upright"):
        mxinfer.KeypointDetector(model(), apply_exif=False)


@pytest.mark.parametrize(
    "options",
    [
        {"score_threshold": "a"},
        {"score_threshold": None},
        {"max_detections": 2.5},
        {"max_detections": "3"},
        {"nms": mxinfer.NmsOptions(iou_threshold="x")},
        {"nms": mxinfer.NmsOptions(method=3)},
    ],
)
def test_options_of_a_detector_of_another_type_are_named(root, options):
    detector = mxinfer.ObjectDetector(root / "models" / "digit_detector")
    name = next(iter(options)) if "nms" not in options else "NmsOptions"
    with pytest.raises(TypeError, match=name):
        detector.detect(root / "models" / "digit_detector" / "scenes" / "08.jpg", **options)
