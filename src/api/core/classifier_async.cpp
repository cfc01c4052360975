// The asynchronous variants of a Classifier's functions.
#include <mxinfer/classifier.h>

#include <utility>

#include "api/async/batched_request.h"
#include "api/core/classify_outputs.h"
#include "api/core/joint_prediction.h"
#include "base/fail.h"

namespace mxinfer {

struct Classifier::ClassifyJob {
  using Result = std::vector<Classification>;
  Classifier self;
  std::vector<float> owned;  ///< empty if the sample is borrowed
  Span<const float> sample;
  std::optional<int> top_k;

  Result run() const { return self.classify(sample, top_k); }
  std::unique_ptr<api::StartedCall> start(api::Resume resume) const {
    auto& impl = api::PredictorAccess::impl(self);
    if (!impl.planner.options().device) return nullptr;
    api::check_top_k(top_k);
    const std::vector<TensorView> inputs = self.shape_flat<float>({sample});
    return impl.start(Span<const TensorView>(inputs), resume, [](const std::vector<ops::TensorType>&) {});
  }
  Result finish(api::StartedCall& started) const {
    return api::only_sample(self.model(), self.rank(started.finish(), top_k), sample.size());
  }
  bool joins(const ClassifyJob& first) const {
    return sample.size() == first.sample.size() && top_k == first.top_k;
  }
  static void run_together(Span<const ClassifyJob* const> jobs, const api::Deliver<Result>& deliver) {
    const Classifier& self = jobs[0]->self;
    api::check_top_k(jobs[0]->top_k);
    std::vector<std::vector<TensorView>> inputs;
    for (const ClassifyJob* job : jobs) inputs.push_back(self.shape_flat<float>({job->sample}));
    const std::vector<Span<const TensorView>> calls(inputs.begin(), inputs.end());
    const auto take = [&](std::size_t i, Span<const TensorView> outputs) {
      std::vector<Tensor> tensors;
      for (const TensorView& view : outputs) tensors.push_back(Tensor::copy_of(view));
      auto rows = self.rank(std::move(tensors), jobs[0]->top_k);
      if (rows.size() == 1) deliver(i, std::move(rows[0]));
    };
    api::run_jointly(api::PredictorAccess::impl(self), calls, take);
  }
};

Prediction<std::vector<Classification>> Classifier::classify_async(Span<const float> sample,
                                                                   std::optional<int> top_k,
                                                                   const SubmitOptions& options) const try {
  return api::submit_job(queue(), ClassifyJob{borrow(*this), {}, sample, top_k}, options);
} catch (...) {
  throw_as_error();
}

Prediction<std::vector<Classification>> Classifier::classify_moved_async(std::vector<float> sample,
                                                                         std::optional<int> top_k,
                                                                         const SubmitOptions& options) const
    try {
  const Span<const float> view(sample);
  return api::submit_job(queue(), ClassifyJob{borrow(*this), std::move(sample), view, top_k}, options);
} catch (...) {
  throw_as_error();
}

Prediction<std::vector<std::vector<Classification>>> Classifier::classify_batch_async(
    const TensorView& batch, std::optional<int> top_k, const SubmitOptions& options) const try {
  return queue().submit([self = borrow(*this), batch, top_k] { return self.classify_batch(batch, top_k); },
                        options);
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
