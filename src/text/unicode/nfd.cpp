// Canonical decomposition (NFD).
#include <utf8proc.h>

#include <algorithm>

#include "text/unicode/unicode.h"

namespace mxinfer::text {
namespace {

// The first characters that decompose and that have a combining class.
constexpr char32_t kFirstComposed = 0xc0;
constexpr char32_t kFirstMark = 0x300;
// A character becomes at most four.
constexpr utf8proc_ssize_t kMostParts = 8;

int combining_class(char32_t c) {
  return c < kFirstMark ? 0 : utf8proc_get_property(static_cast<utf8proc_int32_t>(c))->combining_class;
}

void append_decomposed(char32_t c, std::u32string& characters) {
  utf8proc_int32_t parts[kMostParts];
  int boundary = 0;
  const utf8proc_ssize_t count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), parts, kMostParts,
                                                         UTF8PROC_DECOMPOSE, &boundary);
  if (count < 1 || count > kMostParts) {
    characters += c;
    return;
  }
  for (utf8proc_ssize_t i = 0; i < count; ++i) characters += static_cast<char32_t>(parts[i]);
}

// Sorts consecutive marks by their class; the sort is stable.
void order_marks(std::u32string& characters) {
  const auto end = characters.end();
  for (auto first = characters.begin(); first != end;) {
    if (combining_class(*first) == 0) {
      ++first;
      continue;
    }
    const auto last = std::find_if(first, end, [](char32_t c) { return combining_class(c) == 0; });
    if (last - first > 1) {
      std::stable_sort(first, last,
                       [](char32_t a, char32_t b) { return combining_class(a) < combining_class(b); });
    }
    first = last;
  }
}

}  // namespace

std::u32string nfd(std::u32string_view characters) {
  std::u32string decomposed;
  decomposed.reserve(characters.size());
  for (const char32_t c : characters) {
    if (c < kFirstComposed) {
      decomposed += c;
    } else {
      append_decomposed(c, decomposed);
    }
  }
  order_marks(decomposed);
  return decomposed;
}

}  // namespace mxinfer::text
