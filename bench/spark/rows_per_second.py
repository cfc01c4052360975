#!/usr/bin/env python3
"""Rows a second of a job of mxinfer.spark on one machine, beside the command `mxinfer classify` on the same images as files,
and beside MXNet, in a pandas UDF of the same job and alone.

    python bench/spark/rows_per_second.py --mxinfer build/release/bin/mxinfer --model resnet18_v1/model --images 1000
    ... --mxnet-python MXNET_PYTHON          with MXNet: a Python of the same version with mxnet, pandas and pyarrow

It runs where mxinfer, pyspark, pyarrow, pandas and pillow are. The images are JPEGs made from a seed. All ways run in turn,
in each round; what is printed are medians, and the medians of the ratios within the rounds. The session is started before,
and each way has run once: the time of a job is that of a job in a session that is at work. The command starts anew each time.
Rows a core-second are counted by the time of the processors that all processes of a way took, Java's included: what else the
machine does changes these little.
"""
import argparse
import contextlib
import io
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image
from pyspark.sql import SparkSession

import mxinfer.spark

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "spark"))
from cluster import children, descendants

MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


def jpeg(random, side):
    """Smooth blobs with some noise: about as large as a photo of that size."""
    coarse = random.integers(0, 256, (12, 12, 3), dtype=np.uint8)
    image = np.asarray(Image.fromarray(coarse).resize((side, side), Image.Resampling.BICUBIC), np.int16)
    noisy = np.clip(image + random.integers(-12, 13, image.shape), 0, 255).astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(noisy).save(file, "JPEG", quality=85)
    return file.getvalue()


def write_images(folder, count, side, files):
    """The same images as files and as a table of several Parquet files."""
    random = np.random.default_rng(7)
    contents = [jpeg(random, side) for _ in range(count)]
    (folder / "files").mkdir()
    (folder / "table").mkdir()
    for number, content in enumerate(contents):
        (folder / "files" / f"{number:07d}.jpg").write_bytes(content)
    for part in range(files):
        ids = list(range(part, count, files))
        cells = pa.array([contents[number] for number in ids], pa.binary())
        pq.write_table(pa.table({"id": ids, "content": cells}), folder / "table" / f"{part}.parquet")
    return sum(map(len, contents)) / count


def preprocess_and_run(given, threads):
    """What MXNet does with a list of images: a function that gives the best class of each."""
    os.environ.update(OMP_NUM_THREADS=str(threads), MXNET_SUBGRAPH_BACKEND="MKLDNN", MXNET_SUBGRAPH_VERBOSE="0")
    import mxnet as mx

    symbol, args, auxiliary = mx.model.load_checkpoint(given["model"], 0)
    module = mx.mod.Module(symbol, data_names=["data"], label_names=None)
    module.bind(for_training=False, data_shapes=[("data", (given["batch"], 3, 224, 224))])
    module.set_params(args, auxiliary)
    mean, std = mx.nd.array(MEAN).reshape((3, 1, 1)), mx.nd.array(STD).reshape((3, 1, 1))

    def prepared(content):
        image = mx.image.center_crop(mx.image.resize_short(mx.image.imdecode(content), 256), (224, 224))[0]
        return (image.transpose((2, 0, 1)).astype("float32") / 255 - mean) / std

    def run(contents):
        found = []
        for start in range(0, len(contents), given["batch"]):
            images = [prepared(content) for content in contents[start : start + given["batch"]]]
            images += [images[0]] * (given["batch"] - len(images))  # a module has one batch
            module.forward(mx.io.DataBatch([mx.nd.stack(*images)]), is_train=False)
            found += module.get_outputs()[0].argmax(axis=1).asnumpy().astype(int).tolist()
        return found[: len(contents)]

    return run


