"""Who is measured. All have the same few methods, so that measuring needs not know which is which:

    with start("openvino", setup, network, batch=1, threads=2) as contestant:
        contestant.predict(folder)         # outputs as arrays
        contestant.predict_samples(samples, folder)  # of a calibration set's file
        contestant.time(runs=5, seconds=1) # milliseconds of each call
"""
import json
import pathlib
import subprocess
import tempfile

import numpy as np

import calibration
from held import ISA, PRECISIONS, Setup  # noqa: F401: whoever measures takes them from here
from names import FLOAT32

HERE = pathlib.Path(__file__).resolve().parent


class Unable(Exception):
    """The contestant does not run this network; the text says why."""


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200].removeprefix("RuntimeError: ") if lines else "no message"


def one_line(text):
    return " ".join(text.split())[:200] or "no message"


class Worker:
    """A peer, in a process that stays."""

    def __init__(self, name, setup, network, batch, threads, **environment):
        self.errors = tempfile.TemporaryFile("w+")
        self.folder = setup.folder(network, batch)
        script = f"{name}_photo_worker.py" if network.photo else f"{name}_worker.py"
        command = [setup.pythons[name], "-W", "ignore", HERE / "workers" / script, self.folder, str(threads)]
        self.process = subprocess.Popen(list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.errors, text=True,
                                        env=setup.environment(name, threads, **environment))
        self.note = ""
        try:
            self.started = self.read()
        except Unable:
            self.close()
            raise

    def read(self):
        line = self.process.stdout.readline()
        if not line:
            code = self.process.wait()
            self.errors.seek(0)
            raise Unable(last_line(self.errors.read()) if code > 0 else f"killed by signal {-code}")
        return json.loads(line)

    def send(self, **request):
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # read() says why

    def ask(self, **request):
        self.send(**request)
        return self.read()

    def time(self, runs, seconds):
        return self.ask(do="time", runs=runs, seconds=seconds)["ms"]

    def predict(self, folder):
        path = folder / "outputs.npz"
        self.ask(do="predict", output=str(path))
        return calibration.read_outputs(path)

    def predict_samples(self, samples, folder):
        path = folder / "outputs.npz"
        self.ask(do="predict_samples", inputs=str(samples), output=str(path))
        return calibration.read_outputs(path)

    def start_up_ms(self):
        return self.started["load_ms"] + self.started["first_ms"]

    def peak_mb(self):
        return self.ask(do="memory")["peak_mb"]

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.errors.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Mxinfer:
    """The command line, started for each turn: it warms up and times inside."""

    def __init__(self, setup, network, batch, threads, name="mxinfer"):
        self.command, self.threads = setup.mxinfer, threads
        self.model = self.find(setup.mxinfer_model(network, name))
        self.environment = setup.environment("mxinfer", threads)
        self.inputs = setup.folder(network, batch) / "inputs.npz"
        self.shapes = [word for name, shape in network.inputs(batch).items()
                       for word in ("--shape", f"{name}={','.join(map(str, shape))}")]
        self.held = setup.mxinfer_words()
        self.median = self.peak = 0.0
        self.note = ""

    @staticmethod
    def find(model):
        if model.suffix == ".mxz" and not model.exists():
            log = model.with_suffix(".log")
            raise Unable("mxinfer quantize: " + one_line(log.read_text() if log.exists() else ""))
        return str(model)

    def run(self, *words):
        done = subprocess.run([self.command, *words, *self.held, "--threads", str(self.threads), "--json"],
                              capture_output=True, text=True, env=self.environment)
        if done.returncode:
            raise Unable(last_line(done.stderr))
        return json.loads(done.stdout) if done.stdout.strip() else {}

    def time(self, runs, seconds):
        report = self.run("bench", self.model, *self.shapes, "--seconds", str(max(seconds, runs * self.median / 1e3, 0.01)))
        self.median, self.peak = report["median_ms"], report["peak_rss_mb"]
        # Its calls are not given one by one: the median counts for as many as the others run at least.
        return [report["min_ms"]] + [report["median_ms"]] * max(1, min(report["calls"], max(runs, 3)) - 1)

    @staticmethod
    def save_inputs(inputs, folder):
        words = []
        for name, array in calibration.read(inputs).items():
            np.save(folder / f"{name}.npy", array)
            words += ["--input", f"{name}={folder / name}.npy"]
        return words

    def predict(self, folder):
        return self.predict_samples(self.inputs, folder)

    def predict_samples(self, samples, folder):
        """All in one call: the command line takes any batch size."""
        self.run("predict", self.model, *self.save_inputs(samples, folder), "--output", str(folder))
        count = len([path for path in folder.glob("*.npy") if path.stem.isdigit()])
        return [np.load(folder / f"{i}.npy") for i in range(count)]

    def start_up_ms(self):
        report = self.run("bench", self.model, *self.shapes, "--seconds", "0.001")
        return report["load_ms"] + report["first_ms"]

    def peak_mb(self):
        self.time(3, 0.1)
        return self.peak

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


def start(name, setup, network, batch, threads, **environment):
    if name in ("mxinfer", FLOAT32) and not network.photo:
        return Mxinfer(setup, network, batch, threads, name)
    return Worker(name, setup, network, batch, threads, **environment)
