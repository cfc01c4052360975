#include "formats/json/vocabulary_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "base/text/strict_json.h"
#include "formats/json_fields.h"

namespace mxinfer::formats {
namespace {

using nlohmann::json;
using text::VocabularyData;
using text::VocabularyParts;

std::string word_key(const std::string& word) {
  return concat("\"token_to_idx\" › ", text::quoted(word));
}

std::vector<std::string> words_of(const json& list) {
  std::vector<std::string> words;
  for (const json& word : json_list("\"idx_to_token\"", list, text::kMostWords))
    words.push_back(json_text(concat("word ", words.size(), " of \"idx_to_token\""), word));
  return words;
}

/// Where "token_to_idx" finds the words that are there twice; it must agree with "idx_to_token", and an
/// empty one says nothing.
std::vector<std::size_t> found_at(const std::vector<std::string>& words, const json& table) {
  json_object("\"token_to_idx\"", table);
  if (table.empty()) return {};
  std::vector<std::size_t> positions;
  for (const auto& [word, number] : table.items()) {
    const std::int64_t id =
        json_integer(word_key(word), number, 0, static_cast<std::int64_t>(words.size()) - 1);
    if (words[static_cast<std::size_t>(id)] != word) {
      fail(ErrorCode::malformed, word_key(word), " is ", id, ", but \"idx_to_token\" has ",
           text::quoted(words[static_cast<std::size_t>(id)]), " there");
    }
    positions.push_back(static_cast<std::size_t>(id));
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].empty() || table.contains(words[i])) continue;
    fail(ErrorCode::malformed, word_key(words[i]), " is missing; it is the word ", i, " of \"idx_to_token\"");
  }
  // As many entries as words: no duplicates.
  if (positions.size() >= words.size()) positions.clear();
  return positions;
}

std::optional<std::string> token(const std::string& key, const json& value) {
  if (value.is_null()) return std::nullopt;
  return json_text("\"" + key + "\"", value);
}

void take_identifier(VocabularyParts& parts, const std::string& name, const json& value) {
  const std::optional<std::string> word = token(name, value);
  if (name == "padding_token") {
    parts.padding = word;
  } else if (name == "bos_token") {
    parts.begin = word;
  } else if (name == "eos_token") {
    parts.end = word;
  } else if (word) {
    parts.identifiers.emplace_back(name, *word);
  }
}

/// Words and their ids in any order.
VocabularyParts read_ids(const json& object) {
  std::vector<std::pair<std::int32_t, std::string>> entries;
  for (const auto& [word, number] : object.items()) {
    const std::int64_t id =
        json_integer(text::quoted(word), number, 0, static_cast<std::int64_t>(text::kMostWords) - 1);
    entries.emplace_back(static_cast<std::int32_t>(id), word);
  }
  std::sort(entries.begin(), entries.end());
  VocabularyParts parts;
  for (auto& [id, word] : entries) {
    if (!parts.ids.empty() && parts.ids.back() == id) {
      fail(ErrorCode::malformed, "the words ", text::quoted(parts.words.back()), " and ", text::quoted(word),
           " both have the id ", id);
    }
    parts.ids.push_back(id);
    parts.words.push_back(std::move(word));
  }
  return parts;
}

bool holds_ids(const json& object) {
  return !object.empty() && std::all_of(object.begin(), object.end(),
                                        [](const json& value) { return value.is_number_integer(); });
}

/// "token_to_idx" that finds every word: an empty one too, at its first id, as GluonNLP wants it.
json table_of(const VocabularyData& vocabulary, const std::vector<std::string>& by_id) {
  json table = json::object();
  for (std::size_t id = by_id.size(); id-- > 0;) {
    const std::optional<std::int32_t> found = vocabulary.find(by_id[id]);
    table[by_id[id]] = found ? static_cast<std::size_t>(*found) : id;
  }
  return table;
}

/// The special tokens without the unknown one, each once.
json reserved_of(const VocabularyData& vocabulary, const json& identifiers) {
  json reserved = json::array();
  for (const json& word : identifiers) {
    if (word.is_null() || std::find(reserved.begin(), reserved.end(), word) != reserved.end()) continue;
    if (vocabulary.find(word.get_ref<const std::string&>()) == vocabulary.unknown) continue;
    reserved.push_back(word);
  }
  return reserved;
}

}  // namespace

VocabularyParts read_vocabulary_json(std::string_view text) {
  const json object = parse_strict_json(text);
  if (!object.is_object()) reject_json("a vocabulary in JSON", object, "an object with \"idx_to_token\"");
  if (holds_ids(object)) return read_ids(object);
  VocabularyParts parts;
  parts.words = words_of(json_require(object, "idx_to_token"));
  if (const json* table = json_find(object, "token_to_idx")) parts.found_at = found_at(parts.words, *table);
  if (const json* unknown = json_find(object, "unknown_token"))
    parts.unknown = token("unknown_token", *unknown);
  if (const json* names = json_find(object, "identifiers_to_tokens")) {
    for (const auto& [name, value] : json_object("\"identifiers_to_tokens\"", *names).items())
      take_identifier(parts, name, value);
  }
  for (const auto& [name, value] : object.items()) {
    if (name.ends_with("_token") && name != "unknown_token" && name != "idx_to_token")
      take_identifier(parts, name, value);
  }
  return parts;
}

std::string write_vocabulary_json(const VocabularyData& vocabulary) {
  const std::size_t count = vocabulary.table.words().size();
  if (text::has_mostly_gaps(count, vocabulary.size)) {
    fail(ErrorCode::invalid_argument, "the ids go to ", vocabulary.size - 1, " for ", count,
         " words; GluonNLP's format has a word for each id, so renumber the words");
  }
  std::vector<std::string> by_id(vocabulary.size);
  for (std::size_t i = 0; i < count; ++i)
    by_id[static_cast<std::size_t>(vocabulary.id_at(i))] = vocabulary.table.words()[i];
  const auto word = [&](std::optional<std::int32_t> id) {
    return id ? json(by_id[static_cast<std::size_t>(*id)]) : json();
  };
  json identifiers = {{"padding_token", word(vocabulary.padding)},
                      {"bos_token", word(vocabulary.begin)},
                      {"eos_token", word(vocabulary.end)}};
  for (const auto& [name, special] : vocabulary.identifiers) identifiers[name] = special;
  const json object = {{"idx_to_token", by_id},
                       {"token_to_idx", table_of(vocabulary, by_id)},
                       {"reserved_tokens", reserved_of(vocabulary, identifiers)},
                       {"unknown_token", word(vocabulary.unknown)},
                       {"identifiers_to_tokens", identifiers}};
  return object.dump();
}

}  // namespace mxinfer::formats
