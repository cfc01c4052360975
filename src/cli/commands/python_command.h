// Commands that the Python package has: mxinfer predict-table, which reads and writes files by pyarrow.
//
//   if (is_python_command(words)) return run_python_command(words);   // becomes Python, or throws Error
#pragma once

#include <string>
#include <vector>

namespace mxinfer::cli {

/// Whether the first word is such a command.
bool is_python_command(const std::vector<std::string>& words);

/// Becomes the Python that has the package: that of the environment variable MXINFER_PYTHON, else python3
/// beside this program, where pip puts both, else python3 of the PATH. Throws Error(not_found) if there is
/// none; a Python without the package says so itself.
[[noreturn]] void run_python_command(const std::vector<std::string>& words);

}  // namespace mxinfer::cli
