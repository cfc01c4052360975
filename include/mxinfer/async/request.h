// Request: the state behind a Prediction. It is internal: include prediction.h and request_queue.h instead.
#pragma once

#include <mxinfer/async/async_options.h>
#include <mxinfer/export.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

namespace mxinfer::runtime {
class WorkQueue;
}  // namespace mxinfer::runtime

namespace mxinfer {
inline namespace MXINFER_ABI {
namespace detail {

/// Called once when a request has ended, on the thread that ended it.
class MXINFER_API Continuation {
 public:
  virtual void request_ended() noexcept = 0;

 protected:
  ~Continuation() = default;
};

/// One submission. It is reference-counted: the handle holds it, and so does the queue until it has ended.
class MXINFER_API Request {
 public:
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  bool has_ended() const noexcept { return state_.load(std::memory_order_acquire) == State::ended; }
  /// Waits until it has ended. If its deadline passes before it starts, it ends then.
  void wait();
  bool wait_until(Deadline time);
  /// Returns whether it had not started; it has then ended. If it runs, it is asked to stop.
  bool cancel() noexcept;
  /// Calls next.request_ended() when it ends. Returns false if it has ended already; `next` is not called
  /// then.
  bool then(Continuation& next) noexcept;
  /// Returns the exception that it ended with, or null, and gives it to the caller. Precondition:
  /// has_ended().
  std::exception_ptr take_error() noexcept { return std::exchange(error_, nullptr); }

  void retain() noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept;

 protected:
  Request() noexcept = default;
  virtual ~Request();
  /// Computes and keeps the result, on a worker.
  virtual void compute() = 0;
  /// Begins work that continues without a thread, such as on a GPU. Calls resume(argument) once, on any
  /// thread and possibly before this returns, when compute() can finish the work without waiting. Returns
  /// false if there is no such work and compute() does it all. If it throws, it has begun nothing.
  virtual bool start(void (*resume)(void*), void* argument);
  /// Whether the work that was begun has ended and nothing will call resume, because its device has failed.
  virtual bool has_stopped() noexcept { return false; }
  /// Destroys the work and what it holds once the request has ended.
  virtual void drop_work() noexcept = 0;
  /// Tells the caller that the request has ended, with any outcome. If it throws, that is reported.
  virtual void call_back() {}

  /// Returns what requests that may run as one batch have in common. Null: it runs alone.
  virtual const void* kind() const noexcept { return nullptr; }
  /// Whether it may run in a batch with `first`, which is of the same kind.
  virtual bool joins(const Request& first) const noexcept;
  /// Computes itself and others that join it as one batch, and calls set_computed() of those that have their
  /// results. The others are then computed alone.
  virtual void compute_together(Request* const* requests, std::size_t count);
  void set_computed() noexcept { is_computed_ = true; }

 private:
  friend class runtime::WorkQueue;
  enum class State : std::uint8_t { waiting, running, ended };

  std::atomic<int> references_{1};
  std::atomic<State> state_{State::waiting};
  std::atomic<bool> stop_{false};
  std::atomic<Continuation*> continuation_{nullptr};
  Priority priority_ = Priority::normal;
  Deadline deadline_ = kNoDeadline;
  Deadline submitted_{}, started_{};
  Request* next_ = nullptr;  ///< in the list of the queue
  Request* previous_ = nullptr;
  void* batch_ = nullptr;  ///< the list of a worker that waits for more
  bool is_listed_ = false;
  // For a request that was started; with the queue's mutex held.
  bool is_started_ = false;    ///< start() has returned, and no worker looks at it
  bool is_resumable_ = false;  ///< resume was called
  bool is_computed_ = false;
  int batch_size_ = 1;
  RequestOutcome outcome_ = RequestOutcome::done;
  std::exception_ptr error_{};
  std::mutex mutex_{};
  std::condition_variable ended_{};
  std::shared_ptr<runtime::WorkQueue> queue_{};
  std::size_t bytes_ = 0;  ///< the size of its memory, which belongs to the queue
};

/// The result of a function; empty for a function that returns void.
template <typename T>
class Result {
 public:
  template <typename Function>
  void set(Function& function) {
    value_.emplace(function());
  }
  T take() { return std::move(*value_); }

 private:
  std::optional<T> value_{};
};
template <>
class Result<void> {
 public:
  template <typename Function>
  void set(Function& function) {
    function();
  }
  void take() {}
};

template <typename T>
class RequestOf : public Request {
 public:
  T take() { return result_.take(); }

 protected:
  Result<T> result_{};
};

/// Releases a reference to a request.
struct Release {
  void operator()(Request* request) const noexcept { request->release(); }
};

}  // namespace detail
}  // namespace MXINFER_ABI
}  // namespace mxinfer
