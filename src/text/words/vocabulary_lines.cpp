#include "text/words/vocabulary_lines.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

#include "base/fail.h"
#include "base/text/take_line.h"
#include "base/text/trim.h"

namespace mxinfer::text {
namespace {

constexpr std::string_view kBlanks = " \t";

/// Calls visit(line, number) for each line, counted from 1, until it returns false.
template <typename Visit>
void each_line(std::string_view text, const Visit& visit) {
  std::size_t number = 0;
  while (!text.empty()) {
    if (!visit(take_line(text), ++number)) return;
  }
}

/// Parses a whole number; nullopt for other texts and for numbers beyond 64 bits.
std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

bool is_number(std::string_view text) {
  if (text.find_first_of("0123456789") == std::string_view::npos) return false;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error != std::errc::invalid_argument && end == text.data() + text.size();
}

struct Pair {
  std::string_view first;
  std::string_view second;
};

/// Splits the line at its last tab or space; both parts are empty if there is none.
Pair parted_last(std::string_view line) {
  const std::size_t tab = line.rfind('\t');
  const std::size_t cut = tab != std::string_view::npos ? tab : line.rfind(' ');
  if (cut == std::string_view::npos) return {};
  return {trimmed(line.substr(0, cut)), trimmed(line.substr(cut + 1))};
}

Pair parted_first(std::string_view line) {
  line = trimmed(line);
  const std::size_t cut = line.find_first_of(kBlanks);
  if (cut == std::string_view::npos) return {};
  return {trimmed(line.substr(0, cut)), trimmed(line.substr(cut + 1))};
}

struct Entry {
  std::string_view word;
  std::int32_t id = 0;
  std::size_t line = 0;
};

enum class Order { word_first, id_first };

/// The word and the number of a line; nullopt unless it has both.
std::optional<std::pair<std::string_view, std::int64_t>> entry_of(std::string_view line, Order order) {
  const Pair pair = order == Order::word_first ? parted_last(trimmed(line)) : parted_first(line);
  const std::string_view word = order == Order::word_first ? pair.first : pair.second;
  const std::optional<std::int64_t> id = integer(order == Order::word_first ? pair.second : pair.first);
  if (word.empty() || !id) return std::nullopt;
  return std::pair(word, *id);
}

Order order_of(std::string_view text) {
  Order order = Order::word_first;
  each_line(text, [&](std::string_view line, std::size_t) {
    if (trimmed(line).empty()) return true;
    if (!entry_of(line, Order::word_first) && entry_of(line, Order::id_first)) order = Order::id_first;
    return false;
  });
  return order;
}

std::int32_t checked_id(std::int64_t id, std::size_t line) {
  if (id < 0 || id >= static_cast<std::int64_t>(kMostWords)) {
    fail(ErrorCode::malformed, "line ", line, ": the id ", id, " is not one of 0 to ", kMostWords - 1);
  }
  return static_cast<std::int32_t>(id);
}

std::vector<Entry> entries_of(std::string_view text) {
  const Order order = order_of(text);
  std::vector<Entry> entries;
  each_line(text, [&](std::string_view line, std::size_t number) {
    if (trimmed(line).empty()) return true;
    const auto entry = entry_of(line, order);
    if (!entry) {
      fail(ErrorCode::malformed, "line ", number, ": expected ",
           order == Order::word_first ? "a word and its id" : "an id and its word",
           " with a space or a tab between them, got \"", printable(line), "\"");
    }
    entries.push_back({entry->first, checked_id(entry->second, number), number});
    return true;
  });
  return entries;
}

void require_one_word_an_id(const std::vector<Entry>& sorted) {
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end(),
                                        [](const Entry& a, const Entry& b) { return a.id == b.id; });
  if (twice == sorted.end()) return;
  const Entry& other = *std::next(twice);
  fail(ErrorCode::malformed, "line ", other.line, ": the word ", quoted(std::string(other.word)),
       " has the id ", other.id, ", which is that of ", quoted(std::string(twice->word)), " in line ",
       twice->line, "; each word needs an id of its own (are these counts?)");
}

/// Without gaps, the positions are the ids.
void drop_plain_ids(VocabularyParts& parts) {
  if (!parts.ids.empty() && static_cast<std::size_t>(parts.ids.back()) + 1 == parts.ids.size())
    parts.ids.clear();
}

/// What the lines of a text look like.
struct Seen {
  bool all_pairs = true;        ///< of a word and an id, in the order of the first line
  std::size_t tab_line = 0;     ///< the first one with a tab between other characters
  std::size_t vector_line = 0;  ///< the first one that ends in a number that is no id
  std::size_t lines = 0;
};

Seen look_at(std::string_view text) {
  const Order order = order_of(text);
  Seen seen;
  each_line(text, [&](std::string_view line, std::size_t number) {
    const std::string_view content = trimmed(line);
    if (content.empty()) return true;
    ++seen.lines;
    if (!entry_of(line, order)) seen.all_pairs = false;
    const Pair pair = parted_last(content);
    if (seen.tab_line == 0 && content.find('\t') != std::string_view::npos) seen.tab_line = number;
    if (seen.vector_line == 0 && is_number(pair.second) && !integer(pair.second) && !pair.first.empty())
      seen.vector_line = number;
    return true;
  });
  seen.all_pairs = seen.all_pairs && seen.lines > 0;
  return seen;
}

}  // namespace

VocabularyParts read_word_lines(std::string_view text) {
  VocabularyParts parts;
  each_line(text, [&](std::string_view line, std::size_t number) {
    if (line.empty()) return true;
    parts.words.emplace_back(line);
    parts.ids.push_back(checked_id(static_cast<std::int64_t>(number) - 1, number));
    return true;
  });
  drop_plain_ids(parts);
  return parts;
}

VocabularyParts read_index_lines(std::string_view text) {
  std::vector<Entry> entries = entries_of(text);
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.id < b.id; });
  require_one_word_an_id(entries);
  VocabularyParts parts;
  parts.words.reserve(entries.size());
  for (const Entry& entry : entries) {
    parts.words.emplace_back(entry.word);
    parts.ids.push_back(entry.id);
  }
  drop_plain_ids(parts);
  return parts;
}

VocabularyParts read_any_lines(std::string_view text) {
  const Seen seen = look_at(text);
  if (seen.all_pairs) return read_index_lines(text);
  if (seen.vector_line != 0) {
    fail(ErrorCode::malformed, "line ", seen.vector_line,
         " ends in a number that is not an id; for word vectors use WordVectors::load, for a .vocab of "
         "SentencePiece Tokenizer::sentencepiece with its .model");
  }
  if (seen.tab_line != 0) {
    fail(ErrorCode::malformed, "line ", seen.tab_line,
         " has a tab in it, but not every line is a word and its id; expected GluonNLP's JSON, lines \"word "
         "id\", or one word a line; if you know which it is, set VocabularyOptions::format");
  }
  return read_word_lines(text);
}

}  // namespace mxinfer::text
