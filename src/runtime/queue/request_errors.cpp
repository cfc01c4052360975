#include "runtime/queue/request_errors.h"

#include <initializer_list>

#include "base/fail.h"

namespace mxinfer::runtime {
namespace {

/// Out of memory for the message: that becomes the error.
std::exception_ptr error_of(ErrorCode code, std::initializer_list<MessagePart> parts) noexcept {
  try {
    return std::make_exception_ptr(Error(code, join(parts)));
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace

std::exception_ptr deadline_error() noexcept {
  return error_of(
      ErrorCode::deadline_exceeded,
      {"the deadline of a prediction passed before it started; submit fewer, or give it more time"});
}

std::exception_ptr cancelled_error(const char* why) noexcept {
  return error_of(ErrorCode::cancelled, {"the prediction was cancelled before it started: ", why});
}

std::exception_ptr cancelled_while_running_error() noexcept {
  return error_of(ErrorCode::cancelled, {"the prediction was cancelled while it ran"});
}

std::string message_of(const std::exception_ptr& error) {
  if (!error) return {};
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "something other than an exception was thrown";
  }
}

}  // namespace mxinfer::runtime
