#include "ops/common/axes.h"

#include "base/checked.h"
#include "base/fail.h"

namespace mxinfer::ops {

std::size_t resolve_axis(std::string_view name, std::int64_t axis, std::size_t rank) {
  const auto signed_rank = static_cast<std::int64_t>(rank);
  const std::int64_t resolved = axis < 0 ? axis + signed_rank : axis;
  if (resolved < 0 || resolved >= signed_rank) {
    fail(ErrorCode::invalid_argument, name, "=", axis, " is not an axis of an input with ", rank,
         " dimensions; expected ", -signed_rank, " to ", signed_rank - 1);
  }
  return static_cast<std::size_t>(resolved);
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

}  // namespace mxinfer::ops
