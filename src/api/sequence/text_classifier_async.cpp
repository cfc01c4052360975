// The asynchronous variant of TextClassifier::classify.
#include <mxinfer/sequence/text_classifier.h>

#include <utility>

#include "api/async/list_jobs.h"
#include "base/fail.h"

namespace mxinfer {

struct TextClassifier::TextJob {
  using Result = std::vector<Classification>;
  TextClassifier self;
  std::string text;
  std::optional<int> top_k;

  Result run() const { return self.classify(text, top_k); }
  bool joins(const TextJob& first) const { return top_k == first.top_k; }
  static void run_together(Span<const TextJob* const> jobs, const api::Deliver<Result>& deliver) {
    const auto run_all = [&](std::vector<ItemError>* errors) {
      return jobs[0]->self.classify_texts(api::members_of(jobs, &TextJob::text), jobs[0]->top_k, errors);
    };
    api::run_list_together(jobs, run_all, deliver);
  }
};

Prediction<std::vector<Classification>> TextClassifier::classify_async(std::string text,
                                                                       std::optional<int> top_k,
                                                                       const SubmitOptions& options) const
    try {
  return api::submit_job(queue(), TextJob{borrow(*this), std::move(text), top_k}, options);
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
