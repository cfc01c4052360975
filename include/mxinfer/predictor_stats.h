// PredictorStats: what a predictor has done and holds, for a server's metrics.
//
//   const mxinfer::PredictorStats stats = predictor.stats();
//   metrics.set("plans_made", stats.plans_made);
//   metrics.set("executor_bytes", stats.executor_bytes);
#pragma once

#include <mxinfer/export.h>

#include <cstddef>
#include <cstdint>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// What a predictor, and all copies of it, have done and hold.
struct PredictorStats {
  std::uint64_t calls = 0;         ///< runs of a plan that were begun, those of warmup among them
  std::uint64_t plan_misses = 0;   ///< of calls and of questions for shapes, those that found no plan
  std::uint64_t plans_made = 0;    ///< many more than `plans` mean that Options::max_plans is too small
  std::size_t plans = 0;           ///< kept now
  std::size_t running = 0;         ///< calls that run now
  std::size_t idle_executors = 0;  ///< workspaces that wait for a call
  std::size_t executor_bytes = 0;  ///< memory of all workspaces, of those that run too
  /// Memory of the model's weights, as they are stored and as plans packed them; those of other predictors of
  /// the same model too, for they share them.
  std::size_t weight_bytes = 0;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
