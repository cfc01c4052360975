// Creates the folders into which commands write, if they do not exist:
//
//   make_folder_of("--output", "copy/digits");   // copy/, for copy/digits-symbol.json and so on
#pragma once

#include <string>

namespace mxinfer::cli {

/// Creates the folder and its parents. If that fails, Error(invalid_argument) that names the option.
void make_folder(const std::string& option, const std::string& path);
/// The same for the folder of a file, or of a prefix of files.
void make_folder_of(const std::string& option, const std::string& path);

}  // namespace mxinfer::cli
