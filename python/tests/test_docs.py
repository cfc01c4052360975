"""The programs of README.md and of the pages run as written; those of README.md and python.md satisfy mypy --strict."""

import re
import subprocess
import sys

import pytest

import mxinfer
from mxinfer import _native, predict_table


def programs(root, page):
    text = (root / page).read_text()
    return re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def run(program, folder):
    """What the program prints; it must succeed."""
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, program + done.stderr
    return done.stdout


def test_programs_of_the_readme_run(root):
    (program,) = programs(root, "README.md")
    assert run(program, root).startswith("seven ")


def test_programs_run(root):
    found = programs(root, "docs/how-to/python.md")
    assert len(found) >= 5
    for program in found:
        assert run(program, root).strip()


def test_programs_of_tables_run(root):
    pytest.importorskip("pyarrow")
    found = programs(root, "docs/how-to/tables.md")
    assert found
    for program in found:
        assert "the cell is null" in run(program, root)


def test_commands_of_tables_run(root, tmp_path):
    """`mxinfer predict-table ...` of the pages, in a folder with what they name."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    pages = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
    text = "\n".join(page.read_text() for page in pages) + predict_table.EXAMPLES
    commands = [line.strip() for line in re.findall(r"(?:^ +|`)mxinfer predict-table (.*?)(?:`|$)", text, re.MULTILINE)]
    assert len(commands) >= 4
    for name in ("models", "examples"):
        (tmp_path / name).symlink_to(root / name)
    photos = [(root / "examples" / "images" / name).read_bytes() for name in ("seven.jpg", "zero.png")]
    parquet.write_table(pyarrow.table({"photo": photos}), tmp_path / "photos.parquet")
    for command in commands:
        words = command.split()
        if words == ["--help"] or words[0] != "models/digits.mxz":  # of a model that is not here
            predict_table.parser().parse_args(["model", "--input", "a", "--output", "b"] if words == ["--help"] else words)
            continue
        done = subprocess.run([sys.executable, "-m", "mxinfer.predict_table", *words], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, command + done.stderr
        labels = parquet.read_table(tmp_path / words[words.index("--output") + 1]).column("label").to_pylist()
        assert labels == ["seven", "zero"]


def test_arrays_are_renamed_as_shown(root, tmp_path):
    import numpy as np

    (program,) = programs(root, "docs/reference/model-format.md")
    with open(tmp_path / "lstm-0000.params", "wb") as file:
        np.savez(file, **{"fixedarray:.Nodes.4:FusedWeights": np.ones(3, np.float32), "arg:x": np.zeros(1, np.float32)})
    run(program, tmp_path)
    renamed = mxinfer.mx_like.load_ndarray_file((tmp_path / "renamed.params").read_bytes())
    assert sorted(renamed) == ["arg:Nodes", "arg:x"]


def test_programs_are_typed(root, tmp_path):
    pytest.importorskip("mypy")
    for number, program in enumerate(programs(root, "README.md") + programs(root, "docs/how-to/python.md")):
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
