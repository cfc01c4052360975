#include <mxinfer/sequence/vocabulary.h>

#include <algorithm>

#include "base/fail.h"
#include "text/words/vocabulary_impl.h"

namespace mxinfer {
namespace {

const std::string& no_word() {
  static const auto& word = *new std::string();
  return word;
}

}  // namespace

Vocabulary::Vocabulary() {
  static const auto& empty = *new std::shared_ptr<const Impl>(
      std::make_shared<Impl>(text::VocabularyParts{}, VocabularyOptions{}, ErrorCode::invalid_argument));
  impl_ = empty;
}

Vocabulary::Vocabulary(std::vector<std::string> words, const VocabularyOptions& options) try {
  text::VocabularyParts parts;
  parts.words = std::move(words);
  impl_ = std::make_shared<Impl>(std::move(parts), options, ErrorCode::invalid_argument);
} catch (...) {
  throw_as_error();
}

Vocabulary::Vocabulary(const Vocabulary&) noexcept = default;
Vocabulary& Vocabulary::operator=(const Vocabulary&) noexcept = default;
Vocabulary::~Vocabulary() = default;

std::size_t Vocabulary::size() const noexcept {
  return impl_->size;
}

std::optional<std::int32_t> Vocabulary::find(std::string_view word) const noexcept {
  return impl_->find(word);
}

std::int32_t Vocabulary::id(std::string_view word) const {
  if (const std::optional<std::int32_t> found = impl_->find(word)) return *found;
  if (impl_->unknown) return *impl_->unknown;
  fail(ErrorCode::invalid_argument, "the word \"", printable(word), "\" is not one of the ",
       impl_->table.words().size(),
       " words, and there is no unknown token; name one in VocabularyOptions::unknown");
}

std::vector<std::int32_t> Vocabulary::ids(Span<const std::string> words) const {
  std::vector<std::int32_t> ids;
  ids.reserve(words.size());
  for (const std::string& word : words) ids.push_back(id(word));
  return ids;
}

std::vector<std::int32_t> Vocabulary::ids(std::initializer_list<std::string_view> words) const {
  std::vector<std::int32_t> ids;
  ids.reserve(words.size());
  for (const std::string_view word : words) ids.push_back(id(word));
  return ids;
}

const std::string& Vocabulary::word(std::int32_t id) const {
  if (id < 0 || static_cast<std::size_t>(id) >= size()) {
    if (empty())
      fail(ErrorCode::invalid_argument, "the vocabulary is empty and has no word with the id ", id);
    fail(ErrorCode::invalid_argument, "there is no word with the id ", id, "; ids are 0 to ", size() - 1);
  }
  const std::vector<std::string>& words = impl_->table.words();
  if (impl_->ids.empty()) return words[static_cast<std::size_t>(id)];
  const auto place = std::lower_bound(impl_->ids.begin(), impl_->ids.end(), id);
  return *place == id ? words[static_cast<std::size_t>(place - impl_->ids.begin())] : no_word();
}

std::vector<std::string> Vocabulary::words(Span<const std::int32_t> ids) const {
  std::vector<std::string> words;
  words.reserve(ids.size());
  for (const std::int32_t id : ids) words.push_back(word(id));
  return words;
}

std::optional<std::int32_t> Vocabulary::unknown_id() const noexcept {
  return impl_->unknown;
}

std::optional<std::int32_t> Vocabulary::padding_id() const noexcept {
  return impl_->padding;
}

std::optional<std::int32_t> Vocabulary::begin_id() const noexcept {
  return impl_->begin;
}

std::optional<std::int32_t> Vocabulary::end_id() const noexcept {
  return impl_->end;
}

}  // namespace mxinfer
