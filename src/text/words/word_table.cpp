#include "text/words/word_table.h"

#include <bit>

#include "base/text/keyed_hash.h"

namespace mxinfer::text {
namespace {

std::uint32_t hash_of(std::string_view word) noexcept {
  return static_cast<std::uint32_t>(keyed_hash(word));
}

}  // namespace

WordTable::WordTable(std::vector<std::string> words) : words_(std::move(words)) {
  if (words_.empty()) return;
  slots_.resize(std::bit_ceil(words_.size() * 2));
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (words_[i].empty()) continue;
    Slot& slot = slots_[slot_of(words_[i])];
    if (slot.position == 0) {
      slot = {hash_of(words_[i]), static_cast<std::uint32_t>(i + 1)};
    } else if (!repeated_) {
      repeated_ = {slot.position - 1, i};
    }
  }
}

std::size_t WordTable::slot_of(std::string_view word) const noexcept {
  const std::uint32_t hash = hash_of(word);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.position == 0 || (slot.hash == hash && words_[slot.position - 1] == word)) return at;
  }
}

std::optional<std::size_t> WordTable::find(std::string_view word) const noexcept {
  if (slots_.empty() || word.empty()) return std::nullopt;
  const Slot& slot = slots_[slot_of(word)];
  if (slot.position == 0) return std::nullopt;
  return slot.position - 1;
}

std::size_t WordTable::looked_at(std::string_view word) const noexcept {
  if (slots_.empty()) return 0;
  const std::size_t mask = slots_.size() - 1;
  return ((slot_of(word) - hash_of(word)) & mask) + 1;
}

void WordTable::prefer(std::size_t position) {
  if (!words_[position].empty())
    slots_[slot_of(words_[position])].position = static_cast<std::uint32_t>(position + 1);
}

}  // namespace mxinfer::text
