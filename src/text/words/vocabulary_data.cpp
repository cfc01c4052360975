#include "text/words/vocabulary_data.h"

#include "base/fail.h"
#include "base/utf8.h"

namespace mxinfer::text {
namespace {

void check_word(const std::string& word, std::int32_t id, ErrorCode code) {
  if (word.size() > kLongestWord) {
    fail(code, "the word with the id ", id, " has ", word.size(), " bytes; at most ", kLongestWord,
         " are allowed");
  }
  if (!is_utf8(word))
    fail(code, "the word ", quoted(word), ", with the id ", id, ", is not UTF-8; save the words as UTF-8");
}

}  // namespace

std::string quoted(const std::string& word) {
  return "\"" + printable(word) + "\"";
}

VocabularyData::VocabularyData(VocabularyParts parts, const VocabularyOptions& options, ErrorCode code)
    : ids(std::move(parts.ids)), identifiers(std::move(parts.identifiers)) {
  if (parts.words.size() > kMostWords) {
    fail(code, "there are ", parts.words.size(), " words; a vocabulary has at most ", kMostWords);
  }
  for (std::size_t i = 0; i < parts.words.size(); ++i) check_word(parts.words[i], id_at(i), code);
  table = WordTable(std::move(parts.words));
  for (const std::size_t position : parts.found_at) table.prefer(position);
  if (const auto twice = table.repeated(); twice && parts.found_at.empty()) {
    fail(code, "the word ", quoted(table.words()[twice->first]), " appears twice, with the ids ",
         id_at(twice->first), " and ", id_at(twice->second), "; a word has one id");
  }
  if (!table.words().empty()) size = static_cast<std::size_t>(id_at(table.words().size() - 1)) + 1;
  unknown = special("unknown", options.unknown, parts.unknown, code);
  padding = special("padding", options.padding, parts.padding, code);
  begin = special("begin", options.begin, parts.begin, code);
  end = special("end", options.end, parts.end, code);
}

std::optional<std::int32_t> VocabularyData::special(const char* what, const std::optional<std::string>& asked,
                                                    const std::optional<std::string>& in_file,
                                                    ErrorCode code) const {
  const std::optional<std::string>& token = asked ? asked : in_file;
  if (!token) return std::nullopt;
  const std::optional<std::int32_t> found = find(*token);
  if (!found) {
    fail(asked ? ErrorCode::invalid_argument : code, "the ", what, " token ", quoted(*token),
         " is not one of the ", table.words().size(), " words");
  }
  return found;
}

std::optional<std::int32_t> VocabularyData::find(std::string_view word) const noexcept {
  const std::optional<std::size_t> position = table.find(word);
  if (!position) return std::nullopt;
  return id_at(*position);
}

}  // namespace mxinfer::text
