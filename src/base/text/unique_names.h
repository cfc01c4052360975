// Makes names unique: each of several equal names gets its index among them, counted from 0.
//
//   unique_names({"fc_output", "softmax_output", "fc_output"})  // "fc_output#0", "softmax_output", "fc_output#1"
#pragma once

#include <string>
#include <vector>

namespace mxinfer {

/// Appends "#<index>" to names that appear more than once. Indices that would give an existing name are
/// skipped, so all names differ.
std::vector<std::string> unique_names(std::vector<std::string> names);

}  // namespace mxinfer
