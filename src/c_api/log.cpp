#include <mxinfer/log.h>
#include <mxinfer_c/log.h>

#include <string>

#include "c_api/call.h"

using namespace mxinfer::c_api;

namespace {

mxinfer::LogLevel level_of(int32_t level) {
  switch (level) {
    case MXINFER_LOG_DEBUG:
      return mxinfer::LogLevel::debug;
    case MXINFER_LOG_INFO:
      return mxinfer::LogLevel::info;
    case MXINFER_LOG_WARNING:
      return mxinfer::LogLevel::warning;
    default:
      reject("there is no log level " + std::to_string(level) +
             "; expected MXINFER_LOG_DEBUG, _INFO or _WARNING, 0 to 2");
  }
}

}  // namespace

mxinfer_status mxinfer_set_log_callback(mxinfer_log_fn callback, void* user, int32_t least) {
  return call([&] {
    const mxinfer::LogLevel level = level_of(least);
    if (callback == nullptr) return mxinfer::set_log_callback({}, level);
    mxinfer::set_log_callback(
        [callback, user](mxinfer::LogLevel of, std::string_view message) {
          callback(static_cast<int32_t>(of), std::string(message).c_str(), user);
        },
        level);
  });
}
