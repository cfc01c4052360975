#include "cli/commands/python_command.h"

#include <mxinfer/error.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace mxinfer::cli {
namespace {

constexpr const char* kCommand = "predict-table";

// argv[0] of Python is "-c"; the words of the command follow it.
// With -c, the working folder comes first in sys.path. It is removed, so that a folder of that name in it is
// not imported.
constexpr const char* kProgram = R"(import sys
sys.path[:] = [path for path in sys.path if path]
try:
    from mxinfer.predict_table import main
except ImportError as error:
    sys.exit("mxinfer: predict-table requires the Python package mxinfer, which {} lacks ({}): in the sources of "
             "mxinfer run 'pip install . pyarrow', or set MXINFER_PYTHON to a Python that has it".format(sys.executable, error))
sys.exit(main(sys.argv[1:]))
)";

std::string find_python() {
  const char* const named = std::getenv("MXINFER_PYTHON");
  if (named != nullptr && *named != '\0') return named;
  std::error_code ignored;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  const std::filesystem::path beside = self.parent_path() / "python3";
  return !self.empty() && ::access(beside.c_str(), X_OK) == 0 ? beside.string() : std::string("python3");
}

}  // namespace

bool is_python_command(const std::vector<std::string>& words) {
  return !words.empty() && words[0] == kCommand;
}

void run_python_command(const std::vector<std::string>& words) {
  std::string python = find_python();
  std::vector<std::string> all = {python, "-c", kProgram};
  all.insert(all.end(), words.begin() + 1, words.end());
  std::vector<char*> arguments;
  for (std::string& word : all) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execvp(python.c_str(), arguments.data());
  throw Error(ErrorCode::not_found, "predict-table requires the Python package mxinfer, and '" + python +
                                        "' cannot be run: " + std::strerror(errno) +
                                        "; install Python, run 'pip install . pyarrow' in the sources of "
                                        "mxinfer, or set MXINFER_PYTHON to a Python "
                                        "that has the package");
}

}  // namespace mxinfer::cli
