// Prediction: the handle of work that was submitted to a queue and may not be done yet.
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

/// One thread at a time uses a handle; any number of handles are in use at the same time. To destroy a handle
/// does not stop the work; its result goes when it ends. A handle may outlive its queue.
template <typename T>
class Prediction {
 public:
  /// An empty handle, as one whose result was taken: it is not ready, and to wait for it is an
  /// Error(invalid_argument).
  Prediction() noexcept = default;
  /// For RequestQueue: a handle of a request that it holds once.
  explicit Prediction(detail::RequestOf<T>* request) noexcept : request_(request) {}

  [[nodiscard]] bool valid() const noexcept { return request_ != nullptr; }
  /// Whether it has ended, well or not. Never blocks: one atomic load.
  [[nodiscard]] bool ready() const noexcept { return request_ != nullptr && request_->has_ended(); }
  /// Until it has ended.
  void wait() const { request().wait(); }
  /// At most so long; whether it has ended.
  template <typename Rep, typename Period>
  bool wait_for(std::chrono::duration<Rep, Period> time) const {
    return wait_until(deadline_after(time));
  }
  bool wait_until(Deadline time) const { return request().wait_until(time); }
  /// Waits, and gives the result, or throws what the work threw: an Error of the prediction, or
  /// Error(cancelled), Error(deadline_exceeded). It can be taken once; the handle is then empty.
  T get() {
    request().wait();
    const std::unique_ptr<detail::RequestOf<T>, detail::Release> taken(request_.release());
    if (std::exception_ptr error = taken->take_error()) std::rethrow_exception(std::move(error));
    return taken->take();
  }
  /// Ends it with Error(cancelled). True: it had not started, has ended now, and never will start. False: it
  /// has ended before, or it runs; then it stops before its next operator, or with the batch that it runs in,
  /// if it is not done by then. Memory that it was to write into is the caller's again once it has ended, and
  /// not before.
  bool cancel() noexcept { return request_ != nullptr && request_->cancel(); }

  /// For awaitable.h and CompletionQueue.
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
