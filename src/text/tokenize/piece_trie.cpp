#include "text/tokenize/piece_trie.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace mxinfer::text {
namespace {

std::size_t common_bytes(std::string_view a, std::string_view b) {
  const std::size_t most = std::min(a.size(), b.size());
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.begin() + most, b.begin()).first - a.begin());
}

}  // namespace

// The sorted words [first, last) share the `depth` bytes that lead to the node.
struct PieceTrie::Words {
  std::uint32_t node = 0;
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t depth = 0;
};

PieceTrie::PieceTrie(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {
  SortedWords sorted;
  sorted.reserve(vocabulary_.size());
  for (std::size_t i = 0; i < vocabulary_.size(); ++i) {
    const auto id = static_cast<std::int32_t>(i);
    const std::string& word = vocabulary_.word(id);
    // If an old file has a word twice, it is found at one of its positions.
    if (!word.empty() && vocabulary_.find(word) == id) sorted.emplace_back(word, id);
  }
  std::sort(sorted.begin(), sorted.end());
  nodes_.emplace_back();
  bytes_.push_back('\0');
  // Level by level, so that siblings are adjacent.
  std::vector<Words> level = {{0, 0, sorted.size(), 0}};
  while (!level.empty()) {
    std::vector<Words> next;
    for (const Words& words : level) add_children(sorted, words, next);
    level = std::move(next);
  }
  nodes_.shrink_to_fit();
  bytes_.shrink_to_fit();
}

void PieceTrie::add_children(const SortedWords& sorted, const Words& words, std::vector<Words>& level) {
  std::size_t at = words.first;
  if (at < words.last && sorted[at].first.size() == words.depth) nodes_[words.node].id = sorted[at++].second;
  nodes_[words.node].first_child = static_cast<std::uint32_t>(nodes_.size());
  while (at < words.last) {
    const std::string_view first = sorted[at].first;
    std::size_t end = at + 1;
    while (end < words.last && sorted[end].first[words.depth] == first[words.depth]) ++end;
    // The words between share the prefix of the first and the last.
    const std::size_t depth = common_bytes(first, sorted[end - 1].first);
    level.push_back({static_cast<std::uint32_t>(nodes_.size()), at, end, depth});
    Node node;
    node.label = first.data() + words.depth;
    node.label_bytes = static_cast<std::uint32_t>(depth - words.depth);
    nodes_.push_back(node);
    bytes_.push_back(first[words.depth]);
    ++nodes_[words.node].children;
    at = end;
  }
}

std::optional<std::uint32_t> PieceTrie::child(std::uint32_t node, char byte) const noexcept {
  const Node& parent = nodes_[node];
  if (parent.children == 0) return std::nullopt;
  const char* const first = bytes_.data() + parent.first_child;
  const void* const found = std::memchr(first, static_cast<unsigned char>(byte), parent.children);
  if (found == nullptr) return std::nullopt;
  return parent.first_child + static_cast<std::uint32_t>(static_cast<const char*>(found) - first);
}

std::optional<PieceTrie::Position> PieceTrie::find(std::string_view start) const noexcept {
  Position position = root();
  while (!start.empty()) {
    const auto next = child(position.node, start[0]);
    if (!next) return std::nullopt;
    const std::size_t bytes = common_bytes(label(*next), start);
    position = {*next, static_cast<std::uint32_t>(bytes)};
    start.remove_prefix(bytes);
    if (bytes < label(*next).size()) break;
  }
  if (!start.empty()) return std::nullopt;
  return position;
}

PieceTrie::Match PieceTrie::longest(Position position, std::string_view text) const noexcept {
  Match match;
  std::uint32_t node = position.node;
  std::string_view expected = label(node).substr(position.bytes);
  for (std::size_t used = 0; text.substr(used).starts_with(expected);) {
    used += expected.size();
    if (nodes_[node].id >= 0 && used > 0) match = {nodes_[node].id, used};
    if (used == text.size()) break;
    const auto next = child(node, text[used]);
    if (!next) break;
    node = *next;
    expected = label(node);
  }
  return match;
}

}  // namespace mxinfer::text
