// What begin, end and step of MXNet's slices mean.
#pragma once

#include <vector>

#include "ops/op_def.h"

namespace mxinfer::ops {

/// Along one dimension: `count` elements from `begin`, `step` apart.
struct Range {
  std::int64_t begin = 0;
  std::int64_t count = 0;
  std::int64_t step = 1;
};

/// Every dimension whole.
std::vector<Range> whole(const Shape& shape);

/// One range for each dimension of `shape`, after the attributes begin, end and step.
std::vector<Range> slice_ranges(const Attrs& attrs, const Shape& shape);

}  // namespace mxinfer::ops
