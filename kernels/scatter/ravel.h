// Positions in an array of a given shape, as one number or as an index for each dimension. T is the type in
// which the numbers are given and wanted.
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

/// dst[k] = (...(src[0][k] * sizes[1] + src[1][k]) * sizes[2] + ...); each sum is made in T's arithmetic and
/// cut to a whole number. Nothing is checked against the sizes, and sizes[0] is not used.
/// unravel is the inverse, by divisions that cut towards zero: dst[0][k] takes what is left.
using RavelFn = void (*)(const RavelArgs& args, const void* src, void* dst);

/// Null for a type that has none. Precondition for unravel: no sizes[1..] is 0.
RavelFn select_ravel(ElementType type);
RavelFn select_unravel(ElementType type);

}  // namespace mxinfer::kernels
