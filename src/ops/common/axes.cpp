#include "ops/common/axes.h"

#include <algorithm>
#include <limits>

namespace mxinfer::ops {
namespace {

// Python's slice of `size` elements: negative ends count from the back, ends outside are cut off.
Range python_range(graph::OptionalInt begin, graph::OptionalInt end, std::int64_t step, std::int64_t size) {
  const std::int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
  const auto place = [&](graph::OptionalInt value, std::int64_t fallback) {
    if (!value) return fallback;
    const std::int64_t from_front = *value < 0 ? *value + size : *value;
    return std::clamp(from_front, low, std::max(low, high));
  };
  const std::int64_t first = place(begin, step > 0 ? low : high);
  const std::int64_t last = place(end, step > 0 ? high : low);
  const std::int64_t distance = step > 0 ? last - first : first - last;
  const std::int64_t magnitude = step > 0 ? step : -step;
  return {first, distance > 0 ? (distance - 1) / magnitude + 1 : 0, step};
}

}  // namespace

std::size_t resolve_axis(std::string_view name, std::int64_t axis, std::size_t rank) {
  const auto signed_rank = static_cast<std::int64_t>(rank);
  const std::int64_t resolved = axis < 0 ? axis + signed_rank : axis;
  if (resolved < 0 || resolved >= signed_rank) {
    fail(ErrorCode::invalid_argument, name, "=", axis, " is not an axis of an input with ", rank,
         " dimensions; expected ", -signed_rank, " to ", signed_rank - 1);
  }
  return static_cast<std::size_t>(resolved);
}

std::vector<std::size_t> resolve_axes(std::string_view name, const std::vector<std::int64_t>& axes,
                                      std::size_t rank) {
  std::vector<std::size_t> resolved;
  for (const std::int64_t axis : axes) {
    const std::size_t index = resolve_axis(name, axis, rank);
    if (std::find(resolved.begin(), resolved.end(), index) != resolved.end())
      fail(ErrorCode::invalid_argument, "attribute ", name, " holds ", axis, " twice");
    resolved.push_back(index);
  }
  return resolved;
}

Shape without_axes(const Shape& shape, const std::vector<bool>& reduced, bool keep) {
  Shape out;
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    if (!reduced[d]) {
      out.push_back(shape[d]);
    } else if (keep) {
      out.push_back(1);
    }
  }
  return out;
}

AttrSpec nullable_axis_attr() {
  AttrSpec axis = integer_attr("axis", -1);
  axis.nullable = true;
  return axis;
}

std::vector<std::int64_t> row_major_strides(const Shape& shape) {
  std::vector<std::int64_t> strides(shape.rank(), 1);
  // Those of an array without elements may not be numbers any more; nothing is walked by them.
  for (std::size_t d = shape.rank(); d-- > 1;) strides[d - 1] = checked_mul(strides[d], shape[d]).value_or(0);
  return strides;
}

std::vector<std::int64_t> strides_of(const TensorType& type) {
  Shape room = type.shape;
  if (type.row_stride != 0) room[room.rank() - 1] = type.row_stride;
  return row_major_strides(room);
}

void require_rank_at_least(const Shape& shape, std::size_t rank) {
  if (shape.rank() < rank) {
    fail(ErrorCode::invalid_argument, "an input of shape ", to_string(shape), " was given; at least ", rank,
         " dimensions are expected");
  }
}

DType dtype_of(const Attrs& attrs, std::string_view name) {
  const std::string& text = attrs.text(name);
  for (int number = 0; number <= static_cast<int>(DType::bfloat16); ++number) {
    const auto dtype = static_cast<DType>(number);
    if (text == to_string(dtype) || text == std::to_string(number)) return dtype;
  }
  fail(ErrorCode::unsupported, "attribute ", name, "=\"", printable(text),
       "\" is not a dtype of this library");
}

void require_float(DType dtype) {
  if (dtype != DType::float32 && dtype != DType::float64) {
    fail(ErrorCode::unsupported, "an input of ", to_string(dtype),
         " was given; float32 or float64 is expected");
  }
}

std::vector<Range> whole(const Shape& shape) {
  std::vector<Range> ranges;
  for (std::int64_t size : shape) ranges.push_back({0, size, 1});
  return ranges;
}

std::vector<Range> slice_ranges(const Attrs& attrs, const Shape& shape) {
  const graph::IntTuple& begin = attrs.optional_tuple("begin");
  const graph::IntTuple& end = attrs.optional_tuple("end");
  const graph::IntTuple& step = attrs.optional_tuple("step");
  if (begin.size() != end.size() || (!step.empty() && step.size() != begin.size())) {
    fail(ErrorCode::malformed, "begin, end and step have ", begin.size(), ", ", end.size(), " and ",
         step.size(), " entries; they must have the same number");
  }
  if (begin.size() > shape.rank()) {
    fail(ErrorCode::invalid_argument, "begin has ", begin.size(), " entries, the input's shape is ",
         to_string(shape));
  }
  std::vector<Range> ranges = whole(shape);
  for (std::size_t d = 0; d < begin.size(); ++d) {
    const std::int64_t stride = d < step.size() ? step[d].value_or(1) : 1;
    if (stride == 0 || stride == std::numeric_limits<std::int64_t>::min()) {
      fail(ErrorCode::malformed, "attribute step holds ", stride, "; expected a number other than 0");
    }
    ranges[d] = python_range(begin[d], end[d], stride, shape[d]);
  }
  return ranges;
}

}  // namespace mxinfer::ops
