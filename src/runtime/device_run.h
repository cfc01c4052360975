// DeviceRun: an executor's memory on the device of its plan, and the run of the plan there. Steps that follow
// each other on the device are recorded at the second run (a CUDA graph) and replayed from then on: the whole
// plan if nothing runs on the CPU. What the CPU's steps work in is staging memory, whose addresses stay, and
// so do inputs and outputs unless the caller's arrays are pinned: device_transfers.h copies them at both
// ends. Where it works on the device is memory of its own, or a block of the device's pool for each call;
// recordings are kept for the blocks that it had last.
//
//   DeviceRun device(plan, DeviceMemoryOf::run);
//   device.run(inputs, outputs, workspace);
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <vector>

#include "device/device.h"
#include "device/memory_pool.h"
#include "plan/plan.h"
#include "plan/run_plan.h"
#include "runtime/device_transfers.h"

namespace mxinfer::runtime {

/// A callback when work has ended, on a thread of the device.
struct Resume {
  void (*function)(void*);
  void* argument;
};

/// Who keeps the device's memory of a run between calls.
enum class DeviceMemoryOf : std::uint8_t { run, pool };

class DeviceRun {
 public:
  /// Allocates. `plan`, which has a device, must outlive it.
  DeviceRun(const plan::Plan& plan, DeviceMemoryOf memory);
  /// Waits for what was enqueued.
  ~DeviceRun();
  DeviceRun(const DeviceRun&) = delete;
  DeviceRun& operator=(const DeviceRun&) = delete;

  /// Whether such a run has staging memory, the plan's workspace in it: if calls give memory of the process,
  /// and some step runs on the device.
  static bool has_staging(const plan::Plan& plan);
  static std::size_t staging_bytes(const plan::Plan& plan);

  /// The staging memory of an input, or null. What a call gives there is not copied on the host.
  void* staged_input(std::size_t input) const {
    return staged_inputs_.empty() ? nullptr : staged_inputs_[input];
  }
  /// Before and after each call of a run with memory of the pool. take_memory() throws as Device::allocate();
  /// give_memory_back() waits for a call that was started and not finished.
  void take_memory();
  void give_memory_back() noexcept;

  /// Adds its memory and stream, and its workspace if it has one.
  void add_to(plan::Workspace& workspace) const;
  /// For a plan with operands on the device: enqueues it in the caller's stream, behind earlier calls that
  /// used this memory. If a step runs on the CPU, waits for its inputs.
  void enqueue_in(void* native_stream, const void* const* inputs, void* const* outputs,
                  plan::Workspace workspace);
  /// Whether the plan runs on the device alone, between staging memory.
  bool can_start() const { return parts_.size() == 1 && parts_.front().steps.is_enqueued; }
  /// The first half of run(): enqueues the work, whose end calls `resume`. Copies the inputs before it
  /// returns. If it throws, nothing is left running, and `resume` is not called.
  void start(const void* const* inputs, const plan::Workspace& workspace, Resume resume);
  /// The second half, after `resume` was called or the device has stopped. Throws the error of the work.
  void finish(void* const* outputs, const plan::Workspace& workspace);
  /// Whether the device has failed, so that `resume` is not called.
  bool has_stopped() noexcept;
  /// As plan::run_plan; `workspace` has memory and stream. If it throws, nothing is left running.
  void run(const void* const* inputs, void* const* outputs, const plan::Workspace& workspace);

 private:
  /// Steps that are recorded together, or that run on the CPU.
  struct Part {
    plan::Stretch steps;
    std::size_t index;
  };
  /// What is known of runs in one block.
  struct InMemory {
    const std::byte* memory = nullptr;
    bool has_run = false;
    std::vector<std::unique_ptr<device::Recording>> recordings{};  ///< by part; null: not recorded
  };
  /// Calls that run at the same time swap blocks; more of them are not worth the recordings' memory.
  static constexpr std::size_t kMostBlocks = 4;

  void run_parts(const void* const* inputs, const plan::Workspace& workspace, Sources sources);
  void run_part(const Part& part, const plan::Workspace& workspace);
  /// Waits, and copies outputs from staging memory that download() has not brought.
  void finish(void* const* outputs, const plan::Workspace& workspace, bool is_downloaded);
  void make_counters();
  void wait_quietly() noexcept;
  /// Runs in this memory from now on.
  void use(std::byte* memory);

  const plan::Plan& plan_;
  std::unique_ptr<device::Buffer> own_memory_;  ///< null: of the pool
  std::unique_ptr<device::Buffer> counters_;    ///< of steps that need them (LowerContext::take_zeroed)
  device::MemoryPool::Block block_{};           ///< during a call, unless it has its own
  std::byte* memory_ = nullptr;                 ///< in either
  std::unique_ptr<device::Stream> stream_;
  std::unique_ptr<device::Buffer> staging_;  ///< null without has_staging()
  std::vector<void*> staged_inputs_, staged_outputs_;
  std::byte* workspace_ = nullptr;              ///< within it
  std::unique_ptr<DeviceTransfers> transfers_;  ///< null without staging memory, as parts_ is empty
  std::vector<Part> parts_;                     ///< all other steps
  std::list<InMemory> in_memory_{};             ///< the block of this call first
  bool is_started_ = false;                     ///< by start(), and not finished
  std::unique_ptr<device::Event> last_use_;     ///< behind the last call of enqueue_in(), if it may be called
};

}  // namespace mxinfer::runtime
