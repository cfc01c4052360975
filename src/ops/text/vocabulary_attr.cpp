#include "ops/text/vocabulary_attr.h"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "base/text/strict_json.h"
#include "base/text/trim.h"
#include "text/words/vocabulary_data.h"
#include "text/words/word_table.h"

namespace mxinfer::ops {
namespace {

using nlohmann::json;

std::vector<std::string> words_of(const json& list) {
  std::vector<std::string> words;
  words.reserve(list.size());
  for (const json& word : list) {
    if (!word.is_string()) {
      fail(ErrorCode::malformed, "word ", words.size(), " is ", word.type_name(), "; expected a text");
    }
    words.push_back(word.get<std::string>());
  }
  return words;
}

Vocabulary parse_list(const std::string& text, const VocabularyOptions& options) {
  if (trimmed(text).substr(0, 1) != "[") {
    fail(ErrorCode::malformed, "it is ", printable(std::string_view(text).substr(0, 100)),
         R"(; expected a list of words, ["the", "of"], or what gluonnlp.Vocab.to_json() writes)");
  }
  const text::WordTable words(words_of(parse_strict_json(text, {1, text::kMostWords + 1})));
  if (const auto twice = words.repeated()) {
    fail(ErrorCode::malformed, "the word ", text::quoted(words.words()[twice->first]),
         " appears twice, with the ids ", twice->first, " and ", twice->second, "; a word has one id");
  }
  return Vocabulary(words.words(), options);
}

/// The position of each word finds it.
bool is_plain_list(const Vocabulary& vocabulary) {
  for (std::size_t i = 0; i < vocabulary.size(); ++i) {
    const auto id = static_cast<std::int32_t>(i);
    const std::string& word = vocabulary.word(id);
    if (!word.empty() && vocabulary.find(word) != id) return false;
  }
  return true;
}

/// to_json() refuses those.
bool has_mostly_gaps(const Vocabulary& vocabulary) {
  std::size_t words = 0;
  for (std::size_t i = 0; i < vocabulary.size(); ++i)
    words += vocabulary.word(static_cast<std::int32_t>(i)).empty() ? 0 : 1;
  return text::has_mostly_gaps(words, vocabulary.size());
}

}  // namespace

Vocabulary parse_vocabulary_attr(const std::string& text, const std::string& unknown) {
  return in_context([] { return std::string("vocabulary"); },
                    [&] {
                      VocabularyOptions options;
                      if (!unknown.empty()) options.unknown = unknown;
                      if (text.empty() || text[0] != '{') return parse_list(text, options);
                      options.format = VocabularyFormat::gluonnlp_json;
                      return Vocabulary::parse(ByteSpan(text), options);
                    });
}

std::string vocabulary_attr(const Vocabulary& vocabulary) {
  if (has_mostly_gaps(vocabulary) || !is_plain_list(vocabulary)) return vocabulary.to_json();
  std::vector<std::string> words;
  words.reserve(vocabulary.size());
  for (std::size_t i = 0; i < vocabulary.size(); ++i)
    words.push_back(vocabulary.word(static_cast<std::int32_t>(i)));
  return json(words).dump();
}

void require_few_gaps(const Vocabulary& vocabulary) {
  if (has_mostly_gaps(vocabulary)) (void)vocabulary.to_json();
}

std::string unknown_token(const Vocabulary& vocabulary) {
  const auto unknown = vocabulary.unknown_id();
  return unknown ? vocabulary.word(*unknown) : std::string();
}

}  // namespace mxinfer::ops
