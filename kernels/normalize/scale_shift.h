// Batch normalisation at inference: dst[o][c][i] = activation(src[o][c][i] * scale[c] + shift[c]).
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/bfloat16.h"
#include "kernels/common/post_ops.h"
#include "kernels/common/target.h"

namespace mxinfer::kernels {

/// Arrays are [outer][channels][inner]. T, in which it is computed, is float or double; elements have that
/// type, or are bfloat16 if T is float.
template <typename T, typename Element = T>
struct ScaleShiftArgs {
  std::int64_t channels = 0;
  std::int64_t inner = 1;
  PostOps post_ops{};
  const T* scale = nullptr;  ///< [channels]
  const T* shift = nullptr;  ///< [channels]
  const Element* src = nullptr;
  Element* dst = nullptr;  ///< may be src
  /// If inner is 1: elements from one row of src to the next, 0: channels.
  std::int64_t src_stride = 0;
};

/// Computes rows [begin, end): a row is `inner` elements of one channel if inner > 1, else `channels`
/// elements.
template <typename T, typename Element = T>
using ScaleShiftFn = void (*)(const ScaleShiftArgs<T, Element>& args, std::int64_t begin, std::int64_t end);

void scale_shift_ref(const ScaleShiftArgs<float>& args, std::int64_t begin, std::int64_t end);
void scale_shift_ref(const ScaleShiftArgs<double>& args, std::int64_t begin, std::int64_t end);
void scale_shift_ref(const ScaleShiftArgs<float, BFloat16>& args, std::int64_t begin, std::int64_t end);

ScaleShiftFn<float> select_scale_shift_f32(Target target);
/// Rounds to nearest even; a CPU that rounds with one instruction flushes denormal results to zero.
ScaleShiftFn<float, BFloat16> select_scale_shift_bf16(Target target);

/// scale = gamma / sqrt(variance + eps), shift = beta - mean * scale, in double and rounded once. gamma may
/// be null: 1.
template <typename T>
void fold_statistics(std::int64_t channels, const T* gamma, const T* beta, const T* mean, const T* variance,
                     double eps, T* scale, T* shift);

}  // namespace mxinfer::kernels
