// PieceTrie: finds the longest word of a vocabulary that a text begins with, in one walk over it.
//
//   const PieceTrie trie(vocabulary);
//   const PieceTrie::Match match = trie.longest(trie.root(), "unaffable");   // "una": its id, 3 bytes
//   trie.longest(*trie.find("##"), "ffable");                                // "##ffa": its id, 3 bytes
//
// An edge covers all bytes up to where a word ends or words diverge, and its label is read in the vocabulary.
// So memory depends on the number of words, not on their length.
#pragma once

#include <mxinfer/sequence/vocabulary.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace mxinfer::text {

class PieceTrie {
 public:
  /// A position inside the label of a node.
  struct Position {
    std::uint32_t node = 0;
    std::uint32_t bytes = 0;
  };
  struct Match {
    std::int32_t id = -1;   ///< -1: there is none
    std::size_t bytes = 0;  ///< of the text
  };

  /// Skips empty words.
  explicit PieceTrie(const Vocabulary& vocabulary);

  [[nodiscard]] Position root() const noexcept { return {}; }
  /// The position of words with this prefix; nullopt if there are none.
  [[nodiscard]] std::optional<Position> find(std::string_view start) const noexcept;
  /// The longest word from the position on that the text begins with, at least one byte long.
  [[nodiscard]] Match longest(Position position, std::string_view text) const noexcept;
  /// At most two per word, and the root.
  [[nodiscard]] std::size_t nodes() const noexcept { return nodes_.size(); }

 private:
  // The children of a node are adjacent.
  struct Node {
    const char* label = nullptr;  ///< the bytes that lead to it from its parent, in a word of the vocabulary
    std::uint32_t label_bytes = 0;
    std::uint32_t first_child = 0;
    std::uint32_t children = 0;  ///< at most 256
    std::int32_t id = -1;        ///< of the word that ends here
  };
  using SortedWords = std::vector<std::pair<std::string_view, std::int32_t>>;
  struct Words;  // of one node, while the trie is made

  [[nodiscard]] std::string_view label(std::uint32_t node) const noexcept {
    return {nodes_[node].label, nodes_[node].label_bytes};
  }
  [[nodiscard]] std::optional<std::uint32_t> child(std::uint32_t node, char byte) const noexcept;
  void add_children(const SortedWords& sorted, const Words& words, std::vector<Words>& level);

  Vocabulary vocabulary_;  ///< keeps the bytes of the labels
  std::vector<Node> nodes_;
  std::vector<char> bytes_;  ///< the first one of each label
};

}  // namespace mxinfer::text
