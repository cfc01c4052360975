#include "base/fail.h"

#include <cstdio>
#include <stdexcept>
#include <string_view>

namespace mxinfer {

Error as_error(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return {ErrorCode::out_of_memory, "the memory it needs was refused"};
  } catch (const std::length_error&) {
    return {ErrorCode::out_of_memory, "it needs more memory than a process can have"};
  } catch (const std::exception& other) {
    return {ErrorCode::internal, concat("a defect of mxinfer, please report it: ", other.what())};
  } catch (...) {
    return {ErrorCode::internal, "a defect of mxinfer, please report it: an exception of no known type"};
  }
}

std::string printable(std::string_view text) {
  constexpr std::size_t kLimit = 200;
  std::string out;
  for (char c : text.substr(0, kLimit)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      char escaped[5];
      std::snprintf(escaped, sizeof escaped, "\\x%02x", byte);
      out += escaped;
    } else {
      out += c;
    }
  }
  if (text.size() > kLimit) out += "...";
  return out;
}

}  // namespace mxinfer
