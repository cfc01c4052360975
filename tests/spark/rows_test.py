"""What becomes of rows and of jobs: wrong images, wrong columns, empty partitions; the functions, and the stage of a Pipeline."""
import numpy as np
import pytest
from pyspark.ml import Pipeline, PipelineModel
from pyspark.sql import functions as F

import mxinfer
import networks
from cluster import java
from mxinfer.spark import Metrics, ModelTransformer, classify, classify_udf, detect, detect_udf, predict, predict_udf
from digit_images import MODEL, SOURCES, digit_images

NETWORK = str(SOURCES / "models" / "digits")
GIANT = 50_000

pytestmark = pytest.mark.skipif(java() is None, reason="java is not installed")


@pytest.fixture(scope="module")
def spark(local_spark):
    return local_spark


@pytest.fixture(scope="module")
def images():
    return digit_images(20)


@pytest.fixture(scope="module")
def table(spark, images):
    """Good images, and a null, a damaged and a giant one."""
    wrong = [("null", None), ("damaged", b"\x89PNG what follows is none"), ("giant", bytes(GIANT))]
    return spark.createDataFrame(images + wrong, "id string, content binary").repartition(3).cache()


@pytest.fixture(scope="module")
def local(images):
    """The three best classes by the library without Spark."""
    found = mxinfer.ImageClassifier(MODEL).classify_batch([content for _, content in images], 3)
    return {name: [tuple(one) for one in classes] for (name, _), classes in zip(images, found)}


def check_same(found, expected):
    """The same classes for every image. How many rows run at once may show in a score's last bits."""
    assert {name: [(label, index) for label, _, index in classes] for name, classes in found.items()} == {
        name: [(label, index) for label, _, index in classes] for name, classes in expected.items()}
    for name, classes in found.items():
        for (_, score, _), (_, known, _) in zip(classes, expected[name]):
            assert abs(score - known) <= 1e-6, name


def check_wrong(rows):
    """The three rows that are wrong have a message, and nothing else."""
    wrong = {row["id"]: row for row in rows if row["error"] is not None}
    assert set(wrong) == {"null", "damaged", "giant"}
    assert "null" in wrong["null"]["error"]
    assert "not a JPEG or PNG" in wrong["damaged"]["error"] or "PNG" in wrong["damaged"]["error"]
    assert f"{GIANT} bytes" in wrong["giant"]["error"] and "max_cell_bytes=" in wrong["giant"]["error"]
    for row in wrong.values():
        assert all(row[name] is None for name in row.asDict() if name not in ("id", "content", "error"))


def test_classify_by_table(spark, table, local):
    metrics = Metrics(spark)
    found = classify(table, MODEL, "content", max_cell_bytes=GIANT - 1, metrics=metrics)
    assert found.columns == ["id", "content", "label", "score", "index", "error"]
    rows = found.collect()
    assert {row["id"]: row["content"] for row in rows} == {row["id"]: row["content"] for row in table.collect()}
    check_wrong(rows)
    check_same({row["id"]: [(row["label"], row["score"], row["index"])] for row in rows if row["error"] is None},
               {name: classes[:1] for name, classes in local.items()})
    assert (metrics.rows, metrics.errors) == (23, 3)
    assert metrics.batches >= 3 and 1 <= metrics.loads <= 2 and metrics.load_seconds > 0


@pytest.fixture(scope="module")
def detector(tmp_path_factory):
    """The prefix of a network that finds a cat and a bird in each image."""
    rows = [[2, 0.6, 2, 1, 10, 5], [0, 0.9, 4, 2, 8, 6], [-1, 0.95, 0, 0, 1, 1], [1, 0.3, 2, 2, 4, 4]]
    symbol, params = networks.detector_files(rows)
    folder = tmp_path_factory.mktemp("detector")
    (folder / "net-symbol.json").write_text(symbol)
    (folder / "net-0000.params").write_bytes(params)
    (folder / "synset.txt").write_text("cat\ndog\nbird\n")
    return str(folder / "net")


def test_detect(table, images, detector):
    """By table, by column and as a stage: the boxes that the library finds without Spark."""
    local = mxinfer.ObjectDetector(detector).detect_batch([content for _, content in images], score_threshold=0.2)
    wanted = {name: [(each.label, each.score, each.index, *each.box) for each in found]
              for (name, _), found in zip(images, local)}
    assert all([each[0] for each in found] == ["cat", "bird", "dog"] for found in wanted.values())
    how = {"score_threshold": 0.2, "max_cell_bytes": GIANT - 1}
    by_column = table.withColumn("result", detect_udf(detector, **how)("content")).select("id", "result.*")
    stage = ModelTransformer(task="detect", inputCol="content", outputCol="result", modelUri=detector, scoreThreshold=0.2,
                             maxCellBytes=GIANT - 1)
    for made in (detect(table, detector, "content", keep=["id"], **how), by_column,
                 stage.transform(table).select("id", "result.*")):
        rows = made.collect()
        check_wrong(rows)
        assert {row["id"]: [tuple(each) for each in row["detections"]] for row in rows if row["error"] is None} == wanted
    best = detect(table, detector, "content", keep=["id"], max_detections=1).filter("error is null").collect()
    assert all([each["label"] for each in row["detections"]] == ["cat"] for row in best)


