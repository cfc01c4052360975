// RequestQueue: runs what is submitted on threads of its own, so many at a time, and bounds what waits. One
// queue may serve many predictors, and whatever else belongs to a request.
//
//   mxinfer::RequestQueue queue;                                             // 64 in flight, then "no"
//   std::string body = request.body();
//   auto prediction = queue.submit([&, body = std::move(body)] { return classifier.classify_bytes(body, 5); });
//   auto urgent = queue.submit([&] { return predictor.predict({image}); },
//                              {mxinfer::Priority::high, mxinfer::deadline_after(std::chrono::milliseconds(50))});
//   for (const auto& [label, score, index] : prediction.get()) std::cout << label << '\n';
//
// The function is moved or copied in and owns what it captures by value; what it captures by reference, and
// predictors and views among them, must live until the prediction has ended. Order of completion is free.
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

/// Any thread may call every function, except of the destructor and assignment.
class MXINFER_API RequestQueue {
 public:
  /// Error(invalid_argument): max_in_flight or max_batch below 1, workers below 0 or above 1024, max_delay
  /// below 0 or above an hour.
  explicit RequestQueue(const AsyncOptions& options = {});
  /// Shuts down. On one of its own threads, in a callback, it waits for all other threads but that.
  ~RequestQueue();
  /// One that was moved from can be destroyed or assigned to, and nothing else.
  RequestQueue(RequestQueue&&) noexcept;
  RequestQueue& operator=(RequestQueue&&) noexcept;

  /// Runs function() on a worker and gives its result to the handle. Never waits for the result; waits for
  /// room only with WhenFull::block, and never on a thread of the queue itself, where the queue could wait
  /// for itself: there it refuses. A deadline in the past gives a handle that has ended with
  /// Error(deadline_exceeded). Errors: too_many_requests (the queue is full); cancelled (it was shut down);
  /// deadline_exceeded (WhenFull::block: there was no room by then); unsupported (the process was forked
  /// after the queue was made: its workers are the parent's); out_of_memory.
  template <typename Function>
  [[nodiscard]] Prediction<std::invoke_result_t<std::decay_t<Function>&>> submit(
      Function&& function, const SubmitOptions& options = {}) {
    return submit_as<detail::Call<std::decay_t<Function>>>(options, std::forward<Function>(function));
  }
  /// The same, and calls callback(prediction) when it has ended, whatever the outcome, with a handle whose
  /// get() does not wait: on the thread that ended it. That is the worker as a rule, or one that cancelled
  /// it, waited for it at its deadline, took its place or shut the queue down; with a deadline in the past it
  /// is this one, before submit returns. The callback holds up that thread, so it should be short; it may
  /// submit more, and destroy the queue. What it throws is told to AsyncOptions::on_event and dropped. The
  /// handle that is returned can cancel; its result is the callback's.
  template <typename Function, typename Callback,
            typename = std::enable_if_t<std::is_invocable_v<
                std::decay_t<Callback>&, Prediction<std::invoke_result_t<std::decay_t<Function>&>>>>>
  Prediction<std::invoke_result_t<std::decay_t<Function>&>> submit(Function&& function, Callback&& callback,
                                                                   const SubmitOptions& options = {}) {
    return submit_as<detail::CallWithCallback<std::decay_t<Function>, std::decay_t<Callback>>>(
        options, std::forward<Function>(function), std::forward<Callback>(callback));
  }

  /// Takes no more, cancels what waits, and returns when all that ran has ended. A second call does nothing.
  void shut_down() noexcept;

  [[nodiscard]] const AsyncOptions& options() const noexcept;
  /// Counts and times of all that was submitted, at about this moment; takes no lock that a submission takes.
  [[nodiscard]] CallMetrics metrics() const noexcept;

 private:
  friend class api::QueueAccess;
  explicit RequestQueue(std::shared_ptr<runtime::WorkQueue> state) noexcept;

  /// Memory of the queue, 64-byte aligned, kept for the next request when one has ended.
  void* allocate(std::size_t bytes);
  void give_back(void* memory, std::size_t bytes) noexcept;
  /// Takes part in holding it. Throws as submit().
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
