"""20,000 images through the digits model on a standalone cluster: the answers of this machine, each once, whatever breaks."""
import hashlib
import pathlib
import threading
import time

import pytest
from pyspark import TaskContext
from pyspark.sql import functions as F

import mxinfer
from cluster import Cluster, command_line, java, resident_bytes, wait_until
from mxinfer.spark import Metrics, ModelRef, broadcast_model, classify, classify_udf
from digit_images import MODEL, digit_images, write_table

ROWS, FILES = 20_000, 20
MB = 1 << 20

pytestmark = pytest.mark.skipif(java() is None, reason="java is not installed")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with Cluster(tmp_path_factory.mktemp("cluster")) as made:
        yield made


@pytest.fixture(scope="module")
def images():
    return digit_images(ROWS)


@pytest.fixture(scope="module")
def folder(images, tmp_path_factory):
    return str(write_table(images, tmp_path_factory.mktemp("tables") / "images", FILES))


@pytest.fixture(scope="module")
def some_files(folder):
    """A few of its files, for what needs no more."""
    return sorted(map(str, pathlib.Path(folder).glob("*.parquet")))[:4]


@pytest.fixture(scope="module")
def local(images):
    """What the library says without Spark: {id: (label, score, index)}."""
    classifier = mxinfer.ImageClassifier(MODEL)
    found = classifier.classify_batch([content for _, content in images], 1)
    return {name: tuple(classes[0]) for (name, _), classes in zip(images, found)}


@pytest.fixture(scope="module")
def usual(cluster, new_session):
    """Gives the session that most tests share, or makes it again after one of another kind."""
    made = []

    def get():
        if not made or made[-1].sparkContext._jsc is None:
            made.append(new_session(cluster.url))
        return made[-1]

    return get


@pytest.fixture
def spark(usual):
    return usual()


def check(rows, local, count=ROWS):
    """Every image once, with the answers of this machine. How many rows run at once may show in a score's last bits."""
    assert len(rows) == count
    assert len({row["id"] for row in rows}) == count, "rows are there twice"
    for row in rows:
        label, score, index = local[row["id"]]
        assert (row["label"], row["index"], row["error"]) == (label, index, None), row
        assert abs(row["score"] - score) <= 1e-6, row


def timed(run):
    """What it gives, and the rows a second: it ran on all of them."""
    start = time.perf_counter()
    found = run()
    return found, ROWS / (time.perf_counter() - start)


def slowed(task):
    """A step in front of the model, which does something to a task before its rows come: task(partition, attempt)."""

    def run(batches):
        context = TaskContext.get()
        task(context.partitionId(), context.attemptNumber())
        yield from batches

    return lambda table: table.mapInArrow(run, table.schema)


def test_answers_are_those_of_this_machine(spark, cluster, folder, local):
    assert len({index for _, _, index in local.values()}) == 10
    table = spark.read.parquet(folder)
    assert table.rdd.getNumPartitions() == FILES
    metrics = Metrics(spark)
    check(classify(table, MODEL, "content", keep=["id"], metrics=metrics).collect(), local)
    assert (metrics.rows, metrics.errors, metrics.loads) == (ROWS, 0, 2)
    assert all(worker.executors() for worker in cluster.workers)
    # The workers are used again, and so are their models.
    again = Metrics(spark)
    result = classify_udf(MODEL, metrics=again)("content")
    rows, speed = timed(table.select("id", result.alias("r")).select("id", "r.*").collect)
    print(f"\n2 tasks: {speed:.0f} rows a second by classify_udf")
    check(rows, local)
    assert (again.rows, again.loads) == (ROWS, 0)
    rows, speed = timed(classify(table, MODEL, "content", keep=["id"]).collect)
    print(f"2 tasks: {speed:.0f} rows a second by classify")
    check(rows, local)


def test_models_are_in_workers_alone(spark, cluster, some_files):
    classify(spark.read.parquet(*some_files), MODEL, "content", keep=["id"]).collect()
    for worker in cluster.workers:
        running = set(worker.python_workers())
        daemons = {pid for pid in worker.processes("pyspark") if "daemon" in command_line(pid)} - running
        assert running and daemons
        assert all(has_library(pid) for pid in running)
        assert not any(has_library(pid) for pid in daemons)


