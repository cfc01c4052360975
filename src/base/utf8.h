// UTF-8, the only encoding of texts in this library.
//
//   while (!text.empty()) {
//     const std::size_t bytes = utf8_bytes(text);
//     if (bytes == 0) ...                          // the first byte begins no character
//     text.remove_prefix(bytes);
//   }
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mxinfer {

/// The length in bytes of the first character; 0 if it is not UTF-8 (or is cut short, overlong, a surrogate
/// or beyond U+10FFFF). Precondition: the text is not empty.
std::size_t utf8_bytes(std::string_view text);

bool is_utf8(std::string_view text);

/// Escapes each byte that is not UTF-8 as "\xNN".
std::string as_utf8(std::string_view text);

/// Precondition: a code point that is not a surrogate.
void append_utf8(char32_t character, std::string& text);

/// The text without its byte order mark, if it has one.
std::string_view without_byte_order_mark(std::string_view text);

/// "\x0a"
std::string escaped_byte(char byte);

}  // namespace mxinfer
