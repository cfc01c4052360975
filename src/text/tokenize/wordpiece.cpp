// WordPiece, longest match first, as in GluonNLP.
#include <utility>

#include "base/fail.h"
#include "text/tokenize/piece_trie.h"
#include "text/tokenize/tokenize.h"

namespace mxinfer::text {

struct WordPiece::Impl {
  Vocabulary vocabulary;
  int max_word_length;
  std::string prefix;
  std::int32_t unknown;
  PieceTrie trie;
  std::optional<PieceTrie::Position> behind;  ///< of the pieces that go on a word; nothing if there are none

  void append_word(std::string_view word, std::vector<std::int32_t>& ids) const;
};

namespace {

bool has_more_characters(std::string_view word, int most) {
  if (word.size() <= static_cast<std::size_t>(most)) return false;
  std::size_t characters = 0;
  for (const char byte : word) characters += (static_cast<unsigned char>(byte) & 0xc0u) != 0x80u;
  return characters > static_cast<std::size_t>(most);
}

std::int32_t require_unknown(const Vocabulary& vocabulary) {
  if (const auto id = vocabulary.unknown_id()) return *id;
  fail(ErrorCode::invalid_argument, "a vocabulary of ", vocabulary.size(),
       " words without an unknown token; WordPiece needs one, such as \"[UNK]\": name it in "
       "VocabularyOptions::unknown");
}

}  // namespace

// The words of the vocabulary are UTF-8, so no piece ends inside a character.
void WordPiece::Impl::append_word(std::string_view word, std::vector<std::int32_t>& ids) const {
  if (has_more_characters(word, max_word_length)) {
    ids.push_back(unknown);
    return;
  }
  const std::size_t before = ids.size();
  std::optional<PieceTrie::Position> start = trie.root();
  while (!word.empty()) {
    const PieceTrie::Match match = start ? trie.longest(*start, word) : PieceTrie::Match();
    if (match.id < 0) {
      ids.resize(before);
      ids.push_back(unknown);
      return;
    }
    ids.push_back(match.id);
    word.remove_prefix(match.bytes);
    start = behind;
  }
}

WordPiece::WordPiece(const Vocabulary& vocabulary, int max_word_length, std::string prefix) {
  if (max_word_length < 1 || max_word_length > kMostWordLength) {
    fail(ErrorCode::invalid_argument, "max_word_length is ", max_word_length, "; expected 1 to ",
         kMostWordLength, " characters");
  }
  const std::int32_t unknown = require_unknown(vocabulary);
  PieceTrie trie(vocabulary);
  const auto behind = trie.find(prefix);
  impl_ = std::make_shared<const Impl>(
      Impl{vocabulary, max_word_length, std::move(prefix), unknown, std::move(trie), behind});
}

void WordPiece::append_ids(std::string_view text, std::vector<std::int32_t>& ids) const {
  for (const std::string_view word : split_text(text, Split::whitespace)) impl_->append_word(word, ids);
}

std::vector<std::string> WordPiece::tokens(std::string_view text) const {
  std::vector<std::int32_t> ids;
  append_ids(text, ids);
  return impl_->vocabulary.words(ids);
}

const Vocabulary& WordPiece::vocabulary() const noexcept {
  return impl_->vocabulary;
}

int WordPiece::max_word_length() const noexcept {
  return impl_->max_word_length;
}

const std::string& WordPiece::prefix() const noexcept {
  return impl_->prefix;
}

}  // namespace mxinfer::text
