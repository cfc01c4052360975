// What every function does around its body: no exception leaves it, and the message is the thread's.
#pragma once

#include <mxinfer/error.h>

#include <string>

namespace mxinfer::c_predict {

/// Keeps what is thrown for MXGetLastError; -1. Only in a handler.
int keep_error(const char* function) noexcept;
const char* last_error() noexcept;

template <typename Body>
int call(Body&& body, const char* function = __builtin_FUNCTION()) noexcept {
  try {
    body();
    return 0;
  } catch (...) {
    return keep_error(function);
  }
}

[[noreturn]] void reject(const std::string& message);

/// What a pointer of the caller points to.
template <typename T>
T& need(T* pointer, const char* name) {
  if (pointer == nullptr) reject(std::string("argument '") + name + "' is NULL, where a pointer is needed");
  return *pointer;
}

/// A handle of the caller.
template <typename T>
T& handle_of(void* handle) {
  return need(static_cast<T*>(handle), "handle");
}

}  // namespace mxinfer::c_predict
