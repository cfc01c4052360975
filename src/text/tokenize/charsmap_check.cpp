#include "text/tokenize/charsmap_check.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/fail.h"

namespace mxinfer::text {
namespace {

// The most matches that a search keeps.
constexpr int kMostMatches = 32;

// The words of a double array. A node is a place in it and the word there; the child through `byte` is at
// child_base(node) ^ byte, if the word there has that label. Where a node is the end of a key, the word at
// child_base(node) is its value.
class DoubleArray {
 public:
  explicit DoubleArray(std::string_view bytes) : bytes_(bytes) {}
  [[nodiscard]] std::size_t size() const { return bytes_.size() / sizeof(std::uint32_t); }
  [[nodiscard]] std::uint32_t word(std::size_t at) const {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes_.data() + at * sizeof word, sizeof word);
    return word;
  }
  [[nodiscard]] std::size_t child_base(std::size_t node) const {
    const std::uint32_t w = word(node);
    return node ^ (std::size_t{w >> 10} << ((w & 1u << 9) >> 6));
  }
  [[nodiscard]] bool is_end(std::size_t node) const { return (word(node) >> 8 & 1u) != 0; }
  [[nodiscard]] std::uint32_t label(std::size_t at) const { return word(at) & (1u << 31 | 0xffu); }
  [[nodiscard]] std::size_t value(std::size_t at) const { return word(at) & ~(1u << 31); }

 private:
  std::string_view bytes_;
};

// Visits every node that a search can reach.
class CharsmapCheck {
 public:
  CharsmapCheck(DoubleArray array, std::string_view texts)
      : array_(array), texts_(texts), matches_(array.size(), kNew) {}

  std::size_t run() {
    enter(0);
    while (!open_.empty()) step();
    return longest_;
  }

 private:
  static constexpr signed char kNew = -1;
  static constexpr signed char kOpen = -2;

  struct Open {
    std::size_t node;
    std::size_t base;
    unsigned byte;   // the next to look through
    int most_below;  // matches of the children that are done
  };

  void enter(std::size_t node) {
    const std::size_t base = array_.child_base(node);
    if ((base | 0xffu) >= array_.size()) {
      fail(ErrorCode::malformed, "entry ", node, " of the table points to entry ", base | 0xffu, " of ",
           array_.size());
    }
    // The root's value belongs to the empty key, which is never looked up.
    if (node != 0 && array_.is_end(node)) check_text(array_.value(base));
    matches_[node] = kOpen;
    open_.push_back({node, base, 0, 0});
  }

  void step() {
    Open& top = open_.back();
    if (top.byte == 256) {
      const int matches = top.most_below + (top.node != 0 && array_.is_end(top.node) ? 1 : 0);
      if (matches > kMostMatches) {
        fail(ErrorCode::malformed, "more than ", kMostMatches, " keys of the table begin one another");
      }
      matches_[top.node] = static_cast<signed char>(matches);
      open_.pop_back();
      if (!open_.empty()) open_.back().most_below = std::max(open_.back().most_below, matches);
      return;
    }
    const unsigned byte = top.byte++;
    const std::size_t child = top.base ^ byte;
    if (array_.label(child) != byte) return;
    if (matches_[child] == kOpen) fail(ErrorCode::malformed, "entry ", child, " of the table follows itself");
    if (matches_[child] == kNew) {
      enter(child);
    } else {
      top.most_below = std::max(top.most_below, int{matches_[child]});
    }
  }

  // The library terminates the last text with a zero.
  void check_text(std::size_t at) {
    if (at >= texts_.size()) {
      fail(ErrorCode::malformed, "the table points to byte ", at, " of texts of ", texts_.size(), " bytes");
    }
    const std::size_t end = std::min(texts_.find('\0', at), texts_.size());
    longest_ = std::max(longest_, end - at);
  }

  DoubleArray array_;
  std::string_view texts_;
  std::vector<signed char> matches_;  // on the way from a node to the end of the longest key
  std::vector<Open> open_{};
  std::size_t longest_ = 0;
};

}  // namespace

std::size_t check_charsmap(std::string_view table) {
  if (table.empty()) return 0;
  std::uint32_t array_bytes = 0;
  if (table.size() < sizeof array_bytes) fail(ErrorCode::malformed, "a table of ", table.size(), " bytes");
  std::memcpy(&array_bytes, table.data(), sizeof array_bytes);
  const std::string_view rest = table.substr(sizeof array_bytes);
  if (array_bytes >= rest.size() || array_bytes < sizeof(std::uint32_t) ||
      array_bytes % sizeof(std::uint32_t) != 0) {
    fail(ErrorCode::malformed, "a table of ", array_bytes, " bytes in ", rest.size(),
         "; expected a multiple of ", sizeof(std::uint32_t), " with texts behind it");
  }
  return CharsmapCheck(DoubleArray(rest.substr(0, array_bytes)), rest.substr(array_bytes)).run();
}

}  // namespace mxinfer::text
