// The library's messages name what programs set (LoadOptions::inputs). This translates them to the options
// of the command (--describe).
#pragma once

#include <string>

namespace mxinfer::cli {

/// The message, with the names of the command's options in place of the library's.
std::string in_command_words(std::string message);

}  // namespace mxinfer::cli
