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

/// A whole row of one function; the elements behind the last whole vector go through a copy.
template <class Function>
HWY_INLINE void ForEachVector(float* row, std::int64_t count, const Function& function) {
  const hn::ScalableTag<float> d;
  constexpr std::int64_t kLanesOfRow = HWY_LANES(float);
  std::int64_t i = 0;
  for (; i + kLanesOfRow <= count; i += kLanesOfRow)
    hn::StoreU(function(d, hn::LoadU(d, row + i)), d, row + i);
  if (i == count) return;
  HWY_ALIGN float rest[kLanesOfRow] = {};
  for (std::int64_t j = i; j < count; ++j) rest[j - i] = row[j];
  hn::Store(function(d, hn::Load(d, rest)), d, rest);
  for (std::int64_t j = i; j < count; ++j) row[j] = rest[j - i];
}

/// Applies any activation to stored elements.
inline HWY_ATTR void ActivateRow(const Epilogue& epilogue, float* row, std::int64_t count) {
  using T = hn::ScalableTag<float>;
  using R = hn::Vec<T>;
  switch (epilogue.activation) {
    case Activation::sigmoid:
      return ForEachVector(row, count, [](T d, R x) HWY_ATTR { return Sigmoid(d, x); });
    case Activation::tanh:
      return ForEachVector(row, count, [](T d, R x) HWY_ATTR { return Tanh(d, x); });
    case Activation::softrelu:
      return ForEachVector(row, count, [](T d, R x) HWY_ATTR { return Softrelu(d, x); });
    case Activation::softsign:
      return ForEachVector(row, count, [](T d, R x) HWY_ATTR { return Softsign(d, x); });
    case Activation::elu: {
      const R alpha = hn::Set(T(), epilogue.alpha);
      return ForEachVector(row, count, [alpha](T d, R x) HWY_ATTR { return Elu(d, x, alpha); });
    }
    case Activation::gelu_erf:
      return ForEachVector(row, count, [](T d, R x) HWY_ATTR { return GeluErf(d, x); });
    case Activation::swish:
      return ForEachVector(row, count, [](T d, R x) HWY_ATTR { return Swish(d, x, hn::Set(d, 1.0f)); });
    case Activation::hard_sigmoid: {
      const R alpha = hn::Set(T(), epilogue.alpha), beta = hn::Set(T(), epilogue.beta);
      return ForEachVector(row, count,
                           [alpha, beta](T d, R x) HWY_ATTR { return HardSigmoid(d, x, alpha, beta); });
    }
    case Activation::hard_swish:
      return ForEachVector(row, count, [](T d, R x) HWY_ATTR { return HardSwish(d, x); });
    case Activation::mish:
      return ForEachVector(row, count, [](T d, R x) HWY_ATTR { return Mish(d, x); });
    case Activation::gelu_tanh:
      return ForEachVector(row, count, [](T d, R x) HWY_ATTR { return GeluTanh(d, x); });
    default:
      return ForEachVector(row, count,
                           [&epilogue](T d, R x) HWY_ATTR { return ApplyPiecewiseLinear(d, epilogue, x); });
  }
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
