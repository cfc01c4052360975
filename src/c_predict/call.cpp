#include "c_predict/call.h"

#include <mxnet/c_predict_api.h>

#include <new>

namespace mxinfer::c_predict {
namespace {

struct LastError {
  std::string message;
  const char* fixed = nullptr;  ///< where there is no memory for a message
};

LastError& error_of_thread() noexcept {
  static thread_local LastError error;
  return error;
}

int keep(const char* function, const char* message) noexcept {
  LastError& error = error_of_thread();
  error.fixed = nullptr;
  try {
    error.message = std::string(function) + ": " + message;
  } catch (...) {
    error.fixed = "the memory for an error message could not be allocated";
  }
  return -1;
}

}  // namespace

int keep_error(const char* function) noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return keep(function, "the memory for a result could not be allocated");
  } catch (const std::exception& e) {
    return keep(function, e.what());
  } catch (...) {
    return keep(function, "an exception of unknown type was thrown");
  }
}

const char* last_error() noexcept {
  const LastError& error = error_of_thread();
  return error.fixed != nullptr ? error.fixed : error.message.c_str();
}

void reject(const std::string& message) {
  throw Error(ErrorCode::invalid_argument, message);
}

}  // namespace mxinfer::c_predict

const char* MXGetLastError(void) {
  return mxinfer::c_predict::last_error();
}
