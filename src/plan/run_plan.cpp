#include "plan/run_plan.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>

#include "base/files/aligned_memory.h"
#include "base/threads/call_context.h"
#include "base/threads/flush_denormals.h"
#include "base/threads/thread_arena.h"

namespace mxinfer::plan {
namespace {

// The addresses that one run of a plan works on.
class Run {
 public:
  Run(const Plan& plan, const void* const* inputs, void* const* outputs, const Workspace& workspace)
      : plan_(plan),
        inputs_(inputs),
        outputs_(outputs),
        workspace_(workspace),
        scratch_(workspace.memory + aligned_size(plan.arena_bytes)),
        operands_(reinterpret_cast<const void**>(scratch_ + aligned_size(plan.scratch_bytes))),
        most_operands_(plan.most_operands),
        stream_(workspace.stream != nullptr ? workspace.stream : &device::cpu_stream()),
        flush_(plan.device == nullptr) {}

  // Steps that run at the same time belong to different workers and have their own scratch memory. A CPU step
  // waits for all work enqueued before it, whose results it may read and whose operands it may overwrite.
  void step(const PlannedStep& step, std::size_t worker = 0, std::size_t scratch = 0) const {
    if (!step.is_enqueued) wait();
    const void** sources = operands_ + worker * most_operands_;
    void** destinations = const_cast<void**>(sources + step.inputs.size());
    for (std::size_t i = 0; i < step.inputs.size(); ++i) sources[i] = address(step.inputs[i]);
    for (std::size_t o = 0; o < step.outputs.size(); ++o)
      destinations[o] = const_cast<void*>(address(step.outputs[o]));
    std::byte* own =
        step.device_scratch ? workspace_.device_memory + *step.device_scratch : scratch_ + scratch;
    step.step.run(ops::RunContext{sources, destinations, own, workspace_.thread_scratch,
                                  workspace_.thread_scratch_stride, stream_, workspace_.counters});
    if (step.is_enqueued) is_behind_ = true;
  }

  // Waits for all enqueued work.
  void wait() const {
    if (!is_behind_) return;  // and writes nothing: steps of the CPU may run side by side
    stream_->synchronize();
    is_behind_ = false;
  }

  void copy(const OutputCopy& copy) const {
    if (copy.bytes == 0) return;
    if (plan_.operands_on_device) {
      stream_->copy_on_device(outputs_[copy.output], address(copy.from), copy.bytes);
    } else {
      std::memcpy(outputs_[copy.output], address(copy.from), copy.bytes);
    }
  }

  // The work left after the steps.
  void finish() const {
    if (!plan_.operands_on_device) wait();
    for (const OutputCopy& one : plan_.copies) copy(one);
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
      case Location::Kind::device:
        return workspace_.device_memory;
      case Location::Kind::input:
        return inputs_[location.index];
      case Location::Kind::output:
        return outputs_[location.index];
    }
    return nullptr;
  }

