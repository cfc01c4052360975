// Throwing errors with a trail: "model.params › array 'arg:w' › 12 bytes are left, 400 are needed".
//
//   fail(ErrorCode::malformed, "expected ", 4, " bytes, got ", n);
//   in_context([&] { return "node 'conv0' (Convolution)"; }, [&] { infer(node); });
#pragma once

#include <mxinfer/error.h>

#include <exception>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

namespace mxinfer {

inline constexpr const char* kTrail = " \u203a ";

/// The parts written one after another, as << writes them.
template <typename... Parts>
std::string concat(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return std::move(text).str();
}

template <typename... Parts>
[[noreturn]] void fail(ErrorCode code, const Parts&... parts) {
  throw Error(code, concat(parts...));
}

/// The exception as the Error that callers get for it: an Error is itself; memory that was refused is
/// out_of_memory; anything else is a defect of this library, internal.
Error as_error(const std::exception_ptr& thrown);

/// Runs body; what leaves it is an Error (as_error) with "where › " in front. `where` is a callable so that
/// the text is only made when it is needed.
template <typename Where, typename Body>
auto in_context(Where&& where, Body&& body) -> decltype(body()) {
  try {
    return body();
  } catch (...) {
    const Error error = as_error(std::current_exception());
    throw Error(error.code(), std::string(where()) + kTrail + error.what());
  }
}

/// Runs body, all that a public function does; what leaves it is an Error (as_error).
template <typename Body>
auto at_border(Body&& body) -> decltype(body()) {
  try {
    return body();
  } catch (const Error&) {
    throw;
  } catch (...) {
    throw as_error(std::current_exception());
  }
}

/// Text from a file made safe to print: UTF-8 without control characters (escaped: "\xNN"), cut at 200 bytes.
std::string printable(std::string_view text);

}  // namespace mxinfer
