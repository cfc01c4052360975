// Names in messages.
#pragma once

#include <string>
#include <vector>

namespace mxinfer::formats {

/// "a, b, c", at most ten of them, and how many more there are.
std::string listed_names(const std::vector<std::string>& names);

}  // namespace mxinfer::formats
