#include "base/text/base64.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/fail.h"

namespace mxinfer {
namespace {

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoLetter = 255;

constexpr std::array<std::uint8_t, 256> make_values() {
  std::array<std::uint8_t, 256> values{};
  for (auto& value : values) value = kNoLetter;
  for (std::size_t i = 0; i < kLetters.size(); ++i) {
    values[static_cast<unsigned char>(kLetters[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}
constexpr auto kValues = make_values();

std::uint32_t value_at(std::string_view text, std::size_t i) {
  const std::uint8_t value = kValues[static_cast<unsigned char>(text[i])];
  if (value == kNoLetter) {
    fail(ErrorCode::malformed, "character ", i, " of the base64 text is '", printable(text.substr(i, 1)),
         "'; expected a letter, a digit, + or /");
  }
  return value;
}

}  // namespace

std::string to_base64(Span<const std::byte> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      word = word << 8 | (i + k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k > bytes.size() ? '=' : kLetters[word >> (18 - 6 * k) & 63];
    }
  }
  return text;
}

void from_base64(std::string_view text, Span<std::byte> dst) {
  const std::size_t expected = (dst.size() + 2) / 3 * 4;
  if (text.size() != expected) {
    fail(ErrorCode::malformed, "the base64 text has ", text.size(), " characters; expected ", expected,
         " for ", dst.size(), " bytes");
  }
  for (std::size_t i = 0, c = 0; i < dst.size(); i += 3, c += 4) {
    const std::size_t here = dst.size() - i < 3 ? dst.size() - i : 3;
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      word <<= 6;
      if (k <= here) {
        word |= value_at(text, c + k);
      } else if (text[c + k] != '=') {
        fail(ErrorCode::malformed, "character ", c + k, " of the base64 text is '",
             printable(text.substr(c + k, 1)), "'; expected = after the last of ", dst.size(), " bytes");
      }
    }
    for (std::size_t k = 0; k < here; ++k) dst[i + k] = static_cast<std::byte>(word >> (16 - 8 * k));
  }
}

std::vector<std::byte> bytes_of_base64(std::string_view text) {
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  std::vector<std::byte> bytes(std::max(text.size() / 4 * 3, padding) - padding);
  from_base64(text, {bytes.data(), bytes.size()});
  return bytes;
}

}  // namespace mxinfer
