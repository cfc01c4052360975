// UsageError: the command line is invalid; exit code 2.
#pragma once

#include <stdexcept>
#include <string>

namespace mxinfer::cli {

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// "invalid value 'abc' for --top-k: expected a whole number of at least 1".
inline std::string invalid_value(const std::string& option, const std::string& value,
                                 const std::string& expected) {
  return "invalid value '" + value + "' for " + option + ": expected " + expected;
}

}  // namespace mxinfer::cli
