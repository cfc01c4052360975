#include "ops/numpy/statistics/numpy_axes.h"

namespace mxinfer::ops {

std::vector<bool> numpy_axes(const Attrs& attrs, const Shape& shape, bool takes_scalars) {
  if (!attrs.has("axis")) return std::vector<bool>(shape.rank(), true);
  std::vector<bool> reduced(shape.rank(), false);
  const bool scalar = takes_scalars && shape.rank() == 0;
  for (const std::int64_t axis : attrs.tuple("axis")) {
    const std::size_t index = resolve_axis("axis", axis, scalar ? 1 : shape.rank());
    if (scalar) continue;
    if (reduced[index]) fail(ErrorCode::invalid_argument, "attribute axis holds ", axis, " twice");
    reduced[index] = true;
  }
  return reduced;
}

kernels::ReduceShape whole_dimensions(const Shape& shape, const std::vector<bool>& reduced) {
  const std::vector<std::int64_t> strides = row_major_strides(shape);
  kernels::ReduceShape result;
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    kernels::ReduceDims& dims = reduced[d] ? result.reduced : result.kept;
    dims.sizes[dims.rank] = shape[d];
    dims.strides[dims.rank++] = strides[d];
  }
  for (kernels::ReduceDims* dims : {&result.kept, &result.reduced}) {
    if (dims->rank == 0) dims->sizes[dims->rank++] = 1;
  }
  return result;
}

std::int64_t reduced_elements(const Shape& shape, const std::vector<bool>& reduced) {
  std::int64_t count = 1;
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    if (reduced[d]) count = checked_mul(count, shape[d]).value_or(0);
  }
  return count;
}

}  // namespace mxinfer::ops
