// The environment of one test: without the variables of AWS and of proxies, and afterwards as it was.
//
//   test::Environment environment;
//   environment.set("AWS_REGION", "eu-west-1");
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mxinfer::test {

class Environment {
 public:
  Environment() {
    std::vector<std::string> names{"http_proxy",  "https_proxy", "all_proxy", "no_proxy",
                                   "HTTPS_PROXY", "ALL_PROXY",   "NO_PROXY"};
    for (char** entry = environ; *entry != nullptr; ++entry) {
      const std::string text = *entry;
      if (text.rfind("AWS_", 0) == 0) names.push_back(text.substr(0, text.find('=')));
    }
    for (const std::string& name : names) unset(name);
  }
  ~Environment() {
    for (const auto& [name, value] : before_) {
      if (value) {
        ::setenv(name.c_str(), value->c_str(), 1);
      } else {
        ::unsetenv(name.c_str());
      }
    }
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  void set(const std::string& name, const std::string& value) {
    remember(name);
    ::setenv(name.c_str(), value.c_str(), 1);
  }
  void unset(const std::string& name) {
    remember(name);
    ::unsetenv(name.c_str());
  }

 private:
  void remember(const std::string& name) {
    const char* const value = ::getenv(name.c_str());
    before_.emplace(name, value == nullptr ? std::nullopt : std::optional<std::string>(value));
  }

  std::map<std::string, std::optional<std::string>> before_;
};

}  // namespace mxinfer::test
