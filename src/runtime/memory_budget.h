// MemoryBudget: counts and bounds the memory of one predictor's plan caches, plans and workspaces together.
//
//   auto memory = std::make_shared<MemoryBudget>(limits);
//   PlanCache cache(memory, planner, graph);
//   MemoryBudget::Share share = memory->take_for_workspace(bytes);     // given back when it goes
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

#include "base/function_ref.h"
#include "device/device.h"

namespace mxinfer::runtime {

class PlanCache;

/// How much a predictor keeps for later calls, and how much it may hold at all.
struct MemoryLimits {
  std::size_t plans = 0;           ///< of a cache; the least recently used one goes first
  std::size_t idle_executors = 0;  ///< of each plan
  std::size_t kept_bytes = std::numeric_limits<std::size_t>::max();  ///< of plans and idle workspaces
  std::size_t bytes = std::numeric_limits<std::size_t>::max();       ///< of plans and all workspaces
  std::chrono::nanoseconds idle_time{0};                             ///< of a workspace; 0: any
  /// Of weights and running calls on each device.
  std::size_t device_bytes = std::numeric_limits<std::size_t>::max();
};

/// Thread-safe.
class MemoryBudget {
 public:
  using Clock = std::chrono::steady_clock;

  explicit MemoryBudget(const MemoryLimits& limits);
  ~MemoryBudget();
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  const MemoryLimits& limits() const { return limits_; }
  /// Now.
  std::size_t plan_bytes() const { return plans_.load(std::memory_order_relaxed); }
  std::size_t workspace_bytes() const { return workspaces_.load(std::memory_order_relaxed); }
  std::size_t idle_bytes() const { return idle_.load(std::memory_order_relaxed); }
  bool keeps_too_much() const { return plan_bytes() + idle_bytes() > limits_.kept_bytes; }

  /// Counts memory while it lives. The budget must outlive it.
  class Share;
  /// Drops memory kept for later calls if too little is left; if that does not help, throws
  /// Error(out_of_memory). Precondition: no cache is locked.
  Share take_for_workspace(std::size_t bytes);
  Share take_for_plan(std::size_t bytes);
  /// Memory of a device for a workspace, which counts as a workspace's, too. `weight_bytes` says how much the
  /// weights take there; called only if there is a limit.
  Share take_on_device(const std::shared_ptr<device::Device>& device, std::size_t bytes,
                       FunctionRef<std::size_t()> weight_bytes);
  /// Part of what a workspace has taken: pinned memory.
  Share note_staging(const std::shared_ptr<device::Device>& device, std::size_t bytes);
  /// A workspace becomes idle, or busy again.
  void add_idle(std::size_t bytes) { idle_.fetch_add(bytes, std::memory_order_relaxed); }
  void remove_idle(std::size_t bytes) { idle_.fetch_sub(bytes, std::memory_order_relaxed); }

  /// Destroys the idle workspaces, and releases what is free in the pools of its devices; returns the bytes.
  std::size_t trim();

  /// What is taken of a device, except weights.
  struct OnDevice {
    std::shared_ptr<device::Device> device;
    std::atomic<std::size_t> workspaces{0}, staging{0};
  };
  /// Begins to use the device's pool at the first call. The reference stays.
  OnDevice& on(const std::shared_ptr<device::Device>& device);

  enum class Kept : std::uint8_t { workspaces, plans };
  /// Releases what all predictors of the process keep on a device for later calls: what is free in its pool
  /// and workspaces, then also plans that no call uses, and their weights. Precondition: no cache is locked.
  static void release_on(device::Device& device, Kept what);

  /// A cache whose entries can be dropped when memory is short.
  void add(PlanCache& cache);
  void remove(PlanCache& cache) noexcept;

  /// Destroys the workspaces that have been idle for longer than MemoryLimits::idle_time, of all budgets of
  /// the process; looks for them no more often than that matters. Precondition: no cache is locked.
  static void release_long_idle();

 private:
  bool fits(std::size_t taken, std::size_t bytes) const;
  bool try_take(std::size_t bytes);
  Share take(std::size_t bytes, std::atomic<std::size_t>& kind);
  /// Whether it helped.
  bool make_room(std::size_t bytes);
  bool try_take_on(OnDevice& there, std::size_t bytes, FunctionRef<std::size_t()> weight_bytes);
  void drop_unused_on(const device::Device& device);
  void release_idle_since(Clock::time_point time);

  const MemoryLimits limits_;
  std::atomic<std::size_t> all_{0}, plans_{0}, workspaces_{0}, idle_{0};
  std::mutex mutex_{};
  std::list<PlanCache*> caches_{};
  std::mutex devices_mutex_{};
  std::list<OnDevice> devices_{};
};

class MemoryBudget::Share {
 public:
  Share(Share&& other) noexcept
      : budget_(std::exchange(other.budget_, nullptr)),
        kind_(other.kind_),
        on_device_(other.on_device_),
        bytes_(other.bytes_) {}
  Share& operator=(Share&&) = delete;
  ~Share();
  std::size_t bytes() const { return bytes_; }

 private:
  friend class MemoryBudget;
  Share(MemoryBudget& budget, std::atomic<std::size_t>& kind, std::size_t bytes)
      : budget_(&budget), kind_(&kind), bytes_(bytes) {}
  /// Only of the device.
  Share(MemoryBudget& budget, std::size_t bytes, std::atomic<std::size_t>& on_device)
      : budget_(&budget), kind_(nullptr), on_device_(&on_device), bytes_(bytes) {}
  MemoryBudget* budget_;                           // nullptr if it was moved from
  std::atomic<std::size_t>* kind_;                 ///< null: counted only on the device
  std::atomic<std::size_t>* on_device_ = nullptr;  ///< null: none of a device
  std::size_t bytes_;
};

}  // namespace mxinfer::runtime
