#include "text/piece_trie.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "base/fail.h"

namespace mxinfer::text {

// The sorted words [first, last) all begin with the `depth` bytes that lead to the node.
struct PieceTrie::Words {
  NodeIndex node = 0;
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t depth = 0;
};

PieceTrie::PieceTrie(const Vocabulary& vocabulary) {
  std::vector<std::pair<std::string_view, std::int32_t>> sorted;
  sorted.reserve(vocabulary.size());
  for (std::size_t i = 0; i < vocabulary.size(); ++i) {
    const auto id = static_cast<std::int32_t>(i);
    const std::string& word = vocabulary.word(id);
    // A word of an old file that is there twice is found at one of its places.
    if (!word.empty() && vocabulary.find(word) == id) sorted.emplace_back(word, id);
  }
  std::sort(sorted.begin(), sorted.end());
  nodes_.emplace_back();
  bytes_.push_back('\0');
  // Level by level, so that children stand side by side.
  std::vector<Words> level = {{0, 0, sorted.size(), 0}};
  while (!level.empty()) {
    std::vector<Words> next;
    for (const Words& words : level) add_children(sorted, words, next);
    level = std::move(next);
  }
  nodes_.shrink_to_fit();
  bytes_.shrink_to_fit();
}

void PieceTrie::add_children(const std::vector<std::pair<std::string_view, std::int32_t>>& sorted,
                             const Words& words, std::vector<Words>& level) {
  std::size_t at = words.first;
  if (at < words.last && sorted[at].first.size() == words.depth) nodes_[words.node].id = sorted[at++].second;
  nodes_[words.node].first_child = static_cast<NodeIndex>(nodes_.size());
  while (at < words.last) {
    const char byte = sorted[at].first[words.depth];
    std::size_t end = at + 1;
    while (end < words.last && sorted[end].first[words.depth] == byte) ++end;
    if (nodes_.size() == std::numeric_limits<NodeIndex>::max())
      fail(ErrorCode::invalid_argument, "the words of the vocabulary have more than 4 GiB together");
    level.push_back({static_cast<NodeIndex>(nodes_.size()), at, end, words.depth + 1});
    nodes_.emplace_back();
    bytes_.push_back(byte);
    ++nodes_[words.node].children;
    at = end;
  }
}

std::optional<PieceTrie::NodeIndex> PieceTrie::child(NodeIndex node, char byte) const noexcept {
  const Node& parent = nodes_[node];
  if (parent.children == 0) return std::nullopt;
  const char* const first = bytes_.data() + parent.first_child;
  const void* const found = std::memchr(first, static_cast<unsigned char>(byte), parent.children);
  if (found == nullptr) return std::nullopt;
  return parent.first_child + static_cast<NodeIndex>(static_cast<const char*>(found) - first);
}

std::optional<PieceTrie::NodeIndex> PieceTrie::find(std::string_view start) const noexcept {
  NodeIndex node = root();
  for (const char byte : start) {
    const auto next = child(node, byte);
    if (!next) return std::nullopt;
    node = *next;
  }
  return node;
}

PieceTrie::Match PieceTrie::longest(NodeIndex node, std::string_view text) const noexcept {
  Match match;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto next = child(node, text[i]);
    if (!next) break;
    node = *next;
    if (nodes_[node].id >= 0) match = {nodes_[node].id, i + 1};
  }
  return match;
}

}  // namespace mxinfer::text
