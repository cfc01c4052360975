#include "formats/files/local_files.h"

#include <dirent.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <new>
#include <system_error>

namespace mxinfer::formats {

namespace fs = std::filesystem;

bool is_local_file(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool is_local_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

std::vector<std::string> files_ending(const std::string& folder, std::string_view ending) {
  std::vector<std::string> names;
  // Not std::filesystem::directory_iterator: libstdc++'s ends the process if memory is refused.
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), ::closedir);
  if (open == nullptr && errno == ENOMEM) throw std::bad_alloc();
  // A folder that cannot be listed offers nothing to choose from.
  while (const dirent* entry = open == nullptr ? nullptr : ::readdir(open.get())) {
    const std::string name = entry->d_name;
    if (name.ends_with(ending) && is_local_file((fs::path(folder) / name).string())) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace mxinfer::formats
