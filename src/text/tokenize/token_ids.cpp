#include <utility>

#include "base/fail.h"
#include "text/tokenize/tokenize.h"
#include "text/unicode/unicode.h"

namespace mxinfer::text {
namespace {

// Calls take(part) for each.
template <typename Take>
void each_word(std::string_view text, Take&& take) {
  std::size_t start = std::string_view::npos;  // of the word that is open
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = next_character(text, at);
    if (is_whitespace(character_of(text.substr(at, next - at)))) {
      if (start != std::string_view::npos) take(text.substr(start, at - start));
      start = std::string_view::npos;
    } else if (start == std::string_view::npos) {
      start = at;
    }
    at = next;
  }
  if (start != std::string_view::npos) take(text.substr(start));
}

template <typename Take>
void each_part(std::string_view text, Split split, Take&& take) {
  require_utf8(text);
  if (split == Split::whitespace) return each_word(text, take);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = next_character(text, at);
    take(text.substr(at, next - at));
    at = next;
  }
}

}  // namespace

std::vector<std::string_view> split_text(std::string_view text, Split split) {
  std::vector<std::string_view> parts;
  each_part(text, split, [&](std::string_view part) { parts.push_back(part); });
  return parts;
}

TokenIds::TokenIds(const Vocabulary& vocabulary, Split split) : vocabulary_(vocabulary), split_(split) {}

void TokenIds::append_ids(std::string_view text, std::vector<std::int32_t>& ids) const {
  if (vocabulary_.empty()) {
    fail(ErrorCode::invalid_argument,
         "the tokenizer has no vocabulary, so it cannot give ids; create it with one, or ask for tokens");
  }
  each_part(text, split_, [&](std::string_view part) { ids.push_back(vocabulary_.id(part)); });
}

std::vector<std::string> TokenIds::tokens(std::string_view text) const {
  std::vector<std::string> tokens;
  each_part(text, split_, [&](std::string_view part) { tokens.emplace_back(part); });
  return tokens;
}

}  // namespace mxinfer::text