def mxnet_job(table, given):
    """The same job with MXNet in a pandas UDF, the network loaded once a worker."""
    from typing import Iterator

    import pandas as pd
    from pyspark.sql.functions import pandas_udf

    source = pathlib.Path(__file__).read_text()

    def classes(batches):
        import builtins

        import pandas

        if not hasattr(builtins, "bench_mxnet"):
            # The functions of this file that need no Spark, for a Python that has none of what is imported above.
            start, end = source.index("def preprocess_and_run"), source.index("def mxnet_job")
            names = {"os": __import__("os"), "MEAN": MEAN, "STD": STD}
            exec(source[start:end], names)
            builtins.bench_mxnet = names["preprocess_and_run"](given, 1)
        for batch in batches:
            yield pandas.Series(builtins.bench_mxnet(list(batch)))

    classes.__annotations__ = {"batches": Iterator[pd.Series], "return": Iterator[pd.Series]}
    return table.select("id", pandas_udf(classes, "long")("content").alias("index"))


MXNET_ALONE = """
import os, pathlib, sys
source = pathlib.Path({path!r}).read_text()
names = {{"os": os, "MEAN": {mean!r}, "STD": {std!r}}}
exec(source[source.index("def preprocess_and_run"):source.index("def mxnet_job")], names)
run = names["preprocess_and_run"]({given!r}, 1)
contents = [path.read_bytes() for path in sorted(pathlib.Path({folder!r}).iterdir())[{part} :: {parts}]]
print(len(run(contents)))
"""


@contextlib.contextmanager
def python_of_workers(spark, python):
    """Jobs that are made meanwhile run in that Python."""
    before, spark.sparkContext.pythonExec = spark.sparkContext.pythonExec, python
    try:
        yield
    finally:
        spark.sparkContext.pythonExec = before


class Ways:
    """The ways to run all images, by name; each gives how many rows it had."""

    def __init__(self, given, folder, spark):
        self._given, self._folder, self._spark = given, folder, spark
        self.all = {"mxinfer classify": self.command, "job of mxinfer.spark, by classify": self.job_by_table,
                    "job of mxinfer.spark, by classify_udf": self.job_by_column}
        if given.mxnet_python:
            self.all.update({"MXNet alone": self.mxnet, "job with MXNet in a pandas UDF": self.mxnet_job})

    def _options(self):
        return {"preset": self._given.preset} if self._given.preset else {}

    def _table(self):
        return self._spark.read.parquet(str(self._folder / "table"))

    def command(self):
        words = [self._given.mxinfer, "classify", self._given.model, str(self._folder / "files"), "-k", "1", "--ndjson",
                 "--threads", str(self._given.tasks), "--batch-size", str(self._given.batch), "--quiet"]
        words += ["--preset", self._given.preset] if self._given.preset else []
        return len(subprocess.run(words, check=True, capture_output=True).stdout.splitlines())

    def job_by_table(self):
        found = mxinfer.spark.classify(self._table(), self._given.model, "content", keep=["id"], errors="raise",
                                       batch_rows=self._given.batch, **self._options())
        return len(found.collect())

    def job_by_column(self):
        result = mxinfer.spark.classify_udf(self._given.model, errors="raise", batch_rows=self._given.batch, **self._options())
        return len(self._table().select("id", result("content").alias("r")).select("id", "r.*").collect())

    def mxnet_job(self):
        with python_of_workers(self._spark, self._given.mxnet_python):
            found = mxnet_job(self._table(), {"model": self._given.model, "batch": self._given.batch})
        return len(found.collect())

    def mxnet(self):
        """A process of one thread for each of the tasks, each with its share."""
        parts = self._given.tasks
        programs = [MXNET_ALONE.format(
            path=__file__, mean=MEAN, std=STD, given={"model": self._given.model, "batch": self._given.batch},
            part=part, parts=parts, folder=str(self._folder / "files")) for part in range(parts)]
        started = [subprocess.Popen([self._given.mxnet_python, "-c", program], stdout=subprocess.PIPE, text=True)
                   for program in programs]
        return sum(int(process.communicate()[0]) for process in started)


