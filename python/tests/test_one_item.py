"""A list where one item is wanted names the method that takes many."""

import numpy as np
import pytest

import mxinfer
import networks


@pytest.fixture(scope="module")
def segments():
    nodes = [networks.node("null", "data", __shape__="(0, 3, 16, 32)"), networks.node("_copy", "out", 0)]
    return mxinfer.Model.load_memory(networks.symbol(nodes, [1]), labels=["red", "green", "blue"])


@pytest.mark.parametrize("images", [["a.jpg", "b.jpg"], ("a.jpg",), [], [np.zeros((4, 4), np.uint8)], np.zeros((2, 4, 4, 3), np.uint8)])
def test_of_images(images, bundle, root, segments):
    classifier = mxinfer.ImageClassifier(bundle)
    detector = mxinfer.ObjectDetector(root / "models" / "digit_detector")
    given = "an array of shape" if isinstance(images, np.ndarray) else "a " + type(images).__name__
    for method, batch in (
        (classifier.classify, "call classify_batch for many"),
        (classifier.classify_async, "call classify_batch for many"),
        (detector.detect, "call detect_batch for many"),
        (detector.detect_async, "call detect_batch for many"),
        (detector.report, "call it for each of many"),
        (mxinfer.ImageSegmenter(segments).segment, "call it for each of many"),
        (mxinfer.KeypointDetector(segments).detect_keypoints, "call it for each of many"),
    ):
        with pytest.raises(mxinfer.InvalidArgumentError, match="image: {}.*one image is expected; {}".format(given, batch)):
            method(images)


def test_of_texts(root):
    classifier = mxinfer.TextClassifier(root / "models" / "language_id")
    for call in (classifier.classify, classifier.classify_async):
        with pytest.raises(mxinfer.InvalidArgumentError, match="text: a list was given.*call classify_texts for many"):
            call(["Wo?", "Dort."])
    with pytest.raises(mxinfer.InvalidArgumentError, match="first: a list was given, and one text is expected; call classify_pairs"):
        classifier.classify_pair(["Wo?"], ["Dort."])


def test_of_sequences(root):
    predictor = mxinfer.SequencePredictor(root / "models" / "sentences")
    for call in (predictor.predict_sequence, predictor.predict_sequence_async):
        with pytest.raises(mxinfer.InvalidArgumentError, match="call predict_sequences for many"):
            call([{"data": [4, 5]}, {"data": [6]}])
    for many in ([[4, 5], [6]], [[4, 5], [6, 7]], [np.array([4, 5]), np.array([6])]):
        with pytest.raises(mxinfer.InvalidArgumentError, match="a list of sequences goes to predict_sequences"):
            predictor.predict_sequence(many)
    generator = mxinfer.SequenceGenerator(root / "models" / "sentences", vocabulary=mxinfer.Vocabulary.load(root / "models" / "sentences" / "vocab.json"))
    for call in (generator.generate, generator.start):
        with pytest.raises(mxinfer.InvalidArgumentError, match="prompt.*generate_batch for many"):
            call(["the cat", "the dog"])


def test_of_samples(digits):
    classifier = mxinfer.Classifier(digits)
    with pytest.raises(mxinfer.InvalidArgumentError, match="classify_batch"):
        classifier.classify(np.zeros((2, 1, 32, 32), np.float32))
