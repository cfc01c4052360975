// Finds the axis of a value that is the batch or the time: the one that changes with it.
//
//   changed_axis({2, 16, 8}, {3, 16, 8}, 2, 3);      // 0
#pragma once

#include <mxinfer/shape.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace mxinfer::api {

/// The only differing axis of two shapes, if its sizes are `a` and `b`.
inline std::optional<std::size_t> changed_axis(const Shape& one, const Shape& other, std::int64_t a,
                                               std::int64_t b) {
  if (one.rank() != other.rank()) return std::nullopt;
  std::optional<std::size_t> axis;
  for (std::size_t i = 0; i < one.rank(); ++i) {
    if (one[i] == other[i]) continue;
    if (axis || one[i] != a || other[i] != b) return std::nullopt;
    axis = i;
  }
  return axis;
}

}  // namespace mxinfer::api
