#include <mxinfer/tools/stepwise_run.h>

#include <algorithm>
#include <utility>

#include "api/core/predictor_impl.h"
#include "base/fail.h"
#include "runtime/executor.h"
#include "runtime/input_types.h"

namespace mxinfer {

struct StepwiseRun::Impl {
  Impl(const Predictor& p, const TensorViews& inputs)
      : predictor(p), self(api::PredictorAccess::impl(p)), given(inputs.begin(), inputs.end()) {
    if (self.data().takes_items || self.data().stages || !self.executor.is_whole()) return;
    self.prepare(Span<const TensorView>(given), prepared);
    const auto plan = self.planner.plan(self.network->graph, runtime::types_of(prepared.views));
    steps = std::max<std::size_t>(1, plan->steps.size());
    for (const ops::TensorType& type : plan->outputs)
      outputs.push_back(Tensor::uninitialized(type.dtype, type.shape));
    for (const TensorView& view : prepared.views) from.push_back(view.raw());
    for (Tensor& output : outputs) to.push_back(output.mutable_view().raw());
    executor.emplace(plan);
  }

  void run_until(std::size_t step) {
    const std::size_t last = std::min(step, steps);
    if (last <= done) return;
    if (is_over) fail(ErrorCode::invalid_argument, "this run has already failed; start another one");
    const std::size_t first = std::exchange(done, steps);  // a failed run has ended
    is_over = true;
    self.budget().run(
        [&] {
          if (executor) {
            executor->run_steps(from.data(), to.data(), self.arena, first,
                                std::min(last, executor->plan().steps.size()));
          } else {
            outputs = predictor.predict(given);
          }
        },
        self.options.scheduling);
    is_over = false;
    done = last;
  }

  Predictor predictor;
  api::PredictorAccess::Impl& self;
  std::vector<TensorView> given;
  api::PredictorAccess::Impl::Prepared prepared{};
  std::optional<runtime::Executor> executor{};  ///< if a single plan holds the whole graph
  std::vector<Tensor> outputs{};
  std::vector<const void*> from{};
  std::vector<void*> to{};
  std::size_t steps = 1;
  std::size_t done = 0;
  bool is_over = false;  ///< its outputs were taken, or it has failed
};

StepwiseRun::StepwiseRun(const Predictor& predictor, const TensorViews& inputs) try
    : impl_(std::make_unique<Impl>(predictor, inputs)) {
} catch (...) {
  throw_as_error();
}

StepwiseRun::~StepwiseRun() = default;
StepwiseRun::StepwiseRun(StepwiseRun&&) noexcept = default;
StepwiseRun& StepwiseRun::operator=(StepwiseRun&&) noexcept = default;

std::size_t StepwiseRun::steps() const noexcept {
  return impl_->steps;
}

std::size_t StepwiseRun::done() const noexcept {
  return impl_->done;
}

void StepwiseRun::run_until(std::size_t step) try { impl_->run_until(step); } catch (...) {
  throw_as_error();
}

std::vector<Tensor> StepwiseRun::take_outputs() try {
  impl_->run_until(impl_->steps);
  if (impl_->is_over)
    fail(ErrorCode::invalid_argument, "the outputs of this run were already taken, or it ended in an error");
  impl_->is_over = true;
  return std::move(impl_->outputs);
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