def test_classify_by_column(spark, table, local):
    metrics = Metrics(spark)
    result = classify_udf(MODEL, max_cell_bytes=GIANT - 1, metrics=metrics)("content")
    rows = table.withColumn("result", result).select("id", "result.*").collect()
    check_wrong(rows)
    check_same({row["id"]: [(row["label"], row["score"], row["index"])] for row in rows if row["error"] is None},
               {name: classes[:1] for name, classes in local.items()})
    # Each row goes through the model once, however many fields of the result are used.
    assert (metrics.rows, metrics.errors) == (23, 3)


def test_best_classes(table, local):
    by_table = classify(table, MODEL, "content", top_k=3, output_col="result", keep=["id"], max_cell_bytes=GIANT - 1)
    by_column = table.select("id", classify_udf(MODEL, 3, max_cell_bytes=GIANT - 1)("content").alias("result"))
    assert by_table.schema["result"].dataType == by_column.schema["result"].dataType
    for found in (by_table, by_column):
        rows = found.select("id", "result.*").collect()
        check_wrong(rows)
        check_same({row["id"]: [tuple(one) for one in row["classes"]] for row in rows if row["error"] is None}, local)


def test_images_as_spark_reads_them(spark, local):
    """The sources "image" and "binaryFile", and paths."""
    folder = str(SOURCES / "examples" / "images")
    images = spark.read.format("image").load(folder).select(F.col("image.origin").alias("path"), "image")
    files = spark.read.format("binaryFile").load(folder)
    paths = files.select(F.expr("substr(path, 6)").alias("path"))  # without "file:"
    name = F.regexp_extract("path", r"(\w+)\.\w+$", 1).alias("name")
    names = {path.stem: path.stem for path in (SOURCES / "examples" / "images").iterdir()}
    for read, column in ((images, "image"), (files, "content"), (paths, "path")):
        for found in (classify(read, MODEL, column), read.select("*", classify_udf(MODEL)(column).alias("r")).select("*", "r.*")):
            rows = found.select(name, "label", "error").collect()
            assert [row["error"] for row in rows] == [None] * len(names)
            assert {row["name"]: row["label"] for row in rows} == names


def test_wrong_rows_that_fail_the_job(table):
    good = table.filter("id like 'image%'")
    assert "error" not in classify(good, MODEL, "content", errors="raise").columns
    assert classify(good, MODEL, "content", errors="raise").count() == 20
    for job in (classify(table, MODEL, "content", errors="raise"),
                table.select(classify_udf(MODEL, errors="raise")("content").alias("r")).select("r.*")):
        with pytest.raises(Exception, match=r'row \d+ of partition \d+: .*errors="column"'):
            job.collect()


def test_all_null(spark):
    nothing = spark.createDataFrame([("a", None), ("b", None)], "id string, content binary")
    for found in (classify(nothing, MODEL, "content"),
                  nothing.select("id", classify_udf(MODEL)("content").alias("r")).select("id", "r.*")):
        rows = found.collect()
        assert [(row["label"], row["score"], row["error"]) for row in rows] == [(None, None, "the cell is null")] * 2


def test_empty_partitions(spark, table):
    metrics = Metrics(spark)
    empty = table.filter("id = 'none'")
    assert classify(empty, MODEL, "content", metrics=metrics).collect() == []
    assert empty.select(classify_udf(MODEL)("content")).collect() == []
    few = table.filter("id like 'image00000%'").repartition(50)
    assert classify(few, MODEL, "content").count() == 10
    # A partition without rows needs no model either.
    assert classify(empty, "/no/such/model", "content").collect() == []
    assert metrics.loads == 0


@pytest.mark.parametrize("call, words", [
    (lambda t: classify(t, MODEL, "when"), ["'when'", "timestamp", "binary"]),
    (lambda t: classify(t, MODEL, "contents"), ["'contents'", "there is none", "content"]),
    (lambda t: detect(t, MODEL, "numbers"), ["'numbers'", "array<double>", "binary"]),
    (lambda t: predict(t, NETWORK, "when"), ["'when'", "timestamp", "numbers"]),
    (lambda t: predict(t, NETWORK, "id"), ["id"]),
    (lambda t: predict(t, "/no/such/model", "numbers"), ["/no/such/model", "returns="]),
    (lambda t: predict(t, NETWORK, returns="x array<float>"), ["columns"]),
    (lambda t: classify(t, MODEL, "content", keep=["ids"]), ["keep", "'ids'"]),
    (lambda t: classify(t.withColumn("label", F.lit(1)), MODEL, "content"), ["'label'", "output_col"]),
    (lambda t: classify(t, MODEL, "content", errors="ignore"), ["errors", "'ignore'", "'raise'"]),
    (lambda t: classify(t, MODEL, "content", top_k=0), ["top_k", "0"]),
    (lambda t: classify(t, MODEL, "content", batch_rows=-1), ["batch_rows", "-1"]),
    (lambda t: classify(t, MODEL, "content", treads=2), ["treads", "threads"]),
    (lambda t: ModelTransformer(inputCol="when", modelUri=MODEL).transform(t), ["'when'", "timestamp"]),
    (lambda t: ModelTransformer(inputCol="content").transform(t), ["modelUri"]),
    (lambda t: ModelTransformer(modelUri=MODEL).transform(t), ["inputCol"]),
    (lambda t: ModelTransformer(inputCol="content", outputCol="id", modelUri=MODEL).transform(t), ["outputCol", "'id'"]),
])
def test_mistakes_are_found_before_a_job(spark, jobs_of, call, words):
    table = spark.createDataFrame(
        [("a", b"", [1.0])], "id string, content binary, numbers array<double>").withColumn("when", F.current_timestamp())
    jobs = jobs_of(spark)
    with pytest.raises((mxinfer.Error, TypeError)) as caught:
        call(table)
    for word in words:
        assert word in str(caught.value)
    assert len(jobs()) == 0


