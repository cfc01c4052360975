// ModelMemory and PredictorMemory: the memory of a model and of a predictor, in bytes.
//
//   mxinfer::Predictor predictor("resnet18_v1");
//   predictor.warmup();
//   predictor.model().memory().packed_weights;     // 46 million
//   if (predictor.memory().idle_workspaces > 64'000'000) predictor.trim();
#pragma once

#include <mxinfer/export.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// The weights of a model, which all of its predictors share.
struct ModelMemory {
  std::size_t stored_weights = 0;  ///< parameters as stored, without those not yet read from the file
  std::size_t packed_weights = 0;  ///< forms of them that plans packed for their kernels
  [[nodiscard]] std::size_t total() const noexcept { return stored_weights + packed_weights; }
};

/// The memory of a predictor that is for one GPU.
struct DeviceMemory {
  std::string device;          ///< "cuda:0"
  std::size_t weights = 0;     ///< on the GPU, shared with the model's other predictors
  std::size_t workspaces = 0;  ///< on the GPU, where running calls work
  std::size_t staging = 0;     ///< pinned memory of the process, for copies to the GPU and back
  /// On the GPU, waiting for calls of any predictor in the process; Predictor::trim() releases it.
  std::size_t pooled = 0;
};

/// The memory of a predictor and its copies.
struct PredictorMemory {
  ModelMemory weights{};       ///< the model's, which its other predictors share
  std::size_t plans = 0;       ///< steps and descriptions, approximately
  std::size_t workspaces = 0;  ///< the memory that calls work in, idle workspaces included
  /// The part of `workspaces` that waits for a call; Predictor::trim() releases it.
  std::size_t idle_workspaces = 0;
  /// For each of its GPUs; none on the CPU. All but `pooled` is also counted above: weights in `weights`,
  /// workspaces and staging in `workspaces`.
  std::vector<DeviceMemory> devices{};
  [[nodiscard]] std::size_t total() const noexcept { return weights.total() + plans + workspaces; }
};

/// Returns the gauge mxinfer_memory_bytes by kind, in Prometheus' text format, version 0.0.4. `labels` and
/// `with_help` are those of prometheus_text(CallMetrics).
[[nodiscard]] MXINFER_API std::string prometheus_text(const PredictorMemory& memory,
                                                      std::string_view labels = {}, bool with_help = true);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
