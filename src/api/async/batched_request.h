// BatchedRequest: a submission that may run with others of its kind as one batch (AsyncOptions::max_batch).
//
//   return submit_job(queue, PredictJob{borrow(*this), inputs}, options);
//
// A job has
//   using Result = ...;
//   Result run() const;                        // alone
//   bool joins(const Job& first) const;        // a predictor's own queue: both are of one predictor
//   static void run_together(Span<const Job* const> jobs, Deliver<Result> deliver);
// and, if its work can go on without a thread,
//   std::unique_ptr<Started> start(Resume) const;        // null: not this one; a StartedCall, or what has one
//   Result finish(Started&) const;                       // once that has called resume
#pragma once

#include <mxinfer/async/request_queue.h>
#include <mxinfer/span.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "api/async/queue_access.h"
#include "api/async/started_call.h"
#include "base/function_ref.h"

namespace mxinfer::api {

/// Delivers the results of jobs that run together; jobs without a result run alone.
template <typename Result>
struct DeliverOf {
  using type = FunctionRef<void(std::size_t job, Result result)>;
};
template <>
struct DeliverOf<void> {
  using type = FunctionRef<void(std::size_t job)>;
};
template <typename Result>
using Deliver = typename DeliverOf<Result>::type;

/// The type that start() of a job returns.
template <typename Job>
struct StartedOf {
  static constexpr bool kStarts = false;
  using type = StartedCall;
};
template <typename Job>
requires requires(const Job& job, Resume resume) {
  job.start(resume);
}
struct StartedOf<Job> {
  static constexpr bool kStarts = true;
  using type = typename decltype(std::declval<const Job&>().start(Resume{}))::element_type;
};

template <typename Job>
class BatchedRequest final : public detail::RequestOf<typename Job::Result> {
 public:
  BatchedRequest(std::in_place_t /*tag*/, Job job) : job_(std::in_place, std::move(job)) {}

 private:
  using Result = typename Job::Result;
  using Request = detail::Request;

  void compute() override {
    const auto run = [&] {
      if constexpr (kStarts) {
        if (started_) return job_->finish(*started_);
      }
      return job_->run();
    };
    this->result_.set(run);
  }
  bool start([[maybe_unused]] void (*resume)(void*), [[maybe_unused]] void* argument) override {
    if constexpr (kStarts) started_ = job_->start({resume, argument});
    return started_ != nullptr;
  }
  bool has_stopped() noexcept override { return started_->has_stopped(); }
  void drop_work() noexcept override {
    started_.reset();
    job_.reset();
  }

  const void* kind() const noexcept override { return &kKind; }
  bool joins(const Request& first) const noexcept override {
    return job_->joins(*static_cast<const BatchedRequest&>(first).job_);
  }
  void compute_together(Request* const* requests, std::size_t count) override {
    std::vector<const Job*> jobs;
    for (std::size_t i = 0; i < count; ++i) jobs.push_back(&*of(requests[i]).job_);
    if constexpr (std::is_void_v<Result>) {
      Job::run_together(jobs, [&](std::size_t i) { of(requests[i]).set_computed(); });
    } else {
      Job::run_together(jobs, [&](std::size_t i, Result result) {
        const auto take = [&] { return std::move(result); };
        of(requests[i]).result_.set(take);
        of(requests[i]).set_computed();
      });
    }
  }
  static BatchedRequest& of(Request* request) { return static_cast<BatchedRequest&>(*request); }

  static constexpr bool kStarts = StartedOf<Job>::kStarts;
  static constexpr char kKind = 0;  ///< its address identifies the kind
  std::optional<Job> job_;
  std::unique_ptr<typename StartedOf<Job>::type> started_;
};

template <typename Job>
Prediction<typename Job::Result> submit_job(RequestQueue& queue, Job job, const SubmitOptions& options) {
  return QueueAccess::submit_as<BatchedRequest<Job>>(queue, options, std::move(job));
}

}  // namespace mxinfer::api
