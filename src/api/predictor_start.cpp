// Predictor's calls that go on without a thread, on a device.
#include "api/predictor_call.h"
#include "api/predictor_impl.h"

namespace mxinfer {

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

}  // namespace mxinfer
