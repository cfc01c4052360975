"""Pixels of every form: arrays and PIL images give what the PNG of the same pixels gives, to the last bit."""

import asyncio

import networks
import numpy as np
import pytest

import mxinfer

PIL = pytest.importorskip("PIL.Image")


def pixel_model(channels, op="Flatten"):
    """Gives the pixels of images of 17 x 13, the size of the small files, as scores or as a map."""
    symbol = networks.symbol([networks.node("null", "data"), networks.node(op, "out", 0)], [1])
    return mxinfer.Model.load_memory(symbol, inputs={"data": (-1, channels, 13, 17)})


@pytest.fixture(scope="module")
def folder(root):
    return root / "tests" / "golden" / "image"


@pytest.fixture(scope="module")
def samples(folder):
    return dict(np.load(folder / "samples.npz"))


@pytest.fixture(scope="module", params=[1, 3])
def classifier(request):
    return mxinfer.ImageClassifier(pixel_model(request.param))


def scores(classes):
    return [found.score for found in classes]


def test_arrays(classifier, folder, samples):
    assert len(samples) == 8
    names = sorted(samples)
    expected = {name: classifier.classify(folder / name) for name in names}

    async def classified(image):
        return await classifier.aclassify(image)

    for name in names:
        array = samples[name]
        forms = [array, array.astype(array.dtype.newbyteorder()), np.asfortranarray(array)]
        if array.ndim == 2:
            forms.append(array[:, :, None])
        for image in forms:
            assert classifier.classify(image) == expected[name], name
        assert classifier.classify_async(array).result() == expected[name]
        assert asyncio.run(classified(array)) == expected[name]
    assert classifier.classify_batch([samples[name] for name in names]) == [expected[name] for name in names]
    assert classifier.classify_batch([folder / names[0], samples[names[1]]]) == [expected[name] for name in names[:2]]
    assert classifier.preprocess([samples[name] for name in names]).reshape(8, -1).tolist() == [
        scores(expected[name]) for name in names
    ]


def test_a_colour_array_goes_into_the_bundled_grey_model(bundle, folder, samples):
    classifier = mxinfer.ImageClassifier(bundle)
    assert classifier.classify(samples["rgb.png"]) == classifier.classify(folder / "rgb.png")


def test_pil_images_of_png_files(classifier, folder):
    modes = set()
    for path in sorted(folder.glob("*.png")):
        if path.name in ("rgb_gamma.png", "rgb_16bit.png", "rgba_16bit.png", "grey_alpha_16bit.png"):
            continue  # of which Pillow keeps but 8 bits; whose gamma the pixels do not say
        image = PIL.open(path)
        modes.add(image.mode)
        assert classifier.classify(image) == classifier.classify(path), path.name
    assert {"1", "L", "LA", "P", "RGB", "RGBA"} <= modes and modes & {"I", "I;16"}


def test_pil_images_of_other_modes(classifier, folder):
    rgb = PIL.open(folder / "rgb.png")
    grey = rgb.convert("L")
    deep = np.asarray(grey).astype(np.uint16) * 257
    as_grey, as_rgb = classifier.classify(np.asarray(grey)), classifier.classify(np.asarray(rgb))
    assert classifier.classify(PIL.fromarray(deep.astype(np.int32))) == as_grey
    assert classifier.classify(rgb.convert("RGBX")) == as_rgb
    assert classifier.classify(rgb.convert("RGBA").convert("RGBa")) == as_rgb
    for mode in ("YCbCr", "HSV"):
        converted = rgb.convert(mode)
        assert classifier.classify(converted) == classifier.classify(np.asarray(converted.convert("RGB")))
    with pytest.raises(mxinfer.InvalidArgumentError, match="mode I holds .* 0 to 65535"):
        classifier.classify(PIL.fromarray(np.full((13, 17), -1, np.int32)))
    with pytest.raises(mxinfer.InvalidArgumentError, match=r"float32.*np\.asarray\(x\)\.round\(\)\.clip"):
        classifier.classify(grey.convert("F"))


def test_a_cmyk_jpeg(folder):
    classifier = mxinfer.ImageClassifier(pixel_model(3))
    image = PIL.open(folder / "cmyk.jpg")
    assert image.mode == "CMYK"
    assert classifier.classify(image) == classifier.classify(folder / "cmyk.jpg")


@pytest.mark.parametrize(
    "wrong, message",
    [
        (np.zeros((4, 5, 3), np.float32), r"float32 \(4, 5, 3\).*: \(x \* 255\)\.round\(\)\.astype\(np\.uint8\)"),
        (np.full((4, 5), 200, np.float64), r"float64.*: x\.round\(\)\.clip\(0, 255\)\.astype\(np\.uint8\)"),
        (np.zeros((4, 5, 3), np.float16), r"float16.*predict"),
        (np.zeros((4, 5, 3), np.int64), r"int64.*: x\.astype\(np\.uint8\)"),
        (np.zeros((4, 5), bool), r"bool.*: \(x \* 255\)\.astype\(np\.uint8\)"),
        (np.zeros((3, 40, 50), np.uint8), r"transpose it to \(40, 50, 3\): x\.transpose\(1, 2, 0\)"),
        (np.zeros((5, 5, 5), np.uint8), r"4 \(RGB, alpha\)"),
        (np.zeros((1, 4, 5, 3), np.uint8), r"\(1, 4, 5, 3\)"),
    ],
)  # fmt: skip
def test_what_is_refused_says_what_to_type(classifier, wrong, message):
    for call in (classifier.classify, classifier.classify_async):
        with pytest.raises(mxinfer.InvalidArgumentError, match=message):
            call(wrong)
    good = np.zeros((13, 17), np.uint8)
    lists, errors = classifier.classify_batch([good, wrong, good], errors="collect")
    assert [len(found) > 0 for found in lists] == [True, False, True]
    assert [error.item for error in errors] == [1]


def test_every_class_takes_them(folder, samples):
    rows = [[0, 0.9, 4, 2, 8, 6]]
    detector = mxinfer.ObjectDetector(networks.detector(rows))
    for channels in (1, 3):
        segmenter = mxinfer.ImageSegmenter(pixel_model(channels, "_copy"), activation="sigmoid" if channels == 1 else "none")
        points = mxinfer.KeypointDetector(pixel_model(channels, "_copy"))
        for name, image in samples.items():
            labels = segmenter.segment(image).labels
            assert (labels == segmenter.segment(folder / name).labels).all(), name
            if channels == 3 or not name.startswith("rgb"):
                assert points.detect_keypoints(image) == points.detect_keypoints(folder / name), name
    for name, image in samples.items():
        assert detector.detect(image) == detector.detect(folder / name) != [], name
        assert detector.detect_async(image).result() == detector.detect(folder / name)
    assert detector.detect_batch(list(samples.values())) == detector.detect_batch([folder / name for name in samples])
