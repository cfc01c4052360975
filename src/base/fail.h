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

/// Runs body; an Error that leaves it gains "where › " in front. `where` is a callable so that the text is
/// only made when it is needed. Memory that is refused becomes an Error too.
template <typename Where, typename Body>
auto in_context(Where&& where, Body&& body) -> decltype(body()) {
  try {
    return body();
  } catch (const Error& e) {
    throw Error(e.code(), std::string(where()) + kTrail + e.what());
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, std::string(where()) + kTrail + "the memory it needs was refused");
  }
}

/// Text from a file made safe to print: control bytes and quotes are escaped, and it is cut at 200 bytes.
std::string printable(std::string_view text);

}  // namespace mxinfer
