// Logging: what the library has to say while it works. It is silent until a program asks.
//
//   mxinfer::set_log_callback([](mxinfer::LogLevel level, std::string_view message) {
//     std::cerr << to_string(level) << ": " << message << '\n';
//   });
//
// Errors are not logged: the caller gets them.
#pragma once

#include <mxinfer/export.h>

#include <functional>
#include <string_view>

namespace mxinfer {
inline namespace MXINFER_ABI {

enum class LogLevel {
  debug,    ///< a plan that was found no more, a workspace that was released
  info,     ///< a model that was loaded, a plan that was made, each with its time
  warning,  ///< what Model::warnings, Predictor::warnings and PlanInfo::warnings say
};

/// "debug", "info", "warning".
[[nodiscard]] MXINFER_API const char* to_string(LogLevel level) noexcept;

/// Gets one message, UTF-8 of one line, on the thread that it is about, possibly on several at once; what it
/// throws is dropped.
using LogCallback = std::function<void(LogLevel level, std::string_view message)>;

/// Messages of `least` and above go to `callback` from now on, and none to the one before once this returns;
/// an empty one makes the library silent again. Not to be called from inside a callback. Thread-safe.
MXINFER_API void set_log_callback(LogCallback callback, LogLevel least = LogLevel::info);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
