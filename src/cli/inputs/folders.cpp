#include "cli/inputs/folders.h"

#include <mxinfer/error.h>

#include <filesystem>
#include <system_error>

namespace mxinfer::cli {

void make_folder(const std::string& option, const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!std::filesystem::is_directory(path)) {
    throw Error(ErrorCode::invalid_argument, option + ": cannot create the folder '" + path +
                                                 "': " + (error ? error.message() : "a file has that name"));
  }
}

void make_folder_of(const std::string& option, const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  if (!folder.empty()) make_folder(option, folder);
}

}  // namespace mxinfer::cli