class Processors:
    """The seconds of processors that this process and all below it have taken, those that have ended included.

    Spark's daemon lets its workers go without a trace, so they are looked at while they live. With a cluster, its processes
    are not below this one.
    """

    def __init__(self):
        self._seen, self._direct = {}, set()
        self._lock = threading.Lock()
        threading.Thread(target=self._watch, daemon=True).start()

    def seconds(self):
        """So far."""
        with self._lock:
            self._look()
            own = [usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, _OWN_AND_ENDED)]
            return sum(own) + sum(self._seen.values()) / os.sysconf("SC_CLK_TCK")

    def _watch(self):
        while True:
            with self._lock:
                self._look()
            time.sleep(0.25)

    def _look(self):
        known = children()
        direct = set(known.get(os.getpid(), []))
        for pid in descendants(os.getpid(), known):
            with contextlib.suppress(OSError):
                fields = pathlib.Path("/proc", str(pid), "stat").read_text().rpartition(")")[2].split()
                self._seen[pid] = sum(map(int, fields[11:13]))
        # The system adds up those that this process has waited for.
        for pid in self._direct - direct:
            self._seen.pop(pid, None)
        self._direct = direct


_OWN_AND_ENDED = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)


def report(measured, count):
    """Prints what was measured: {way: [(seconds, processor seconds)]}."""
    speed = {name: [[count / each for each in times] for times in zip(*rounds)] for name, rounds in measured.items()}
    for name, (wall, core) in speed.items():
        print(f"{statistics.median(wall):9.1f} rows/s {statistics.median(core):9.1f} rows/core-second  {name}")

    def ratio(one, other):
        if one in speed and other in speed:
            wall, core = (statistics.median(a / b for a, b in zip(speed[one][n], speed[other][n])) for n in (0, 1))
            print(f"{wall:9.2f}        {core:9.2f}                   {one} / {other}")

    ratio("job of mxinfer.spark, by classify", "mxinfer classify")
    ratio("job of mxinfer.spark, by classify_udf", "mxinfer classify")
    ratio("mxinfer classify", "MXNet alone")
    ratio("job of mxinfer.spark, by classify", "job with MXNet in a pandas UDF")
    if "MXNet alone" not in speed:
        print("MXNet is left out: --mxnet-python names a Python that has it")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--mxinfer", required=True, help="the command")
    parser.add_argument("--model", required=True, help="a bundle or a prefix; a prefix for MXNet")
    parser.add_argument("--preset", help="how images become the input, such as imagenet, if the model does not say")
    parser.add_argument("--images", type=int, default=1000)
    parser.add_argument("--side", type=int, default=300, help="of an image, in pixels")
    parser.add_argument("--tasks", type=int, default=2, help="tasks at a time, of one thread each; the command's threads")
    parser.add_argument("--files", type=int, default=8, help="Parquet files, one task each")
    parser.add_argument("--batch", type=int, default=32, help="images that go through the network at a time")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--master", help="of a cluster; without it, local[TASKS]")
    parser.add_argument("--mxnet-python", help="a Python with mxnet, pandas and pyarrow")
    return parser.parse_args()


def main():
    given = arguments()
    given.mxinfer, given.model = os.path.abspath(given.mxinfer), os.path.abspath(given.model)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    spark = (SparkSession.builder.master(given.master or f"local[{given.tasks}]").appName("bench")
             .config("spark.ui.enabled", False).config("spark.ui.showConsoleProgress", False)
             .config("spark.sql.files.maxPartitionBytes", "1g").config("spark.sql.files.openCostInBytes", "1g").getOrCreate())
    spark.sparkContext.setLogLevel("ERROR")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        size = write_images(folder, given.images, given.side, given.files)
        print(f"{given.images} images of {size / 1000:.0f} kB, {given.tasks} tasks, {given.rounds} rounds, "
              f"{os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}")
        ways = Ways(given, folder, spark).all
        measured, processors = {name: [] for name in ways}, Processors()
        for number in range(given.rounds + 1):
            for name, run in ways.items():
                start, before = time.perf_counter(), processors.seconds()
                rows = run()
                assert rows == given.images, (name, rows)
                if number:
                    measured[name].append((time.perf_counter() - start, processors.seconds() - before))
        report(measured, given.images)
    spark.stop()


if __name__ == "__main__":
    main()
