// ArrivedRanges: which bytes of a file are there while it comes in several parts at once.
//
//   ArrivedRanges arrived;
//   arrived.add({0, 65536});
//   arrived.has(100, 200);        // true
#pragma once

#include <cstdint>
#include <map>
#include <set>

namespace mxinfer::sources {

class ArrivedRanges {
 public:
  /// Bytes [begin, end) are there. `grows`: more will follow right behind them.
  void add(std::int64_t begin, std::int64_t end, bool grows);
  [[nodiscard]] bool has(std::int64_t begin, std::int64_t end) const;
  /// Whether a part that grows is at most so many bytes in front of the place.
  [[nodiscard]] bool comes_soon(std::int64_t place, std::int64_t distance) const;

 private:
  std::map<std::int64_t, std::int64_t> ranges_;  ///< begin to end; apart from each other
  std::set<std::int64_t> fronts_;                ///< ends of what grows
};

}  // namespace mxinfer::sources
