#include "exec/executor.h"

#include "plan/run_plan.h"

namespace mxinfer::exec {

Executor::Executor(std::shared_ptr<const plan::Plan> plan)
    : plan_(std::move(plan)),
      memory_(plan::workspace_bytes(*plan_)),
      thread_scratch_(plan_->thread_scratch_bytes * static_cast<std::size_t>(plan_->threads)) {}

void Executor::run(const void* const* inputs, void* const* outputs, ThreadArena& threads) {
  threads.execute([&] {
    plan::run_plan(*plan_, inputs, outputs,
                   {memory_.data(), thread_scratch_.data(), plan_->thread_scratch_bytes});
  });
}

}  // namespace mxinfer::exec
