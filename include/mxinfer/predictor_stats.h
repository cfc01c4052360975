// PredictorStats: counts and memory of a predictor, for a server's metrics.
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

/// Counts and memory of a predictor and all of its copies.
struct PredictorStats {
  std::uint64_t calls = 0;         ///< runs of a plan that have begun, those of warmup included
  std::uint64_t plan_misses = 0;   ///< calls and shape queries that found no plan
  std::uint64_t plans_made = 0;    ///< if this is far above `plans`, Options::max_plans is too small
  std::size_t plans = 0;           ///< plans kept now
  std::size_t running = 0;         ///< calls that run now
  std::size_t idle_executors = 0;  ///< workspaces that wait for a call
  std::size_t executor_bytes = 0;  ///< memory of all workspaces, those of running calls included
  /// Memory of the model's weights, as stored and as plans packed them. Other predictors of the model share
  /// it.
  std::size_t weight_bytes = 0;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
