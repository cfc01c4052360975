// The step of a largest value over a window, as every kernel that pools has it: NaN loses every comparison.
// Included by kernels inside Highway's foreach_target loop.
#if defined(MXINFER_KERNELS_POOL_ND_LARGER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MXINFER_KERNELS_POOL_ND_LARGER_INL_H_
#undef MXINFER_KERNELS_POOL_ND_LARGER_INL_H_
#else
#define MXINFER_KERNELS_POOL_ND_LARGER_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

/// The larger one, `best` where they are equal or `value` is NaN. x86's maximum gives its second operand
/// then, other CPUs need the comparison.
template <class Vector>
HWY_INLINE Vector Larger(Vector best, Vector value) {
#if HWY_ARCH_X86
  return hwy::HWY_NAMESPACE::Max(value, best);
#else
  return hwy::HWY_NAMESPACE::IfThenElse(hwy::HWY_NAMESPACE::Gt(value, best), value, best);
#endif
}

}  // namespace
}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
