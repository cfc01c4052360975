// PieceTrie: finds the longest word of a vocabulary that a text begins with, in one walk over it.
//
//   const PieceTrie trie(vocabulary);
//   const PieceTrie::Match match = trie.longest(trie.root(), "unaffable");   // "una": its id, 3 bytes
//   trie.longest(*trie.find("##"), "ffable");                                // "##ffa": its id, 3 bytes
//
// A node stands for all the bytes up to where a word ends or words part, and they are read in the vocabulary:
// the trie takes memory by the number of words, however long they are.
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
  /// Behind some bytes of the label of a node.
  struct Position {
    std::uint32_t node = 0;
    std::uint32_t bytes = 0;
  };
  struct Match {
    std::int32_t id = -1;   ///< -1: there is none
    std::size_t bytes = 0;  ///< of the text
  };

  /// Words that are empty are left out.
  explicit PieceTrie(const Vocabulary& vocabulary);

  [[nodiscard]] Position root() const noexcept { return {}; }
  /// Where words are that begin so; nothing if there are none.
  [[nodiscard]] std::optional<Position> find(std::string_view start) const noexcept;
  /// The longest word behind the position that the text begins with, of one byte at least.
  [[nodiscard]] Match longest(Position position, std::string_view text) const noexcept;
  /// At most two for a word, and the root.
  [[nodiscard]] std::size_t nodes() const noexcept { return nodes_.size(); }

 private:
  // The children of a node stand side by side.
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
