// Request: what a Prediction is a handle of. Not for programs: prediction.h and request_queue.h are.
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

/// What is called once when a request has ended, on the thread that ended it.
class MXINFER_API Continuation {
 public:
  virtual void request_ended() noexcept = 0;

 protected:
  ~Continuation() = default;
};

/// One submission. It is counted: the handle holds it, and so does the queue until it has ended.
class MXINFER_API Request {
 public:
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  bool has_ended() const noexcept { return state_.load(std::memory_order_acquire) == State::ended; }
  /// Until it has ended. What still waits when its deadline passes ends then.
  void wait();
  bool wait_until(Deadline time);
  /// Whether it had not started: then it has ended now. If it runs, it is asked to stop.
  bool cancel() noexcept;
  /// Calls next.request_ended() when it ends. False: it has ended, and next will not be called.
  bool then(Continuation& next) noexcept;
  /// The exception that it ended with, or null; it is the caller's now. Precondition: has_ended().
  std::exception_ptr take_error() noexcept { return std::exchange(error_, nullptr); }

  void retain() noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept;

 protected:
  Request() noexcept = default;
  virtual ~Request();
  /// Computes and keeps the result, on a worker.
  virtual void compute() = 0;
  /// Begins what goes on without a thread, such as work on a GPU, and has resume(argument) called once, on
  /// any thread and maybe before this returns, when compute() can finish it without waiting. False: there is
  /// no such work, and compute() does all. Throws what the work throws, and has begun nothing then.
  virtual bool start(void (*resume)(void*), void* argument);
  /// Whether what was begun has ended and nothing will call resume: its device has failed.
  virtual bool has_stopped() noexcept { return false; }
  /// Destroys what was to be computed, and what it holds, now that it has ended.
  virtual void drop_work() noexcept = 0;
  /// Tells the caller that it has ended, whatever the outcome; what it throws is reported.
  virtual void call_back() {}

  /// What requests that may run as one batch have in common; null: it runs alone.
  virtual const void* kind() const noexcept { return nullptr; }
  /// Whether it may run together with `first`, which is of its kind.
  virtual bool joins(const Request& first) const noexcept;
  /// Computes itself and others that join it as one batch, and calls set_computed() of those that have
  /// their results then. The others will be computed alone.
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
  Request* next_ = nullptr;  ///< in the queue's list
  Request* previous_ = nullptr;
  void* batch_ = nullptr;  ///< the list of a worker that waits for more
  bool is_listed_ = false;
  // Of one that was started; with the queue's mutex held.
  bool is_started_ = false;    ///< start() has returned, and no worker looks at it
  bool is_resumable_ = false;  ///< resume was called
  bool is_computed_ = false;
  int batch_size_ = 1;
  RequestOutcome outcome_ = RequestOutcome::done;
  std::exception_ptr error_{};
  std::mutex mutex_{};
  std::condition_variable ended_{};
  std::shared_ptr<runtime::WorkQueue> queue_{};
  std::size_t bytes_ = 0;  ///< of its memory, which is the queue's
};

/// The result that a function leaves; nothing of a function that returns void.
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

/// Lets go of a request.
struct Release {
  void operator()(Request* request) const noexcept { request->release(); }
};

}  // namespace detail
}  // namespace MXINFER_ABI
}  // namespace mxinfer
