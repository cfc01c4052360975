// Tuning: the fastest kernel for each convolution, as measured on one machine. A file stores it.
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

/// The time of one kernel.
struct KernelTime {
  std::string kernel;  ///< "conv_nhwc_winograd4_f32"
  double ms = 0;
};

/// The measurements for one shape.
struct TunedChoice {
  std::string shape;              ///< sizes, strides and the batch, in mxinfer's own notation
  std::string kernel;             ///< the fastest kernel
  std::vector<KernelTime> times;  ///< of all kernels that can compute the shape
};

/// The measurements for all shapes.
struct Tuning {
  std::string cpu;     ///< the CPU's name
  std::string target;  ///< the instruction set
  int cores = 0;
  /// The number of threads of the measurement. The choices apply to any number of threads, so results have
  /// the same bits with each.
  int threads = 0;
  std::vector<TunedChoice> choices;
};

/// Writes a tuning as JSON. Throws Error(invalid_argument) if the file cannot be written.
MXINFER_API void save_tuning(const Tuning& tuning, const std::string& path);
/// Reads a tuning. Throws Error(not_found) if there is no such file. Throws Error(malformed) if the file is
/// not a tuning or names an unknown kernel. Throws Error(unsupported) if it has another version. The message
/// says which versions or kernels are known.
MXINFER_API Tuning load_tuning(const std::string& path);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
