"""The programs of docs/python.md and docs/tables.md run as they are written; the former satisfy mypy --strict."""

import re
import subprocess
import sys

import pytest

import mxinfer
from mxinfer import _native


def programs(root, page="python.md"):
    text = (root / "docs" / page).read_text()
    return re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def test_programs_run(root):
    found = programs(root)
    assert len(found) >= 5
    for program in found:
        done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, program + done.stderr
        assert done.stdout.strip()


def test_programs_of_tables_run(root):
    pytest.importorskip("pyarrow")
    found = programs(root, "tables.md")
    assert found
    for program in found:
        done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, program + done.stderr
        assert "the cell is null" in done.stdout


def test_programs_are_typed(root, tmp_path):
    pytest.importorskip("mypy")
    for number, program in enumerate(programs(root)):
        file = tmp_path / "program{}.py".format(number)
        file.write_text(program)
        done = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(file)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, program + done.stdout


def test_everything_has_a_docstring():
    for name in mxinfer.__all__:
        thing = getattr(mxinfer, name)
        if name == "__version__":
            continue
        assert thing.__doc__, name
        if isinstance(thing, type):
            for member, value in vars(thing).items():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    assert value.__doc__, (name, member)


def test_the_stub_names_what_the_extension_has(root):
    stub = (root / "python" / "mxinfer" / "_native.pyi").read_text()
    for name in dir(_native):
        if not name.startswith("_"):
            assert re.search(r"^(def|class) {0}\b|^{0}:".format(name), stub, re.MULTILINE), name
    for name in dir(_native.Model):
        if not name.startswith("_"):
            assert re.search(r"^    def {}\b".format(name), stub, re.MULTILINE), name
