#include "plan/run_plan.h"

#include <chrono>
#include <cstring>

#include "base/checked.h"

namespace mxinfer::plan {
namespace {

std::size_t aligned(std::size_t bytes) {
  return static_cast<std::size_t>(
      round_up(static_cast<std::int64_t>(bytes), static_cast<std::int64_t>(kAlignment)));
}

// The addresses that one run of a plan works on.
class Run {
 public:
  Run(const Plan& plan, const void* const* inputs, void* const* outputs, const Workspace& workspace)
      : inputs_(inputs),
        outputs_(outputs),
        workspace_(workspace),
        scratch_(workspace.memory + aligned(plan.arena_bytes)),
        operands_(reinterpret_cast<const void**>(scratch_ + aligned(plan.scratch_bytes))) {}

  void step(const PlannedStep& step) const {
    const void** sources = operands_;
    void** destinations = const_cast<void**>(operands_ + step.inputs.size());
    for (std::size_t i = 0; i < step.inputs.size(); ++i) sources[i] = address(step.inputs[i]);
    for (std::size_t o = 0; o < step.outputs.size(); ++o)
      destinations[o] = const_cast<void*>(address(step.outputs[o]));
    step.step.run(ops::RunContext{sources, destinations, scratch_, workspace_.thread_scratch,
                                  workspace_.thread_scratch_stride});
  }

  void copy(const OutputCopy& copy) const {
    if (copy.bytes > 0) std::memcpy(outputs_[copy.output], address(copy.from), copy.bytes);
  }

 private:
  const void* address(const Location& location) const {
    return static_cast<const std::byte*>(start(location)) + location.offset;
  }

  const void* start(const Location& location) const {
    switch (location.kind) {
      case Location::Kind::constant:
        return location.constant;
      case Location::Kind::arena:
        return workspace_.memory;
      case Location::Kind::input:
        return inputs_[location.index];
      case Location::Kind::output:
        return outputs_[location.index];
    }
    return nullptr;
  }

  const void* const* inputs_;
  void* const* outputs_;
  const Workspace& workspace_;
  std::byte* scratch_;
  const void** operands_;
};

}  // namespace

std::size_t workspace_bytes(const Plan& plan) {
  return aligned(plan.arena_bytes) + aligned(plan.scratch_bytes) + plan.most_operands * sizeof(void*);
}

void run_plan(const Plan& plan, const void* const* inputs, void* const* outputs, const Workspace& workspace) {
  plan.packed.make();
  const Run run(plan, inputs, outputs, workspace);
  for (const PlannedStep& step : plan.steps) run.step(step);
  for (const OutputCopy& copy : plan.copies) run.copy(copy);
}

void run_plan_timed(const Plan& plan, const void* const* inputs, void* const* outputs,
                    const Workspace& workspace, double* step_ms) {
  plan.packed.make();
  const Run run(plan, inputs, outputs, workspace);
  auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    run.step(plan.steps[i]);
    const auto stop = std::chrono::steady_clock::now();
    step_ms[i] = std::chrono::duration<double, std::milli>(stop - start).count();
    start = stop;
  }
  for (const OutputCopy& copy : plan.copies) run.copy(copy);
}

}  // namespace mxinfer::plan
