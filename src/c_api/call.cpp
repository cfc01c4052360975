#include "c_api/call.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace mxinfer::c_api {
namespace {

struct LastError {
  mxinfer_status status = MXINFER_OK;
  std::string message;
  /// Where there is no memory for a message.
  const char* fixed = nullptr;
};

LastError& last_error() noexcept {
  static thread_local LastError error;
  return error;
}

mxinfer_status keep(mxinfer_status status, const std::string& message) noexcept {
  LastError& error = last_error();
  error.status = status;
  error.fixed = nullptr;
  try {
    error.message = message;
  } catch (...) {
    error.fixed = "the memory for an error message could not be allocated";
  }
  return status;
}

mxinfer_status keep_fixed(mxinfer_status status, const char* message) noexcept {
  last_error().status = status;
  last_error().fixed = message;
  return status;
}

}  // namespace

mxinfer_status status_of(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::invalid_argument:
      return MXINFER_INVALID_ARGUMENT;
    case ErrorCode::not_found:
      return MXINFER_NOT_FOUND;
    case ErrorCode::malformed:
      return MXINFER_MALFORMED;
    case ErrorCode::unsupported:
      return MXINFER_UNSUPPORTED;
    case ErrorCode::out_of_memory:
      return MXINFER_OUT_OF_MEMORY;
    case ErrorCode::network:
      return MXINFER_NETWORK;
    case ErrorCode::device:
      return MXINFER_DEVICE;
    case ErrorCode::cancelled:
      return MXINFER_CANCELLED;
    case ErrorCode::deadline_exceeded:
      return MXINFER_DEADLINE_EXCEEDED;
    case ErrorCode::too_many_requests:
      return MXINFER_TOO_MANY_REQUESTS;
    case ErrorCode::internal:
      break;
  }
  return MXINFER_INTERNAL;
}

ErrorCode code_of(mxinfer_status status) noexcept {
  for (const ErrorCode code :
       {ErrorCode::invalid_argument, ErrorCode::not_found, ErrorCode::malformed, ErrorCode::unsupported,
        ErrorCode::out_of_memory, ErrorCode::network, ErrorCode::device, ErrorCode::cancelled,
        ErrorCode::deadline_exceeded, ErrorCode::too_many_requests}) {
    if (status_of(code) == status) return code;
  }
  return ErrorCode::internal;
}

mxinfer_status keep_error(const char* function) noexcept {
  try {
    throw;
  } catch (const Error& e) {
    return keep(status_of(e.code()), e.what());
  } catch (const NullArgument& null) {
    try {
      return keep(MXINFER_INVALID_ARGUMENT,
                  std::string(function) + ": argument '" + null.name + "' is NULL; expected a pointer");
    } catch (...) {
      return keep_fixed(MXINFER_INVALID_ARGUMENT, "an argument is NULL; expected a pointer");
    }
  } catch (const std::bad_alloc&) {
    return keep_fixed(MXINFER_OUT_OF_MEMORY, "the memory for a result could not be allocated");
  } catch (const std::exception& e) {
    return keep(MXINFER_INTERNAL, e.what());
  } catch (...) {
    return keep_fixed(MXINFER_INTERNAL, "an exception of unknown type was thrown");
  }
}

std::vector<std::string> need_texts(const char* const* texts, std::size_t count, const char* list,
                                    const char* element) {
  std::vector<std::string> copies;
  if (count > 0) need(texts, list);
  for (std::size_t i = 0; i < count; ++i) copies.emplace_back(need_text(texts[i], element));
  return copies;
}

ByteSpan need_bytes(const void* data, std::size_t count, const char* name) {
  if (count > 0 && data == nullptr) throw NullArgument{name};
  return {data, count};
}

void reject(const std::string& message) {
  throw Error(ErrorCode::invalid_argument, message);
}

void no_such(const char* what, std::size_t index, std::size_t count) {
  reject(std::string("there is no ") + what + " " + std::to_string(index) + "; there are " +
         std::to_string(count) + ", counted from 0");
}

char* copy_text(const std::string& text) {
  char* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

}  // namespace mxinfer::c_api

using namespace mxinfer::c_api;

const char* mxinfer_status_name(mxinfer_status status) {
  if (status == MXINFER_OK) return "ok";
  const mxinfer::ErrorCode code = code_of(status);
  return status_of(code) == status ? to_string(code) : "unknown";
}

const char* mxinfer_last_error(void) {
  const LastError& error = last_error();
  return error.fixed != nullptr ? error.fixed : error.message.c_str();
}

mxinfer_status mxinfer_last_status(void) {
  return last_error().status;
}

void mxinfer_text_free(char* text) {
  std::free(text);
}
