// Positions in an array of a given shape: from an index for each dimension to one flat index (ravel) and back
// (unravel). T is the type of all indices.
#pragma once

#include <cstdint>

#include "kernels/common/element_type.h"

namespace mxinfer::kernels {

inline constexpr int kRavelMaxRank = 16;

struct RavelArgs {
  int rank = 0;  ///< 1 .. kRavelMaxRank
  std::int64_t sizes[kRavelMaxRank] = {};
  std::int64_t count = 0;  ///< positions
};

/// ravel: dst[k] = (...(src[0][k] * sizes[1] + src[1][k]) * sizes[2] + ...); each sum is in T's arithmetic
/// and truncated to a whole number. Indices are not checked against the sizes, and sizes[0] is not used.
/// unravel: the inverse, by divisions that truncate; dst[0][k] takes what is left.
using RavelFn = void (*)(const RavelArgs& args, const void* src, void* dst);

/// Null for types without one. Precondition for unravel: no sizes[1..] is 0.
RavelFn select_ravel(ElementType type);
RavelFn select_unravel(ElementType type);

}  // namespace mxinfer::kernels
