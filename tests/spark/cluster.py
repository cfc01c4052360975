"""Spark's standalone cluster on the loopback: a master and workers that are processes of their own, out of PySpark's jars.

    with Cluster(folder, workers=2) as cluster:
        cluster.url                            # spark://127.0.0.1:PORT
        cluster.workers[0].processes()         # what runs below it: executors, daemons of Python, their workers
        cluster.workers[0].kill()              # it and all of these, at once

From a shell, for programs in other languages: the command's environment has SPARK_HOME and SPARK_MASTER_URL, and its exit
status is that of this program.

    python tests/spark/cluster.py FOLDER --workers 2 -- COMMAND...
"""
import argparse
import contextlib
import ctypes
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

HOST = "127.0.0.1"  # of the master and of the driver
_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


def spark_home():
    """Where Spark is: SPARK_HOME, else inside of PySpark's package."""
    if os.environ.get("SPARK_HOME"):
        return pathlib.Path(os.environ["SPARK_HOME"])
    import pyspark

    return pathlib.Path(pyspark.__file__).parent


def scala_version():
    """2.12 or 2.13: what Spark's jars are of."""
    library = next((spark_home() / "jars").glob("scala-library-*.jar"))
    return re.search(r"-(\d+\.\d+)", library.name).group(1)


def java():
    """The command java: that of JAVA_HOME, else the first in PATH. None: there is none."""
    home = os.environ.get("JAVA_HOME")
    return str(pathlib.Path(home, "bin", "java")) if home else shutil.which("java")


def wait_until(is_so, what, seconds=300):
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, f"{what}: waited {seconds} s in vain"
        time.sleep(0.05)


def children():
    """The processes that there are, by the id of their parent."""
    found = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError):
                # The name in brackets may have spaces: what counts stands behind it.
                fields = pathlib.Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()
                found.setdefault(int(fields[1]), []).append(int(entry))
    return found


def descendants(pid, known=None):
    """The ids of all processes below one; `known` is what children() has given."""
    known, found, left = known or children(), [], [pid]
    while left:
        below = known.get(left.pop(), [])
        found += below
        left += below
    return found


def command_line(pid):
    """What a process was started with; empty where it is gone."""
    try:
        return pathlib.Path("/proc", str(pid), "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return ""


def resident_bytes(pid):
    """The memory that a process has to itself: its resident pages that are not of files and not shared. 0: it is gone."""
    try:
        status = pathlib.Path("/proc", str(pid), "status").read_text()
    except OSError:
        return 0
    found = re.search(r"^RssAnon:\s+(\d+) kB", status, re.MULTILINE)
    return int(found.group(1)) * 1024 if found else 0


def kill(pids):
    """Ends processes at once, by their ids."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


class Cluster:
    """A master and workers, each of `cores` and `memory`, with everything they write below `folder`."""

    def __init__(self, folder, workers=2, cores=1, memory="1g", env=None):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._env = env or {}
        self.master = _Daemon(self, "master", HOST, "org.apache.spark.deploy.master.Master", [])
        self.workers = []
        try:
            self.url = self.master.wait_for(r"Starting Spark master at (spark://\S+)")
            for _ in range(workers):
                self.add_worker(cores, memory)
        except BaseException:
            self.stop()
            raise

    def add_worker(self, cores=1, memory="1g"):
        """One more worker. It has registered when this returns.

        Each has an address of its own: Spark runs no second copy of a task on the host where the first one runs.
        """
        name = f"worker{len(self.workers)}"
        host = f"127.0.0.{len(self.workers) + 2}"
        work = self.folder / name
        words = ["--cores", str(cores), "--memory", memory, "--work-dir", str(work), self.url]
        self.workers.append(_Daemon(self, name, host, "org.apache.spark.deploy.worker.Worker", words))
        self.workers[-1].wait_for(r"Successfully registered with master (\S+)")
        return self.workers[-1]

    def stop(self):
        """Ends what it started."""
        for daemon in (*self.workers, self.master):
            daemon.kill()

    def environment(self, host=HOST):
        """The variables for its own processes, and for programs that use it."""
        names = {
            "SPARK_HOME": str(spark_home()),
            "SPARK_SCALA_VERSION": scala_version(),
            "SPARK_LOCAL_IP": host,
            "SPARK_LOCAL_DIRS": str(self.folder / "local"),
            "SPARK_CONF_DIR": str(self.folder / "conf"),
        }
        return {**os.environ, **names, **self._env}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class _Daemon:
    """A Java process of Spark's, with its log."""

    def __init__(self, cluster, name, host, java_class, words):
        self.name, self._log = name, cluster.folder / f"{name}.log"
        temporary = cluster.folder / "tmp"
        temporary.mkdir(exist_ok=True)
        command = [
            java(), "-cp", str(spark_home() / "jars" / "*"), "-Xmx256m", f"-Djava.io.tmpdir={temporary}",
            "-Dspark.master.rest.enabled=false", *_OPENED, java_class,
            "--host", host, "--port", "0", "--webui-port", "0", *words,
        ]
        with open(self._log, "wb") as output:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                                            env=cluster.environment(host), cwd=cluster.folder, preexec_fn=_end_with_parent)

    @property
    def pid(self):
        return self.process.pid

    def log(self):
        return self._log.read_text(errors="replace")

    def wait_for(self, pattern):
        """The first group of what its log says."""

        def has_come():
            assert self.process.poll() is None, f"the {self.name} has ended:\n{self.log()}"
            return re.search(pattern, self.log())

        wait_until(has_come, f"{self.name}: {pattern}")
        return re.search(pattern, self.log()).group(1)

    def processes(self, words=""):
        """The ids of the processes below it whose command line holds these words."""
        return [pid for pid in descendants(self.pid) if words in command_line(pid)]

    def executors(self):
        return self.processes("CoarseGrainedExecutorBackend")

    def python_workers(self):
        """The processes of Python that run tasks, without the daemon that forks them."""
        daemons = self.processes("pyspark.daemon") + self.processes("pyspark/daemon")
        return [pid for pid in daemons if any(parent in daemons for parent, below in children().items() if pid in below)]

    def kill(self):
        """Ends it and all below it, at once, as a machine does that loses its power."""
        below = descendants(self.pid) if self.process.poll() is None else []
        kill([self.pid] if self.process.poll() is None else [])
        kill(below)
        self.process.wait()


# What Spark needs of the Java of today, as its own scripts give it.
_OPENED = [
    "-XX:+IgnoreUnrecognizedVMOptions",
    *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in (
        "java.lang", "java.lang.invoke", "java.lang.reflect", "java.io", "java.net", "java.nio", "java.util",
        "java.util.concurrent", "java.util.concurrent.atomic", "sun.nio.ch", "sun.nio.cs", "sun.security.action",
        "sun.util.calendar")),
]


def _end_with_parent():
    # Tests that are killed leave no cluster behind; executors end with their worker.
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def main():
    parser = argparse.ArgumentParser(description="Runs a command beside a standalone cluster.")
    parser.add_argument("folder", help="for logs and temporary files")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--cores", type=int, default=1, help="of each worker")
    parser.add_argument("--memory", default="1g", help="of each worker")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="after --")
    given = parser.parse_args()
    command = given.command[1:] if given.command[:1] == ["--"] else given.command
    if not command:
        parser.error("a command is wanted after --")
    with Cluster(given.folder, given.workers, given.cores, given.memory) as cluster:
        return subprocess.call(command, env={**cluster.environment(), "SPARK_MASTER_URL": cluster.url})


if __name__ == "__main__":
    sys.exit(main())
