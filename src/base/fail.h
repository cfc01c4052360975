// Throwing errors with a trail: "model.params › array 'arg:w' › 12 bytes are left, 400 are needed".
//
//   fail(ErrorCode::malformed, "expected ", 4, " bytes, got ", n);
//   in_context([&] { return "node 'conv0' (Convolution)"; }, [&] { infer(node); });
#pragma once

#include <mxinfer/error.h>

#include <exception>
#include <initializer_list>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/message_part.h"

namespace mxinfer {

inline constexpr const char* kTrail = " \u203a ";

/// Concatenates the parts, each as << writes it.
std::string join(std::initializer_list<MessagePart> parts);
[[noreturn]] void fail_with(ErrorCode code, std::initializer_list<MessagePart> parts);

template <typename... Parts>
std::string concat(const Parts&... parts) {
  return join({MessagePart(parts)...});
}

template <typename... Parts>
[[noreturn]] void fail(ErrorCode code, const Parts&... parts) {
  fail_with(code, {MessagePart(parts)...});
}

/// Converts the exception to the Error that callers get: an Error stays as it is, a failed allocation becomes
/// out_of_memory, and anything else is a defect of this library, internal.
Error as_error(const std::exception_ptr& thrown);

/// The Error for a failed allocation: the system refused it, or no process could have that much.
Error as_error(const std::bad_alloc& refused);
Error as_error(const std::length_error& refused);

/// Runs body and prefixes an Error that leaves it with "where › ". `where` is a callable, so the text is only
/// made when needed. A failed allocation becomes an Error too; other exceptions pass through.
template <typename Where, typename Body>
auto in_context(Where&& where, Body&& body) -> decltype(body()) {
  const auto located = [&](const Error& e) {
    return Error(e.code(), std::string(where()) + kTrail + e.what());
  };
  try {
    return body();
  } catch (const Error& e) {
    throw located(e);
  } catch (const std::bad_alloc& e) {
    throw located(as_error(e));
  } catch (const std::length_error& e) {
    throw located(as_error(e));
  }
}

/// In a handler: rethrows the exception as an Error. Public functions end with it, so that they throw nothing
/// else:
///
///   void save(const std::string& path) try {
///     ...
///   } catch (...) {
///     throw_as_error();
///   }
[[noreturn]] void throw_as_error();

/// Makes text from a file safe to print: UTF-8 with control characters escaped ("\xNN"), cut at 200 bytes.
std::string printable(std::string_view text);

}  // namespace mxinfer
