#include "base/log.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <utility>

namespace mxinfer {
namespace {

constexpr int kSilent = static_cast<int>(LogLevel::warning) + 1;

struct Log {
  std::atomic<int> least{kSilent};
  std::shared_mutex mutex;  // shared while a callback runs, so replacing it waits
  LogCallback callback;
};

// Never destroyed: threads may still log while the process ends.
Log& the_log() {
  static Log& log = *new Log;
  return log;
}

}  // namespace

const char* MXINFER_ABI::to_string(LogLevel level) noexcept {
  switch (level) {
    case LogLevel::debug:
      return "debug";
    case LogLevel::info:
      return "info";
    case LogLevel::warning:
      return "warning";
  }
  return "unknown";
}

bool is_logged(LogLevel level) noexcept {
  return static_cast<int>(level) >= the_log().least.load(std::memory_order_relaxed);
}

void write_log(LogLevel level, const std::string& message) noexcept {
  Log& log = the_log();
  try {
    const std::shared_lock lock(log.mutex);
    if (log.callback && is_logged(level)) log.callback(level, message);
  } catch (...) {
    // If the callback throws, the message is lost but the caller's result is not.
  }
}

void MXINFER_ABI::set_log_callback(LogCallback callback, LogLevel least) try {
  Log& log = the_log();
  const std::unique_lock lock(log.mutex);
  log.least = callback ? static_cast<int>(least) : kSilent;
  log.callback = std::move(callback);
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
