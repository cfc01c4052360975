#include "ops/common/slice_range.h"

#include <algorithm>
#include <limits>

#include "base/fail.h"

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
