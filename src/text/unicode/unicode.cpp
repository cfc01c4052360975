#include "text/unicode/unicode.h"

#include <utf8proc.h>

#include "base/fail.h"
#include "base/utf8.h"

namespace mxinfer::text {
namespace {

utf8proc_category_t category_of(char32_t character) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(character));
}

[[noreturn]] void fail_utf8(std::string_view text, std::size_t at) {
  fail(ErrorCode::invalid_argument, "the text is not UTF-8: byte ", at, " of ", text.size(), ", ",
       escaped_byte(text[at]), ", begins no character; expected UTF-8");
}

// The length of a valid character, by its first byte.
std::size_t length_of(unsigned char first) {
  return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

}  // namespace

char32_t character_of(std::string_view text) {
  constexpr unsigned kFirst[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  char32_t character = static_cast<unsigned char>(text[0]) & kFirst[text.size()];
  for (const char byte : text.substr(1))
    character = character << 6 | (static_cast<unsigned char>(byte) & 0x3fu);
  return character;
}

void require_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    const std::size_t bytes = utf8_bytes(text.substr(at));
    if (bytes == 0) fail_utf8(text, at);
    at += bytes;
  }
}

std::u32string decode(std::string_view text) {
  std::u32string characters;
  characters.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto first = static_cast<unsigned char>(text[at]);
    if (first < 0x80) {
      characters += first;
      ++at;
      continue;
    }
    const std::size_t bytes = utf8_bytes(text.substr(at));
    if (bytes == 0) fail_utf8(text, at);
    characters += character_of(text.substr(at, bytes));
    at += bytes;
  }
  return characters;
}

std::string encode(std::u32string_view characters) {
  std::string text;
  text.reserve(characters.size());
  for (const char32_t character : characters) append_utf8(character, text);
  return text;
}

std::size_t next_character(std::string_view text, std::size_t at) {
  return at + length_of(static_cast<unsigned char>(text[at]));
}

bool is_whitespace(char32_t c) {
  if (c < 0x80) return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f);
  // The next line control, and the separators of lines and paragraphs.
  return c == 0x85 || c == 0x2028 || c == 0x2029 || is_space_separator(c);
}

bool is_space_separator(char32_t c) {
  if (c < 0x80) return c == ' ';
  return category_of(c) == UTF8PROC_CATEGORY_ZS;
}

bool is_mark(char32_t c) {
  return c >= 0x300 && category_of(c) == UTF8PROC_CATEGORY_MN;
}

bool is_control_or_format(char32_t c) {
  if (c < 0x80) return c < 0x20 || c == 0x7f;
  const utf8proc_category_t category = category_of(c);
  return category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF;
}

bool is_punctuation(char32_t c) {
  if (c < 0x80) {
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
           (c >= '{' && c <= '~');
  }
  const utf8proc_category_t category = category_of(c);
  return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

bool is_ideograph(char32_t c) {
  const auto within = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  if (c < 0x3400) return false;
  return within(0x4e00, 0x9fff) || within(0x3400, 0x4dbf) || within(0x20000, 0x2a6df) ||
         within(0x2a700, 0x2b73f) || within(0x2b740, 0x2b81f) || within(0x2b820, 0x2ceaf) ||
         within(0xf900, 0xfaff) || within(0x2f800, 0x2fa1f);
}

}  // namespace mxinfer::text
