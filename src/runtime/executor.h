// Executor: a plan and its memory. It runs one call at a time; the pool hands executors to threads.
#pragma once

#include <memory>

#include "base/files/aligned_memory.h"
#include "base/threads/thread_arena.h"
#include "plan/plan.h"
#include "plan/run_plan.h"
#include "runtime/device_run.h"

namespace mxinfer::runtime {

class Executor {
 public:
  /// Allocates all memory of a run.
  explicit Executor(std::shared_ptr<const plan::Plan> plan, DeviceMemoryOf memory = DeviceMemoryOf::run);

  /// Of its memory in the process; on the device, Plan::device_bytes come to it.
  static std::size_t bytes_for(const plan::Plan& plan);
  /// The part of that in staging memory.
  static std::size_t staging_bytes_for(const plan::Plan& plan);

  /// As DeviceRun's. Precondition: the plan has a device, and the memory is of its pool.
  void take_memory() { device_->take_memory(); }
  void give_memory_back() noexcept { device_->give_memory_back(); }

  const plan::Plan& plan() const { return *plan_; }

  /// As DeviceRun's; null without a device.
  void* staged_input(std::size_t input) const { return device_ ? device_->staged_input(input) : nullptr; }

  /// Runs the plan inside `threads`. inputs and outputs have the plan's types, in the network's order;
  /// outputs must not overlap inputs. Allocates nothing.
  void run(const void* const* inputs, void* const* outputs, ThreadArena& threads);
  /// The same, as plan::run_plan_timed.
  void run_timed(const void* const* inputs, void* const* outputs, ThreadArena& threads, double* step_ms);
  /// Whether start() may be called: the plan runs on its device alone.
  bool can_start() const { return device_ != nullptr && device_->can_start(); }
  /// As DeviceRun's. Precondition of these and enqueue_in(): the plan has a device.
  void start(const void* const* inputs, ThreadArena& threads, Resume resume);
  void finish(void* const* outputs);
  bool has_stopped() noexcept { return device_->has_stopped(); }
  /// As DeviceRun::enqueue_in.
  void enqueue_in(void* native_stream, const void* const* inputs, void* const* outputs, ThreadArena& threads);
  /// A part of that, as plan::run_steps.
  void run_steps(const void* const* inputs, void* const* outputs, ThreadArena& threads, std::size_t first,
                 std::size_t last);

 private:
  /// Precondition: the plan has a device.
  DeviceRun& device();
  void take_all_pages();
  plan::Workspace workspace();

  std::shared_ptr<const plan::Plan> plan_;
  AlignedBuffer memory_;
  AlignedBuffer thread_scratch_;
  std::unique_ptr<DeviceRun> device_;  ///< null without a device
  bool has_pages_ = false;
};

}  // namespace mxinfer::runtime
