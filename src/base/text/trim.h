// Text without leading and trailing blanks.
//
//   trimmed("  region = eu-west-1\n");     // "region = eu-west-1"
#pragma once

#include <string_view>

namespace mxinfer {

/// Blanks are spaces, tabs and the ends of lines. A view into `text`.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace mxinfer
