// Gate: brings all threads to rest for a moment.
//
//   Gate gate(16);                    // a thread:          while (gate.pass()) work();
//   gate.close();                     // all are at rest
//   gate.open();
#pragma once

#include <condition_variable>
#include <mutex>

namespace mxinfer::soak {

/// It is closed at first.
class Gate {
 public:
  explicit Gate(int threads) : threads_(threads) {}

  /// A thread between two things that it does: waits while the gate is closed. False: it is to end.
  bool pass() {
    std::unique_lock lock(mutex_);
    if (state_ == State::closed) {
      ++waiting_;
      changed_.notify_all();
      changed_.wait(lock, [&] { return state_ != State::closed; });
      --waiting_;
    }
    return state_ != State::ended;
  }
  /// Returns when all threads wait.
  void close() {
    std::unique_lock lock(mutex_);
    state_ = State::closed;
    changed_.wait(lock, [&] { return waiting_ == threads_; });
  }
  void open() { become(State::open); }
  void end() { become(State::ended); }

 private:
  enum class State { closed, open, ended };
  void become(State state) {
    const std::lock_guard lock(mutex_);
    state_ = state;
    changed_.notify_all();
  }

  const int threads_;
  int waiting_ = 0;
  State state_ = State::closed;
  std::mutex mutex_{};
  std::condition_variable changed_{};
};

}  // namespace mxinfer::soak
