// The epilogue on vectors. Included by kernels inside Highway's foreach_target loop.
//
//   v = ApplyPiecewiseLinear(d, epilogue, v);   // none, relu, clip, leaky, on registers; leaves v alone for
//   others ActivateRow(epilogue, row, count);          // the others, on what was stored
//
// The split keeps exponentials out of the tiles of a matrix product, whose registers are full.
#if defined(MXINFER_KERNELS_COMMON_EPILOGUE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MXINFER_KERNELS_COMMON_EPILOGUE_INL_H_
#undef MXINFER_KERNELS_COMMON_EPILOGUE_INL_H_
#else
#define MXINFER_KERNELS_COMMON_EPILOGUE_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "kernels/common/epilogue.h"
#include "kernels/common/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {

template <class D, class V = hwy::HWY_NAMESPACE::Vec<D>>
HWY_INLINE V ApplyPiecewiseLinear(D d, const Epilogue& epilogue, V x) {
  switch (epilogue.activation) {
    case Activation::relu:
      return Rectify(d, x);
    case Activation::clip:
      return Limit(d, x, epilogue.alpha, epilogue.beta);
    case Activation::leaky:
      return Leaky(d, x, hn::Set(d, epilogue.alpha));
    default:
      return x;
  }
}

/// Applies any activation to stored elements.
void ActivateRow(const Epilogue& epilogue, float* row, std::int64_t count);

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
