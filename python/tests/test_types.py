"""mxinfer.types says what the options are; tests/python/typing_test.py what type checkers make of it."""

from __future__ import annotations

import typing

import mxinfer
from mxinfer import types
from mxinfer.sequence import sequence_generator


def test_options_are_all_typed():
    """The TypedDicts have the options that settings_known() lists, and no others."""
    groups = {
        "load": types.LoadOptions,
        "run": types.RunOptions,
        "queue": types.QueueOptions,
        "image": types.ImageOptions,
        "scores": types.ScoreOptions,
        "detector": types.BoxOptions,
    }
    known = {}
    for setting in mxinfer.settings_known():
        known.setdefault(setting.group, set()).add(setting.name)
    assert set(known) == set(groups)
    for group, options in groups.items():
        assert set(options.__annotations__) == known[group], group
    of_predictor = known["load"] | known["run"] | known["queue"]
    assert set(types.PredictorOptions.__annotations__) == of_predictor
    assert set(types.DetectorOptions.__annotations__) == of_predictor | known["image"] | known["detector"]
    for cls, options in (
        (mxinfer.SequencePredictor, types.SequenceOptions),
        (mxinfer.SequenceGenerator, types.GeneratorOptions),
    ):
        assert set(options.__annotations__) == of_predictor | cls._fields
    of_texts = of_predictor | known["scores"] | mxinfer.TextClassifier._fields
    assert set(types.TextClassifierOptions.__annotations__) == of_texts
    assert set(types.GenerateOptions.__annotations__) == sequence_generator._CHOICES


def test_words_of_options_are_all_typed():
    """A Literal has each word that an option takes, and each of its words is taken."""
    literals = {
        "precision": types.Precision,
        "scheduling": types.Scheduling,
        "target": types.Target,
        "when_full": types.WhenFull,
        "random_transforms": types.RandomTransforms,
        "cache": types.CachePolicy,
        "preset": types.Preset,
        "resize": types.Resize,
        "interpolation": types.Interpolation,
        "color": types.Color,
        "activation": types.Activation,
        "units": types.BoxUnits,
    }
    values = {setting.name: setting.value for setting in mxinfer.settings_known()}
    for name, literal in literals.items():
        words = set(typing.get_args(literal))
        assert set(values[name].replace(" or ", ", ").split(", ")) <= words, name
        mxinfer._native.check_settings([(name, word) for word in sorted(words)])


def test_what_is_exported_is_there():
    for name in types.__all__:
        assert hasattr(types, name), name
