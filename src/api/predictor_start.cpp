// Predictor's calls that go on without a thread, on a device.
#include "api/predictor_call.h"
#include "api/predictor_impl.h"

namespace mxinfer {
namespace {

/// What has been prepared so far is lost where the device does not go on alone, so that it runs here then.
api::StartedCall start_or_run(runtime::GraphExecutor& executor, Span<const TensorView> inputs,
                              ThreadArena& arena, api::Resume resume) {
  const auto accept = [](const std::vector<ops::TensorType>& /*types*/) {};
  if (auto lease = executor.start(inputs, arena, resume, accept)) return api::StartedCall(std::move(*lease));
  api::StartedCall ended(executor.run(inputs, arena));
  resume.function(resume.argument);
  return ended;
}

}  // namespace

std::unique_ptr<api::StartedCall> Predictor::Impl::start(Span<const TensorView> inputs, api::Resume resume,
                                                         CheckOutputs check) {
  if (!planner.options().device || data().takes_items) return nullptr;
  std::unique_ptr<api::StartedCall> started;
  api::run_in_place(*this, [&] {
    Prepared prepared;
    prepare(inputs, prepared);
    if (auto lease = executor.start(prepared.views, arena, resume, check))
      started = std::make_unique<api::StartedCall>(std::move(*lease));
  });
  return started;
}

api::StartedCall Predictor::Impl::start_inputs(Span<const TensorView> inputs, api::Resume resume) {
  Prepared prepared;
  prepare(inputs, prepared);
  return start_or_run(executor, prepared.views, arena, resume);
}

api::StartedCall Predictor::Impl::start_items(Span<const std::vector<TensorView>> inputs,
                                              api::Resume resume) {
  std::vector<Tensor> stacked;
  stack_lists(inputs, nullptr, stacked);
  return start_or_run(rest_executor ? *rest_executor : executor, TensorViews(stacked).span(), arena, resume);
}

}  // namespace mxinfer
