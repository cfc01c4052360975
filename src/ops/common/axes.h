// Axes, slices and tuples of attributes, checked against a shape.
#pragma once

#include "ops/op_def.h"

namespace mxinfer::ops {

/// An axis of the attribute `name`, -rank .. rank - 1, as 0 .. rank - 1. Error(invalid_argument) names what
/// was given.
std::size_t resolve_axis(std::string_view name, std::int64_t axis, std::size_t rank);

/// The axes that the attribute `name` lists, resolved, in its order. Error(invalid_argument) for one that is
/// listed twice, too.
std::vector<std::size_t> resolve_axes(std::string_view name, const std::vector<std::int64_t>& axes,
                                      std::size_t rank);

/// `shape` without the dimensions that are reduced, or with a size of 1 for each if `keep`.
Shape without_axes(const Shape& shape, const std::vector<bool>& reduced, bool keep);

/// The attribute `axis`, the last one if it is not given, which may be None.
AttrSpec nullable_axis_attr();

/// Element strides of a dense row-major array of that shape.
std::vector<std::int64_t> row_major_strides(const Shape& shape);
/// The same of a value that the plan may have made strided.
std::vector<std::int64_t> strides_of(const TensorType& type);

/// Error(invalid_argument) unless shape has at least `rank` dimensions.
void require_rank_at_least(const Shape& shape, std::size_t rank);

/// The DType of a dtype attribute: a name ("float32") or MXNet's number ("0").
DType dtype_of(const Attrs& attrs, std::string_view name);

/// Error(unsupported) naming the dtype unless it is float32 or float64.
void require_float(DType dtype);

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
