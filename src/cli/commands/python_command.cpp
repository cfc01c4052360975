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

// argv[0] of Python is "-c": the words of the command stand behind it.
// The working folder, which is the first of sys.path with -c, is not to be taken for the package.
constexpr const char* kProgram = R"(import sys
sys.path[:] = [path for path in sys.path if path]
try:
    from mxinfer.predict_table import main
except ImportError as error:
    sys.exit("mxinfer: predict-table is a command of the Python package, which {} lacks ({}); pip install 'mxinfer' and "
             "pyarrow there, or name a Python that has them by MXINFER_PYTHON".format(sys.executable, error))
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
  throw Error(ErrorCode::not_found,
              "predict-table is a command of the Python package, and '" + python +
                  "' cannot be run: " + std::strerror(errno) +
                  "; install Python and `pip install mxinfer pyarrow`, or name a Python that has "
                  "them by MXINFER_PYTHON");
}

}  // namespace mxinfer::cli
