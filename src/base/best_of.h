// BestOf: the best few of many, without keeping the many.
//
//   BestOf<NearRow, is_better> best(10);
//   for (const NearRow& row : rows) best.offer(row);
//   best.take();                                        // best first
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace mxinfer {

/// is_better(a, b) is a strict total order, so the result does not depend on the order in which elements are
/// offered.
template <typename T, bool (*is_better)(const T&, const T&)>
class BestOf {
 public:
  /// At least 1.
  explicit BestOf(std::size_t most) : most_(most) {}

  bool would_take(const T& one) const { return kept_.size() < most_ || is_better(one, kept_.front()); }
  /// Returns whether the element was kept.
  bool offer(const T& one) {
    if (!would_take(one)) return false;
    if (kept_.size() == most_) {
      std::pop_heap(kept_.begin(), kept_.end(), is_better);
      kept_.pop_back();
    }
    kept_.push_back(one);
    std::push_heap(kept_.begin(), kept_.end(), is_better);
    return true;
  }

  /// In no particular order.
  const std::vector<T>& kept() const { return kept_; }
  /// Best first; leaves this empty.
  std::vector<T> take() {
    std::sort_heap(kept_.begin(), kept_.end(), is_better);
    return std::exchange(kept_, {});
  }

 private:
  std::size_t most_;
  std::vector<T> kept_;  ///< a heap, the worst in front
};

}  // namespace mxinfer
