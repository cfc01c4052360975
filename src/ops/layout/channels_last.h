// The order of an activation's dimensions. Models say (N, C, spatial...); a pass may keep the values between
// operators as (N, spatial..., C).
//
//   to_channels_last({1, 64, 56, 56})   // {1, 56, 56, 64}
//   channels_last_axis(1, 4)            // 3: where the model's dimension 1 is
#pragma once

#include "ops/common/axes.h"
#include "tensor/parameter.h"

namespace mxinfer::ops {

/// Error(invalid_argument) for a rank below 2.
inline Shape to_channels_last(const Shape& shape) {
  require_rank_at_least(shape, 2);
  Shape last{shape[0]};
  for (std::size_t i = 2; i < shape.rank(); ++i) last.push_back(shape[i]);
  last.push_back(shape[1]);
  return last;
}

inline Shape to_channels_first(const Shape& shape) {
  require_rank_at_least(shape, 2);
  Shape first{shape[0], shape.back()};
  for (std::size_t i = 1; i + 1 < shape.rank(); ++i) first.push_back(shape[i]);
  return first;
}

/// Where dimension `axis` of a channels-first shape is in the channels-last one. 0 <= axis < rank.
constexpr std::int64_t channels_last_axis(std::int64_t axis, std::int64_t rank) {
  if (axis == 0) return 0;
  return axis == 1 ? rank - 1 : axis - 1;
}

/// The dimension of a channels-first shape that is dimension `axis` of the channels-last one.
constexpr std::int64_t channels_first_axis(std::int64_t axis, std::int64_t rank) {
  if (axis == 0) return 0;
  return axis == rank - 1 ? 1 : axis + 1;
}

/// A parameter that is stored as (M, spatial..., C), as (M, C, spatial...). It is made when it is asked for,
/// as its source may be. Precondition: a rank of at least 2.
std::shared_ptr<const Parameter> as_channels_first(const std::shared_ptr<const Parameter>& source);

}  // namespace mxinfer::ops
