"""The end of the interpreter, forks, other processes, the command."""

import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import textwrap

import pytest

TESTS = pathlib.Path(__file__).parent

SETUP = """
import concurrent.futures, os, sys, threading, time
sys.path.insert(0, {tests!r})
import numpy as np
import mxinfer, networks
model = networks.powers(1400, 40)
values = np.zeros((1400, 1400), np.float32)
"""


def run(program, seconds=60, **keywords):
    text = SETUP.format(tests=str(TESTS)) + textwrap.dedent(program)
    return subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", text],
        capture_output=True,
        text=True,
        timeout=seconds,
        **keywords,
    )


def check(program, *words):
    done = run(program)
    assert done.returncode == 0, done.stdout + done.stderr
    for word in words:
        assert word in done.stdout
    assert "Fatal" not in done.stderr and "terminate" not in done.stderr


def test_ends_with_predictions_in_flight():
    check(
        """
        predictor = mxinfer.Predictor(model, threads=1, workers=2)
        futures = [predictor.predict_async(values) for _ in range(20)]
        futures[3].add_done_callback(lambda ended: print("told"))
        while predictor.metrics().running == 0:
            time.sleep(0.001)
        print("over")
        """,
        "over",
        "told",
    )


def test_ends_while_daemon_threads_compute():
    check(
        """
        predictor = mxinfer.Predictor(model, threads=1)
        small = mxinfer.Predictor(networks.copy_of("float32"), threads=1)
        def work(each, value):
            while True:
                each.predict(value)
        for _ in range(2):
            threading.Thread(target=work, args=(predictor, values), daemon=True).start()
            threading.Thread(target=work, args=(small, np.ones((1, 4), np.float32)), daemon=True).start()
        time.sleep(0.1)
        print("over")
        """,
        "over",
    )


def test_ends_with_a_log_callback_and_callbacks_that_submit():
    check(
        """
        mxinfer.set_log_callback(lambda level, message: None, "debug")
        predictor = mxinfer.Predictor(networks.copy_of("float32"))
        def again(ended):
            predictor.predict_async(np.ones((1, 4), np.float32)).add_done_callback(again)
        for _ in range(4):
            again(None)
        time.sleep(0.1)
        print("over")
        """,
        "over",
    )


def test_ends_by_an_exception():
    done = run(
        """
        predictor = mxinfer.Predictor(model, threads=1)
        future = predictor.predict_async(values)
        raise SystemExit(7)
        """
    )
    assert done.returncode == 7, done.stderr


def test_calls_after_the_end_are_errors():
    check(
        """
        predictor = mxinfer.Predictor(networks.copy_of("float32"))
        class Late:
            def __del__(self):
                try:
                    predictor.predict(np.ones((1, 4), np.float32))
                except mxinfer.CancelledError as error:
                    print("refused:", error)
        late = Late()
        """,
        "refused: the Python interpreter is ending",
    )


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_forked_processes():
    check(
        """
        small = networks.copy_of("float32")
        one = np.ones((1, 4), np.float32)
        predictor = mxinfer.Predictor(small, threads=1)
        predictor.predict_async(one).result()
        child = os.fork()
        if child == 0:
            try:
                assert predictor.predict(one)[0].shape == (1, 4)
                assert predictor.predict_async(one).result(timeout=30)[0].shape == (1, 4)
                own = mxinfer.Predictor(small, threads=1)
                code = 0 if own.predict_async(one).result(timeout=30)[0].shape == (1, 4) else 4
            except BaseException as error:
                print(repr(error), flush=True)
                code = 5
            os._exit(code)
        _, status = os.waitpid(child, 0)
        assert os.WEXITSTATUS(status) == 0, status
        assert predictor.predict_async(one).result()[0].shape == (1, 4)
        """
    )


def test_processes_that_are_spawned(digits, tmp_path):
    program = tmp_path / "spawn.py"
    program.write_text(
        textwrap.dedent(
            """
            import multiprocessing, sys
            import numpy as np
            import mxinfer

            def best(arguments):
                classifier, sample = arguments
                return classifier.classify(sample, 1)[0]

            if __name__ == "__main__":
                classifier = mxinfer.Classifier(sys.argv[1], threads=1)
                samples = np.random.default_rng(5).random((3, 1, 32, 32), np.float32)
                with multiprocessing.get_context("spawn").Pool(2) as pool:
                    found = pool.map(best, [(classifier, sample) for sample in samples])
                assert found == [classifier.classify(sample, 1)[0] for sample in samples], found
                print("same")
            """
        )
    )
    done = subprocess.run([sys.executable, str(program), digits], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "same" in done.stdout, done.stderr


def command():
    path = pathlib.Path(sysconfig.get_path("scripts")) / "mxinfer"
    if not path.exists():
        path = shutil.which("mxinfer")
    assert path, "the package brings the command"
    return str(path)


def test_the_command(digits, bundle, seven):
    run_command = lambda *words: subprocess.run([command(), *words], capture_output=True, text=True, timeout=60)
    done = run_command("--version")
    assert done.returncode == 0 and done.stdout.startswith("mxinfer ")
    done = run_command("classify", bundle, str(seven))
    assert done.returncode == 0 and "seven" in done.stdout and done.stderr == ""
    assert run_command("inspect", "no such model").returncode == 1
    done = run_command("clasify")
    assert done.returncode == 2 and done.stdout == "" and "classify" in done.stderr
