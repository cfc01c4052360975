// The asynchronous variants of a SequencePredictor's functions.
#include <mxinfer/sequence/sequence_predictor.h>

#include <utility>

#include "api/async/list_jobs.h"
#include "base/fail.h"

namespace mxinfer {

struct SequencePredictor::SequenceJob {
  using Result = std::vector<Tensor>;
  SequencePredictor self;
  std::vector<std::int32_t> ids;

  Result run() const { return self.predict_sequence(ids); }
  bool joins(const SequenceJob& /*first*/) const { return true; }
  static void run_together(Span<const SequenceJob* const> jobs, const api::Deliver<Result>& deliver) {
    const auto run_all = [&](std::vector<ItemError>* errors) {
      return jobs[0]->self.predict_sequences(api::members_of(jobs, &SequenceJob::ids), errors);
    };
    api::run_list_together(jobs, run_all, deliver);
  }
};

Prediction<std::vector<Tensor>> SequencePredictor::predict_sequence_async(std::vector<std::int32_t> ids,
                                                                          const SubmitOptions& options) const
    try {
  return api::submit_job(queue(), SequenceJob{borrow(*this), std::move(ids)}, options);
} catch (...) {
  throw_as_error();
}

Prediction<std::vector<std::vector<Tensor>>> SequencePredictor::predict_sequences_async(
    std::vector<std::vector<std::int32_t>> sequences, const SubmitOptions& options) const try {
  return queue().submit(
      [self = borrow(*this), held = std::move(sequences)] { return self.predict_sequences(held); }, options);
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
