// What operators that make ids of texts have in common: ids int32 (N, max_length), and how many there are,
// int32 (N).
#pragma once

#include <cstdint>
#include <vector>

#include "ops/op_def.h"

namespace mxinfer::ops {

/// What a text may have of ids, so that rows of them stay possible.
inline constexpr std::int64_t kMostTextIds = std::int64_t{1} << 20;

graph::AttrSpec max_length_attr();
/// "right" or "left": which end of a text that is too long is cut off.
graph::AttrSpec truncate_side_attr();

/// The `length` ids of a text that are left of `ids`.
struct IdSpan {
  const std::int32_t* begin = nullptr;
  std::int64_t length = 0;
};
IdSpan cut_ids(const std::int32_t* ids, std::int64_t count, std::int64_t most, bool cuts_left);

}  // namespace mxinfer::ops
