// The errors of requests that did not run, and the texts of exceptions.
#pragma once

#include <exception>
#include <string>

namespace mxinfer::runtime {

/// None of these throws: if there is no memory for the message, that becomes the error.
std::exception_ptr deadline_error() noexcept;
/// It had not started.
std::exception_ptr cancelled_error(const char* why) noexcept;
std::exception_ptr cancelled_while_running_error() noexcept;

/// The text of an exception from the library or a caller's function; empty for none.
std::string message_of(const std::exception_ptr& error);

}  // namespace mxinfer::runtime
