#include "core/calls.h"

#include <mxinfer/error.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "core/completions.h"

namespace mxinfer::python {
namespace {

constexpr std::chrono::seconds kPatience{10};

/// Precondition of all functions: the mutex is not held.
class Calls {
 public:
  /// false: the interpreter ends.
  bool begin(bool also_while_closing) {
    const std::lock_guard lock(mutex_);
    if (ended_ || (closing_ && !also_while_closing)) return false;
    ++running_;
    return true;
  }
  /// Before a call asks for the interpreter's lock: whether it still may. Then comes locked().
  bool may_lock() {
    const std::lock_guard lock(mutex_);
    if (!abandoned_) ++locking_;
    return !abandoned_;
  }
  void locked() {
    const std::lock_guard lock(mutex_);
    --locking_;
    changed_.notify_all();
  }
  void end() {
    const std::lock_guard lock(mutex_);
    --running_;
    changed_.notify_all();
  }
  void close() {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  void wait_for_all(std::chrono::steady_clock::time_point until) {
    std::unique_lock lock(mutex_);
    ended_ = true;
    changed_.wait_until(lock, until, [&] { return running_ == 0; });
    abandoned_ = running_ > 0;
    changed_.wait(lock, [&] { return locking_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int running_ = 0;
  int locking_ = 0;
  bool closing_ = false;    ///< no call begins but those that bring results
  bool ended_ = false;      ///< none at all
  bool abandoned_ = false;  ///< what runs must not come back
};

// Never destroyed: threads may be inside when the process ends.
Calls*& calls() {
  static Calls* instance = new Calls;
  return instance;
}

[[noreturn]] void sleep_until_the_process_ends() {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

}  // namespace

WithoutGil::WithoutGil(AtExit at_exit) : counted_(calls()->begin(false)) {
  if (!counted_ && at_exit == AtExit::refuse)
    throw Error(ErrorCode::cancelled, "the Python interpreter is ending: no more calls are taken");
  state_ = PyEval_SaveThread();
}

WithoutGil::~WithoutGil() {
  if (!counted_) {
    PyEval_RestoreThread(state_);
    return;
  }
  Calls& all = *calls();
  if (!all.may_lock()) sleep_until_the_process_ends();
  PyEval_RestoreThread(state_);
  all.locked();
  all.end();
}

WithGil::WithGil() : entered_(calls()->begin(true)) {
  if (!entered_) return;
  Calls& all = *calls();
  if (!all.may_lock()) sleep_until_the_process_ends();
  state_ = PyGILState_Ensure();
  all.locked();
}

WithGil::~WithGil() {
  if (!entered_) return;
  PyGILState_Release(state_);
  calls()->end();
}

void end_calls() {
  PyThreadState* const state = PyEval_SaveThread();
  const auto until = std::chrono::steady_clock::now() + kPatience;
  calls()->close();
  completions().cancel_all();
  completions().wait_until(until);
  calls()->wait_for_all(until);
  PyEval_RestoreThread(state);
}

void forget_calls_of_parent() {
  calls() = new Calls;
}

}  // namespace mxinfer::python
