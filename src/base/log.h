// Messages for the program's log callback, which is not there unless it asked for one.
//
//   log_message(LogLevel::info, "model '", printable(name), "': loaded in ", ms, " ms");
#pragma once

#include <mxinfer/log.h>

#include <string>

#include "base/fail.h"

namespace mxinfer {

/// Whether a callback wants messages of this level.
bool is_logged(LogLevel level) noexcept;

/// Hands it to the callback; what goes wrong on the way is dropped.
void write_log(LogLevel level, const std::string& message) noexcept;

/// The parts written one after another, if they are wanted.
template <typename... Parts>
void log_message(LogLevel level, const Parts&... parts) noexcept {
  if (!is_logged(level)) return;
  try {
    write_log(level, concat(parts...));
  } catch (...) {
    // Without memory for a message there is none.
  }
}

}  // namespace mxinfer
