// Local files by path. Inaccessible files count as missing. Internal to this folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mxinfer::formats {

bool is_local_file(const std::string& path);
bool is_local_folder(const std::string& path);

/// The folder that a path is in, "." if it names none.
std::string folder_of(const std::string& path);

/// Names of the files in a folder that end so, sorted.
std::vector<std::string> files_ending(const std::string& folder, std::string_view ending);

}  // namespace mxinfer::formats
