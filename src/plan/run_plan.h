// Runs a plan: steps in turn, branches side by side, with the addresses of their operands.
//
//   AlignedBuffer memory(workspace_bytes(plan)), threads(plan.thread_scratch_bytes * plan.threads);
//   run_plan(plan, inputs, outputs, {memory.data(), threads.data(), plan.thread_scratch_bytes});
#pragma once

#include <cstddef>
#include <vector>

#include "plan/plan.h"

namespace mxinfer::plan {

/// The memory of one run; concurrent runs need one each.
struct Workspace {
  std::byte* memory;          ///< workspace_bytes(plan), 64-byte aligned
  std::byte* thread_scratch;  ///< for each thread of the arena the run is in, `thread_scratch_stride` apart
  std::size_t thread_scratch_stride;
  std::byte* device_memory = nullptr;  ///< plan.device_bytes of plan.device
  std::byte* counters = nullptr;       ///< plan.zeroed_bytes there, which are zero
  device::Stream* stream = nullptr;    ///< of plan.device; null: the CPU's
};

std::size_t workspace_bytes(const Plan& plan);

/// inputs and outputs have the plan's types, in the network's order; outputs must not overlap inputs. Call it
/// inside a thread arena of plan.threads. Packs weights that no plan has needed before; allocates nothing
/// else. If the plan's operands are on its device, it returns once all work is enqueued in the workspace's
/// stream. Throws Error if a weight cannot be read, and Error(cancelled) between two steps if the call is
/// cancelled (base/threads/call_context.h).
void run_plan(const Plan& plan, const void* const* inputs, void* const* outputs, const Workspace& workspace);

/// Runs only the steps [first, last), one after another. Start with first = 0 and continue where the last
/// call ended, with the same addresses. The outputs are complete after the last step.
void run_steps(const Plan& plan, const void* const* inputs, void* const* outputs, const Workspace& workspace,
               std::size_t first, std::size_t last);

/// Consecutive steps [first, last) of a plan that are either all enqueued in the device's stream or all run
/// on the CPU.
struct Stretch {
  std::size_t first = 0, last = 0;
  bool is_enqueued = false;
};
/// All steps, in their order.
std::vector<Stretch> stretches_of(const Plan& plan);
/// Runs only the steps of a stretch. Enqueued steps may not have ended when it returns. Preconditions: the
/// plan's weights are packed; for CPU steps, all enqueued work has ended. Throws as run_plan().
void run_stretch(const Plan& plan, const void* const* inputs, void* const* outputs,
                 const Workspace& workspace, const Stretch& stretch);
/// The work after the last step: outputs that no step writes.
void copy_outputs(const Plan& plan, const void* const* inputs, void* const* outputs,
                  const Workspace& workspace);

/// Runs the whole plan and measures each step; step_ms has plan.steps.size() elements. Parallel steps share
/// the time of their region, in proportion to their time in their worker.
void run_plan_timed(const Plan& plan, const void* const* inputs, void* const* outputs,
                    const Workspace& workspace, double* step_ms);

}  // namespace mxinfer::plan
