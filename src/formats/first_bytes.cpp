#include "formats/first_bytes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace mxinfer::formats {

using namespace std::string_view_literals;

std::string first_bytes(const sources::Source& source) {
  std::string bytes(static_cast<std::size_t>(std::min<std::int64_t>(source.size(), 64)), '\0');
  source.read(0, bytes.data(), bytes.size());
  return bytes;
}

bool begins_like_params(std::string_view bytes) {
  return bytes.starts_with("\x12\x01\0\0\0\0\0\0"sv);
}

bool begins_like_npy(std::string_view bytes) {
  return bytes.starts_with("\x93NUMPY"sv);
}

bool begins_like_zip(std::string_view bytes) {
  return bytes.starts_with("PK\x03\x04"sv) || bytes.starts_with("PK\x05\x06"sv);
}

bool begins_like_json(std::string_view bytes) {
  const std::size_t text = bytes.find_first_not_of(" \t\r\n");
  return text != std::string_view::npos && bytes[text] == '{';
}

}  // namespace mxinfer::formats
