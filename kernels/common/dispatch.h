// The dispatch table of a function that Highway's foreach_target loop compiled once for each target, and its
// entry for a target that the caller chose. Include after hwy/highway.h, in the HWY_ONCE part of a file.
//
//   MXINFER_TABLE(SoftmaxRows);
//   SoftmaxFn softmax_simd(Target target) { return MXINFER_DISPATCH(SoftmaxRows, target); }
//
// Macros, because the names of Highway's namespaces are. Highway's own tables choose by a global of its
// library, which takes 10 ms to load; these need nothing but its headers.
#pragma once

#include <hwy/highway.h>

#include "kernels/common/target.h"

namespace mxinfer::kernels {

/// A function's addresses, null for targets that this build lacks.
template <class Function>
struct TargetTable {
  Function baseline, avx2, avx512;

  /// A target other than ref, of which is_supported() is true.
  constexpr Function at(Target target) const {
    return target == Target::avx512 ? avx512 : target == Target::avx2 ? avx2 : baseline;
  }
};

}  // namespace mxinfer::kernels

#if HWY_TARGETS & HWY_AVX2
#define MXINFER_AVX2_OF(function) (&N_AVX2::function)
#else
#define MXINFER_AVX2_OF(function) nullptr
#endif

#if HWY_TARGETS & HWY_AVX3
#define MXINFER_AVX512_OF(function) (&N_AVX3::function)
#else
#define MXINFER_AVX512_OF(function) nullptr
#endif

#define MXINFER_TABLE(function)                                                                       \
  constexpr mxinfer::kernels::TargetTable<decltype(&HWY_STATIC_DISPATCH(function))> function##Table { \
    &HWY_STATIC_DISPATCH(function), MXINFER_AVX2_OF(function), MXINFER_AVX512_OF(function)            \
  }

#define MXINFER_DISPATCH(function, target) (function##Table.at(target))
