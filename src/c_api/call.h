// The wrapper of every function of the C interface: it catches all exceptions and keeps the error of the
// thread.
//
//   mxinfer_status mxinfer_session_reset(mxinfer_session* session) {
//     return call([&] { need(session, "session").session.reset(); });
//   }
//   mxinfer_status mxinfer_session_copy(const mxinfer_session* session, mxinfer_session** out) {
//     return give(out, [&] { return new mxinfer_session(need(session, "session")); });
//   }
#pragma once

#include <mxinfer/byte_span.h>
#include <mxinfer/error.h>
#include <mxinfer/span.h>
#include <mxinfer_c/status.h>

#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace mxinfer::c_api {

/// An argument that is NULL; the message says of which function.
struct NullArgument {
  const char* name;
};

mxinfer_status status_of(ErrorCode code) noexcept;
/// MXINFER_OK and unknown numbers are `internal`.
ErrorCode code_of(mxinfer_status status) noexcept;

/// Keeps the current exception as the thread's error and returns its status. Call it only in a handler.
mxinfer_status keep_error(const char* function) noexcept;

template <typename Body>
mxinfer_status call(Body&& body, const char* function = __builtin_FUNCTION()) noexcept {
  try {
    body();
    return MXINFER_OK;
  } catch (...) {
    return keep_error(function);
  }
}

/// Dereferences a pointer of the caller. Throws NullArgument.
template <typename T>
T& need(T* pointer, const char* name) {
  if (pointer == nullptr) throw NullArgument{name};
  return *pointer;
}

/// Writes the handle that make() returns to `out`, once nothing can fail any more.
template <typename Handle, typename Make>
mxinfer_status give(Handle** out, Make&& make, const char* function = __builtin_FUNCTION()) noexcept {
  return call(
      [&] {
        Handle*& place = need(out, "out");
        place = make();
      },
      function);
}

/// `count` elements of the caller; NULL is allowed if there are none.
template <typename T>
Span<const T> need_span(const T* elements, std::size_t count, const char* name) {
  if (count > 0) need(elements, name);
  return {elements, count};
}

/// A text of the caller.
inline const char* need_text(const char* text, const char* name) {
  return &need(text, name);
}

/// `count` texts of the caller. `list` and `element` are their names for NullArgument.
std::vector<std::string> need_texts(const char* const* texts, std::size_t count, const char* list,
                                    const char* element);

/// `count` bytes of the caller; NULL is allowed if there are none.
ByteSpan need_bytes(const void* data, std::size_t count, const char* name);

[[noreturn]] void reject(const std::string& message);
/// Rejects the position `index` of a list of `count` elements, each of which is a `what`.
[[noreturn]] void no_such(const char* what, std::size_t index, std::size_t count);

/// A copy that mxinfer_text_free frees.
char* copy_text(const std::string& text);

}  // namespace mxinfer::c_api
