// AsyncOptions: how many predictions a queue holds, how they run, and what happens when the queue is full.
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

/// What a submission does if `max_in_flight` predictions are waiting or running.
enum class WhenFull {
  reject,  ///< throws Error(too_many_requests) at once
  block,   ///< waits for room, until the deadline of the submission
  /// The prediction that has waited longest, lower priority first, ends with Error(cancelled).
  drop_oldest,
};

/// High priority starts before all others that wait. Within a priority, the first submitted starts first.
enum class Priority { normal, high };

/// How a request ended, or that it was not accepted.
enum class RequestOutcome {
  done,             ///< it has a result
  failed,           ///< its function threw
  cancelled,        ///< by cancel(), by the destructor of the queue, or dropped for a newer one
  expired,          ///< its deadline passed before it started
  refused,          ///< not accepted, because the queue was full or shut down
  callback_failed,  ///< its callback threw after it had ended
};

/// Returns "done", "failed", "cancelled", "expired", "refused" or "callback_failed".
[[nodiscard]] MXINFER_API const char* to_string(RequestOutcome outcome) noexcept;

/// What AsyncOptions::on_event receives when a request ends.
struct RequestEvent {
  RequestOutcome outcome = RequestOutcome::done;
  Priority priority = Priority::normal;
  std::chrono::nanoseconds queue_time{0};  ///< from submission to start, or to the end if it did not start
  std::chrono::nanoseconds run_time{0};    ///< from start to end
  std::chrono::steady_clock::time_point submitted{};  ///< it started queue_time later
  int batch_size = 1;          ///< how many predictions ran as one batch, this one included
  std::string_view message{};  ///< of what was thrown; valid until on_event returns
};

/// How a queue holds and runs predictions.
struct AsyncOptions {
  /// The most predictions that wait or run at the same time. At least 1.
  int max_in_flight = 64;
  WhenFull when_full = WhenFull::reject;
  /// How many threads run requests side by side. 0: as many as the process has cores, limited by its CPU
  /// quota. They start with the first requests.
  int workers = 0;
  /// The most predictions that run as one batch. At least 1. A worker that takes a prediction also takes
  /// others that wait and fit: they are of the predictor that owns the queue, have inputs of the same types,
  /// and come from predict_async, predict_into_async, classify_async, detect_async or their variants for
  /// files and bytes. It takes a power of two of them, or max_batch, because each size needs a plan.
  /// Functions that you submit run alone.
  ///
  /// Results are bit-identical to those of single calls if the same kernels compute both, and close to them
  /// otherwise. The queue compares the first batch of each set of tensor types with single calls, and the
  /// first batch of images too. If it is not within 1e-4 of the largest value (2e-2 in bfloat16), such
  /// predictions run alone.
  int max_batch = 1;
  /// How long after its submission a prediction may wait for others to fill a batch while other predictions
  /// run. It never waits in an idle queue, beyond its deadline, or at high priority.
  std::chrono::microseconds max_delay{0};
  /// Called when a request has ended or was refused, on the thread where that happened, possibly on several
  /// threads at once. It must not submit to the queue. If it throws, the exception is dropped.
  std::function<void(const RequestEvent&)> on_event{};
};

/// A point in time by which a request must have started.
using Deadline = std::chrono::steady_clock::time_point;

/// No deadline.
inline constexpr Deadline kNoDeadline = Deadline::max();

/// Returns the deadline that is `time` from now. If the time overflows, there is no deadline.
template <typename Rep, typename Period>
[[nodiscard]] Deadline deadline_after(std::chrono::duration<Rep, Period> time) {
  const Deadline now = std::chrono::steady_clock::now();
  if (std::chrono::duration<double>(time) >= std::chrono::duration<double>(kNoDeadline - now))
    return kNoDeadline;
  return now + std::chrono::duration_cast<Deadline::duration>(time);
}

/// Options of one submission.
struct SubmitOptions {
  Priority priority = Priority::normal;
  /// A request that has not started by then never starts and ends with Error(deadline_exceeded). It ends when
  /// someone waits for it, a worker reaches it, or another submission needs its room. A running request is
  /// not stopped.
  Deadline deadline = kNoDeadline;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
