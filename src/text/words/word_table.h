// WordTable: maps words to their positions, by open addressing.
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
  /// Empty words are kept but never found. Precondition: at most kMostWords.
  explicit WordTable(std::vector<std::string> words);

  const std::vector<std::string>& words() const { return words_; }
  /// The position of the word, the first one if it appears twice.
  std::optional<std::size_t> find(std::string_view word) const noexcept;
  /// The two positions of the first duplicate word.
  std::optional<std::pair<std::size_t, std::size_t>> repeated() const { return repeated_; }
  /// From now on find() returns `position` for the word there, not its earlier position.
  void prefer(std::size_t position);
  /// How many slots a look-up of the word probes; 0 in an empty table.
  std::size_t looked_at(std::string_view word) const noexcept;

 private:
  struct Slot {
    std::uint32_t hash = 0;      ///< avoids comparing most other words
    std::uint32_t position = 0;  ///< in words_, and one more; 0: nothing is here
  };

  /// The slot of the word, or the free one where it belongs.
  std::size_t slot_of(std::string_view word) const noexcept;

  std::vector<std::string> words_;
  std::vector<Slot> slots_;  ///< a power of two, at most half of them taken
  std::optional<std::pair<std::size_t, std::size_t>> repeated_;
};

}  // namespace mxinfer::text
