// An environment variable for as long as one test.
//
//   const test::EnvironmentVariable user("HADOOP_USER_NAME", "alice");
//   const test::EnvironmentVariable none("HADOOP_TOKEN");            // not set
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace mxinfer::test {

class EnvironmentVariable {
 public:
  explicit EnvironmentVariable(std::string name, const std::optional<std::string>& value = std::nullopt)
      : name_(std::move(name)) {
    if (const char* before = std::getenv(name_.c_str())) before_ = before;
    set(value);
  }
  ~EnvironmentVariable() { set(before_); }
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;

 private:
  void set(const std::optional<std::string>& value) const {
    if (value) {
      ::setenv(name_.c_str(), value->c_str(), 1);
    } else {
      ::unsetenv(name_.c_str());
    }
  }

  std::string name_;
  std::optional<std::string> before_;
};

}  // namespace mxinfer::test
