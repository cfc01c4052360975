// PlanCache: the plans of one predictor by input types and device, and idle executors for each. A call runs
// on the least busy of the predictor's devices (device/device_place.h).
//
//   PlanCache cache(memory, planner, graph);
//   auto lease = cache.lease(inputs);          // an executor of our own until `lease` goes
//   lease->run(inputs, outputs, threads);
#pragma once

#include <mxinfer/predictor_stats.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "device/device_place.h"
#include "runtime/executor.h"
#include "runtime/memory_budget.h"
#include "runtime/planner.h"

namespace mxinfer::runtime {

/// Thread-safe.
class PlanCache {
 public:
  /// Plans of `graph`; both must outlive it. Several caches may share `memory`.
  PlanCache(std::shared_ptr<MemoryBudget> memory, const Planner& planner, const graph::Graph& graph);
  ~PlanCache();
  PlanCache(const PlanCache&) = delete;
  PlanCache& operator=(const PlanCache&) = delete;

  /// Returned to the cache when it goes out of scope.
  class Lease;

  /// An idle executor for these input types, or a new one; the plan is made at the first call. `inputs` is
  /// compared, not copied, if the plan is there: a call that finds an idle executor allocates nothing.
  Lease lease(Span<const TensorView> inputs);

  /// Whether fewer executors are in use than are kept for later calls. Beyond that, each call would allocate
  /// and release one, which on a device waits for all its work.
  bool has_room() const {
    return running_ / devices() < std::max<std::size_t>(memory_->limits().idle_executors, 1);
  }

  /// That of one device, for what only asks about it.
  std::shared_ptr<const plan::Plan> plan(Span<const TensorView> inputs);

  /// Adds this cache's counts, except bytes, which the budget counts.
  void add_to(PredictorStats& stats);
  /// Destroys the idle executors, of one device or of all; returns their bytes.
  std::size_t trim(const device::Device* device = nullptr);
  /// Of these, those that ended their last call before `time`.
  void release_idle_since(MemoryBudget::Clock::time_point time);
  /// Drops all plans that no call is using, of one device or of all, and the packed weights that no plan uses
  /// any more.
  void drop_unused(const device::Device* device = nullptr);
  /// Drops those of devices that are lost.
  void drop_lost();

 private:
  struct Workspace {
    Workspace(std::shared_ptr<const plan::Plan> plan, DeviceMemoryOf memory)
        : executor(std::move(plan), memory) {}
    std::size_t bytes() const { return (share ? share->bytes() : 0) + (on_device ? on_device->bytes() : 0); }
    std::optional<MemoryBudget::Share> share{};      ///< of the executor's memory in the process
    std::optional<MemoryBudget::Share> on_device{};  ///< while the executor has memory there
    std::optional<MemoryBudget::Share> staging{};    ///< a part of `share`
    Executor executor;
    MemoryBudget::Clock::time_point idle_since{};  ///< if there is a limit of idle time
  };
  using Workspaces = std::vector<std::unique_ptr<Workspace>>;
  struct Entry {
    Entry(std::shared_ptr<const plan::Plan> p, MemoryBudget::Share s, std::shared_ptr<MemoryBudget> m)
        : memory(std::move(m)), plan(std::move(p)), share(std::move(s)) {}
    ~Entry();
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;
    std::shared_ptr<MemoryBudget> memory;
    std::shared_ptr<const plan::Plan> plan;
    MemoryBudget::Share share;
    std::mutex mutex;
    Workspaces idle;          ///< the one used last at the end
    bool is_dropped = false;  ///< nothing is kept for it any more
  };
  /// `device` is the index of one of the planner's.
  std::shared_ptr<Entry> find(Span<const TensorView> inputs, std::size_t device);
  std::shared_ptr<Entry> find_or_make(Span<const TensorView> inputs, std::size_t device);
  /// Sets `milliseconds` to the time it took, or to nullopt if another thread had made it.
  std::shared_ptr<Entry> make(Span<const TensorView> inputs, std::size_t device,
                              std::optional<std::int64_t>& milliseconds);
  std::size_t devices() const { return std::max<std::size_t>(planner_.devices().size(), 1); }
  std::unique_ptr<Workspace> make_workspace(const Entry& entry);
  MemoryBudget::Share take_on_device(const plan::Plan& plan);
  /// Takes a block of the device's pool, if the executor works in such; give_back() returns it.
  void take_memory(Workspace& workspace);
  static void return_memory(Workspace& workspace) noexcept;
  /// The limit is that of each device.
  std::size_t most_plans() const {
    return devices() * std::clamp<std::size_t>(memory_->limits().plans, 1, kMostPlans);
  }
  /// Drops the least recently used plans until the limits hold; keeps the most recent one, with one
  /// workspace.
  void keep_to_limits();
  /// One that is too much, or null.
  std::shared_ptr<Entry> take_least_used();
  /// Whether the limits are exceeded and this cache can help. Precondition: the list is locked.
  bool keeps_too_much() const;
  /// Its idle workspaces go.
  static void drop(Entry& entry);
  /// Moves out the idle workspaces of a plan that ended their last call before `time`.
  void take_idle(Entry& entry, MemoryBudget::Clock::time_point time, Workspaces& idle);
  /// A workspace whose call has ended.
  void give_back(Entry& entry, std::unique_ptr<Workspace> workspace) noexcept;

  static constexpr std::size_t kMostPlans = std::size_t{1} << 32;  ///< cannot overflow

  std::shared_ptr<MemoryBudget> memory_;
  const Planner& planner_;
  const graph::Graph& graph_;
  std::atomic<std::uint64_t> calls_{0}, misses_{0}, made_{0};
  std::atomic<std::size_t> running_{0};
  std::mutex mutex_;
  std::mutex making_;
  std::list<std::shared_ptr<Entry>> entries_;  ///< the most recently used one first

  friend class Lease;
};

class PlanCache::Lease {
 public:
  Lease(PlanCache& cache, device::DevicePlace place, std::shared_ptr<Entry> entry,
        std::unique_ptr<Workspace> workspace);
  Lease(Lease&&) noexcept = default;
  Lease& operator=(Lease&&) = delete;
  ~Lease();
  Executor* operator->() const { return &workspace_->executor; }

 private:
  PlanCache* cache_;
  device::DevicePlace place_;
  std::shared_ptr<Entry> entry_;
  std::unique_ptr<Workspace> workspace_;  // nullptr if it was moved from
};

}  // namespace mxinfer::runtime
