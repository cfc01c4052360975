#!/usr/bin/env python3
"""Quantizes an ONNX file for OpenVINO with NNCF's post-training quantization, preset PERFORMANCE.

    openvino_quantizer.py b1/model.onnx calibration.npz b1/model-int8.xml
"""
import argparse
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import nncf
import openvino
from nncf.quantization.advanced_parameters import AdvancedQuantizationParameters, OverflowFix
from nncf.quantization.range_estimator import RangeEstimatorParametersSet

import calibration
import machine


def set_batch(model, size):
    model.reshape({port: [size, *list(port.partial_shape)[1:]] for port in model.inputs})


def quantize(model, samples):
    # One sample at a time: NNCF corrects biases by means over calls.
    dataset = nncf.Dataset(list(calibration.batches(samples, 1)))
    # The range of all samples, as the others take it. By default it is the mean of the ranges, which cuts off those of much contrast.
    advanced = AdvancedQuantizationParameters(
        activations_range_estimator_params=RangeEstimatorParametersSet.MINMAX,
        overflow_fix=OverflowFix.DISABLE if machine.has_int8_dot_products() else OverflowFix.FIRST_LAYER)
    count = len(next(iter(samples.values())))
    return nncf.quantize(model, dataset, preset=nncf.QuantizationPreset.PERFORMANCE, target_device=nncf.TargetDevice.CPU,
                         subset_size=count, advanced_parameters=advanced)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("samples")
    parser.add_argument("output", type=pathlib.Path)
    options = parser.parse_args()
    model = openvino.Core().read_model(options.model)
    size = model.inputs[0].partial_shape[0].get_length()
    set_batch(model, 1)
    quantized = quantize(model, calibration.read(options.samples))
    set_batch(quantized, size)
    unfinished = options.output.with_name("unfinished-" + options.output.name)
    openvino.save_model(quantized, unfinished, compress_to_fp16=False)
    os.replace(unfinished.with_suffix(".bin"), options.output.with_suffix(".bin"))
    os.replace(unfinished, options.output)


if __name__ == "__main__":
    main()
