// The library's messages speak of what programs set (LoadOptions::inputs), people at the command line of
// options (--describe). This is the one place that translates.
#pragma once

#include <string>

namespace mxinfer::cli {

/// The message with the names of the command's options in place of those of the library.
std::string in_command_words(std::string message);

}  // namespace mxinfer::cli