def has_library(pid):
    return "_native" in pathlib.Path(f"/proc/{pid}/maps").read_text()


@pytest.mark.parametrize("way", ["spark-files", "broadcast", "checksum"])
def test_ways_of_a_model(spark, some_files, local, way):
    if way == "spark-files":
        spark.sparkContext.addFile(MODEL)
        model = "spark-files:digits.mxz"
    elif way == "broadcast":
        model = broadcast_model(spark, MODEL)
    else:
        model = ModelRef(MODEL, hashlib.sha256(pathlib.Path(MODEL).read_bytes()).hexdigest())
    rows = classify(spark.read.parquet(*some_files), model, "content", keep=["id"]).collect()
    check(rows, local, ROWS * len(some_files) // FILES)


def test_model_that_executors_do_not_have(spark, some_files):
    table = spark.read.parquet(some_files[0])
    with pytest.raises(Exception) as caught:
        classify(table, "/no/such/folder/digits.mxz", "content").collect()
    message = str(caught.value)
    for words in ("executor ", "/no/such/folder/digits.mxz", "spark-files:NAME", "broadcast_model"):
        assert words in message
    with pytest.raises(Exception, match="sha256|SHA-256|checksum"):
        classify(table, MODEL, "content", sha256="0" * 64).collect()
    with pytest.raises(Exception, match="SparkContext.addFile"):
        classify(table, "spark-files:absent.mxz", "content").collect()


def test_memory_of_a_worker_is_bounded(spark, cluster, folder):
    """A partition of 400 MB goes through workers that take no more than 256 MB, and no more the third time than the first."""
    padded = spark.read.parquet(folder).withColumn("content", F.concat("content", F.expr("binary(repeat(' ', 20000))")))
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 256)

    def run():
        total = classify(padded.coalesce(1), MODEL, "content", keep=["id"]).filter("error is null").count()
        assert total == ROWS

    def pids():
        return [pid for worker in cluster.workers for pid in worker.python_workers()]

    with Watch(pids) as first:
        run()
    with Watch(pids) as later:
        run()
        run()
    print(f"\nworkers of Python: {first.most / MB:.0f} MB, later {later.most / MB:.0f} MB")
    executors = [pid for worker in cluster.workers for pid in worker.executors()]
    print("executors:", *(f"{resident_bytes(pid) / MB:.0f} MB" for pid in executors))
    assert 0 < first.most < 256 * MB
    assert later.most < first.most + 32 * MB
    assert all(0 < resident_bytes(pid) < 1024 * MB for pid in executors)


class Watch:
    """The most memory that one of some processes has while a block runs."""

    def __init__(self, pids):
        self._pids, self._over, self.most = pids, threading.Event(), 0

    def _run(self):
        while not self._over.wait(0.1):
            self.most = max([self.most, *map(resident_bytes, self._pids())])

    def __enter__(self):
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()


def test_task_that_fails_is_run_again(spark, folder, local, tmp_path):
    """Its rows are written once, though it had given many when it failed."""

    failing = FILES // 4

    def fail(batches):
        context = TaskContext.get()
        for number, batch in enumerate(batches):
            if context.attemptNumber() == 0 and context.partitionId() % 4 == 3 and number == 1:
                raise RuntimeError("the first attempt fails")
            yield batch

    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 100)
    spark.sparkContext.setJobGroup("failing", "failing")
    found = classify(spark.read.parquet(folder), MODEL, "content", keep=["id"])
    found.mapInArrow(fail, found.schema).write.parquet(str(tmp_path / "labels"))
    assert sum(stage.numFailedTasks for stage in stages(spark, "failing")) == failing
    check(spark.read.parquet(str(tmp_path / "labels")).collect(), local)


