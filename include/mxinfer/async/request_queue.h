// RequestQueue: runs submitted functions on its own threads and limits how many wait. One queue may serve
// many predictors, and any other work of a request.
//
//   mxinfer::RequestQueue queue;                                             // 64 in flight, then refused
//   std::string body = request.body();
//   auto prediction = queue.submit([&, body = std::move(body)] { return classifier.classify_bytes(body, 5); });
//   auto urgent = queue.submit([&] { return predictor.predict({image}); },
//                              {mxinfer::Priority::high, mxinfer::deadline_after(std::chrono::milliseconds(50))});
//   for (const auto& [label, score, index] : prediction.get()) std::cout << label << '\n';
//
// The function is moved or copied into the queue and owns what it captures by value. What it captures by
// reference, predictors and views included, must live until the prediction has ended. Requests may end in any
// order.
#pragma once

#include <mxinfer/async/async_options.h>
#include <mxinfer/async/call_metrics.h>
#include <mxinfer/async/prediction.h>
#include <mxinfer/async/request.h>
#include <mxinfer/error.h>
#include <mxinfer/export.h>

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace mxinfer::api {
class QueueAccess;
}  // namespace mxinfer::api

namespace mxinfer {
inline namespace MXINFER_ABI {
namespace detail {

template <typename Function>
class Call : public RequestOf<std::invoke_result_t<Function&>> {
 public:
  template <typename F>
  Call(std::in_place_t /*tag*/, F&& function) : function_(std::in_place, std::forward<F>(function)) {}

 protected:
  void compute() override { this->result_.set(*function_); }
  void drop_work() noexcept override { function_.reset(); }

 private:
  std::optional<Function> function_;
};

template <typename Function, typename Callback>
class CallWithCallback final : public Call<Function> {
 public:
  using T = std::invoke_result_t<Function&>;
  template <typename F, typename C>
  CallWithCallback(std::in_place_t tag, F&& function, C&& callback)
      : Call<Function>(tag, std::forward<F>(function)), callback_(std::forward<C>(callback)) {}

 private:
  void call_back() override {
    this->retain();
    callback_(Prediction<T>(this));
  }
  Callback callback_;
};

}  // namespace detail

/// Runs functions on its own threads. All functions are thread-safe, except for the destructor and
/// assignment.
class MXINFER_API RequestQueue {
 public:
  /// Throws Error(invalid_argument) if max_in_flight or max_batch is below 1, workers is below 0 or above
  /// 1024, or max_delay is below 0 or above an hour.
  explicit RequestQueue(const AsyncOptions& options = {});
  /// Shuts the queue down. If this runs on one of its own threads, in a callback, it waits for all of its
  /// other threads.
  ~RequestQueue();
  /// A moved-from queue can be destroyed or assigned to, and nothing else.
  RequestQueue(RequestQueue&&) noexcept;
  RequestQueue& operator=(RequestQueue&&) noexcept;

  /// Runs function() on a worker and returns the handle of its result. Never waits for the result. Waits for
  /// room only under WhenFull::block. On a thread of the queue itself it refuses instead of waiting, because
  /// the queue could wait for itself. If the deadline has passed, the handle has already ended with
  /// Error(deadline_exceeded).
  ///
  /// Throws Error with one of these codes:
  /// - too_many_requests: the queue is full
  /// - cancelled: the queue was shut down
  /// - deadline_exceeded: there was no room before the deadline (WhenFull::block)
  /// - unsupported: the process was forked after the queue was made, so the workers are in the parent
  /// - out_of_memory
  template <typename Function>
  [[nodiscard]] Prediction<std::invoke_result_t<std::decay_t<Function>&>> submit(
      Function&& function, const SubmitOptions& options = {}) {
    return submit_as<detail::Call<std::decay_t<Function>>>(options, std::forward<Function>(function));
  }
  /// As above, and calls callback(prediction) when the request has ended, with any outcome. The get() of that
  /// prediction does not wait.
  ///
  /// The callback runs on the thread that ended the request. That is usually a worker, or a thread that
  /// cancelled it, waited for it at its deadline, took its place or shut the queue down. If the deadline has
  /// passed, it is the calling thread, before submit returns. Keep the callback short, because it blocks that
  /// thread. It may submit more, and destroy the queue. If it throws, AsyncOptions::on_event is told, and the
  /// exception is dropped. You can cancel with the returned handle; the callback gets the result.
  template <typename Function, typename Callback,
            typename = std::enable_if_t<std::is_invocable_v<
                std::decay_t<Callback>&, Prediction<std::invoke_result_t<std::decay_t<Function>&>>>>>
  Prediction<std::invoke_result_t<std::decay_t<Function>&>> submit(Function&& function, Callback&& callback,
                                                                   const SubmitOptions& options = {}) {
    return submit_as<detail::CallWithCallback<std::decay_t<Function>, std::decay_t<Callback>>>(
        options, std::forward<Function>(function), std::forward<Callback>(callback));
  }

  /// Accepts no more requests, cancels those that wait, and returns when all running ones have ended. A
  /// second call does nothing.
  void shut_down() noexcept;

  [[nodiscard]] const AsyncOptions& options() const noexcept;
  /// Returns counts and times of all submissions, at about this moment. Takes no lock that a submission
  /// takes.
  [[nodiscard]] CallMetrics metrics() const noexcept;

 private:
  friend class api::QueueAccess;
  explicit RequestQueue(std::shared_ptr<runtime::WorkQueue> state) noexcept;

  /// Returns memory of the queue, 64-byte aligned. It is kept for the next request when a request has ended.
  void* allocate(std::size_t bytes);
  void give_back(void* memory, std::size_t bytes) noexcept;
  /// Shares ownership of the request. Throws as submit().
  void enqueue(detail::Request& request, std::size_t bytes, const SubmitOptions& options);

  template <typename Call, typename... Arguments>
  auto submit_as(const SubmitOptions& options, Arguments&&... arguments) try {
    using T = decltype(std::declval<Call&>().take());
    static_assert(!std::is_reference_v<T>, "a prediction is a value: return a copy, or a pointer");
    static_assert(alignof(Call) <= 64, "what the function captures needs too large an alignment");
    void* const memory = allocate(sizeof(Call));
    Call* call = nullptr;
    try {
      call = new (memory) Call(std::in_place, std::forward<Arguments>(arguments)...);
    } catch (...) {
      give_back(memory, sizeof(Call));
      throw;
    }
    try {
      enqueue(*call, sizeof(Call), options);
    } catch (...) {
      call->~Call();
      give_back(memory, sizeof(Call));
      throw;
    }
    return Prediction<T>(call);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "the memory for a request was refused");
  }

  std::shared_ptr<runtime::WorkQueue> state_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
