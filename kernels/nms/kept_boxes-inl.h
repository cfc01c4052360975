// The boxes that a suppression has kept so far, stored by coordinate so that one box is compared with many of
// them at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/nms/suppress_boxes.h"

namespace mxinfer::kernels {

template <typename A>
struct KeptBoxes {
  /// `memory` is suppress_boxes_bytes<A>(most).
  KeptBoxes(std::byte* memory, std::int64_t most) {
    const std::int64_t room = (most + kKeptBlock - 1) / kKeptBlock * kKeptBlock;
    auto* numbers = reinterpret_cast<A*>(memory);
    for (A** array : {&x1, &y1, &x2, &y2, &area}) {
      *array = numbers;
      numbers += room;
    }
    id = reinterpret_cast<std::int32_t*>(numbers);
  }

  void add(const CornerBox<A>& box, std::int32_t of) {
    if (count % kKeptBlock == 0) clear_block();
    x1[count] = box.x1;
    y1[count] = box.y1;
    x2[count] = box.x2;
    y2[count] = box.y2;
    area[count] = box.area;
    id[count++] = of;
  }

  A *x1 = nullptr, *y1 = nullptr, *x2 = nullptr, *y2 = nullptr, *area = nullptr;
  std::int32_t* id = nullptr;
  std::int64_t count = 0;

 private:
  // So that vectors that reach beyond the last box read numbers.
  void clear_block() {
    for (A* array : {x1, y1, x2, y2, area}) std::fill_n(array + count, kKeptBlock, A(0));
    std::fill_n(id + count, kKeptBlock, 0);
  }
};

/// The loop of suppress_boxes over any way to compare: any(kept, first, last, box, id) says whether one of
/// the kept boxes [first, last) suppresses a box. `first` is a multiple of kKeptBlock.
///
/// Boxes are taken in windows. Those of a window are compared with the boxes that were kept before it, piece
/// by piece, so that a piece is read from the nearest cache by the whole window; then with each other.
template <typename A, typename Any>
std::int64_t keep_boxes(const SuppressArgs<A>& args, const Any& any) {
  constexpr std::int64_t kWindow = 64, kPiece = 8 * kKeptBlock;
  const auto id_of = [&](std::int64_t i) { return args.ids == nullptr ? 0 : args.ids[i]; };
  KeptBoxes<A> kept(args.memory, args.most);
  for (std::int64_t begin = 0; begin < args.count && kept.count < args.most; begin += kWindow) {
    std::int64_t open[kWindow], count = 0;  // boxes of the window that nothing has suppressed yet
    for (std::int64_t i = begin; i < std::min(args.count, begin + kWindow); ++i) open[count++] = i;
    const std::int64_t before = kept.count;
    for (std::int64_t first = 0; first < before; first += kPiece) {
      const std::int64_t last = std::min(before, first + kPiece);
      count =
          std::remove_if(open, open + count,
                         [&](std::int64_t i) { return any(kept, first, last, args.boxes[i], id_of(i)); }) -
          open;
    }
    const std::int64_t first = before / kKeptBlock * kKeptBlock;
    for (std::int64_t* i = open; i != open + count; ++i) {
      if (kept.count == args.most) return kept.count;
      if (any(kept, first, kept.count, args.boxes[*i], id_of(*i))) continue;
      args.kept[kept.count] = static_cast<std::int32_t>(*i);
      kept.add(args.boxes[*i], id_of(*i));
    }
  }
  return kept.count;
}

}  // namespace mxinfer::kernels
