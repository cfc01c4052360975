// The output of `mxinfer --version`. The first line is the name and the version, for scripts.
#pragma once

#include <string>

namespace mxinfer::cli {

std::string version_text();

}  // namespace mxinfer::cli
