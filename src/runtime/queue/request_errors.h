// What requests end with that did not run, and what an exception says.
#pragma once

#include <exception>
#include <string>

namespace mxinfer::runtime {

/// Each without throwing: without memory for the message, that is the error.
std::exception_ptr deadline_error() noexcept;
/// It had not started.
std::exception_ptr cancelled_error(const char* why) noexcept;
std::exception_ptr cancelled_while_running_error() noexcept;

/// What an exception says, of the library or of a caller's function; empty for none.
std::string message_of(const std::exception_ptr& error);

}  // namespace mxinfer::runtime
