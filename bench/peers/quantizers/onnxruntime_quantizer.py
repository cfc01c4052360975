#!/usr/bin/env python3
"""Quantizes an ONNX file with ONNX Runtime: QDQ nodes, int8 weights with a scale for each channel, uint8 activations.

    onnxruntime_quantizer.py b1/model.onnx calibration.npz b1/model-int8.onnx
"""
import argparse
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import onnxruntime.quantization as quantization
from onnxruntime.quantization.shape_inference import quant_pre_process

import calibration
import machine


class Reader(quantization.CalibrationDataReader):
    def __init__(self, batches):
        self.batches = iter(batches)

    def get_next(self):
        return next(self.batches, None)


def batch_size(path):
    import onnx
    return onnx.load(path, load_external_data=False).graph.input[0].type.tensor_type.shape.dim[0].dim_value


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("samples")
    parser.add_argument("output")
    options = parser.parse_args()
    unfinished = options.output + ".part"
    with tempfile.TemporaryDirectory() as folder:
        # Folds each BatchNorm into its convolution, which would otherwise stay float32.
        folded = f"{folder}/folded.onnx"
        quant_pre_process(options.model, folded, skip_symbolic_shape=True)
        quantization.quantize_static(
            folded, unfinished, Reader(calibration.batches(calibration.read(options.samples), batch_size(options.model))),
            quant_format=quantization.QuantFormat.QDQ, per_channel=True, reduce_range=not machine.has_int8_dot_products(),
            activation_type=quantization.QuantType.QUInt8, weight_type=quantization.QuantType.QInt8,
            calibrate_method=quantization.CalibrationMethod.MinMax)
    os.replace(unfinished, options.output)


if __name__ == "__main__":
    main()
