#include "api/started_call.h"

#include "api/predictor_call.h"
#include "api/predictor_impl.h"

namespace mxinfer {

std::vector<void*> api::StartedCall::addresses(Span<const MutableTensorView> views) {
  std::vector<void*> all;
  for (const MutableTensorView& view : views) all.push_back(view.raw());
  return all;
}

std::vector<Tensor> api::StartedCall::finish() {
  std::vector<Tensor> outputs;
  std::vector<MutableTensorView> views;
  for (const ops::TensorType& type : output_types())
    outputs.push_back(Tensor::uninitialized(type.dtype, type.shape));
  for (Tensor& output : outputs) views.emplace_back(output.dtype(), output.shape(), output.raw());
  finish_into(Span<const MutableTensorView>(views));
  return outputs;
}

std::unique_ptr<api::StartedCall> Predictor::Impl::start(Span<const TensorView> inputs,
                                                         runtime::Resume resume, CheckOutputs check) {
  if (!planner.options().device || data().takes_items || !executor.is_whole()) return nullptr;
  std::unique_ptr<api::StartedCall> started;
  api::run_in_place(*this, [&] {
    Prepared prepared;
    prepare(inputs, prepared);
    auto lease = executor.lease(prepared.views);
    if (!lease->can_start()) return;
    check(lease->plan().outputs);
    executor.start(lease, prepared.views, arena, resume);
    started = std::make_unique<api::StartedCall>(std::move(lease));
  });
  return started;
}

}  // namespace mxinfer
