// The step of max pooling, for all kernels that pool: NaN loses every comparison.
// Included by kernels inside Highway's foreach_target loop.
#if defined(MXINFER_KERNELS_POOL_ND_LARGER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MXINFER_KERNELS_POOL_ND_LARGER_INL_H_
#undef MXINFER_KERNELS_POOL_ND_LARGER_INL_H_
#else
#define MXINFER_KERNELS_POOL_ND_LARGER_INL_H_
#endif

#include <hwy/highway.h>

#include "kernels/common/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

/// The larger one; `best` if they are equal or `value` is NaN.
template <class V>
HWY_INLINE V Larger(V best, V value) {
  if constexpr (kSecondOfNaN) return hwy::HWY_NAMESPACE::Max(value, best);
  return hwy::HWY_NAMESPACE::IfThenElse(hwy::HWY_NAMESPACE::Gt(value, best), value, best);
}

}  // namespace
}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
