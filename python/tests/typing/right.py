"""What programs do with mxinfer. Type checkers in strict mode accept all of it, and know the types that assert_type names."""

from __future__ import annotations

import asyncio
import datetime
import pathlib
from typing import Dict, List, Tuple

import numpy as np
import numpy.typing as npt
import PIL.Image
from typing_extensions import assert_type

import mxinfer
from mxinfer import mx_like
from mxinfer.types import Array, Arrays, Classes, Detections, ImageLike, NamedArrays, Precision

FLOATS: npt.NDArray[np.float32] = np.zeros((1, 1, 32, 32), np.float32)
PIXELS: npt.NDArray[np.uint8] = np.zeros((40, 50, 3), np.uint8)


def models() -> None:
    model = mxinfer.Model.load(pathlib.Path("resnet18_v1"), epoch=3, labels=["cat", "dog"], inputs={"data": (-1, 3, 224, 224)})
    assert_type(model, mxinfer.Model)
    assert_type(model.inputs, List[mxinfer.DataDesc])
    assert_type(model.memory().total, int)
    mxinfer.Model.load("s3://models/resnet18_v1", s3_region="eu-west-1", cache="offline", outputs="fc1", sha256=["ab" * 32])
    mxinfer.Model.load_memory("{}", b"", inputs=[mxinfer.DataDesc("data", (-1, 4), "float32")])


def predictors(precision: Precision) -> None:
    predictor = mxinfer.Predictor("models/digits", threads=1, precision=precision, device="cuda:0", when_full="block", epoch=None)
    assert_type(predictor.predict(FLOATS), Arrays)
    assert_type(predictor.predict([FLOATS, None]), Arrays)
    assert_type(predictor.predict([[1.0, 2.0]]), Arrays)
    assert_type(predictor.predict({"data": FLOATS}), NamedArrays)
    assert_type(predictor.predict(data=FLOATS), NamedArrays)
    assert_type(predictor.predict(b"an encoded image"), Arrays)
    assert_type(predictor.predict(FLOATS, out=[FLOATS]), Arrays)
    assert_type(predictor.predict({"data": FLOATS}, out={"scores": FLOATS}), NamedArrays)
    predictor.predict_into({"data": FLOATS}, [bytearray(40)])
    assert_type(predictor.predict_list([PIXELS, b"a file"]), Arrays)
    assert_type(predictor.predict_list([PIXELS], errors="collect"), Tuple[Arrays, List[mxinfer.ItemError]])
    assert_type(predictor.predict_list({"data": [PIXELS]}), NamedArrays)
    assert_type(predictor.predict_async(FLOATS), mxinfer.Prediction[Arrays])
    assert_type(predictor.predict_async(data=FLOATS).result(), NamedArrays)
    assert_type(predictor.output_shapes({"data": (4, 1, 32, 32)})[0].shape, Tuple[int, ...])
    assert_type(predictor.prometheus_text('model="digits"'), str)
    assert_type(predictor.explain().steps[0].kernel, str)


def context() -> None:
    with mxinfer.ImageClassifier("models/digits.mxz", max_in_flight=8, idle_limit=datetime.timedelta(seconds=2)) as classifier:
        assert_type(classifier, mxinfer.ImageClassifier)
        assert_type(classifier.classify("seven.jpg"), Classes)