def test_jobs_are_seen(spark, jobs_of, table):
    """What the test before relies on."""
    jobs = jobs_of(spark)
    classify(table, MODEL, "content").count()
    assert len(jobs()) > 0


def digits_as_numbers(images):
    """What the bare network takes: 1024 numbers of each."""
    predictor = mxinfer.ImageClassifier(NETWORK)
    return [(name, [float(x) for x in predictor.preprocess([_pixels(content)])[0].ravel()]) for name, content in images]


def _pixels(content):
    import io

    from PIL import Image

    return Image.open(io.BytesIO(content)).convert("L")


def test_predict(spark, images):
    rows = digits_as_numbers(images)
    table = spark.createDataFrame(rows, "id string, data array<float>")
    batch = np.array([numbers for _, numbers in rows], np.float32).reshape(-1, 1, 32, 32)
    expected = dict(zip([name for name, _ in rows], mxinfer.Predictor(NETWORK).predict(batch)[0].tolist()))
    for found in (
        predict(table, NETWORK),
        predict(table, NETWORK, "data", keep=["id"]),
        predict(table, NETWORK, "data", returns="probabilities_output array<float>"),
        table.select("id", predict_udf(NETWORK)("data").alias("r")).select("id", "r.*"),
        table.select("id", predict_udf(NETWORK, "probabilities_output array<float>")("data").alias("r")).select("id", "r.*"),
    ):
        rows = found.collect()
        assert {row["id"]: row["probabilities_output"] for row in rows} == expected
        assert all(row["error"] is None for row in rows)
    labels = classify(table, NETWORK, "data", keep=["id"]).collect()
    assert [row["index"] for row in labels] == [int(np.argmax(expected[row["id"]])) for row in labels]


def test_pipeline_is_saved(spark, table, tmp_path, local):
    stage = ModelTransformer(inputCol="content", outputCol="found", modelUri=MODEL, topK=3, batchSize=8,
                             maxCellBytes=GIANT - 1, options={"threads": 1})
    path = str(tmp_path / "pipeline")
    Pipeline(stages=[stage]).fit(table).write().overwrite().save(path)
    loaded = PipelineModel.load(path)
    again = loaded.stages[0]
    assert isinstance(again, ModelTransformer)
    assert (again.getTopK(), again.getBatchSize(), again.getModelUri()) == (3, 8, MODEL)
    assert (again.getOptions(), again.getErrors(), again.getOutputCol()) == ({"threads": 1}, "column", "found")
    result = loaded.transform(table)
    assert result.schema == again.transformSchema(table.schema)
    rows = result.select("id", "found.*").collect()
    check_wrong(rows)
    check_same({row["id"]: [tuple(one) for one in row["classes"]] for row in rows if row["error"] is None}, local)


def test_stage_of_other_tasks(spark, images):
    table = spark.createDataFrame(digits_as_numbers(images[:3]), "id string, data array<float>")
    stage = ModelTransformer(task="predict", inputCol="data", modelUri=NETWORK)
    assert len(stage.transform(table).select("result.probabilities_output").first()[0]) == 10
    assert stage.copy().getTask() == "predict"
    with pytest.raises(mxinfer.InvalidArgumentError, match="plain text"):
        stage.setOptions({"s3_secret_access_key": "secret"})


def test_rows_of_a_batch_are_limited(spark, table):
    """To 256, unless the session says how many."""
    name = "spark.sql.execution.arrow.maxRecordsPerBatch"
    spark.conf.unset(name)
    classify(table, MODEL, "content")
    assert spark.conf.get(name) == "256"
    spark.conf.set(name, "1000")
    classify_udf(MODEL)
    assert spark.conf.get(name) == "1000"
    spark.conf.set(name, "7")
    metrics = Metrics(spark)
    classify(table.coalesce(1), MODEL, "content", metrics=metrics).count()
    assert metrics.batches == 4  # of 23 rows
    spark.conf.unset(name)
