// Non-maximum suppression of boxes in the order in which they are visited, the best first: a box is kept
// unless one that was kept before, of the same id, overlaps it. All that suppress boxes share it.
//
//   SuppressArgs<float> args;                  // boxes, ids, count, most, limit, memory, kept
//   const std::int64_t kept = select_suppress_boxes(target)(args);
//
// Each box is compared with the kept ones alone, which lie by coordinate: boxes times kept ones comparisons
// at most, and memory for the kept ones. Every target keeps the same boxes: quotients, sums and products are
// those of the reference, in its order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/boxes/boxes.h"
#include "kernels/common/target.h"

namespace mxinfer::kernels {

/// When a kept box a suppresses b. union = area of a + area of b - shared area.
enum class OverlapRule : std::uint8_t {
  above,          ///< shared / union > limit
  at_least,       ///< shared / union >= limit; 0 for a union that is not above 0
  smaller_above,  ///< shared / the smaller of the two areas > limit
};

template <typename A>
struct SuppressArgs {
  const CornerBox<A>* boxes = nullptr;  ///< [count]
  const std::int32_t* ids = nullptr;    ///< [count]; null: all have the same
  std::int64_t count = 0;               ///< at most 2^31 - 1
  std::int64_t most = 0;                ///< no more than so many are kept
  A more = 0;                           ///< added to each side of a shared area
  A limit = A(0.5);
  OverlapRule rule = OverlapRule::above;
  std::byte* memory = nullptr;   ///< suppress_boxes_bytes<A>(most), aligned for A
  std::int32_t* kept = nullptr;  ///< [min(count, most)]: the positions of kept boxes, ascending
};

/// Fills args.kept and returns how many there are.
template <typename A>
using SuppressFn = std::int64_t (*)(const SuppressArgs<A>& args);

SuppressFn<float> select_suppress_boxes(Target target);

/// The implementations behind it; float and double.
template <typename A>
std::int64_t suppress_boxes_ref(const SuppressArgs<A>& args);
SuppressFn<float> suppress_boxes_simd(Target target);

/// The kept boxes are room for whole vectors of any target.
inline constexpr std::int64_t kKeptBlock = 64;
template <typename A>
constexpr std::size_t suppress_boxes_bytes(std::int64_t most) {
  const std::int64_t room = (most + kKeptBlock - 1) / kKeptBlock * kKeptBlock;
  return static_cast<std::size_t>(room) * (5 * sizeof(A) + sizeof(std::int32_t));
}

}  // namespace mxinfer::kernels
