// UsageError: a command line that makes no sense, exit code 2.
#pragma once

#include <stdexcept>

namespace mxinfer::cli {

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace mxinfer::cli
