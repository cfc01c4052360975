"""TablePredictor and predict-table, with pyarrow and without."""

import json
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import mxinfer
import networks

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMAGES = ROOT / "examples" / "images"
DIGITS = str(ROOT / "models" / "digits.mxz")
NAMES = ["seven.jpg", "zero.png", "nine.jpg"]

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


@pytest.fixture(scope="module")
def classifier():
    return mxinfer.ImageClassifier(DIGITS, threads=1)


def photos():
    cells = [(IMAGES / name).read_bytes() for name in NAMES]
    return pa.record_batch({"id": [1, 2, 3, 4, 5], "photo": pa.array([*cells, None, b"none"], pa.binary())})


def test_a_batch_gives_a_batch(classifier):
    result = mxinfer.TablePredictor(classifier).predict(photos())
    assert isinstance(result, pa.RecordBatch)
    assert result.schema == pa.schema([("label", pa.string()), ("score", pa.float32()), ("index", pa.int32()), ("error", pa.string())])
    assert result.column("label").to_pylist() == ["seven", "zero", "nine", None, None]
    assert result.column("error").to_pylist()[:4] == [None, None, None, "the cell is null"]
    best = [classifier.classify(str(IMAGES / name), 1)[0] for name in NAMES]
    np.testing.assert_allclose(result.column("score").to_pylist()[:3], [each.score for each in best], rtol=1e-5)
    result.validate(full=True)


def test_a_table_gives_a_table_and_other_columns_stay_out(classifier):
    table = pa.Table.from_batches([photos(), photos().slice(1, 2)])
    result = mxinfer.TablePredictor(classifier, columns="photo", top_k=2).predict(table)
    assert isinstance(result, pa.Table) and result.num_rows == 7
    classes = result.column("classes").to_pylist()
    assert [row and row[0]["label"] for row in classes] == ["seven", "zero", "nine", None, None, "zero", "nine"]
    assert len(classes[0]) == 2 and set(classes[0][0]) == {"label", "score", "index"}
    result.validate(full=True)
    empty = mxinfer.TablePredictor(classifier).predict(table.slice(0, 0))
    assert empty.num_rows == 0 and empty.schema.names == ["label", "score", "index", "error"]


def test_schemas_are_checked_before_there_are_rows(classifier):
    table = mxinfer.TablePredictor(classifier, columns="photo")
    assert table.result_schema(photos().schema).names == ["label", "score", "index", "error"]
    with pytest.raises(mxinfer.InvalidArgumentError, match=r"'photo' is of type int64.*JPEG"):
        table.result_schema(pa.schema([("photo", pa.int64())]))
    with pytest.raises(mxinfer.InvalidArgumentError, match="no column 'photo'"):
        table.result_schema(pa.schema([("id", pa.int64())]))
    with pytest.raises(TypeError, match="__arrow_c_schema__"):
        table.result_schema([("photo", "binary")])
    with pytest.raises(TypeError, match="__arrow_c_array__"):
        table.predict([1, 2])


def test_the_first_wrong_row_raises_where_that_is_asked_for(classifier):
    table = mxinfer.TablePredictor(classifier, errors="raise")
    with pytest.raises(mxinfer.InvalidArgumentError, match="row 3 .*null"):
        table.predict(photos())
    assert table.predict(photos().slice(0, 3)).num_columns == 3
    with pytest.raises(mxinfer.InvalidArgumentError, match="'column'.*'raise'"):
        mxinfer.TablePredictor(classifier, errors="ignore")
    with pytest.raises(TypeError, match="Predictor"):
        mxinfer.TablePredictor("models/digits.mxz")


def test_numbers_are_read_where_they_lie_or_gathered():
    predictor = mxinfer.Predictor(str(ROOT / "models" / "digits"), threads=1)
    data = np.random.default_rng(1).integers(0, 255, (6, 1, 32, 32)).astype(np.float32)
    expected = predictor.predict(data)[0]
    flat = pa.array(data.reshape(-1))
    lists = pa.FixedSizeListArray.from_arrays(flat, 1024)
    tensors = pa.FixedShapeTensorArray.from_numpy_ndarray(data)
    for column in (lists, lists.cast(pa.list_(pa.float64(), 1024)), tensors):
        result = mxinfer.TablePredictor(predictor).predict(pa.record_batch({"data": column}))
        output = result.column("probabilities_output")
        assert output.type == pa.list_(pa.field("item", pa.float32()), 10)
        np.testing.assert_allclose(np.array(output.to_pylist()), expected, rtol=1e-5, atol=1e-9)
        assert result.column("error").null_count == 6


