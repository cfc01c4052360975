import asyncio
import pickle

import networks
import numpy as np
import pytest

import mxinfer

PIL = pytest.importorskip("PIL.Image")


@pytest.fixture(scope="module")
def classifier(bundle):
    return mxinfer.ImageClassifier(bundle)


@pytest.fixture(scope="module")
def kinds(seven):
    """The same image in every form."""
    encoded = seven.read_bytes()
    grey = PIL.open(seven).convert("L")
    return {
        "text": str(seven),
        "path": seven,
        "bytes": encoded,
        "bytearray": bytearray(encoded),
        "memoryview": memoryview(encoded),
        "array of bytes": np.frombuffer(encoded, np.uint8),
        "PIL": grey,
        "PIL in colour": PIL.open(seven).convert("RGB"),
        "height, width": np.asarray(grey),
        "height, width, 1": np.asarray(grey)[:, :, None],
        "strided": np.asarray(grey.resize(grey.size)).T.copy().T,
    }


def test_every_kind_of_image(classifier, kinds):
    for name, image in kinds.items():
        best = classifier.classify(image, 3)
        assert len(best) == 3 and best[0].label == "seven" and best[0].index == 7, name
        assert best[0].score > best[1].score > best[2].score
        assert isinstance(best[0], mxinfer.Classification)
    every = classifier.classify(kinds["path"])
    assert [found.index for found in every] == list(range(10))
    label, score, index = max(every, key=lambda found: found.score)
    assert (label, index) == ("seven", 7) and isinstance(score, float)


def test_batches(classifier, kinds):
    lists = classifier.classify_batch(list(kinds.values()), 1)
    assert len(lists) == len(kinds)
    assert all(found[0].label == "seven" for found in lists)
    assert classifier.classify_batch((image for image in [kinds["path"]]), top_k=1)[0][0].index == 7


def test_wrong_images_in_batches(classifier, kinds, tmp_path):
    images = [kinds["path"], tmp_path / "none.jpg", b"not an image", kinds["PIL"], None, np.zeros((2, 2, 5), np.uint8)]
    lists, errors = classifier.classify_batch(images, 1, errors="collect")
    assert [bool(found) for found in lists] == [True, False, False, True, False, False]
    assert [(error.item, type(error.error)) for error in errors] == [
        (1, mxinfer.NotFoundError),
        (2, mxinfer.MalformedError),
        (4, mxinfer.InvalidArgumentError),
        (5, mxinfer.InvalidArgumentError),
    ]
    with pytest.raises(mxinfer.NotFoundError, match="none.jpg"):
        classifier.classify_batch(images[:3], 1)
    with pytest.raises(mxinfer.MalformedError, match="1"):
        classifier.classify_batch([kinds["bytes"], b"not an image"], 1)
    with pytest.raises(mxinfer.InvalidArgumentError, match="list"):
        classifier.classify_batch(str(kinds["path"]))
    with pytest.raises(mxinfer.InvalidArgumentError, match="'collect'"):
        classifier.classify_batch(images, errors=True)


@pytest.mark.parametrize(
    "wrong", [None, 3, [1, 2], np.zeros((4, 4, 3), np.float32), np.zeros((4, 4, 5), np.uint8), np.zeros((0, 4), np.uint8),
              np.zeros((1, 4, 4, 3), np.uint8), np.uint8(3), b"", b"GIF89a", "", object()]
)  # fmt: skip
def test_what_is_no_image(classifier, wrong):
    for call in (classifier.classify, lambda image: classifier.classify_async(image).result()):
        with pytest.raises(mxinfer.Error) as caught:
            call(wrong)
        assert not isinstance(caught.value, mxinfer.InternalError)


def test_bytes_open_no_file(classifier, seven):
    with pytest.raises(mxinfer.MalformedError):
        classifier.classify(str(seven).encode())


def test_asynchronous_forms(classifier, kinds):
    futures = [classifier.classify_async(image, 1) for image in kinds.values()]
    assert all(future.result()[0].label == "seven" for future in futures)

    async def main():
        return await asyncio.gather(*(classifier.aclassify(image, 1) for image in kinds.values()))

    assert all(found[0].label == "seven" for found in asyncio.run(main()))
    with pytest.raises(mxinfer.NotFoundError):
        classifier.classify_async("none.jpg").result()


def test_wrong_arguments(classifier, kinds, digits):
    with pytest.raises(mxinfer.InvalidArgumentError, match="top_k"):
        classifier.classify(kinds["path"], 0)
    with pytest.raises(TypeError):
        classifier.classify(kinds["path"], "all")
    with pytest.raises(TypeError, match="ObjectDetector"):
        mxinfer.ImageClassifier(digits, units="pixels")
    with pytest.raises(mxinfer.InvalidArgumentError, match="preset"):
        mxinfer.ImageClassifier(digits, preset="nothing")


def test_options_of_a_bare_network(digits, seven):
    image = np.asarray(PIL.open(seven).convert("L"))
    classifier = mxinfer.ImageClassifier(digits, preset="unit", resize="stretch", scale=1 / 255, mean=0, std=[1.0, 1, 1])
    prepared = classifier.preprocess([image, image])
    assert prepared.shape == (2, 1, 32, 32) and prepared.dtype == np.float32
    best = classifier.classify(image, 1)[0]
    (scores,) = classifier.predict(prepared)
    assert best.index == scores[0].argmax() and best.score == scores[0].max()
    copied = pickle.loads(pickle.dumps(classifier))
    assert copied.classify(image, 1) == [best]


