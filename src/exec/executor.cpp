#include "exec/executor.h"

#include <cstring>

namespace mxinfer::exec {

using plan::Location;

Executor::Executor(std::shared_ptr<const plan::Plan> plan)
    : plan_(std::move(plan)),
      arena_(plan_->arena_bytes),
      scratch_(plan_->scratch_bytes),
      thread_scratch_(plan_->thread_scratch_bytes * static_cast<std::size_t>(plan_->threads)) {
  for (const plan::PlannedStep& step : plan_->steps) {
    for (const Location& input : step.inputs) {
      sources_.push_back(resolve(input, source_patches_, sources_.size()));
    }
    for (const Location& output : step.outputs) {
      destinations_.push_back(const_cast<void*>(resolve(output, destination_patches_, destinations_.size())));
    }
  }
}

const void* Executor::resolve(const Location& location, std::vector<Patch>& patches,
                              std::size_t operand) const {
  switch (location.kind) {
    case Location::Kind::constant:
      return location.constant;
    case Location::Kind::arena:
      return arena_.data() + location.offset;
    case Location::Kind::input:
    case Location::Kind::output:
      patches.push_back(
          {operand, static_cast<std::size_t>(location.index), location.kind == Location::Kind::output});
      return nullptr;
  }
  return nullptr;
}

void Executor::run(const void* const* inputs, void* const* outputs, ThreadArena& threads) {
  for (const Patch& patch : source_patches_) {
    sources_[patch.operand] = patch.is_output ? outputs[patch.argument] : inputs[patch.argument];
  }
  for (const Patch& patch : destination_patches_) destinations_[patch.operand] = outputs[patch.argument];

  threads.execute([&] {
    std::size_t source = 0, destination = 0;
    for (const plan::PlannedStep& step : plan_->steps) {
      step.step.run(ops::RunContext{sources_.data() + source, destinations_.data() + destination,
                                    scratch_.data(), thread_scratch_.data(), plan_->thread_scratch_bytes});
      source += step.inputs.size();
      destination += step.outputs.size();
    }
  });

  for (const plan::OutputCopy& copy : plan_->copies) {
    const void* from = copy.from.constant;
    if (copy.from.kind == Location::Kind::input) from = inputs[copy.from.index];
    if (copy.from.kind == Location::Kind::output) from = outputs[copy.from.index];
    if (copy.from.kind == Location::Kind::arena) from = arena_.data() + copy.from.offset;
    if (copy.bytes > 0) std::memcpy(outputs[copy.output], from, copy.bytes);
  }
}

}  // namespace mxinfer::exec
