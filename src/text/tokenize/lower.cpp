// str.lower(), with the two rules that depend on context.
#include <utf8proc.h>

#include "text/tokenize/tokenize.h"
#include "text/unicode/unicode.h"

namespace mxinfer::text {
namespace {

constexpr char32_t kCapitalSigma = 0x3a3;
constexpr char32_t kSigma = 0x3c3;
constexpr char32_t kFinalSigma = 0x3c2;
constexpr char32_t kCapitalDottedI = 0x130;
constexpr char32_t kDotAbove = 0x307;

utf8proc_category_t case_category(char32_t character) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(character));
}

// Unicode's property Case_Ignorable: what stands between letters of a word, such as an apostrophe or a mark.
bool is_case_ignorable(char32_t c) {
  switch (c) {
    case 0x27:
    case 0x2e:
    case 0x3a:
    case 0xb7:
    case 0x387:
    case 0x55f:
    case 0x5f4:
    case 0x2018:
    case 0x2019:
    case 0x2024:
    case 0x2027:
    case 0xfe13:
    case 0xfe52:
    case 0xfe55:
    case 0xff07:
    case 0xff0e:
    case 0xff1a:
      return true;
    default:
      break;
  }
  switch (case_category(c)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK:
      return true;
    default:
      return false;
  }
}

// Unicode's property Cased, of characters that are not case-ignorable.
bool is_cased(char32_t c) {
  switch (case_category(c)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
      return true;
    default:
      break;
  }
  // Ordinals, roman numerals, letters in circles and squares.
  const auto within = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  return c == 0xaa || c == 0xba || within(0x2160, 0x217f) || within(0x24b6, 0x24e9) ||
         within(0x1f130, 0x1f149) || within(0x1f150, 0x1f169) || within(0x1f170, 0x1f189);
}

// Whether the sigma at `at` ends a word: a letter precedes it and none follows, skipping case-ignorable
// characters. A sigma ends both searches, so together they pass over a text at most twice.
bool ends_word(std::u32string_view characters, std::size_t at) {
  std::size_t before = at;
  while (before > 0 && is_case_ignorable(characters[before - 1])) --before;
  if (before == 0 || !is_cased(characters[before - 1])) return false;
  std::size_t behind = at + 1;
  while (behind < characters.size() && is_case_ignorable(characters[behind])) ++behind;
  return behind == characters.size() || !is_cased(characters[behind]);
}

char32_t lower_letter(char32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
}

}  // namespace

std::u32string lower(std::u32string_view characters) {
  std::u32string lowered;
  lowered.reserve(characters.size());
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const char32_t c = characters[i];
    if (c == kCapitalSigma) {
      lowered += ends_word(characters, i) ? kFinalSigma : kSigma;
    } else if (c == kCapitalDottedI) {
      lowered += U'i';
      lowered += kDotAbove;
    } else {
      lowered += lower_letter(c);
    }
  }
  return lowered;
}

std::string lower(std::string_view text) {
  return encode(lower(decode(text)));
}

}  // namespace mxinfer::text
