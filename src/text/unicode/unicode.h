// Unicode properties and conversions, as in Python (str.lower, str.split, unicodedata).
//
//   std::u32string characters = text::decode("Ὀδυσσεύς");     // code points
//   characters = text::nfd(text::lower(characters));
//   if (text::is_mark(characters[1])) ...                      // the breathing of the first letter
//
// The tables are those of utf8proc. All functions take linear time, except for sorting the marks of one
// character.
#pragma once

#include <string>
#include <string_view>

namespace mxinfer::text {

/// Throws Error(invalid_argument) with the position of the first wrong byte if it is not UTF-8.
void require_utf8(std::string_view text);
/// The code points. Throws as require_utf8().
std::u32string decode(std::string_view text);
/// Precondition: code points, no surrogates.
std::string encode(std::u32string_view characters);
/// Decodes a text of one character. Precondition: valid UTF-8 of one character.
char32_t character_of(std::string_view text);
/// Where the next character begins. Precondition: valid UTF-8, at < text.size().
std::size_t next_character(std::string_view text, std::size_t at);

/// The characters at which str.split() splits.
bool is_whitespace(char32_t character);
/// Category Zs.
bool is_space_separator(char32_t character);
/// Category Mn: accents above or below a letter.
bool is_mark(char32_t character);
/// Categories Cc and Cf.
bool is_control_or_format(char32_t character);
/// The categories P*, and all other ASCII characters that are neither letter, digit nor space, such as '$'.
bool is_punctuation(char32_t character);
/// The ideographs that BERT treats as words; kana and hangul are not among them.
bool is_ideograph(char32_t character);

/// str.lower(): U+0130 becomes two characters, a sigma that ends a word the final one.
std::u32string lower(std::u32string_view characters);
/// Canonical decomposition, marks in canonical order.
std::u32string nfd(std::u32string_view characters);

}  // namespace mxinfer::text
