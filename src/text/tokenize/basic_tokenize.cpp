// BERT's basic tokenizer, as in GluonNLP.
#include "base/utf8.h"
#include "text/tokenize/tokenize.h"
#include "text/unicode/unicode.h"

namespace mxinfer::text {
namespace {

constexpr char32_t kReplacement = 0xfffd;

// White space for BERT. Of the other characters at which str.split() splits, some are control characters;
// split_words() handles the line separators.
bool is_space(char32_t c) {
  return c == '\t' || c == '\n' || c == '\r' || is_space_separator(c);
}

// Removes control characters, turns all white space into spaces, and puts spaces around ideographs.
std::u32string clean(std::u32string_view characters) {
  std::u32string cleaned;
  cleaned.reserve(characters.size() + characters.size() / 8);
  for (const char32_t c : characters) {
    if (is_space(c)) {
      cleaned += U' ';
    } else if (c == kReplacement || is_control_or_format(c)) {
      continue;
    } else if (is_ideograph(c)) {
      cleaned += U' ';
      cleaned += c;
      cleaned += U' ';
    } else {
      cleaned += c;
    }
  }
  return cleaned;
}

// The tokens joined by one space: words, and each punctuation character by itself, without marks.
std::string split_words(std::u32string_view characters) {
  std::string words;
  words.reserve(characters.size() + characters.size() / 4);
  bool apart = false;  // whether the next character begins a word
  const auto add = [&](char32_t c, bool begins) {
    if (begins && !words.empty()) words += ' ';
    append_utf8(c, words);
  };
  for (const char32_t c : characters) {
    if (is_mark(c)) continue;
    if (is_whitespace(c)) {
      apart = true;
    } else if (is_punctuation(c)) {
      add(c, true);
      apart = true;
    } else {
      add(c, apart);
      apart = false;
    }
  }
  return words;
}

}  // namespace

std::string basic_tokenize(std::string_view text, bool lower) {
  std::u32string characters = clean(decode(text));
  if (lower) characters = text::lower(characters);
  return split_words(nfd(characters));
}

}  // namespace mxinfer::text
