// ArrivedRanges: the bytes of a file that have arrived, while several parts are fetched at once.
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
  /// Bytes [begin, end) have arrived. `grows`: more will follow right behind them.
  void add(std::int64_t begin, std::int64_t end, bool grows);
  [[nodiscard]] bool has(std::int64_t begin, std::int64_t end) const;
  /// Whether a growing part ends at most that many bytes before the place.
  [[nodiscard]] bool comes_soon(std::int64_t place, std::int64_t distance) const;

 private:
  std::map<std::int64_t, std::int64_t> ranges_;  ///< begin to end; apart from each other
  std::set<std::int64_t> fronts_;                ///< ends of what grows
};

}  // namespace mxinfer::sources
