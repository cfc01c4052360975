"""mxinfer.spark on Spark: sessions of PySpark, local ones and on a standalone cluster.

    tests/spark/run.sh BUILD_FOLDER cluster_test.py [ARGUMENTS OF PYTEST...]
"""
import os
import sys

import pytest
from pyspark.sql import SparkSession

from cluster import HOST
from digit_images import PARTITIONS, SOURCES

sys.path.append(str(SOURCES / "python" / "tests"))  # networks


@pytest.fixture(scope="session")
def root():
    return SOURCES


@pytest.fixture(scope="session")
def new_session(tmp_path_factory):
    """Makes a session in the place of the one that there is: new_session(master, {"spark.speculation": True})."""
    folder = tmp_path_factory.mktemp("driver")
    os.environ.update(SPARK_LOCAL_IP=HOST, SPARK_LOCAL_DIRS=str(folder), PYSPARK_PYTHON=sys.executable)
    sessions = []

    def make(master, settings=None):
        while sessions:
            sessions.pop().stop()
        builder = SparkSession.builder.master(master).appName("mxinfer tests")
        usual = {
            "spark.ui.enabled": False,
            "spark.ui.showConsoleProgress": False,
            "spark.driver.host": HOST,
            "spark.driver.memory": "768m",
            "spark.executor.memory": "512m",
            "spark.sql.shuffle.partitions": 2,
            "spark.sql.warehouse.dir": str(folder / "warehouse"),
            **PARTITIONS,
        }
        for name, value in {**usual, **(settings or {})}.items():
            builder = builder.config(name, value)
        sessions.append(builder.getOrCreate())
        sessions[-1].sparkContext.setLogLevel("OFF")
        return sessions[-1]

    yield make
    while sessions:
        sessions.pop().stop()


@pytest.fixture(scope="module")
def local_spark(new_session):
    """A session without a cluster, with two tasks at a time."""
    return new_session("local[2]")


@pytest.fixture
def jobs_of(request):
    """The ids of the jobs that the session has run since the test began."""

    def make(spark):
        group = request.node.nodeid
        spark.sparkContext.setJobGroup(group, group)
        return lambda: spark.sparkContext.statusTracker().getJobIdsForGroup(group)

    return make
