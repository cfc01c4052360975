// Runs a program and catches what it says.
//
//   Outcome outcome = run_program({"/bin/echo", "hello"});
//   outcome.exit_code;   // 0
//   outcome.out;         // "hello\n"
#pragma once

#include <map>
#include <string>
#include <vector>

namespace mxinfer::test {

struct Outcome {
  int exit_code = 0;  ///< minus the signal's number where one ended the program
  bool timed_out = false;
  std::string out;
  std::string err;
};

/// What standard error is to the program.
enum class StandardError { pipe, terminal };

/// Runs command[0] with the other words as its arguments, the environment added to that of this process, and
/// nothing on standard input. It is killed after `timeout_s`.
Outcome run_program(const std::vector<std::string>& command,
                    const std::map<std::string, std::string>& environment = {}, int timeout_s = 240,
                    StandardError standard_error = StandardError::pipe);

}  // namespace mxinfer::test
