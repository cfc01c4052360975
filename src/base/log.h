// Messages for the program's log callback, if it has set one.
//
//   log_message(LogLevel::info, "model '", printable(name), "': loaded in ", ms, " ms");
#pragma once

#include <mxinfer/log.h>

#include <string>

#include "base/fail.h"

namespace mxinfer {

/// Whether a callback wants messages of this level.
bool is_logged(LogLevel level) noexcept;

/// Passes the message to the callback and ignores errors.
void write_log(LogLevel level, const std::string& message) noexcept;

/// Concatenates the parts and logs them, if the callback wants this level.
template <typename... Parts>
void log_message(LogLevel level, const Parts&... parts) noexcept {
  if (!is_logged(level)) return;
  try {
    write_log(level, concat(parts...));
  } catch (...) {
    // Out of memory for the message: skip it.
  }
}

}  // namespace mxinfer
