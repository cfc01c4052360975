// The basic tokenizer of BERT, as GluonNLP has it.
#include "base/utf8.h"
#include "text/tokenize/tokenize.h"
#include "text/unicode/unicode.h"

namespace mxinfer::text {
namespace {

constexpr char32_t kReplacement = 0xfffd;

// White space for BERT; the rest of what str.split() splits at is a control character, or a separator of
// lines that split_words() sees.
bool is_space(char32_t c) {
  return c == '\t' || c == '\n' || c == '\r' || is_space_separator(c);
}

// Without control characters, all white space a space, and ideographs between spaces.
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

// Joined by one space: what white space separates, each punctuation character by itself, without marks.
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
