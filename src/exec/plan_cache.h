// PlanCache: the plans of one predictor by input types, and idle executors for each.
//
//   auto lease = cache.lease(types, make);     // an executor of our own until `lease` goes
//   lease->run(inputs, outputs, threads);
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "exec/executor.h"

namespace mxinfer::exec {

using MakePlan = std::function<std::shared_ptr<const plan::Plan>(const std::vector<ops::TensorType>&)>;

/// Thread-safe. Keeps at most max_plans plans; the least recently used one goes first, and with it its idle
/// executors.
class PlanCache {
 public:
  PlanCache(std::size_t max_plans, MakePlan make) : max_plans_(max_plans), make_(std::move(make)) {}

  /// Returned to the cache when it goes out of scope.
  class Lease;

  /// An idle executor for these input types, or a new one; the plan is made at the first call. `inputs` is
  /// compared, not copied, where the plan is there: a call that finds an idle executor allocates nothing.
  Lease lease(Span<const TensorView> inputs);

  std::shared_ptr<const plan::Plan> plan(Span<const TensorView> inputs);

 private:
  struct Entry {
    explicit Entry(std::shared_ptr<const plan::Plan> p) : plan(std::move(p)) {}
    std::shared_ptr<const plan::Plan> plan;
    std::mutex mutex;
    std::vector<std::unique_ptr<Executor>> idle;
  };
  std::shared_ptr<Entry> find(Span<const TensorView> inputs);
  std::shared_ptr<Entry> find_or_make(Span<const TensorView> inputs);

  std::size_t max_plans_;
  MakePlan make_;
  std::mutex mutex_;
  std::mutex making_;
  std::list<std::shared_ptr<Entry>> entries_;  ///< the most recently used one first

  friend class Lease;
};

class PlanCache::Lease {
 public:
  Lease(std::shared_ptr<Entry> entry, std::unique_ptr<Executor> executor)
      : entry_(std::move(entry)), executor_(std::move(executor)) {}
  Lease(Lease&&) noexcept = default;
  Lease& operator=(Lease&&) = delete;
  ~Lease();
  Executor* operator->() const { return executor_.get(); }

 private:
  std::shared_ptr<Entry> entry_;
  std::unique_ptr<Executor> executor_;
};

}  // namespace mxinfer::exec