def test_a_classifier_of_arrays(digits):
    classifier = mxinfer.Classifier(digits, min_score=0.0)
    samples = np.random.default_rng(6).random((3, 1, 32, 32), np.float32)
    best = classifier.classify(samples[0], 2)
    assert best == classifier.classify(samples[0].reshape(-1), 2) == classifier.classify(samples[0].tolist(), 2)
    lists = classifier.classify_batch(samples, 2)
    assert len(lists) == 3 and [each.label for each in lists[0]] == [each.label for each in best]
    # The last bits may depend on the batch size.
    assert [each.score for each in lists[0]] == pytest.approx([each.score for each in best], rel=1e-5)
    assert classifier.classify_async(samples[0], 2).result() == best
    assert classifier.classify_batch_async(samples, 2).result() == lists
    for wrong in (samples[0].astype(np.float64), samples[0][:, :3], None, "text", object()):
        with pytest.raises(mxinfer.InvalidArgumentError):
            classifier.classify(wrong)
        with pytest.raises(mxinfer.InvalidArgumentError):
            classifier.classify_async(wrong).result()
    with pytest.raises(mxinfer.InvalidArgumentError, match="softmax"):
        mxinfer.Classifier(digits, activation="softmax")


ROWS = [[2, 0.6, 2, 1, 10, 5], [0, 0.9, 4, 2, 8, 6], [-1, 0.95, 0, 0, 1, 1], [1, 0.3, 2, 2, 4, 4]]


def test_a_detector():
    detector = mxinfer.ObjectDetector(networks.detector(ROWS, ["cat", "dog", "bird"]))
    image = np.full((40, 40, 3), 100, np.uint8)
    found = detector.detect(image)
    assert [(each.label, each.index) for each in found] == [("cat", 0), ("bird", 2)]
    assert found[0].box == mxinfer.Box(8, 8, 16, 24) and found[0].box.right == 16
    assert found[0].score == pytest.approx(0.9)
    assert len(detector.detect(image, score_threshold=0.2)) == 3
    assert len(detector.detect(image, score_threshold=0.2, max_detections=1)) == 1
    assert detector.detect(PIL.fromarray(image)) == found
    assert detector.detect_async(image).result() == found
    assert asyncio.run(detector.adetect(image)) == found
    lists = detector.detect_batch([image, np.zeros((10, 20, 3), np.uint8)])
    assert lists[0] == found and lists[1][0].box == mxinfer.Box(4, 2, 8, 6)
    lists, errors = detector.detect_batch([image, b"x", image], errors="collect")
    assert [len(each) for each in lists] == [2, 0, 2] and errors[0].item == 1
    with pytest.raises(mxinfer.MalformedError):
        detector.detect(b"x")
    with pytest.raises(mxinfer.InvalidArgumentError, match="max_detections"):
        detector.detect(image, max_detections=0)
    detector.warmup()
    detector.close()
    with pytest.raises(mxinfer.InvalidArgumentError, match="closed"):
        detector.detect(image)


def test_what_a_detector_is_asked_for():
    detector = mxinfer.ObjectDetector(networks.detector(ROWS, ["cat", "dog", "bird"]))
    image = np.full((40, 40, 3), 100, np.uint8)

    def names(**wanted):
        return [each.label for each in detector.detect(image, **wanted)]

    assert names(classes=["bird"]) == ["bird"] == names(classes=[2])
    assert names(class_thresholds={"cat": 0.95, 1: 0.1}) == ["bird", "dog"]
    assert names(nms=mxinfer.NmsOptions(0.1, all_classes=True)) == ["cat"]
    assert names(nms=mxinfer.NmsOptions(0.1, all_classes=True, method="gaussian", sigma=100, overlap="min")) == ["cat", "bird"]
    assert detector.detect(image)[0].landmarks == ()
    for wanted, fact in [
        ({"classes": ["horse"]}, "'cat', 'dog' or 'bird'"),
        ({"nms": mxinfer.NmsOptions(method="soft")}, "linear"),
        ({"nms": mxinfer.NmsOptions(iou_threshold=2)}, "iou_threshold"),
    ]:
        with pytest.raises(mxinfer.InvalidArgumentError, match=fact):
            detector.detect(image, **wanted)
    with pytest.raises(TypeError, match=r"\['cat'\]"):
        detector.detect(image, classes="cat")
    lists = detector.detect_batch([image, image], classes=["cat"])
    assert [len(each) for each in lists] == [1, 1]
    assert len(detector.detect_async(image, classes=["cat"]).result()) == 1
    assert len(asyncio.run(detector.adetect(image, classes=["cat"]))) == 1


def test_the_report_of_a_detector():
    detector = mxinfer.ObjectDetector(networks.detector(ROWS, ["cat", "dog", "bird"]))
    image = np.full((40, 40, 3), 100, np.uint8)
    report = detector.report(image, classes=["bird"], score_threshold=0.8)
    assert report.detections == [] and report.rows == 4 and report.candidates == 3
    assert report.other_classes == 2 and report.below_threshold == 1
    assert report.histogram == (0, 0, 0, 0, 0, 0, 1, 0, 0, 0)
    assert report.best[0].label == "cat" and report.best[0].score == pytest.approx(0.9)
    assert str(report).startswith("0 of 3 candidates are left: 1 score too low")
    assert detector.report(image).detections == detector.detect(image)


def test_options_of_a_detector():
    detector = mxinfer.ObjectDetector(networks.detector([[0, 1, 0.25, 0.5, 0.5, 2]]), units="relative")
    assert detector.detect(np.zeros((40, 80, 3), np.uint8))[0].box == mxinfer.Box(20, 20, 40, 40)
    with pytest.raises(TypeError, match="Classifier"):
        mxinfer.ObjectDetector(networks.detector(ROWS), activation="softmax")