def test_a_detector_gives_lists_of_boxes():
    rows = [[2, 0.6, 2, 1, 10, 5], [0, 0.9, 4, 2, 8, 6], [-1, 0.95, 0, 0, 1, 1], [1, 0.3, 2, 2, 4, 4]]
    detector = mxinfer.ObjectDetector(networks.detector(rows, ["cat", "dog", "bird"]))
    batch = pa.record_batch({"photo": pa.array([(IMAGES / "seven.jpg").read_bytes(), None], pa.binary())})
    for threshold, most, labels in [(0.5, None, ["cat", "bird"]), (0.0, None, ["cat", "bird", "dog"]), (0.0, 1, ["cat"])]:
        table = mxinfer.TablePredictor(detector, score_threshold=threshold, max_detections=most)
        result = table.predict(batch)
        result.validate(full=True)
        assert result.schema.names == ["detections", "error"]
        found, none = result.column("detections").to_pylist()
        assert none is None and [each["label"] for each in found] == labels
        expected = detector.detect(str(IMAGES / "seven.jpg"), score_threshold=threshold, max_detections=most)
        for each, wanted in zip(found, expected):
            assert (each["index"], each["score"]) == (wanted.index, pytest.approx(wanted.score))
            box = wanted.box
            assert [each[side] for side in ("left", "top", "right", "bottom")] == [box.left, box.top, box.right, box.bottom]


def test_what_is_there_beside_pyarrow_is_enough(classifier):
    """A stand-in for a library with the protocol alone."""

    class Batch:
        def __init__(self, batch):
            self.batch = batch

        def __arrow_c_array__(self, requested_schema=None):
            return self.batch.__arrow_c_array__()

    assert mxinfer.TablePredictor(classifier).predict(Batch(photos())).column("label").to_pylist()[0] == "seven"
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"photo": [(IMAGES / name).read_bytes() for name in NAMES]})
    if hasattr(frame, "__arrow_c_stream__"):
        assert mxinfer.TablePredictor(classifier).predict(frame).column("label").to_pylist() == ["seven", "zero", "nine"]


def test_results_go_to_any_library_without_pyarrow():
    code = """
import sys
sys.modules["pyarrow"] = None
import mxinfer
from mxinfer.table_predictor import ArrowBatch
table = mxinfer.TablePredictor(mxinfer.ImageClassifier({!r}, threads=1))
class Batch:
    def __init__(self, capsules): self.capsules = capsules
    def __arrow_c_array__(self, requested_schema=None): return self.capsules
del sys.modules["pyarrow"]
import pyarrow
capsules = pyarrow.record_batch({{"photo": [open({!r}, "rb").read()]}}).__arrow_c_array__()
held = sys.modules["pyarrow"]
sys.modules["pyarrow"] = None
result = table.predict(Batch(capsules))
assert type(result) is ArrowBatch, result
result.__arrow_c_schema__()
sys.modules["pyarrow"] = held
assert held.record_batch(result).column("label").to_pylist() == ["seven"]
""".format(DIGITS, str(IMAGES / "seven.jpg"))
    subprocess.run([sys.executable, "-c", code], check=True)


def test_memory_does_not_grow(classifier):
    import os

    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    table = mxinfer.TablePredictor(classifier)
    batch = photos()
    for _ in range(50):
        table.predict(batch)
    before = resident()
    for _ in range(1000):
        table.predict(batch)
    assert resident() - before < 8 << 20


