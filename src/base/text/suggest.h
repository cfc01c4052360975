// Suggestions for a mistyped name:
//
//   did_you_mean("clasify", {"classify", "inspect"})   // "; did you mean 'classify'?"
#pragma once

#include <string>
#include <vector>

namespace mxinfer {

/// The names nearest to the word, at most three of about equal distance; none if all are too far.
std::vector<std::string> near_names(const std::string& word, const std::vector<std::string>& names);

/// The end of a message; empty if no name is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& names);

/// "a, b or c".
std::string listed(const std::vector<std::string>& names);

}  // namespace mxinfer
