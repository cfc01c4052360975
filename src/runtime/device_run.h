// DeviceRun: what an executor has on the device of its plan, and how a plan runs there. A plan that runs on
// the device alone is recorded at its second run (a CUDA graph) and replayed from then on, between staging
// memory for inputs and outputs, whose addresses stay.
//
//   DeviceRun device(plan);
//   device.run(inputs, outputs, workspace);
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "device/device.h"
#include "plan/plan.h"
#include "plan/run_plan.h"

namespace mxinfer::runtime {

/// What is called when work has ended, on a thread of the device's.
struct Resume {
  void (*function)(void*);
  void* argument;
};

class DeviceRun {
 public:
  /// Allocates. `plan`, which has a device, must outlive it.
  explicit DeviceRun(const plan::Plan& plan);
  /// Waits for what was enqueued.
  ~DeviceRun();
  DeviceRun(const DeviceRun&) = delete;
  DeviceRun& operator=(const DeviceRun&) = delete;

  /// Of its staging memory.
  static std::size_t staging_bytes(const plan::Plan& plan);

  /// Adds its memory and stream.
  void add_to(plan::Workspace& workspace) const;
  /// Of a plan whose operands are on the device: enqueues it in a stream of the caller's, behind earlier
  /// calls that used this memory. If a step runs on the CPU, waits for what that needs.
  void enqueue_in(void* native_stream, const void* const* inputs, void* const* outputs,
                  plan::Workspace workspace);
  /// Whether the plan runs on the device alone, between staging memory.
  bool can_start() const { return staging_ != nullptr; }
  /// The first half of run(): enqueues, and has `resume` called when the work has ended. Inputs are copied
  /// before it returns. When it throws, nothing is left running, and `resume` is not called.
  void start(const void* const* inputs, const plan::Workspace& workspace, Resume resume);
  /// The second half, once `resume` was called, or the device has stopped. Throws what the work failed of.
  void finish(void* const* outputs, const plan::Workspace& workspace);
  /// Whether the device has failed, so that `resume` is not called.
  bool has_stopped() noexcept;
  /// As plan::run_plan; `workspace` has memory and stream. When it throws, nothing is left running.
  void run(const void* const* inputs, void* const* outputs, const plan::Workspace& workspace);

 private:
  void enqueue_recorded(const void* const* inputs, const plan::Workspace& workspace);
  void enqueue(const plan::Workspace& workspace);
  void wait_quietly() noexcept;

  const plan::Plan& plan_;
  std::unique_ptr<device::Buffer> memory_;
  std::unique_ptr<device::Stream> stream_;
  std::unique_ptr<device::Buffer> staging_;  ///< null unless the plan can be recorded
  std::vector<void*> staged_inputs_, staged_outputs_;
  std::unique_ptr<device::Recording> recording_;
  bool has_run_ = false;
  std::unique_ptr<device::Event> last_use_;  ///< behind the last call of enqueue_in(), if it may be called
};

}  // namespace mxinfer::runtime
