// What the command lines of benches share: numbers of options, and what is wrong with a command line.
//
//   options.threads = number("--threads", value, 1, 1024);      // throws UsageError
#pragma once

#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace mxinfer::bench {

/// A command line that is invalid: what is wrong, and what is expected.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The value of an option, from `least` to `most`.
template <typename T>
T number(std::string_view option, std::string_view text, T least, T most) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= least && value <= most)) {
    throw UsageError(std::string(option) + " '" + std::string(text) + "': expected a number from " +
                     std::to_string(least) + " to " + std::to_string(most));
  }
  return value;
}

}  // namespace mxinfer::bench
