#include "ops/common/diagonal.h"

#include <algorithm>
#include <limits>

#include "base/checked.h"
#include "ops/common/axes.h"
#include "ops/common/copy_step.h"

namespace mxinfer::ops {

Diagonal diagonal_at(std::int64_t offset, std::int64_t axis1, std::int64_t axis2, const Shape& shape) {
  require_rank_at_least(shape, 2);
  Diagonal diagonal;
  diagonal.axis1 = resolve_axis("axis1", axis1, shape.rank());
  diagonal.axis2 = resolve_axis("axis2", axis2, shape.rank());
  if (diagonal.axis1 == diagonal.axis2)
    fail(ErrorCode::invalid_argument, "axis1 and axis2 are both axis ", diagonal.axis1);
  const std::int64_t rows = shape[diagonal.axis1], columns = shape[diagonal.axis2];
  const std::int64_t at = std::clamp(offset, -rows, columns);
  diagonal.row = at < 0 ? -at : 0;
  diagonal.column = at > 0 ? at : 0;
  diagonal.length = std::min(rows - diagonal.row, columns - diagonal.column);
  return diagonal;
}

Shape shape_of_diagonals(const Diagonal& diagonal, Shape shape) {
  shape.erase(std::max(diagonal.axis1, diagonal.axis2));
  shape.erase(std::min(diagonal.axis1, diagonal.axis2));
  shape.push_back(diagonal.length);
  return shape;
}

Step lower_diagonals(LowerContext& context, const Diagonal& diagonal) {
  const Shape& in = context.input(0).shape;
  const auto strides = row_major_strides(in);
  Walk walk(context.output(0).shape);
  walk.src_strides.clear();
  for (std::size_t d = 0; d < in.rank(); ++d) {
    if (d != diagonal.axis1 && d != diagonal.axis2) walk.src_strides.push_back(strides[d]);
  }
  walk.src_strides.push_back(strides[diagonal.axis1] + strides[diagonal.axis2]);
  walk.src_offset = diagonal.row * strides[diagonal.axis1] + diagonal.column * strides[diagonal.axis2];
  return copy_step(context, {{0, 0, walk}});
}

Shape matrix_around(std::int64_t length, std::int64_t k) {
  const auto side =
      k == std::numeric_limits<std::int64_t>::min() ? std::nullopt : checked_add(length, k < 0 ? -k : k);
  if (!side) fail(ErrorCode::invalid_argument, "k=", k, " makes too large a matrix");
  const Shape matrix{*side, *side};
  matrix.elements();
  return matrix;
}

Step lower_matrix_around(LowerContext& context) {
  const std::int64_t k = context.attrs().integer("k");
  const Shape& out = context.output(0).shape;
  Walk walk;
  walk.add(context.input(0).shape.elements(), 1, out[1] + 1);
  walk.dst_offset = k < 0 ? -k * out[1] : k;
  return copy_step(context, {zeros_job(0, out), {0, 0, walk}});
}

}  // namespace mxinfer::ops
