// The asynchronous variants of a Predictor's functions: each submits the synchronous one to the predictor's
// queue.
#include <mxinfer/predictor.h>

#include <cstddef>
#include <cstring>
#include <utility>

#include "api/async/batched_request.h"
#include "api/core/held_views.h"
#include "api/core/joint_prediction.h"
#include "api/core/predictor_impl.h"
#include "base/fail.h"
#include "ops/tensor_type.h"

namespace mxinfer {
namespace {

std::vector<Tensor> copies_of(Span<const TensorView> views) {
  std::vector<Tensor> tensors;
  for (const TensorView& view : views) tensors.push_back(Tensor::copy_of(view));
  return tensors;
}

/// Whether the caller's memory has the types of the outputs.
bool fit(Span<const TensorView> from, Span<const MutableTensorView> to) {
  if (from.size() != to.size()) return false;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (from[i].dtype() != to[i].dtype() || from[i].shape() != to[i].shape()) return false;
    if (to[i].raw() == nullptr && to[i].shape().elements() > 0) return false;
  }
  return true;
}

template <typename Job>
std::vector<Span<const TensorView>> inputs_of(Span<const Job* const> jobs) {
  std::vector<Span<const TensorView>> inputs;
  for (const Job* job : jobs) inputs.push_back(job->inputs.span());
  return inputs;
}

}  // namespace

struct Predictor::PredictJob {
  using Result = std::vector<Tensor>;
  Predictor self;
  std::vector<Tensor> owned;  ///< empty if the inputs are borrowed
  api::HeldViews<TensorView> inputs;

  Result run() const { return self.predict(inputs.span()); }
  std::unique_ptr<api::StartedCall> start(api::Resume resume) const {
    return self.impl_->start(inputs.span(), resume, [](const std::vector<ops::TensorType>&) {});
  }
  Result finish(api::StartedCall& started) const { return started.finish(); }
  bool joins(const PredictJob& first) const {
    return api::are_of_same_types(inputs.span(), first.inputs.span());
  }
  static void run_together(Span<const PredictJob* const> jobs, api::Deliver<Result> deliver) {
    const auto take = [&](std::size_t i, Span<const TensorView> outputs) { deliver(i, copies_of(outputs)); };
    api::run_jointly(*jobs[0]->self.impl_, inputs_of(jobs), take);
  }
};

struct Predictor::PredictIntoJob {
  using Result = void;
  Predictor self;
  api::HeldViews<TensorView> inputs;
  api::HeldViews<MutableTensorView> outputs;

  void run() const { self.predict_into(inputs.span(), outputs.span()); }
  std::unique_ptr<api::StartedCall> start(api::Resume resume) const {
    const auto check = [&](const std::vector<ops::TensorType>& expected) {
      api::check_outputs(self.impl_->data(), expected, outputs.span());
    };
    return self.impl_->start(inputs.span(), resume, check);
  }
  void finish(api::StartedCall& started) const { started.finish_into(outputs.span()); }
  bool joins(const PredictIntoJob& first) const {
    return api::are_of_same_types(inputs.span(), first.inputs.span());
  }
  static void run_together(Span<const PredictIntoJob* const> jobs, api::Deliver<void> deliver) {
    const auto take = [&](std::size_t i, Span<const TensorView> made) {
      const Span<const MutableTensorView> to = jobs[i]->outputs.span();
      if (!fit(made, to)) return;
      for (std::size_t o = 0; o < to.size(); ++o) {
        const std::size_t bytes = ops::bytes_of({made[o].dtype(), made[o].shape()});
        if (bytes > 0) std::memcpy(to[o].raw(), made[o].raw(), bytes);
      }
      deliver(i);
    };
    api::run_jointly(*jobs[0]->self.impl_, inputs_of(jobs), take);
  }
};

void Predictor::let_go() noexcept {
  impl_ = std::shared_ptr<Impl>(std::shared_ptr<Impl>(), impl_.get());
}

RequestQueue& Predictor::queue() const try { return impl_->queue(); } catch (...) {
  throw_as_error();
}

Prediction<std::vector<Tensor>> Predictor::predict_async(const TensorViews& inputs,
                                                         const SubmitOptions& options) const try {
  return api::submit_job(queue(), PredictJob{borrow(*this), {}, api::HeldViews<TensorView>(inputs)}, options);
} catch (...) {
  throw_as_error();
}

Prediction<std::vector<Tensor>> Predictor::predict_moved_async(std::vector<Tensor> inputs,
                                                               const SubmitOptions& options) const try {
  const api::HeldViews<TensorView> views{TensorViews(inputs)};
  return api::submit_job(queue(), PredictJob{borrow(*this), std::move(inputs), views}, options);
} catch (...) {
  throw_as_error();
}

Prediction<void> Predictor::predict_into_async(const TensorViews& inputs, const MutableTensorViews& outputs,
                                               const SubmitOptions& options) const try {
  return api::submit_job(queue(),
                         PredictIntoJob{borrow(*this), api::HeldViews<TensorView>(inputs),
                                        api::HeldViews<MutableTensorView>(outputs)},
                         options);
} catch (...) {
  throw_as_error();
}

Prediction<std::vector<Tensor>> Predictor::predict_list_async(const TensorViews& items,
                                                              const SubmitOptions& options) const try {
  return queue().submit([self = borrow(*this),
                         held = api::HeldViews<TensorView>(items)] { return self.predict_list(held.span()); },
                        options);
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
