// The former names of options. They still work, with a warning, unless another option has that name now.
//
//   std::vector<std::string> warnings;
//   with_current_names({"pack", "m", "--graph", "train=t.json"}, warnings);   // ... "--add-graph" ...
#pragma once

#include <string>
#include <vector>

namespace mxinfer::cli {

/// The words of a line after "mxinfer", with current names in place of former ones, and a warning for each.
std::vector<std::string> with_current_names(std::vector<std::string> words,
                                            std::vector<std::string>& warnings);

}  // namespace mxinfer::cli
