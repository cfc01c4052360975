// The parser of the command line takes "[MASK]" for a list of one value, MASK, where an option may have
// several. Words of texts are to come through as they are.
//
//   parse(app, with_guarded_brackets(words));
//   ...
//   without_guard(option)      // "[MASK]"
#pragma once

#include <string>
#include <vector>

namespace mxinfer::cli {

/// A line of `mxinfer words` with a byte in front of what begins with "[" and ends with "]"; others as they
/// are.
std::vector<std::string> with_guarded_brackets(std::vector<std::string> line);

std::string without_guard(const std::string& word);

}  // namespace mxinfer::cli
