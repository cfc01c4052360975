"""quantize: what it writes, and how it reports it."""

from __future__ import annotations

import math
import pathlib
from typing import Any, Dict, List

import numpy as np
import pytest

import mxinfer


def digit_images(count: int) -> np.ndarray:
    return np.random.default_rng(1).uniform(0, 255, (count, 1, 32, 32)).astype(np.float32)


def test_arrays(digits: str, tmp_path: pathlib.Path) -> None:
    bundle = tmp_path / "int8.mxz"
    report = mxinfer.quantize(digits, bundle, arrays={"data": digit_images(24)}, method="percentile", percentile=99.9)
    assert (report.method, report.samples, report.warnings) == ("percentile", 24, [])
    assert len(report.layers) == 7
    assert report.top1_agreement is not None and report.top1_agreement >= 0.99
    assert report.parameter_bytes_after < report.parameter_bytes_before / 3
    assert report.ms_before > 0 and report.ms_after > 0
    data = digit_images(3)
    expected = mxinfer.Predictor(digits).predict(data)
    np.testing.assert_allclose(mxinfer.Predictor(bundle).predict(data)[0], expected[0], atol=0.1)


def test_layers_that_stay_float(digits: str, tmp_path: pathlib.Path) -> None:
    report = mxinfer.quantize(
        digits, tmp_path / "int8.mxz", arrays={"data": digit_images(20)}, keep_float=["digits_dense0_fwd"], threads=1
    )
    kept = [layer for layer in report.layers if not layer.is_int8]
    assert [(layer.name, layer.op) for layer in kept] == [("digits_dense0_fwd", "FullyConnected")]
    assert "keeps it float32" in kept[0].float_because
    assert math.isnan(kept[0].snr_db)
    assert all(layer.snr_db > 20 for layer in report.layers if layer.is_int8)


@pytest.mark.parametrize(
    "options, said",
    [
        ({}, "either images"),
        ({"images": "seven.jpg"}, "not one path"),
        ({"images": []}, "no samples"),
        ({"arrays": {"data": digit_images(2)}, "method": "max"}, "minmax, entropy or percentile"),
        ({"arrays": {"data": digit_images(2)}, "max_drop": 2}, "max_drop is 2"),
        ({"arrays": {"other": digit_images(2)}}, "no array for input 'data'"),
        ({"arrays": {"data": digit_images(2) * np.nan}}, "sample 0.*NaN or infinite"),
    ],
)
def test_what_does_not_fit_writes_nothing(digits: str, tmp_path: pathlib.Path, options: Dict[str, Any], said: str) -> None:
    with pytest.raises(mxinfer.InvalidArgumentError, match=said):
        mxinfer.quantize(digits, tmp_path / "int8.mxz", **options)
    made: List[pathlib.Path] = list(tmp_path.iterdir())
    assert not made


def test_unknown_options(digits: str, tmp_path: pathlib.Path) -> None:
    with pytest.raises(TypeError, match="thread"):
        mxinfer.quantize(digits, tmp_path / "int8.mxz", images=[], thread=1)  # type: ignore[call-arg]
