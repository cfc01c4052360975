// Logging: messages about what the library does. The library logs nothing until you set a callback.
//
//   mxinfer::set_log_callback([](mxinfer::LogLevel level, std::string_view message) {
//     std::cerr << to_string(level) << ": " << message << '\n';
//   });
//
// Errors are thrown to the caller and are not logged.
#pragma once

#include <mxinfer/export.h>

#include <functional>
#include <string_view>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// How important a message is.
enum class LogLevel {
  debug,    ///< a plan was evicted, workspaces were released
  info,     ///< a model was loaded or a plan was made, with the time that it took
  warning,  ///< the texts of Model::warnings, Predictor::warnings and PlanInfo::warnings
};

/// Returns "debug", "info" or "warning".
[[nodiscard]] MXINFER_API const char* to_string(LogLevel level) noexcept;

/// Receives one message, a single line of UTF-8. It runs on the thread that the message is about, possibly on
/// several threads at once. If it throws, the exception is dropped.
using LogCallback = std::function<void(LogLevel level, std::string_view message)>;

/// Sends messages of level `least` and above to `callback`. Once this returns, the previous callback receives
/// no more messages. An empty callback turns logging off. Do not call this from a callback. Thread-safe.
MXINFER_API void set_log_callback(LogCallback callback, LogLevel least = LogLevel::info);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
