// The epilogue on vectors. Included by kernels inside Highway's foreach_target loop, after hwy/highway.h.
//
//   v = ApplyPiecewiseLinear(d, epilogue, v);   // none, relu, clip, leaky; leaves v alone for others
//
// Comparisons rather than Max and Min, whose answer to NaN differs between targets: NaN is to stay.
#if defined(MXINFER_KERNELS_COMMON_EPILOGUE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MXINFER_KERNELS_COMMON_EPILOGUE_INL_H_
#undef MXINFER_KERNELS_COMMON_EPILOGUE_INL_H_
#else
#define MXINFER_KERNELS_COMMON_EPILOGUE_INL_H_
#endif

#include <hwy/highway.h>

#include "kernels/common/epilogue.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {

template <class D, class V = hwy::HWY_NAMESPACE::Vec<D>>
HWY_INLINE V ApplyPiecewiseLinear(D d, const Epilogue& epilogue, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  switch (epilogue.activation) {
    case Activation::relu:
      return hn::IfThenZeroElse(hn::Lt(x, hn::Zero(d)), x);
    case Activation::clip: {
      const V low = hn::Set(d, epilogue.alpha), high = hn::Set(d, epilogue.beta);
      return hn::IfThenElse(hn::Lt(x, low), low, hn::IfThenElse(hn::Gt(x, high), high, x));
    }
    case Activation::leaky:
      return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, hn::Mul(x, hn::Set(d, epilogue.alpha)));
    default:
      return x;
  }
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
