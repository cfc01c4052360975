// AsyncOptions: how many predictions a queue holds, and what happens to more.
//
//   mxinfer::AsyncOptions options;
//   options.max_in_flight = 8;
//   options.when_full = mxinfer::WhenFull::drop_oldest;     // video: an old frame is worth less than a new one
//   options.on_event = [](const mxinfer::RequestEvent& event) { trace(event); };
//   mxinfer::RequestQueue queue(options);
#pragma once

#include <mxinfer/export.h>

#include <chrono>
#include <functional>
#include <limits>
#include <string_view>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// What submitting does while `max_in_flight` predictions are waiting or running.
enum class WhenFull {
  reject,       ///< Error(too_many_requests), at once
  block,        ///< waits for room, until the deadline of what is submitted
  drop_oldest,  ///< the one that has waited longest, of the lower priority first, ends with Error(cancelled)
};

/// Those of high priority start before all others that wait; of one priority, the first submitted goes first.
enum class Priority { normal, high };

/// How a request ended, or that it could not begin.
enum class RequestOutcome {
  done,             ///< it has its result
  failed,           ///< what was called threw
  cancelled,        ///< by cancel(), by the queue's destructor, or dropped for a newer one
  expired,          ///< its deadline passed before it started
  refused,          ///< it was not taken, for the queue was full or shut down
  callback_failed,  ///< its callback threw, after it had ended
};

/// "done", "failed", "cancelled", "expired", "refused", "callback_failed".
[[nodiscard]] MXINFER_API const char* to_string(RequestOutcome outcome) noexcept;

/// What is told of a request when it ends.
struct RequestEvent {
  RequestOutcome outcome = RequestOutcome::done;
  Priority priority = Priority::normal;
  std::chrono::nanoseconds queue_time{0};  ///< from the submission to the start, or to the end without one
  std::chrono::nanoseconds run_time{0};    ///< from the start to the end
  std::chrono::steady_clock::time_point submitted{};  ///< it started queue_time later
  int batch_size = 1;                                 ///< predictions that ran as one, this one among them
  std::string_view message{};                         ///< of what was thrown; good until the hook returns
};

struct AsyncOptions {
  /// Predictions that wait or run at the same time, at least 1.
  int max_in_flight = 64;
  WhenFull when_full = WhenFull::reject;
  /// Threads that take what was submitted, so that many run side by side; 0: as many as the process has cores
  /// (its quota of processor time counted). They start with the first requests.
  int workers = 0;
  /// Predictions that may run as one batch, at least 1. A worker that takes one takes others with it that
  /// wait anyway and fit: those of predict_async, predict_into_async, classify_async, detect_async and their
  /// forms for files and bytes, of the predictor whose queue this is, with inputs of the same types. It takes
  /// a power of two of them, or max_batch, for each size needs a plan. What the caller submits as a function
  /// runs alone. Results are the bits of single calls where the same kernels compute them, and close to them
  /// else: the first batch of tensors of each type is compared with single calls, and so is the first of
  /// images; if it is not within 1e-4 of the largest value (2e-2 in bfloat16), such predictions run alone.
  int max_batch = 1;
  /// How long, from its submission, a prediction may wait for others to make up a batch, while others run;
  /// it never waits in an idle queue, nor beyond its deadline, nor with high priority.
  std::chrono::microseconds max_delay{0};
  /// Called when a request has ended, or was refused, on the thread where that happened, possibly on several
  /// at once. It must not submit to the queue. What it throws is dropped.
  std::function<void(const RequestEvent&)> on_event{};
};

using Deadline = std::chrono::steady_clock::time_point;

/// None.
inline constexpr Deadline kNoDeadline = Deadline::max();

/// So long from now; a time that is too long to count is no deadline.
template <typename Rep, typename Period>
[[nodiscard]] Deadline deadline_after(std::chrono::duration<Rep, Period> time) {
  const Deadline now = std::chrono::steady_clock::now();
  if (std::chrono::duration<double>(time) >= std::chrono::duration<double>(kNoDeadline - now))
    return kNoDeadline;
  return now + std::chrono::duration_cast<Deadline::duration>(time);
}

/// Of one submission.
struct SubmitOptions {
  Priority priority = Priority::normal;
  /// What has not started by then never does, and ends with Error(deadline_exceeded): when somebody who waits
  /// through its handle, a worker or another submission that needs the room comes upon it. What runs is not
  /// stopped.
  Deadline deadline = kNoDeadline;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
