// WordTable: words and the number of each, by a hash table of open addressing.
//
//   WordTable table(words);                     // "a", "b"
//   table.find("b");                            // 1
//
// It is built once and never changed: any thread may look up, and a look-up allocates nothing. Nobody can
// choose words that make it slow (base/text/keyed_hash.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mxinfer::text {

class WordTable {
 public:
  WordTable() = default;
  /// Empty words are there but not found. Precondition: at most kMostWords.
  explicit WordTable(std::vector<std::string> words);

  const std::vector<std::string>& words() const { return words_; }
  /// The position of the word, the first one if it is there twice.
  std::optional<std::size_t> find(std::string_view word) const noexcept;
  /// The first word that is there twice, by its two positions.
  std::optional<std::pair<std::size_t, std::size_t>> repeated() const { return repeated_; }
  /// From now on the word at `position` is found there, and not where it was before it.
  void prefer(std::size_t position);
  /// How many slots a look-up of the word looks at; 0 in an empty table.
  std::size_t looked_at(std::string_view word) const noexcept;

 private:
  struct Slot {
    std::uint32_t hash = 0;      ///< saves the look at most words that are not meant
    std::uint32_t position = 0;  ///< in words_, and one more; 0: nothing is here
  };

  /// The slot of the word, or the free one where it belongs.
  std::size_t slot_of(std::string_view word) const noexcept;

  std::vector<std::string> words_;
  std::vector<Slot> slots_;  ///< a power of two, at most half of them taken
  std::optional<std::pair<std::size_t, std::size_t>> repeated_;
};

}  // namespace mxinfer::text
