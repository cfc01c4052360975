// The folders that commands write into, made if they are not there yet:
//
//   make_folder_of("--output", "copy/digits");   // copy/, for copy/digits-symbol.json and so on
#pragma once

#include <string>

namespace mxinfer::cli {

/// Makes the folder, and those above it. Error(invalid_argument) that names the option if that cannot be.
void make_folder(const std::string& option, const std::string& path);
/// The same for the folder of a file, or of a prefix of files.
void make_folder_of(const std::string& option, const std::string& path);

}  // namespace mxinfer::cli
