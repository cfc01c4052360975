// Predictor's calls that continue on a device without a thread.
#include "api/core/fixed_batches.h"
#include "api/core/predictor_call.h"
#include "api/core/predictor_impl.h"

namespace mxinfer {
namespace {

/// If the device cannot work alone, the call runs here, because the prepared inputs would be lost.
void start_or_run(runtime::GraphExecutor& executor, Span<const TensorView> inputs, ThreadArena& arena,
                  api::Resume resume, api::StartedCall& call) {
  const auto accept = [](const std::vector<ops::TensorType>& /*types*/) {};
  if (auto lease = executor.start(inputs, arena, resume, accept)) return call.set_started(std::move(*lease));
  call.end(executor.run(inputs, arena), resume);
}

/// The same of packed images.
void start_or_run(runtime::ImageBatch& batch, ThreadArena& arena, api::Resume resume,
                  api::StartedCall& call) {
  if (auto lease = batch.start(arena, resume)) return call.set_started(std::move(*lease));
  call.end(batch.run(arena), resume);
}

}  // namespace

std::unique_ptr<api::StartedCall> Predictor::Impl::start(Span<const TensorView> inputs, api::Resume resume,
                                                         CheckOutputs check) {
  if (!planner.options().device || data().takes_items) return nullptr;
  std::unique_ptr<api::StartedCall> started;
  api::run_in_place(*this, [&] {
    Prepared prepared;
    prepare(inputs, prepared);
    auto call = std::make_unique<api::StartedCall>();
    auto lease = api::run_advised(data(), prepared.views,
                                  [&] { return executor.start(prepared.views, arena, resume, check); });
    if (!lease) return;
    call->set_started(std::move(*lease));
    started = std::move(call);
  });
  return started;
}

void Predictor::Impl::start_inputs(Span<const TensorView> inputs, api::Resume resume,
                                   api::StartedCall& call) {
  Prepared prepared;
  prepare(inputs, prepared);
  api::run_advised(data(), prepared.views,
                   [&] { start_or_run(executor, prepared.views, arena, resume, call); });
}

bool Predictor::Impl::start_images(Span<const Image> images, api::Resume resume, api::StartedCall& call) {
  auto packed = pack_images(images);
  if (!packed) return false;
  start_or_run(*packed, arena, resume, call);
  return true;
}

void Predictor::Impl::start_items(api::ItemLists inputs, api::Resume resume, api::StartedCall& call) {
  if (auto packed = pack_items(inputs)) return start_or_run(*packed, arena, resume, call);
  std::vector<Tensor> stacked;
  item_rows.stack(inputs, nullptr, stacked);
  const TensorViews views(stacked);
  if (api::needs_filling(list_batch, views.span())) return call.end(run_list(views.span()), resume);
  start_or_run(list_executor(), views.span(), arena, resume, call);
}

}  // namespace mxinfer
