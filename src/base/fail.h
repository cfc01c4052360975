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

/// The parts written one after another, as << writes them.
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

/// The exception as the Error that callers get for it: an Error is itself; memory that was refused is
/// out_of_memory; anything else is a defect of this library, internal.
Error as_error(const std::exception_ptr& thrown);

/// Memory that was refused, as an Error: by the system, or because no process could have so much.
Error as_error(const std::bad_alloc& refused);
Error as_error(const std::length_error& refused);

/// Runs body; an Error that leaves it gains "where › " in front. `where` is a callable so that the text is
/// only made when it is needed. Memory that is refused becomes an Error too; what else a caller's function
/// may throw passes through.
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

/// In a handler: throws what was caught, as an Error. Where a public function ends, so that nothing else
/// leaves the library:
///
///   void save(const std::string& path) try {
///     ...
///   } catch (...) {
///     throw_as_error();
///   }
[[noreturn]] void throw_as_error();

/// Text from a file made safe to print: UTF-8 without control characters (escaped: "\xNN"), cut at 200 bytes.
std::string printable(std::string_view text);

}  // namespace mxinfer
