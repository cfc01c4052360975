// quantize: writes a model whose convolutions and dense layers compute with 8-bit integers.
//
//   const mxinfer::Model model = mxinfer::Model::load("models/digits");
//   const auto samples = mxinfer::calibration_images(model, {"seven.jpg", "three.jpg"});
//   const auto report = mxinfer::quantize_model("models/digits", samples, "digits_int8.mxz");
//   std::cout << report.top1_agreement.value_or(1) << ' ' << report.parameter_bytes_after << '\n';
//
// docs/how-to/quantization.md tells when it pays, and how to choose samples.
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/model.h>
#include <mxinfer/options.h>
#include <mxinfer/tensor.h>
#include <mxinfer/tools/arrays.h>
#include <mxinfer/tools/calibration_method.h>
#include <mxinfer/vision/preprocess.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// The samples of a calibration, which are read one after another, several times.
struct CalibrationSamples {
  std::size_t count = 0;
  /// Returns the arrays of sample i for the inputs of the model, in order, as Predictor::predict takes them.
  std::function<std::vector<Tensor>(std::size_t i)> read{};
  /// Returns what sample i is called in messages, such as a path. Empty: its number.
  std::function<std::string(std::size_t i)> name{};
};

/// Samples from images, prepared as ImageClassifier does. Images are read when they are needed. Throws
/// Error(invalid_argument) if the model does not take images, and as image_input.
MXINFER_API CalibrationSamples calibration_images(const Model& model, std::vector<std::string> files,
                                                  const ImageOptions& options = {});
/// Samples from arrays, one for each input, by name: each row of the batch is a sample. If the model takes
/// one batch size only, each full batch is a sample. Throws Error(invalid_argument) if an input has no array,
/// a name is not one of an input, or the arrays have different numbers of rows.
MXINFER_API CalibrationSamples calibration_arrays(const Model& model, std::vector<NamedTensor> arrays);

/// How to quantize.
struct QuantizeOptions {
  CalibrationMethod method = CalibrationMethod::minmax;
  double percentile = 99.99;  ///< above 0, to 100
  /// How far results may be from those of the float32 model on the samples: the share of rows whose best
  /// class may be another; for outputs that are not scores of classes, the power of the noise relative to
  /// that of the signal (0.01: 20 dB). Layers become float32 again, those with the most noise first, until
  /// this holds. 0 to 1.
  double max_drop = 0.01;
  /// Names of nodes that stay float32.
  std::vector<std::string> keep_float{};
  /// The target, the threads and so on of the runs.
  Options options{};
  /// Receives how many runs of samples are done, of how many. The total may shrink: it counts the most runs
  /// that may be needed.
  std::function<void(std::size_t done, std::size_t total)> progress{};
};

/// A convolution or dense layer.
struct QuantizedLayer {
  std::string name;
  std::string op;
  /// The signal-to-noise ratio, in decibels, of the layer's output if the layer alone computes with 8 bits.
  /// Infinity if there is no noise; NaN if it was not measured.
  double snr_db = 0;
  /// Why it stays float32; empty if it computes with 8 bits.
  std::string float_because{};
};

/// What quantize_model() did.
struct QuantizeReport {
  CalibrationMethod method = CalibrationMethod::minmax;
  std::size_t samples = 0;
  std::vector<QuantizedLayer> layers;  ///< in the order in which they run
  /// The share of rows whose best class is that of the float32 model; nothing if no output has scores of
  /// classes.
  std::optional<double> top1_agreement{};
  /// The signal-to-noise ratio, in decibels, of outputs that are not scores, the lowest of several; nothing
  /// if there are none.
  std::optional<double> output_snr_db{};
  std::int64_t parameter_bytes_before = 0, parameter_bytes_after = 0;
  /// The median time of a call with the first sample.
  double ms_before = 0, ms_after = 0;
  std::vector<std::string> warnings;
};

/// Quantizes a model and writes it as a bundle. `network` is anything that Model::load takes. Its batch norms
/// are folded into the weights. Values between 8-bit layers stay 8-bit; the other operators stay float32. The
/// bundle contains 8-bit weights in place of the float32 ones, and says how it was made. Throws as
/// Model::load. Throws Error(invalid_argument) if there are no samples, an option is out of range, a value is
/// not finite (the message names value and sample), or the model is quantized already. Throws
/// Error(unsupported) if it has no layer that can be quantized, or none may be under max_drop.
MXINFER_API QuantizeReport quantize_model(const std::string& network, const CalibrationSamples& samples,
                                          const std::string& bundle, const QuantizeOptions& options = {},
                                          const LoadOptions& load = {});

}  // namespace MXINFER_ABI
}  // namespace mxinfer
