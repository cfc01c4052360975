"""mxinfer as a user runs it, with a folder of copies and a home of its own and nothing else in its environment.

    command = Command(program, folder, inputs)
    command.predict("http://127.0.0.1:8000/models/digits")       # {"probabilities_output": array}
    command.fails("verify", "http://127.0.0.1:1/x", "refused")   # exit code 1 and one message with these words
    command.check_copies(files)                                  # whole copies of these and nothing else
"""
import dataclasses
import hashlib
import itertools
import json
import os
import pathlib
import subprocess

import numpy as np

# Above every pause and timeout of the tests; only a command that hangs comes near it.
SECONDS = 100


@dataclasses.dataclass
class Result:
    code: int
    out: str
    err: str


class Command:
    def __init__(self, program, folder, inputs):
        self.program, self.folder, self._inputs = str(program), pathlib.Path(folder), inputs
        self.copies, self.home = self.folder / "copies", self.folder / "home"
        self._results = itertools.count()
        for made in (self.home, self.folder / "temporary", self.folder / "results"):
            made.mkdir(parents=True)
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(self.home), "MXINFER_CACHE_DIR": str(self.copies),
                            "TMPDIR": str(self.folder / "temporary"), "LC_ALL": "C.UTF-8",
                            # Nobody is asked for credentials outside of this machine.
                            "AWS_EC2_METADATA_DISABLED": "true"}

    def start(self, *words, **environment):
        whole = {name: value for name, value in {**self.environment, **environment}.items() if value is not None}
        return subprocess.Popen([self.program, *map(str, words)], env=whole, cwd=self.folder, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="surrogateescape")

    @staticmethod
    def finish(process, seconds=SECONDS):
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            raise AssertionError(f"{process.args} was not done after {seconds} s; it had said:\n{out}{err}") from None
        return Result(process.returncode, out, err)

    def run(self, *words, **environment):
        return self.finish(self.start(*words, **environment))

    def succeeds(self, *words, **environment):
        """Standard output."""
        result = self.run(*words, **environment)
        assert result.code == 0, f"{words} ended with {result.code}: {result.err}"
        assert result.err == "", f"{words} succeeded, and said: {result.err}"
        return result.out

    def fails(self, *words_and_parts, **environment):
        """The words of the command line, and a list with what its message must hold. The message."""
        *words, parts = words_and_parts
        result = self.run(*words, **environment)
        assert result.code == 1, f"{words} ended with {result.code}: {result.out}{result.err}"
        return self.check_message(result, parts)

    @staticmethod
    def check_message(result, parts):
        assert result.err.startswith("mxinfer: ") and result.err.endswith("\n"), result.err
        assert result.err.count("\n") == 1, f"one message, in one line, is expected: {result.err}"
        for part in parts:
            assert part in result.err, f"'{part}' is not in: {result.err}"
        return result.err

    def json(self, *words, **environment):
        return json.loads(self.succeeds(*words, "--json", **environment))

    def predict_words(self, model, kind=None):
        kind = kind or ("large" if "large" in str(model) else "digits")
        file = self.folder / "results" / f"{next(self._results)}.npz"
        return file, ["predict", model, "--input", f"data={self._inputs[kind]}", "--output", file, "--threads", "1"]

    def predict(self, model, *options, kind=None, **environment):
        file, words = self.predict_words(model, kind)
        self.succeeds(*words, *options, **environment)
        return self.arrays(file)

    @staticmethod
    def arrays(file):
        with np.load(file) as arrays:
            return {name: (array.shape, array.tobytes()) for name, array in arrays.items()}

    def check_copies(self, allowed):
        """Whole copies of the allowed files (paths, or bytes) and what belongs to them is all that is in the folder; and
        nothing is left in the one for temporary files."""
        contents = {hashlib.sha256(file if isinstance(file, bytes) else pathlib.Path(file).read_bytes()).hexdigest()
                    for file in allowed}
        assert list((self.folder / "temporary").iterdir()) == []
        names = {path.name for path in self.copies.iterdir()} if self.copies.exists() else set()
        copied = set()
        for note in (name for name in names if name.endswith(".json")):
            text = json.loads((self.copies / note).read_text())
            data = (self.copies / text["file"]).read_bytes()
            assert len(data) == text["size"], f"{note}: {text}"
            assert hashlib.sha256(data).hexdigest() in contents, f"{note}: {text} is not what the server has"
            copied |= {note, text["file"]}
        left = {name for name in names - copied if not name.endswith(".lock")}
        assert not left, f"left behind in the folder of copies: {left}"

    def copied_bytes(self):
        return sum(path.stat().st_size for path in self.copies.iterdir()) if self.copies.exists() else 0
