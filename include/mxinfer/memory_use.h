// ModelMemory, PredictorMemory: what a model or a predictor holds, in bytes.
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

namespace mxinfer {
inline namespace MXINFER_ABI {

/// Of the weights of a model, which all of its predictors share.
struct ModelMemory {
  std::size_t stored_weights = 0;  ///< parameters as they are, without those that are read from the file yet
  std::size_t packed_weights = 0;  ///< what plans made of them, for their kernels
  [[nodiscard]] std::size_t total() const noexcept { return stored_weights + packed_weights; }
};

/// Of a predictor and its copies.
struct PredictorMemory {
  ModelMemory weights{};            ///< the model's: those of its other predictors too
  std::size_t plans = 0;            ///< steps and descriptions, about
  std::size_t workspaces = 0;       ///< what calls work in, idle ones too
  std::size_t idle_workspaces = 0;  ///< of these, those that wait for a call: Predictor::trim() releases them
  [[nodiscard]] std::size_t total() const noexcept { return weights.total() + plans + workspaces; }
};

/// In Prometheus' text format, version 0.0.4: the gauge mxinfer_memory_bytes by kind. `labels` and
/// `with_help` as those of prometheus_text(CallMetrics).
[[nodiscard]] MXINFER_API std::string prometheus_text(const PredictorMemory& memory,
                                                      std::string_view labels = {}, bool with_help = true);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
