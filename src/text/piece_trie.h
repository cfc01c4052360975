// PieceTrie: finds the longest word of a vocabulary that a text begins with, in one walk over it.
//
//   const PieceTrie trie(vocabulary);
//   const PieceTrie::Match match = trie.longest(trie.root(), "unaffable");   // "una": its id, 3 bytes
//   trie.longest(*trie.find("##"), "ffable");                                // "##ffa": its id, 3 bytes
#pragma once

#include <mxinfer/sequence/vocabulary.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace mxinfer::text {

class PieceTrie {
 public:
  using NodeIndex = std::uint32_t;
  struct Match {
    std::int32_t id = -1;   ///< -1: there is none
    std::size_t bytes = 0;  ///< of the text
  };

  /// Words that are empty are left out. A node for each byte of a word that no other word shares.
  explicit PieceTrie(const Vocabulary& vocabulary);

  [[nodiscard]] NodeIndex root() const noexcept { return 0; }
  /// The node of words that begin so; nothing if there are none.
  [[nodiscard]] std::optional<NodeIndex> find(std::string_view start) const noexcept;
  /// The longest word at `node` and behind it that the text begins with, of one byte at least.
  [[nodiscard]] Match longest(NodeIndex node, std::string_view text) const noexcept;

 private:
  // The children of a node stand side by side.
  struct Node {
    NodeIndex first_child = 0;
    std::uint32_t children = 0;  ///< at most 256
    std::int32_t id = -1;
  };
  struct Words;  // of one node, while the trie is made

  [[nodiscard]] std::optional<NodeIndex> child(NodeIndex node, char byte) const noexcept;
  void add_children(const std::vector<std::pair<std::string_view, std::int32_t>>& sorted, const Words& words,
                    std::vector<Words>& level);

  std::vector<Node> nodes_;
  std::vector<char> bytes_;  ///< through which each node is reached
};

}  // namespace mxinfer::text
