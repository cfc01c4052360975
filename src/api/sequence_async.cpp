// The asynchronous twins of a SequencePredictor's functions.
#include <mxinfer/sequence/sequence_predictor.h>

#include <utility>

#include "api/batched_request.h"
#include "base/fail.h"

namespace mxinfer {

struct SequencePredictor::SequenceJob {
  using Result = std::vector<Tensor>;
  SequencePredictor self;
  std::vector<std::int32_t> ids;

  Result run() const { return self.predict_sequence(ids); }
  bool joins(const SequenceJob& /*first*/) const { return true; }
  static void run_together(Span<const SequenceJob* const> jobs, const api::Deliver<Result>& deliver) {
    std::vector<std::vector<std::int32_t>> sequences;
    for (const SequenceJob* job : jobs) sequences.push_back(job->ids);
    std::vector<ItemError> errors;
    std::vector<Result> outputs = jobs[0]->self.predict_sequences(sequences, &errors);
    std::vector<char> wrong(jobs.size(), 0);
    for (const ItemError& error : errors) wrong[error.item] = 1;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      if (wrong[i] == 0) deliver(i, std::move(outputs[i]));  // those that are wrong run alone, and say why
    }
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
