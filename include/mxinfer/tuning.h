// Tuning: which kernel was fastest for each convolution, measured on one machine; a file keeps it.
//
//   mxinfer::Tuning tuning = mxinfer::tune_model(model, {}, {{"data", {1, 3, 224, 224}}});
//   mxinfer::save_tuning(tuning, "resnet18.tuning");
//   mxinfer::Options options;
//   options.tuning_file = "resnet18.tuning";
//   mxinfer::Predictor predictor(model, options);
#pragma once

#include <mxinfer/export.h>

#include <string>
#include <utility>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// One kernel's time.
struct KernelTime {
  std::string kernel;  ///< "conv_nhwc_winograd4_f32"
  double ms = 0;
};

/// What was measured for one shape.
struct TunedChoice {
  std::string shape;              ///< in mxinfer's own terms: sizes, strides, the batch
  std::string kernel;             ///< the one to take
  std::vector<KernelTime> times;  ///< of all that compute it
};

struct Tuning {
  std::string cpu;     ///< the CPU's name
  std::string target;  ///< the instruction set
  int cores = 0;
  /// That it was measured with. Choices hold at any number of threads: results have the same bits with
  /// however many there are.
  int threads = 0;
  std::vector<TunedChoice> choices;
};

/// JSON. Throws Error(invalid_argument) if the file cannot be written.
MXINFER_API void save_tuning(const Tuning& tuning, const std::string& path);
/// Throws Error(not_found) if there is no such file, Error(malformed) if it is not a tuning, or names a
/// kernel that does not exist, Error(unsupported) if its version is another; each says what is known.
MXINFER_API Tuning load_tuning(const std::string& path);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
