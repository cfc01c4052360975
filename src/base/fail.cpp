#include "base/fail.h"

#include <cstdio>
#include <string_view>

namespace mxinfer {

std::string printable(std::string_view text) {
  constexpr std::size_t kLimit = 200;
  std::string out;
  for (char c : text.substr(0, kLimit)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      char escaped[5];
      std::snprintf(escaped, sizeof escaped, "\\x%02x", byte);
      out += escaped;
    } else {
      out += c;
    }
  }
  if (text.size() > kLimit) out += "...";
  return out;
}

}  // namespace mxinfer
