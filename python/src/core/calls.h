// Calls that run without the interpreter's lock, and the end of the interpreter, which waits for them.
//
//   {
//     const WithoutGil released;      // other Python threads go on
//     outputs = predictor.predict(views);
//   }
//
// A thread that asks for the lock when the interpreter has ended never gets it: Python ends the thread in the
// middle of C++, which ends the process. So the end of the interpreter waits for calls, for a while; those
// that take longer never come back, on a thread that sleeps until the process is gone.
#pragma once

#include <Python.h>

namespace mxinfer::python {

/// Gives up the interpreter's lock, and takes it again when destroyed. Precondition: the thread has it.
class WithoutGil {
 public:
  enum class AtExit {
    refuse,  ///< Error(cancelled) once the interpreter ends
    allow,   ///< for destructors
  };
  explicit WithoutGil(AtExit at_exit = AtExit::refuse);
  ~WithoutGil();
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  bool counted_ = false;
  PyThreadState* state_ = nullptr;
};

/// Takes the interpreter's lock on a thread that is not Python's, if there is an interpreter still.
class WithGil {
 public:
  WithGil();
  ~WithGil();
  WithGil(const WithGil&) = delete;
  WithGil& operator=(const WithGil&) = delete;

  /// false: the interpreter ends; nothing of Python may be touched.
  explicit operator bool() const noexcept { return entered_; }

 private:
  bool entered_ = false;
  PyGILState_STATE state_{};
};

/// From now on no call begins; returns when all have come back, or after some seconds. Precondition: the
/// thread has the interpreter's lock.
void end_calls();

/// In a child process: the calls of the parent's other threads are not there.
void forget_calls_of_parent();

}  // namespace mxinfer::python
