#include "formats/labels.h"

#include <cstdint>
#include <string_view>

#include "base/fail.h"

namespace mxinfer::formats {
namespace {

constexpr std::int64_t kByteLimit = std::int64_t{64} << 20;

// How many bytes the character at the front has; 0 where it is not UTF-8.
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return 1;
  const std::size_t count = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < count) return 0;
  for (std::size_t i = 1; i < count; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates, and what lies beyond Unicode.
  if (byte(0) == 0xe0 && byte(1) < 0xa0) return 0;
  if (byte(0) == 0xed && byte(1) > 0x9f) return 0;
  if (byte(0) == 0xf0 && byte(1) < 0x90) return 0;
  if (byte(0) == 0xf4 && byte(1) > 0x8f) return 0;
  return count;
}

void check_utf8(std::string_view line, std::size_t number) {
  while (!line.empty()) {
    const std::size_t count = character_bytes(line);
    if (count == 0) fail(ErrorCode::malformed, "line ", number, " is not UTF-8; save the labels as UTF-8");
    line.remove_prefix(count);
  }
}

}  // namespace

std::vector<std::string> read_labels(const sources::Source& source) {
  const std::string text = sources::read_text(source, kByteLimit);
  std::string_view rest = text;
  if (rest.starts_with("\xef\xbb\xbf")) rest.remove_prefix(3);
  return in_context([&] { return printable(source.name()); },
                    [&] {
                      std::vector<std::string> labels;
                      while (!rest.empty()) {
                        const auto end = rest.find('\n');
                        std::string_view line = rest.substr(0, end);
                        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
                        if (line.ends_with('\r')) line.remove_suffix(1);
                        check_utf8(line, labels.size() + 1);
                        labels.emplace_back(line);
                      }
                      while (!labels.empty() && labels.back().empty()) labels.pop_back();
                      return labels;
                    });
}

}  // namespace mxinfer::formats
