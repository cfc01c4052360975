"""The package without a session: what it imports, its descriptions, its documentation."""
import pickle
import re
import subprocess
import sys

import pytest

import mxinfer
import mxinfer.spark
from mxinfer.spark import ModelRef
from mxinfer.spark.model_ref import model_ref
from digit_images import MODEL


def run(program, **keywords):
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, **keywords)


def test_mxinfer_imports_no_spark():
    done = run("import mxinfer, sys; print([name for name in ('pyspark', 'pyarrow', 'pandas') if name in sys.modules])")
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.parametrize("missing", ["pyspark", "pyarrow", "pandas"])
def test_says_what_to_install(missing):
    done = run(f"import sys; sys.modules['{missing}'] = None; import mxinfer; import mxinfer.spark")
    assert done.returncode != 0
    assert f"ImportError: mxinfer.spark needs {missing}" in done.stderr and "pip install" in done.stderr


def test_workers_do_not_import_spark_ml():
    done = run("import mxinfer.spark, sys; print('pyspark.ml' in sys.modules)")
    assert done.stdout.strip() == "False", done.stderr


def test_everything_has_a_docstring():
    for name in mxinfer.spark.__all__:
        thing = getattr(mxinfer.spark, name)
        assert thing.__doc__, name
        if isinstance(thing, type):
            for member, value in vars(thing).items():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    assert value.__doc__, (name, member)


def test_model_ref_is_small_and_absolute(monkeypatch, root):
    monkeypatch.chdir(root)
    ref = model_ref("models/digits.mxz")
    assert ref.uri == MODEL
    assert pickle.loads(pickle.dumps(ref)) == ref and len(pickle.dumps(ref)) < 1000
    assert model_ref("s3://bucket/digits").uri == "s3://bucket/digits"
    assert model_ref("spark-files:digits.mxz").uri == "spark-files:digits.mxz"
    assert model_ref(ModelRef("x", "y")) == ModelRef("x", "y")
    with pytest.raises(mxinfer.InvalidArgumentError, match="names none"):
        model_ref(mxinfer.Model.load(MODEL))
    with pytest.raises(mxinfer.InvalidArgumentError, match="sha256"):
        model_ref(ModelRef("x"), "0")


def programs(root):
    text = (root / "docs" / "how-to" / "spark.md").read_text()
    return re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def test_programs_of_the_documentation_run(root, tmp_path):
    """As they are written, where the models and the images of a clone are and what they write is in nobody's way."""
    found = programs(root)
    assert len(found) >= 3
    for folder in ("models", "examples"):
        (tmp_path / folder).symlink_to(root / folder)
    for program in found:
        done = run(program, cwd=tmp_path)
        assert done.returncode == 0, program + done.stderr
        assert done.stdout.strip(), program
