// ActivateRow of post_ops-inl.h: all activations, compiled once for all kernels that use them.
#include "kernels/common/post_ops.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/common/activate_row_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/post_ops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

/// Applies one function to a whole row; the elements behind the last whole vector go through a copy.
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

}  // namespace

void ActivateRow(const PostOps& post_ops, float* row, std::int64_t count) {
  using T = hn::ScalableTag<float>;
  using R = hn::Vec<T>;
  switch (post_ops.activation) {
    case Activation::sigmoid:
      return ForEachVector(row, count, [](T d, R x) HWY_ATTR { return Sigmoid(d, x); });
    case Activation::tanh:
      return ForEachVector(row, count, [](T d, R x) HWY_ATTR { return Tanh(d, x); });
    case Activation::softrelu:
      return ForEachVector(row, count, [](T d, R x) HWY_ATTR { return Softrelu(d, x); });
    case Activation::softsign:
      return ForEachVector(row, count, [](T d, R x) HWY_ATTR { return Softsign(d, x); });
    case Activation::elu: {
      const R alpha = hn::Set(T(), post_ops.alpha);
      return ForEachVector(row, count, [alpha](T d, R x) HWY_ATTR { return Elu(d, x, alpha); });
    }
    case Activation::gelu_erf:
      return ForEachVector(row, count, [](T d, R x) HWY_ATTR { return GeluErf(d, x); });
    case Activation::swish:
      return ForEachVector(row, count, [](T d, R x) HWY_ATTR { return Swish(d, x, hn::Set(d, 1.0f)); });
    case Activation::hard_sigmoid: {
      const R alpha = hn::Set(T(), post_ops.alpha), beta = hn::Set(T(), post_ops.beta);
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
                           [&post_ops](T d, R x) HWY_ATTR { return ApplyPiecewiseLinear(d, post_ops, x); });
  }
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