  const Plan& plan_;
  const void* const* inputs_;
  void* const* outputs_;
  const Workspace& workspace_;
  std::byte* scratch_;
  const void** operands_;
  std::size_t most_operands_;
  device::Stream* stream_;
  FlushDenormals flush_;            ///< kernels of devices keep denormal numbers
  mutable bool is_behind_ = false;  ///< only in plans with a device, whose steps run one after another
};

// Calls step(i, worker, scratch) for each step, by its worker.
template <typename Step>
void run_workers(const ParallelRegion& region, const Step& step) {
  parallel_for(static_cast<std::int64_t>(region.workers.size()), 1, [&](std::int64_t begin, std::int64_t) {
    const auto at = static_cast<std::size_t>(begin);
    const Worker& worker = region.workers[at];
    // Threads without a worker help with the loops of the others. A waiting thread does not take a second
    // worker, which would delay its own.
    isolate([&] {
      for (const std::size_t i : worker.steps) {
        if (!is_cancelled()) step(i, at, worker.scratch);
      }
    });
  });
}

template <typename Body>
double milliseconds_of(const Body& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

// Calls step(i) for a single step, region(s) for steps that run in parallel.
template <typename Step, typename Region>
void in_order(const Plan& plan, const Step& step, const Region& region) {
  std::size_t i = 0;
  const auto steps_before = [&](std::size_t end) {
    for (; i < end; ++i) {
      throw_if_cancelled();
      step(i);
    }
  };
  for (const ParallelRegion& parallel : plan.parallel_regions) {
    steps_before(parallel.first);
    throw_if_cancelled();
    region(parallel);
    i = parallel.last;
  }
  steps_before(plan.steps.size());
  throw_if_cancelled();  // the last region may have left steps out
}

}  // namespace

std::size_t workspace_bytes(const Plan& plan) {
  return aligned_size(plan.arena_bytes) + aligned_size(plan.scratch_bytes) +
         plan.most_workers * plan.most_operands * sizeof(void*);
}

void run_plan(const Plan& plan, const void* const* inputs, void* const* outputs, const Workspace& workspace) {
  plan.packed.make();
  const Run run(plan, inputs, outputs, workspace);
  const auto as_worker = [&](std::size_t i, std::size_t worker, std::size_t scratch) {
    run.step(plan.steps[i], worker, scratch);
  };
  in_order(
      plan, [&](std::size_t i) { run.step(plan.steps[i]); },
      [&](const ParallelRegion& region) { run_workers(region, as_worker); });
  run.finish();
}

std::vector<Stretch> stretches_of(const Plan& plan) {
  std::vector<Stretch> stretches;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const bool is_enqueued = plan.steps[i].is_enqueued;
    if (stretches.empty() || stretches.back().is_enqueued != is_enqueued)
      stretches.push_back({i, i, is_enqueued});
    stretches.back().last = i + 1;
  }
  return stretches;
}

void run_stretch(const Plan& plan, const void* const* inputs, void* const* outputs,
                 const Workspace& workspace, const Stretch& stretch) {
  const Run run(plan, inputs, outputs, workspace);
  for (std::size_t i = stretch.first; i < stretch.last; ++i) {
    throw_if_cancelled();
    run.step(plan.steps[i]);
  }
}

void copy_outputs(const Plan& plan, const void* const* inputs, void* const* outputs,
                  const Workspace& workspace) {
  Run(plan, inputs, outputs, workspace).finish();
}

void run_steps(const Plan& plan, const void* const* inputs, void* const* outputs, const Workspace& workspace,
               std::size_t first, std::size_t last) {
  if (first == 0) plan.packed.make();
  const Run run(plan, inputs, outputs, workspace);
  for (std::size_t i = first; i < last; ++i) {
    throw_if_cancelled();
    run.step(plan.steps[i]);
  }
  run.wait();
  if (last == plan.steps.size()) run.finish();
}

void run_plan_timed(const Plan& plan, const void* const* inputs, void* const* outputs,
                    const Workspace& workspace, double* step_ms) {
  plan.packed.make();
  const Run run(plan, inputs, outputs, workspace);
  const auto timed = [&](std::size_t i, std::size_t worker, std::size_t scratch) {
    step_ms[i] = milliseconds_of([&] {
      run.step(plan.steps[i], worker, scratch);
      run.wait();
    });
  };
  const auto region_timed = [&](const ParallelRegion& region) {
    const double together = milliseconds_of([&] { run_workers(region, timed); });
    const double added = std::accumulate(step_ms + region.first, step_ms + region.last, 0.0);
    for (std::size_t i = region.first; added > 0 && i < region.last; ++i) step_ms[i] *= together / added;
  };
  in_order(
      plan, [&](std::size_t i) { timed(i, 0, 0); }, region_timed);
  run.finish();
}

}  // namespace mxinfer::plan