def test_worker_that_is_lost(spark, cluster, folder, local, tmp_path):
    """Killed in the middle of a job, with its executor and its workers of Python: the others do its tasks."""
    begun, over = tmp_path / "begun", tmp_path / "over"
    begun.mkdir()

    def task(partition, attempt):
        # From the middle of the job on, each of the two workers holds a task until one of them is gone.
        if partition >= FILES // 2:
            (begun / str(partition)).touch()
            while not over.exists():
                time.sleep(0.05)

    table = slowed(task)(spark.read.parquet(folder))
    failures = []

    def write():
        spark.sparkContext.setJobGroup("lost", "lost")
        try:
            classify(table, MODEL, "content", keep=["id"]).write.parquet(str(tmp_path / "labels"))
        except Exception as error:
            failures.append(error)

    lost = cluster.workers[0]
    job = threading.Thread(target=write)
    job.start()
    try:
        wait_until(lambda: len(list(begun.iterdir())) == 2, "tasks in the middle of the job")
        killed = [*lost.executors(), *lost.python_workers()]
        assert len(killed) >= 2, "the worker was not at work"
        lost.kill()
        wait_until(lambda: not any(map(command_line, killed)), "end of what was killed")
        assert job.is_alive() and done_tasks(spark) < FILES, "the job was over"
        over.touch()
        job.join(600)
        assert not job.is_alive() and not failures
    finally:
        over.touch()
        cluster.add_worker()
    assert sum(stage.numFailedTasks for stage in stages(spark, "lost")) >= 1, "no task was lost"
    check(spark.read.parquet(str(tmp_path / "labels")).collect(), local)


def stages(spark, group):
    """What is known of the stages that go over all files, of the jobs of a group."""
    tracker = spark.sparkContext.statusTracker()
    jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(group)]
    found = [tracker.getStageInfo(stage) for job in jobs if job for stage in job.stageIds]
    return [stage for stage in found if stage and stage.numTasks == FILES]


def done_tasks(spark):
    return sum(stage.numCompletedTasks for stage in stages(spark, "lost"))


def test_one_task(new_session, cluster, folder, some_files, local):
    """The speed is printed, to be held against that of two: how they compare depends on what else the machine does."""
    spark = new_session(cluster.url, {"spark.cores.max": 1})
    classify(spark.read.parquet(some_files[0]), MODEL, "content", keep=["id"]).collect()
    rows, speed = timed(classify(spark.read.parquet(folder), MODEL, "content", keep=["id"]).collect)
    print(f"\n1 task: {speed:.0f} rows a second by classify")
    check(rows, local)


def test_speculation_doubles_no_rows(new_session, cluster, folder, local, tmp_path):
    """A second copy of a slow task runs beside it, on the other worker; one of them is written."""
    spark = new_session(cluster.url, {
        "spark.speculation": True,
        "spark.speculation.interval": "100ms",
        "spark.speculation.quantile": 0.5,
        "spark.speculation.multiplier": 1.5,
    })
    attempts, written = tmp_path / "attempts", tmp_path / "written"
    attempts.mkdir()

    def task(partition, attempt):
        (attempts / f"{partition}-{attempt}").touch()
        if partition == 5 and attempt == 0:
            for _ in range(12_000):  # ten minutes: then the table that is written waits for it
                if written.exists():
                    return
                time.sleep(0.05)
            (attempts / "waited for").touch()

    table = slowed(task)(spark.read.parquet(folder))
    classify(table, MODEL, "content", keep=["id"]).write.parquet(str(tmp_path / "labels"))
    written.touch()
    assert (attempts / "5-1").exists(), "no second copy ran"
    assert not (attempts / "waited for").exists(), "the slow task was waited for"
    check(spark.read.parquet(str(tmp_path / "labels")).collect(), local)


def test_workers_have_the_threads_of_a_task(new_session):
    """spark.task.cpus, where the options say nothing."""
    spark = new_session("local[4]", {"spark.task.cpus": 2})

    def threads(batches):
        import pyarrow as pa

        from mxinfer.spark._worker import predictor_of

        found = predictor_of(mxinfer.ImageClassifier, ModelRef(MODEL), {}, None)
        given = predictor_of(mxinfer.ImageClassifier, ModelRef(MODEL), {"threads": 3}, None)
        for _ in batches:
            yield pa.RecordBatch.from_arrays([pa.array([found.options["threads"], given.options["threads"]])], ["n"])

    assert [row.n for row in spark.range(1, numPartitions=1).mapInArrow(threads, "n long").collect()] == [2, 3]
