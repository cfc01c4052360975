import pathlib
import pickle

import pytest

import mxinfer


def test_says_what_it_takes_and_gives(digits):
    model = mxinfer.Model.load(digits)
    assert model.name.endswith("digits")
    assert model.inputs == [mxinfer.DataDesc("data", (-1, 1, 32, 32))]
    (output,) = model.outputs
    assert (output.name, output.shape, output.dtype, output.meaning) == (
        "probabilities_output",
        (-1, 10),
        "float32",
        "scores",
    )
    assert model.labels[7] == "seven" and len(model.labels) == 10
    assert model.warnings == []
    memory = model.memory()
    assert memory.stored_weights > 100_000 and memory.total == memory.stored_weights + memory.packed_weights


def test_an_input_that_takes_nulls_says_so(digits):
    described = mxinfer.DataDesc("data", (-1, 1, 32, 32), is_nullable=True)
    model = mxinfer.Model.load(digits, inputs=[described])
    assert model.inputs == [described]
    assert not mxinfer.Model.load(digits).inputs[0].is_nullable


def test_loads_from_paths_files_and_memory(digits, bundle):
    folder = pathlib.Path(digits)
    symbol, params = folder / "digits-symbol.json", folder / "digits-0000.params"
    models = [
        mxinfer.Model.load(folder),
        mxinfer.Model.load_files(symbol, str(params)),
        mxinfer.Model.load_memory(symbol.read_text(), params.read_bytes()),
        mxinfer.Model.load_memory(memoryview(symbol.read_bytes()), bytearray(params.read_bytes())),
    ]
    for model in models:
        assert model.inputs[0].shape == (-1, 1, 32, 32)
    archive = mxinfer.Model.load_archive(pathlib.Path(bundle).read_bytes())
    assert archive.inputs[0].meaning == "image"
    assert archive.labels[3] == "three"


def test_options(digits):
    model = mxinfer.Model.load(digits, labels=[str(i) for i in range(10)], epoch=0, verify=None)
    assert model.labels[4] == "4"
    inner = mxinfer.Model.load(digits, outputs=["digits_conv0_fwd"])
    assert inner.outputs[0].name == "digits_conv0_fwd_output"
    one = mxinfer.Model.load(digits, inputs={"data": (2, 1, 32, 32)})
    assert one.inputs[0].shape == (2, 1, 32, 32)
    one = mxinfer.Model.load(digits, inputs=[mxinfer.DataDesc("data", (-1, 1, 32, 32), layout="NCHW", meaning="image")])
    assert one.inputs[0].meaning == "image" and one.inputs[0].layout == "NCHW"


@pytest.mark.parametrize(
    "options, words",
    [
        ({"epochs": 3}, "did you mean 'epoch'"),
        ({"threads": 3}, "no option 'threads', which is for Predictor"),
        ({"preset": "imagenet"}, "no option 'preset', which is for ImageClassifier"),
    ],
)
def test_an_option_that_it_has_not_is_a_type_error(digits, options, words):
    with pytest.raises(TypeError, match=words):
        mxinfer.Model.load(digits, **options)


@pytest.mark.parametrize("value", ["x", -1, 1.5, object(), {1: 2}])
def test_a_wrong_value_is_an_error(digits, value):
    with pytest.raises(mxinfer.InvalidArgumentError, match="epoch"):
        mxinfer.Model.load(digits, epoch=value)


@pytest.mark.parametrize("value", [3, "data", [3], {"data": "x"}, [("data",)]])
def test_wrong_descriptions_of_inputs_are_errors(digits, value):
    with pytest.raises((mxinfer.InvalidArgumentError, mxinfer.MalformedError, ValueError)):
        mxinfer.Model.load(digits, inputs=value)


def test_what_is_no_model(tmp_path):
    with pytest.raises(mxinfer.NotFoundError, match="nothing-here"):
        mxinfer.Model.load(tmp_path / "nothing-here")
    with pytest.raises(mxinfer.MalformedError):
        mxinfer.Model.load_memory("{", b"")
    with pytest.raises(mxinfer.MalformedError):
        mxinfer.Model.load_archive(b"PK\x03\x04 not a zip")
    for wrong in (None, 3, b"models/digits"):
        with pytest.raises(mxinfer.InvalidArgumentError, match="os.PathLike"):
            mxinfer.Model.load(wrong)
    for wrong in (None, 3, object()):
        with pytest.raises(mxinfer.InvalidArgumentError):
            mxinfer.Model.load_archive(wrong)
    with pytest.raises(TypeError):
        mxinfer.Model()


def test_bytes_of_names_that_are_not_utf8(tmp_path):
    with pytest.raises(mxinfer.NotFoundError, match=r"\\xff"):
        mxinfer.Model.load(str(tmp_path) + "/\udcff")


def test_pickling(digits):
    model = mxinfer.Model.load(digits, outputs="digits_conv0_fwd")
    copy = pickle.loads(pickle.dumps(model))
    assert copy.outputs == model.outputs and copy.name == model.name
    again = pickle.loads(pickle.dumps(copy))
    assert again.outputs == model.outputs
    folder = pathlib.Path(digits)
    files = mxinfer.Model.load_files(folder / "digits-symbol.json", folder / "digits-0000.params")
    assert pickle.loads(pickle.dumps(files)).inputs == files.inputs
    memory = mxinfer.Model.load_memory((folder / "digits-symbol.json").read_text(), (folder / "digits-0000.params").read_bytes())
    with pytest.raises(pickle.PicklingError, match="from memory"):
        pickle.dumps(memory)


def test_settings_known():
    settings = {setting.name: setting for setting in mxinfer.settings_known()}
    assert settings["threads"].group == "run" and settings["threads"].default == "0"
    assert {s.group for s in settings.values()} == {"load", "run", "queue", "image", "scores", "detector"}
    assert all(s.help for s in settings.values())


def test_settings_of_stores(digits):
    stores = {"s3_region": "eu-west-1", "s3_path_style": True, "hdfs_name_nodes": ["nn1.example:9870", "nn2.example"]}
    assert mxinfer.Model.load(digits, **stores).outputs
    with pytest.raises(mxinfer.InvalidArgumentError, match="s3_anonymous.*true or false"):
        mxinfer.Model.load(digits, s3_anonymous="yes")
    with pytest.raises(mxinfer.InvalidArgumentError, match="not shown") as raised:
        mxinfer.Model.load(digits, headers='["hush')
    assert "hush" not in str(raised.value)


def test_build_info():
    info = mxinfer.build_info()
    assert info.version == mxinfer.__version__ and info.best_target in info.targets