def images(classifier: mxinfer.ImageClassifier, detector: mxinfer.ObjectDetector, image: ImageLike) -> None:
    for each in ("a.jpg", pathlib.Path("a.jpg"), b"bytes", bytearray(4), memoryview(b""), PIXELS, PIL.Image.new("RGB", (4, 4)), image):
        assert_type(classifier.classify(each, top_k=3), Classes)
    label, score, index = classifier.classify(image)[0]
    assert_type(label, str)
    assert_type(score, float)
    assert_type(index, int)
    assert_type(classifier.classify_batch([image, "b.png"]), List[Classes])
    assert_type(classifier.classify_batch(["b.png"], errors="collect"), Tuple[List[Classes], List[mxinfer.ItemError]])
    assert_type(classifier.preprocess([PIXELS]), Array)
    suppression = mxinfer.NmsOptions(iou_threshold=0.4, method="gaussian")
    found = detector.detect(image, classes=["person", 3], class_thresholds={"person": 0.2}, nms=suppression)
    assert_type(found, Detections)
    assert_type(found[0].box.left, float)
    assert_type(detector.detect_batch([image]), List[Detections])
    assert_type(detector.report(image).rows, int)
    segments = mxinfer.ImageSegmenter("segmenter", activation="softmax").segment(image)
    assert_type(segments.labels, npt.NDArray[np.uint8])
    poses = mxinfer.KeypointDetector("poses", resize="stretch").detect_keypoints(image, detector, peak="quarter")
    assert_type(poses[0].points[0].x, float)


def texts(vocabulary: mxinfer.Vocabulary) -> None:
    classifier = mxinfer.TextClassifier("models/language_id", tokenizer=mxinfer.Tokenizer.basic(vocabulary), buckets=[16, 32])
    assert_type(classifier.classify("Wo ist der Bahnhof?", top_k=2), Classes)
    assert_type(classifier.classify_pairs([("a", "b")], errors="collect"), Tuple[List[Classes], List[mxinfer.ItemError]])
    sequences = mxinfer.SequencePredictor("models/sentences", pad_side="left", states={"begin": "end"})
    assert_type(sequences.predict_sequence([1, 2, 3]), Arrays)
    assert_type(sequences.predict_sequences([np.array([1, 2]), [3]]), List[Arrays])
    session = sequences.session()
    assert_type(session.step(3), Arrays)
    assert_type(session.states(), NamedArrays)
    generator = mxinfer.SequenceGenerator("models/sentences", vocabulary=vocabulary)
    assert_type(generator.generate("the", search="beam", beam=4, stop=lambda ids: len(ids) > 5), List[mxinfer.Generated])
    assert_type([piece for piece in generator.start("the").pieces()], List[str])
    assert_type([id for id in generator.start([1, 2])], List[int])
    vectors = mxinfer.WordVectors(vocabulary, FLOATS[0, 0])
    assert_type(vectors.vector("cat"), npt.NDArray[np.float32])
    assert_type(vectors.nearest("cat", 3)[0].score, float)
    assert_type(mxinfer.ctc_greedy(FLOATS, layout="tnc", labels="abc")[0].text, str)
    assert_type(mxinfer.ctc_beam_search(FLOATS, scores="logits"), List[List[mxinfer.CtcSequence]])


async def asynchronous(predictor: mxinfer.Predictor, classifier: mxinfer.ImageClassifier) -> None:
    assert_type(await predictor.predict_async(FLOATS), Arrays)
    assert_type(await predictor.predict_async({"data": FLOATS}), NamedArrays)
    assert_type(await classifier.classify_async("seven.jpg", deadline=2.5, priority="high"), Classes)
    assert_type(await asyncio.gather(classifier.classify_async("a.jpg"), classifier.classify_async("b.jpg")), Tuple[Classes, Classes])
    assert_type(await predictor.apredict(FLOATS), Arrays)
    assert_type(await classifier.aclassify("seven.jpg"), Classes)


def others() -> None:
    assert_type(mx_like.Predictor("{}", b"", {"data": (1, 3)}).get_output(0), Array)
    assert_type(mxinfer.build_info().targets, Tuple[str, ...])
    assert_type({each.name: each.group for each in mxinfer.settings_known()}, Dict[str, str])
    mxinfer.set_log_callback(lambda level, message: print(level, message), "warning")
    try:
        mxinfer.Model.load("nowhere")
    except (mxinfer.NotFoundError, mxinfer.MalformedError) as error:
        assert_type(error.code, str)
