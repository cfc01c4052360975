// What every function of the C interface does around the C++ one: no exception leaves it, and the error of
// the thread is kept.
//
//   mxinfer_status mxinfer_model_load(const char* uri, const mxinfer_options* options, mxinfer_model** out) {
//     return call([&] { give(out, "out", new mxinfer_model(Model::load(need(uri, "uri")))); });
//   }
#pragma once

#include <mxinfer/error.h>
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

/// Keeps what is thrown as the thread's error; its status. Only in a handler.
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

/// What a pointer of the caller points to. Throws NullArgument.
template <typename T>
T& need(T* pointer, const char* name) {
  if (pointer == nullptr) throw NullArgument{name};
  return *pointer;
}

/// A text of the caller.
inline const char* need_text(const char* text, const char* name) {
  return &need(text, name);
}

/// `count` texts of the caller. `list` and `element` are their names for NullArgument.
std::vector<std::string> need_texts(const char* const* texts, std::size_t count, const char* list,
                                    const char* element);

[[noreturn]] void reject(const std::string& message);

/// A copy that mxinfer_text_free frees.
char* copy_text(const std::string& text);

}  // namespace mxinfer::c_api
