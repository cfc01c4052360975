// The wrapper of every function: it catches all exceptions and keeps the message per thread.
#pragma once

#include <mxinfer/error.h>

#include <string>

namespace mxinfer::c_predict {

/// Keeps the current exception for MXGetLastError and returns -1. Call it only in a handler.
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

/// Dereferences a pointer of the caller.
template <typename T>
T& need(T* pointer, const char* name) {
  if (pointer == nullptr) reject(std::string("argument '") + name + "' is NULL; expected a pointer");
  return *pointer;
}

/// A handle of the caller.
template <typename T>
T& handle_of(void* handle) {
  return need(static_cast<T*>(handle), "handle");
}

}  // namespace mxinfer::c_predict
