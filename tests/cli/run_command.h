// Runs the mxinfer command of this build, and checks the rules for every call: results on standard output,
// one message on standard error, exit code 0, 1 or 2.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/servers/subprocess.h"

namespace mxinfer::test {

inline std::string digits() {
  return std::string(MXINFER_SOURCE_DIR) + "/models/digits";
}
inline std::string image_path(const std::string& name) {
  return std::string(MXINFER_SOURCE_DIR) + "/examples/images/" + name;
}

inline Outcome mxinfer(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), MXINFER_COMMAND);
  return run_program(arguments);
}

/// The standard output of a call that succeeds without warnings.
inline std::string output_of(const std::vector<std::string>& arguments) {
  const Outcome outcome = mxinfer(arguments);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return outcome.out;
}

/// The same, as JSON.
inline nlohmann::json json_of(std::vector<std::string> arguments) {
  arguments.emplace_back("--json");
  const std::string text = output_of(arguments);
  nlohmann::json value = nlohmann::json::parse(text, nullptr, false);
  EXPECT_FALSE(value.is_discarded()) << "no JSON: " << text;
  return value;
}

inline void expect_facts(const std::string& text, const std::vector<std::string>& facts) {
  for (const std::string& fact : facts) {
    EXPECT_NE(text.find(fact), std::string::npos) << "the text lacks '" << fact << "': " << text;
  }
}

/// Expects that the call exits with `exit_code`, prints nothing on standard output, and prints "mxinfer: "
/// and the facts on standard error.
inline void expect_failure(int exit_code, const std::vector<std::string>& arguments,
                           const std::vector<std::string>& facts) {
  const Outcome outcome = mxinfer(arguments);
  EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err.rfind("mxinfer: ", 0), 0u) << outcome.err;
  EXPECT_EQ(outcome.err.find("internal error"), std::string::npos) << outcome.err;
  expect_facts(outcome.err, facts);
}

inline void expect_user_error(const std::vector<std::string>& arguments,
                              const std::vector<std::string>& facts) {
  expect_failure(1, arguments, facts);
}

inline void expect_usage_error(const std::vector<std::string>& arguments,
                               const std::vector<std::string>& facts) {
  expect_failure(2, arguments, facts);
}

}  // namespace mxinfer::test
