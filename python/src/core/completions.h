// Predictions that were submitted, until their results are in the hands of Python. One thread takes what has
// ended, so that the threads that compute never wait for the interpreter's lock.
#pragma once

#include <mxinfer/async/prediction.h>
#include <nanobind/nanobind.h>

#include <chrono>
#include <memory>

namespace mxinfer::python {

/// One prediction and the future that it is for. Made and destroyed by who has the interpreter's lock.
class Pending : public mxinfer::detail::Continuation {
 public:
  explicit Pending(nanobind::object future) noexcept : future_(std::move(future)) {}
  virtual ~Pending() = default;
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;

  /// Null before it was submitted, and once its result was taken.
  [[nodiscard]] virtual mxinfer::detail::Request* request() const noexcept = 0;
  /// The result as a Python object, or what it threw. Lets go of all that it held.
  virtual nanobind::object take_result() = 0;
  [[nodiscard]] const nanobind::object& future() const noexcept { return future_; }

 private:
  friend class Completions;
  void request_ended() noexcept final;
  nanobind::object future_;
  Pending* next_ended_ = nullptr;
  bool is_watched_ = false;  ///< its request can be cancelled; the mutex of State guards it
};

class Completions {
 public:
  Completions();
  ~Completions();
  Completions(const Completions&) = delete;
  Completions& operator=(const Completions&) = delete;

  /// Makes room for one that is to be submitted, so that nothing can fail once it is.
  void expect(Pending& pending);
  /// It was not submitted.
  void forget(Pending& pending);
  /// It was submitted: delivers it once it has ended.
  void watch(std::unique_ptr<Pending> pending);
  /// Cancels all that is pending. Precondition: the thread has not the interpreter's lock.
  void cancel_all();
  /// Until all is delivered, or that time. Precondition: the thread has not the interpreter's lock.
  void wait_until(std::chrono::steady_clock::time_point time);

 private:
  friend class Pending;
  void push(Pending& pending) noexcept;
  void run();
  struct State;
  std::unique_ptr<State> state_;
};

/// Those of the process; lives until it ends.
Completions& completions();

/// In a child process: what was pending is the parent's.
void forget_completions_of_parent();

}  // namespace mxinfer::python
