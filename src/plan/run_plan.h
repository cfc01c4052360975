// Runs a plan: each step in turn, or those of branches side by side, with the addresses of its operands
// filled in.
//
//   AlignedBuffer memory(workspace_bytes(plan)), threads(plan.thread_scratch_bytes * plan.threads);
//   run_plan(plan, inputs, outputs, {memory.data(), threads.data(), plan.thread_scratch_bytes});
#pragma once

#include <cstddef>
#include <vector>

#include "plan/plan.h"

namespace mxinfer::plan {

/// What one run works in; runs at the same time need one each.
struct Workspace {
  std::byte* memory;          ///< workspace_bytes(plan), 64-byte aligned
  std::byte* thread_scratch;  ///< for each thread of the arena the run is in, `thread_scratch_stride` apart
  std::size_t thread_scratch_stride;
  std::byte* device_memory = nullptr;  ///< plan.device_bytes of plan.device
  device::Stream* stream = nullptr;    ///< of plan.device; null: the CPU's
};

std::size_t workspace_bytes(const Plan& plan);

/// inputs and outputs have the plan's types, in the network's order; outputs must not overlap inputs. Call it
/// inside a thread arena of plan.threads. Packs the weights that no plan has needed yet; allocates nothing
/// else. If the plan's operands are on its device, it returns when its last work is enqueued
/// in the workspace's stream. Throws Error if a weight cannot be read, and Error(cancelled) between two steps
/// if the call is cancelled (base/threads/call_context.h).
void run_plan(const Plan& plan, const void* const* inputs, void* const* outputs, const Workspace& workspace);

/// A part of it: the steps [first, last), one after another, for a caller that calls it with first = 0 and
/// goes on where the last call ended, with the same addresses; the outputs are there with the last step.
void run_steps(const Plan& plan, const void* const* inputs, void* const* outputs, const Workspace& workspace,
               std::size_t first, std::size_t last);

/// Steps [first, last) of a plan's that follow each other, all of them enqueued in the device's stream, or
/// all of the CPU.
struct Stretch {
  std::size_t first = 0, last = 0;
  bool is_enqueued = false;
};
/// All steps, in their order.
std::vector<Stretch> stretches_of(const Plan& plan);
/// The steps of a stretch alone; those that are enqueued may not have ended when it returns. Preconditions:
/// the plan's weights are packed, and for steps of the CPU what was enqueued has ended. Throws as run_plan().
void run_stretch(const Plan& plan, const void* const* inputs, void* const* outputs,
                 const Workspace& workspace, const Stretch& stretch);
/// What is left when the last step has ended: outputs that no step writes.
void copy_outputs(const Plan& plan, const void* const* inputs, void* const* outputs,
                  const Workspace& workspace);

/// The whole, and gives the time of each step: step_ms has plan.steps.size() places. Steps that run side by
/// side share the time that they take together, in proportion to what each takes in its worker.
void run_plan_timed(const Plan& plan, const void* const* inputs, void* const* outputs,
                    const Workspace& workspace, double* step_ms);

}  // namespace mxinfer::plan
