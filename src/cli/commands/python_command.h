// The command of the Python package: mxinfer predict-table, which reads and writes files with pyarrow.
//
//   if (is_python_command(words)) return run_python_command(words);   // becomes Python, or throws Error
#pragma once

#include <string>
#include <vector>

namespace mxinfer::cli {

/// Whether the first word is that command.
bool is_python_command(const std::vector<std::string>& words);

/// Replaces this process by Python: the one of the environment variable MXINFER_PYTHON, else python3 beside
/// this program, where pip installs both, else python3 of the PATH. Throws Error(not_found) if it cannot be
/// run. A Python without the package prints an error itself.
[[noreturn]] void run_python_command(const std::vector<std::string>& words);

}  // namespace mxinfer::cli
