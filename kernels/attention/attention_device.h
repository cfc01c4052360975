// What the kernels of attention share: masks and where a head is.
#pragma once

#include <cfloat>
#include <limits>
#include <type_traits>

#include "kernels/attention/attention.h"
#include "kernels/cuda/stored_floats.h"

namespace mxinfer::kernels::cuda {

inline constexpr float kNoScore = -std::numeric_limits<float>::infinity();
/// Scores are in units of log2(e): exp(x) is exp2(x * kLog2E).
inline constexpr float kLog2E = 1.4426950408889634f;

__device__ __forceinline__ std::int64_t head_offset(const AttentionRows& rows, std::int64_t batch,
                                                    std::int64_t head) {
  return batch * rows.batch + head * rows.head;
}

/// A finite number in units of log2(e) that stays finite: softmax of rows that are masked all through depends
/// on it.
__device__ __forceinline__ float mask_units(float x) {
  const float scaled = x * kLog2E;
  const bool overflows = fabsf(scaled) > FLT_MAX && fabsf(x) <= FLT_MAX;
  return overflows ? copysignf(FLT_MAX, x) : scaled;
}

/// A score under a mask of `where` or `add`, both in units of log2(e). `add`: the mask is added.
template <typename M>
__device__ __forceinline__ float masked(float score, M mask, bool add, float fill) {
  if (add) return score + mask_units(static_cast<float>(mask));
  return mask != M{0} ? score : fill;
}

/// How many keys a query has.
__device__ __forceinline__ int length_of(const AttentionArgs& args, std::int64_t batch, std::int64_t head,
                                         std::int64_t query) {
  const AttentionMask& mask = args.mask;
  if (mask.masking != AttentionMasking::lengths) return static_cast<int>(args.keys);
  const std::int64_t at = batch * mask.batch + head * mask.head + query * mask.query;
  std::int64_t length = 0;
  with_mask_elements(mask.type, [&](auto elements) {
    length = static_cast<std::int64_t>(static_cast<decltype(elements)>(mask.data)[at]);
  });
  return static_cast<int>(length < 0 ? 0 : length > args.keys ? args.keys : length);
}

/// The rows before a new maximum times this stand beside those after it; 1 before there is any.
__device__ __forceinline__ float base_of(float largest) {
  return largest == kNoScore ? 0.0f : largest;
}

}  // namespace mxinfer::kernels::cuda
