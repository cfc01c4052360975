// What somebody meant who mistyped a name:
//
//   did_you_mean("clasify", {"classify", "inspect"})   // "; did you mean 'classify'?"
#pragma once

#include <string>
#include <vector>

namespace mxinfer {

/// Those of the names that are about equally near to the word, at most three; none if all are too far.
std::vector<std::string> near_names(const std::string& word, const std::vector<std::string>& names);

/// The end of a message; empty if no name is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& names);

/// "a, b or c".
std::string listed(const std::vector<std::string>& names);

}  // namespace mxinfer
