// The values of _mxinfer_lookup as its attribute has them: a JSON list of texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mxinfer::ops {

/// Throws Error(malformed) if the text is not such a list, has no value, or has one that is there twice or
/// holds a zero byte, which ends a text.
std::vector<std::string> parse_lookup_values(std::string_view text);

/// The same list as text. Throws Error(invalid_argument) for a value that is not UTF-8.
std::string lookup_values_text(const std::vector<std::string>& values);

}  // namespace mxinfer::ops
