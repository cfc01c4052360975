#include <mxinfer/error.h>

#include "base/utf8.h"

namespace mxinfer {

const char* MXINFER_ABI::to_string(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::invalid_argument:
      return "invalid_argument";
    case ErrorCode::not_found:
      return "not_found";
    case ErrorCode::malformed:
      return "malformed";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::out_of_memory:
      return "out_of_memory";
    case ErrorCode::network:
      return "network";
    case ErrorCode::device:
      return "device";
    case ErrorCode::cancelled:
      return "cancelled";
    case ErrorCode::deadline_exceeded:
      return "deadline_exceeded";
    case ErrorCode::too_many_requests:
      return "too_many_requests";
    case ErrorCode::internal:
      return "internal";
  }
  return "unknown";
}

// Paths and names from files may hold any bytes, but messages go into logs, JSON and other languages.
Error::Error(ErrorCode code, const std::string& message)
    : std::runtime_error(is_utf8(message) ? message : as_utf8(message)), code_(code) {}

Error::~Error() = default;

}  // namespace mxinfer
