// Prediction: the handle of a request in a queue, whose result may not be ready yet.
//
//   mxinfer::Prediction<std::vector<mxinfer::Classification>> prediction = classifier.classify_async(images[0], 5);
//   while (!prediction.ready()) draw_next_frame();             // never blocks
//   show(prediction.get());                                    // throws what the work threw
//
//   if (!prediction.wait_for(std::chrono::milliseconds(50))) prediction.cancel();
#pragma once

#include <mxinfer/async/request.h>
#include <mxinfer/error.h>
#include <mxinfer/export.h>

#include <chrono>
#include <exception>
#include <memory>
#include <utility>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// The handle of a request. Use one handle from one thread at a time. Destroying a handle does not stop the
/// work; the result is dropped when it ends. A handle may outlive its queue.
template <typename T>
class Prediction {
 public:
  /// An empty handle. A handle is also empty once its result was taken. It is not ready, and waiting for it
  /// throws Error(invalid_argument).
  Prediction() noexcept = default;
  /// Used by RequestQueue: takes over one reference to a request.
  explicit Prediction(detail::RequestOf<T>* request) noexcept : request_(request) {}

  /// Returns false for an empty handle.
  [[nodiscard]] bool valid() const noexcept { return request_ != nullptr; }
  /// Returns whether the request has ended, with or without a result. Never blocks: one atomic load.
  [[nodiscard]] bool ready() const noexcept { return request_ != nullptr && request_->has_ended(); }
  /// Waits until the request has ended.
  void wait() const { request().wait(); }
  /// Waits for at most `time`. Returns whether the request has ended.
  template <typename Rep, typename Period>
  bool wait_for(std::chrono::duration<Rep, Period> time) const {
    return wait_until(deadline_after(time));
  }
  bool wait_until(Deadline time) const { return request().wait_until(time); }
  /// Waits, and returns the result, or throws what the work threw: the Error of the prediction,
  /// Error(cancelled) or Error(deadline_exceeded). You can take the result once; the handle is then empty.
  T get() {
    request().wait();
    const std::unique_ptr<detail::RequestOf<T>, detail::Release> taken(request_.release());
    if (std::exception_ptr error = taken->take_error()) std::rethrow_exception(std::move(error));
    return taken->take();
  }
  /// Ends the request with Error(cancelled). Returns true if it had not started: it has then ended and will
  /// never start. Returns false if it has ended or runs. A running request stops before its next operator, or
  /// with the batch that it runs in, unless it finishes first. You may reuse memory that it writes to only
  /// once it has ended.
  bool cancel() noexcept { return request_ != nullptr && request_->cancel(); }

  /// Used by awaitable.h and CompletionQueue.
  [[nodiscard]] detail::Request* state() const noexcept { return request_.get(); }

 private:
  detail::RequestOf<T>& request() const {
    if (request_ == nullptr) {
      throw Error(
          ErrorCode::invalid_argument,
          "an empty Prediction was waited for: nothing was submitted through it, or its result was taken");
    }
    return *request_;
  }
  std::unique_ptr<detail::RequestOf<T>, detail::Release> request_{};
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
