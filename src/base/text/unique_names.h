// Names that tell apart what has the same name: each of several gets its place among them, counted from 0.
//
//   unique_names({"fc_output", "softmax_output", "fc_output"})  // "fc_output#0", "softmax_output", "fc_output#1"
#pragma once

#include <string>
#include <vector>

namespace mxinfer {

/// The names with "#<index>" behind those that are there more than once. An index that would make a name that
/// is there already is passed over, so that all are different.
std::vector<std::string> unique_names(std::vector<std::string> names);

}  // namespace mxinfer
