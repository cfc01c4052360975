// The lines that L2Normalization divides by their norms.
#pragma once

#include <mxinfer/shape.h>

#include <cstdint>
#include <string>

namespace mxinfer::ops {

/// Lines of `axis` elements, `inner` apart and side by side.
struct L2Lines {
  std::int64_t count = 0;
  std::int64_t axis = 0;
  std::int64_t inner = 1;
};

/// mode: channel, instance or spatial.
L2Lines l2_lines(const std::string& mode, const Shape& shape);

}  // namespace mxinfer::ops
