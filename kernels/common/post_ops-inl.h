// Activations on vectors. Included by kernels inside Highway's foreach_target loop.
//
//   v = ApplyPiecewiseLinear(d, post_ops, v);   // none, relu, clip, leaky in registers; others leave v
//   ActivateRow(post_ops, row, count);          // the others, on stored rows
//
// The split keeps exponentials out of the tiles of a GEMM, whose registers are full.
#if defined(MXINFER_KERNELS_COMMON_POST_OPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MXINFER_KERNELS_COMMON_POST_OPS_INL_H_
#undef MXINFER_KERNELS_COMMON_POST_OPS_INL_H_
#else
#define MXINFER_KERNELS_COMMON_POST_OPS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "kernels/common/math-inl.h"
#include "kernels/common/post_ops.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {

template <class D, class V = hwy::HWY_NAMESPACE::Vec<D>>
HWY_INLINE V ApplyPiecewiseLinear(D d, const PostOps& post_ops, V x) {
  switch (post_ops.activation) {
    case Activation::relu:
      return Rectify(d, x);
    case Activation::clip:
      return Limit(d, x, post_ops.alpha, post_ops.beta);
    case Activation::leaky:
      return Leaky(d, x, hn::Set(d, post_ops.alpha));
    default:
      return x;
  }
}

/// Applies any activation to stored elements.
void ActivateRow(const PostOps& post_ops, float* row, std::int64_t count);

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
