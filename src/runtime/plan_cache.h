// PlanCache: the plans of one predictor by input types, and idle executors for each.
//
//   PlanCache cache({4, 8}, planner, graph);
//   auto lease = cache.lease(inputs);          // an executor of our own until `lease` goes
//   lease->run(inputs, outputs, threads);
#pragma once

#include <mxinfer/predictor_stats.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "runtime/executor.h"
#include "runtime/planner.h"

namespace mxinfer::runtime {

/// What is kept for later calls.
struct CacheLimits {
  std::size_t plans = 0;           ///< the least recently used one goes first, and with it its idle executors
  std::size_t idle_executors = 0;  ///< of each plan
};

/// Thread-safe.
class PlanCache {
 public:
  /// Plans of `graph`; both must outlive it.
  PlanCache(CacheLimits limits, const Planner& planner, const graph::Graph& graph)
      : limits_(limits), planner_(planner), graph_(graph) {}

  /// Returned to the cache when it goes out of scope.
  class Lease;

  /// An idle executor for these input types, or a new one; the plan is made at the first call. `inputs` is
  /// compared, not copied, if the plan is there: a call that finds an idle executor allocates nothing.
  Lease lease(Span<const TensorView> inputs);

  std::shared_ptr<const plan::Plan> plan(Span<const TensorView> inputs);

  /// Adds what this cache has done and holds.
  void add_to(PredictorStats& stats);
  /// Destroys the idle executors; returns the bytes that they had.
  std::size_t trim();

 private:
  struct Entry {
    explicit Entry(std::shared_ptr<const plan::Plan> p) : plan(std::move(p)) {}
    std::shared_ptr<const plan::Plan> plan;
    std::mutex mutex;
    std::vector<std::unique_ptr<Executor>> idle;
  };
  std::shared_ptr<Entry> find(Span<const TensorView> inputs);
  std::shared_ptr<Entry> find_or_make(Span<const TensorView> inputs);
  /// What making an entry did, to be logged behind all locks.
  struct Made {
    std::optional<std::int64_t> milliseconds{};  ///< nothing: another thread had made it
    std::list<std::shared_ptr<Entry>> dropped{};
  };
  std::shared_ptr<Entry> make(Span<const TensorView> inputs, Made& made);
  std::size_t most_plans() const { return std::max<std::size_t>(limits_.plans, 1); }

  CacheLimits limits_;
  const Planner& planner_;
  const graph::Graph& graph_;
  std::atomic<std::uint64_t> calls_{0}, misses_{0}, made_{0};
  std::atomic<std::size_t> running_{0}, running_bytes_{0};
  std::mutex mutex_;
  std::mutex making_;
  std::list<std::shared_ptr<Entry>> entries_;  ///< the most recently used one first

  friend class Lease;
};

class PlanCache::Lease {
 public:
  Lease(PlanCache& cache, std::shared_ptr<Entry> entry, std::unique_ptr<Executor> executor);
  Lease(Lease&&) noexcept = default;
  Lease& operator=(Lease&&) = delete;
  ~Lease();
  Executor* operator->() const { return executor_.get(); }

 private:
  PlanCache* cache_;
  std::shared_ptr<Entry> entry_;
  std::unique_ptr<Executor> executor_;  // nullptr if it was moved from
};

}  // namespace mxinfer::runtime
