// Texts line by line.
//
//   while (!text.empty()) read(take_line(text));
#pragma once

#include <string_view>

namespace mxinfer {

/// Removes the first line from the text and returns it without its end, "\n" or "\r\n".
inline std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace mxinfer
