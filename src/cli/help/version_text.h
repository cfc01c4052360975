// What `mxinfer --version` prints: the first line is the name and the version, for scripts.
#pragma once

#include <string>

namespace mxinfer::cli {

std::string version_text();

}  // namespace mxinfer::cli
