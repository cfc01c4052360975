#include "sources/remote/arrived_ranges.h"

#include <algorithm>
#include <iterator>

namespace mxinfer::sources {

void ArrivedRanges::add(std::int64_t begin, std::int64_t end, bool grows) {
  if (grows) {
    fronts_.erase(begin);
    fronts_.insert(end);
  }
  auto next = ranges_.upper_bound(begin);
  if (next != ranges_.begin()) {
    const auto before = std::prev(next);
    if (before->second >= begin) {
      begin = before->first;
      end = std::max(end, before->second);
      next = ranges_.erase(before);
    }
  }
  while (next != ranges_.end() && next->first <= end) {
    end = std::max(end, next->second);
    next = ranges_.erase(next);
  }
  ranges_.emplace_hint(next, begin, end);
}

bool ArrivedRanges::has(std::int64_t begin, std::int64_t end) const {
  if (begin >= end) return true;
  const auto next = ranges_.upper_bound(begin);
  return next != ranges_.begin() && std::prev(next)->second >= end;
}

bool ArrivedRanges::comes_soon(std::int64_t place, std::int64_t distance) const {
  const auto next = fronts_.upper_bound(place);
  return next != fronts_.begin() && place - *std::prev(next) <= distance;
}

}  // namespace mxinfer::sources
