"""What is wrong, a line each with "# wrong". Type checkers in strict mode refuse these lines, and no others."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import mxinfer

FLOATS: npt.NDArray[np.float32] = np.zeros((1, 1, 32, 32), np.float32)

mxinfer.Predictor("models/digits", thread=1)  # wrong
mxinfer.Predictor("models/digits", threads="1")  # wrong
mxinfer.Predictor("models/digits", precision="float8")  # wrong
mxinfer.Predictor("models/digits", preset="imagenet")  # wrong
mxinfer.Predictor("models/digits", when_full="wait")  # wrong
mxinfer.Predictor(3)  # wrong
mxinfer.Model.load("models/digits", threads=1)  # wrong
mxinfer.Model.load_files("a-symbol.json", b"the params")  # wrong
mxinfer.ImageClassifier("models/digits.mxz", preset="imagenot")  # wrong
mxinfer.ImageClassifier("models/digits.mxz", resize="crop")  # wrong
mxinfer.Classifier("models/digits", units="pixels")  # wrong
mxinfer.ObjectDetector("detector", units="percent")  # wrong

predictor = mxinfer.Predictor("models/digits")
predictor.predict(object())  # wrong
predictor.predict([FLOATS]).items()  # wrong
predictor.predict({"data": FLOATS})[0]  # wrong
predictor.predict(FLOATS, out={"scores": FLOATS})  # wrong
predictor.predict_list([FLOATS], errors="ignore")  # wrong
predictor.predict_async(FLOATS)[0]  # wrong
predictor.predict_async(FLOATS, priority="urgent")  # wrong
predictor.predict_async(FLOATS, deadline="soon")  # wrong
predictor.predict_on_device([FLOATS], [FLOATS])  # wrong
predictor.warmup({"data": "1,3"}).done  # wrong

classifier = mxinfer.ImageClassifier("models/digits.mxz")
classifier.classify(["a.jpg", "b.jpg"])  # wrong
classifier.classify(FLOATS)  # wrong
classifier.classify("a.jpg", top_k="3")  # wrong
classifier.classify("a.jpg").label  # wrong
classifier.classify_batch("a.jpg", errors=True)  # wrong

detector = mxinfer.ObjectDetector("detector")
detector.detect("a.jpg", classes=[1.5])  # wrong
detector.detect("a.jpg", nms=0.5)  # wrong
detector.detect("a.jpg")[0].bbox  # wrong
mxinfer.NmsOptions(method="soft")  # wrong
mxinfer.KeypointDetector("poses").detect_keypoints("a.jpg", peak="half")  # wrong

texts = mxinfer.TextClassifier("models/language_id")
texts.classify(["one", "two"])  # wrong
texts.classify_pairs(["one", "two"])  # wrong
mxinfer.SequencePredictor("models/sentences", pad_side="both")  # wrong
generator = mxinfer.SequenceGenerator("models/sentences")
generator.generate("the", search="random")  # wrong
generator.generate("the", beams=4)  # wrong
generator.generate(3)  # wrong
mxinfer.ctc_greedy(FLOATS, layout="nct")  # wrong
mxinfer.set_log_callback(print, "error")  # wrong
mxinfer.Tokenizer.wordpiece("vocab.json")  # wrong
