// The boxes that a suppression has kept so far, stored by coordinate so that one box is compared with many of
// them at once, and the order in which boxes are visited.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/boxes/overlap-inl.h"

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

template <typename A>
class KeptBoxes {
 public:
  static std::size_t bytes(std::int64_t capacity) {
    return static_cast<std::size_t>(capacity) * (5 * sizeof(A) + sizeof(std::int32_t));
  }
  /// `memory` is bytes(capacity), aligned for A.
  KeptBoxes(std::byte* memory, std::int64_t capacity) {
    auto* numbers = reinterpret_cast<A*>(memory);
    for (A** array : {&x1_, &y1_, &x2_, &y2_, &area_}) {
      *array = numbers;
      numbers += capacity;
    }
    id_ = reinterpret_cast<std::int32_t*>(numbers);
  }

  std::int64_t count() const { return count_; }
  /// Boxes of different ids are not compared.
  void add(const CornerBox<A>& box, std::int32_t id) {
    x1_[count_] = box.x1;
    y1_[count_] = box.y1;
    x2_[count_] = box.x2;
    y2_[count_] = box.y2;
    area_[count_] = box.area;
    id_[count_++] = id;
  }

  /// Whether suppresses(shared area, area of the kept box, area of this box) for a kept box of the same id.
  template <typename Rule>
  bool suppress(const CornerBox<A>& box, std::int32_t id, A more, Rule suppresses) const {
    constexpr std::int64_t kBlock = 64;  // without an exit inside, so that the compiler vectorises it
    for (std::int64_t first = 0; first < count_; first += kBlock) {
      const std::int64_t last = std::min(count_, first + kBlock);
      int any = 0;
      for (std::int64_t k = first; k < last; ++k) {
        const A shared = shared_length(x1_[k], x2_[k], box.x1, box.x2, more) *
                         shared_length(y1_[k], y2_[k], box.y1, box.y2, more);
        any |= static_cast<int>(suppresses(shared, area_[k], box.area)) & static_cast<int>(id_[k] == id);
      }
      if (any != 0) return true;
    }
    return false;
  }

 private:
  A *x1_ = nullptr, *y1_ = nullptr, *x2_ = nullptr, *y2_ = nullptr, *area_ = nullptr;
  std::int32_t* id_ = nullptr;
  std::int64_t count_ = 0;
};

}  // namespace mxinfer::kernels
