// The order in which a suppression visits boxes.
#pragma once

#include <algorithm>
#include <cstdint>

namespace mxinfer::kernels {

/// One box to be visited: from the highest score down, equal ones in the order of the input.
template <typename A>
struct Candidate {
  A score;
  std::int32_t index;
  friend bool operator<(const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score > b.score : a.index < b.index;
  }
};

/// Puts the first `wanted` of `count` candidates in front, in order. No score is NaN.
template <typename A>
void sort_first(Candidate<A>* candidates, std::int64_t count, std::int64_t wanted) {
  if (wanted < count) std::nth_element(candidates, candidates + wanted, candidates + count);
  std::sort(candidates, candidates + std::min(wanted, count));
}

}  // namespace mxinfer::kernels