def run_command(*words):
    return subprocess.run([sys.executable, "-m", "mxinfer.predict_table", *map(str, words)], capture_output=True, text=True)


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_the_command_writes_columns_beside_results(tmp_path, suffix):
    source, output = tmp_path / ("in." + suffix), tmp_path / ("out." + suffix)
    table = pa.Table.from_batches([photos()])
    if suffix == "parquet":
        pq.write_table(table, source)
    else:
        with pa.OSFile(str(source), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
    result = run_command(DIGITS, "--input", source, "--columns", "photo", "--output", output, "--keep", "id", "--read-rows", 2, "--json")
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    report = json.loads(result.stdout)
    assert report["rows"] == 5 and report["wrong_rows"] == 2
    written = pq.read_table(output) if suffix == "parquet" else pa.ipc.open_file(pa.memory_map(str(output))).read_all()
    assert written.schema.names == ["id", "label", "score", "index", "error"]
    assert written.column("label").to_pylist() == ["seven", "zero", "nine", None, None]


def test_outputs_keep_their_place_and_mode(tmp_path):
    source, real, link = tmp_path / "in.parquet", tmp_path / "real.parquet", tmp_path / "link.parquet"
    pq.write_table(pa.Table.from_batches([photos()]), source)
    real.write_bytes(b"before")
    real.chmod(0o600)
    link.symlink_to(real)
    assert run_command(DIGITS, "--input", source, "--output", link).returncode == 0
    assert link.is_symlink() and real.stat().st_mode & 0o777 == 0o600
    assert pq.read_table(real).num_rows == 5


def test_rows_are_numbered_through_the_file_and_dictionaries_may_change(tmp_path):
    cells = [(IMAGES / "seven.jpg").read_bytes()] * 7 + [None]
    source, output = tmp_path / "in.parquet", tmp_path / "out.arrow"
    kinds = pa.array(["a", "b", "c", "d", "e", "f", "g", "h"]).dictionary_encode()
    table = pa.table({"kind": kinds, "photo": pa.array(cells, pa.binary())})
    pq.write_table(table, source, row_group_size=3)
    result = run_command(DIGITS, "--input", source, "--columns", "photo", "--output", output, "--errors", "raise", "--read-rows", 2)
    assert result.returncode == 1 and "row 7 " in result.stderr, result.stderr
    result = run_command(DIGITS, "--input", source, "--columns", "photo", "--output", output, "--read-rows", 2)
    assert result.returncode == 0, result.stderr
    written = pa.ipc.open_file(pa.memory_map(str(output))).read_all()
    assert written.column("kind").to_pylist() == list("abcdefgh")
    again = run_command(DIGITS, "--input", output, "--columns", "photo", "--output", tmp_path / "again.arrow", "--keep", "kind", "--read-rows", 3)
    assert again.returncode == 0, again.stderr


def test_the_command_says_what_is_wrong_and_leaves_nothing(tmp_path):
    source, output = tmp_path / "in.parquet", tmp_path / "out.parquet"
    pq.write_table(pa.Table.from_batches([photos()]), source)
    for words, parts in [
        (["--columns", "picture"], ["picture", "'photo' (binary)"]),
        (["--columns", "id"], ["'id'", "int64"]),
        (["--errors", "raise"], ["row 3", "null"]),
        (["--keep", "name"], ["no columns 'name'", "id, photo"]),
        (["--columns", "data=id", "--columns", "data=photo"], ["data=photo", "already"]),
        (["--task", "predict", "--option", "activation=softmax"], ["activation", "--task"]),
        (["--option", "threads"], ["NAME=VALUE"]),
        (["--option", "thread=1"], ["thread", "docs/reference/options.md"]),
        (["--task", "detect"], ["has no boxes"]),
    ]:
        result = run_command(DIGITS, "--input", source, "--output", output, *words)
        assert result.returncode == 1 and result.stdout == "", words
        assert result.stderr.startswith("mxinfer: ") and all(part in result.stderr for part in parts), result.stderr
        assert sorted(path.name for path in tmp_path.iterdir()) == ["in.parquet"], words
    (tmp_path / "folder.parquet").mkdir()
    for wrong, part in [("out.csv", ".parquet"), ("none/out.parquet", "does not exist"), ("folder.parquet", "not a file")]:
        result = run_command(DIGITS, "--input", source, "--output", tmp_path / wrong)
        assert result.returncode == 1 and wrong in result.stderr and part in result.stderr, result.stderr
    result = run_command(DIGITS, "--input", tmp_path / "none.parquet", "--output", output)
    assert result.returncode == 1 and "none.parquet" in result.stderr
    (tmp_path / "text.parquet").write_text("no parquet")
    result = run_command(DIGITS, "--input", tmp_path / "text.parquet", "--output", output)
    assert result.returncode == 1 and "text.parquet" in result.stderr and "Parquet" in result.stderr
