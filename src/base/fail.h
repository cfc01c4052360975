// Throwing errors with a trail: "model.params › array 'arg:w' › 12 bytes are left, 400 are needed".
//
//   fail(ErrorCode::malformed, "expected ", 4, " bytes, got ", n);
//   in_context([&] { return "node 'conv0' (Convolution)"; }, [&] { infer(node); });
#pragma once

#include <mxinfer/error.h>

#include <exception>
#include <new>
#include <sstream>
#include <stdexcept>
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

/// Runs body; an Error that leaves it gains "where › " in front. `where` is a callable so that the text is
/// only made when it is needed. Memory that is refused becomes an Error too; what else a caller's function
/// may throw passes through.
template <typename Where, typename Body>
auto in_context(Where&& where, Body&& body) -> decltype(body()) {
  try {
    return body();
  } catch (const Error& e) {
    throw Error(e.code(), std::string(where()) + kTrail + e.what());
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, std::string(where()) + kTrail + "the memory it needs was refused");
  } catch (const std::length_error&) {
    throw Error(ErrorCode::out_of_memory,
                std::string(where()) + kTrail + "it needs more memory than a process can have");
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
