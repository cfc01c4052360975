#include "kernels/normalize/lrn.h"
#include "kernels/normalize/row_norm.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/normalize/normalize_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, which includes this file once a target.
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "kernels/common/math-inl.h"
#include "kernels/common/partial-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// sum of f(x) over a row.
template <class D, class F>
float row_sum(D d, const float* src, std::int64_t length, F f) {
  const auto n = static_cast<std::int64_t>(hn::Lanes(d));
  auto a = hn::Zero(d), b = hn::Zero(d);
  std::int64_t i = 0;
  for (; i + 2 * n <= length; i += 2 * n) {
    a = hn::Add(a, f(hn::LoadU(d, src + i)));
    b = hn::Add(b, f(hn::LoadU(d, src + i + n)));
  }
  if (i + n <= length) {
    a = hn::Add(a, f(hn::LoadU(d, src + i)));
    i += n;
  }
  float sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(a, b)));
  for (; i < length; ++i) sum += hn::GetLane(f(hn::Set(d, src[i])));
  return sum;
}

void RowNorm(const RowNormArgs<float>& args, std::int64_t begin, std::int64_t end) {
  const hn::ScalableTag<float> d;
  const auto n = static_cast<std::int64_t>(hn::Lanes(d));
  const float length = static_cast<float>(args.length);
  for (std::int64_t row = begin; row < end; ++row) {
    const float* src = args.src + row * args.length;
    float* dst = args.dst + row * args.length;
    // The second sum removes the rounding error of the first mean.
    const float rough = row_sum(d, src, args.length, [](auto x) { return x; }) / length;
    const auto rough_v = hn::Set(d, rough);
    const float mean =
        rough + row_sum(d, src, args.length, [&](auto x) { return hn::Sub(x, rough_v); }) / length;
    const auto mean_v = hn::Set(d, mean);
    const float squares = row_sum(d, src, args.length, [&](auto x) {
      const auto centred = hn::Sub(x, mean_v);
      return hn::Mul(centred, centred);
    });
    const float std = static_cast<float>(std::sqrt(static_cast<double>(squares / length) + args.eps));
    const auto factor = hn::Set(d, 1.0f / std);
    const std::int64_t group = args.element_affine ? 0 : row % args.groups;
    const auto row_gamma = hn::Set(d, args.gamma[group]);
    const auto row_beta = hn::Set(d, args.beta[group]);
    std::int64_t i = 0;
    for (; i + n <= args.length; i += n) {
      const auto gamma = args.element_affine ? hn::LoadU(d, args.gamma + i) : row_gamma;
      const auto beta = args.element_affine ? hn::LoadU(d, args.beta + i) : row_beta;
      const auto normal = hn::Mul(hn::Sub(hn::LoadU(d, src + i), mean_v), factor);
      hn::StoreU(hn::MulAdd(normal, gamma, beta), d, dst + i);
    }
    for (; i < args.length; ++i) {
      const std::int64_t a = args.element_affine ? i : group;
      dst[i] = (src[i] - mean) * (1.0f / std) * args.gamma[a] + args.beta[a];
    }
    if (args.mean != nullptr) args.mean[row] = mean;
    if (args.std != nullptr) args.std[row] = std;
  }
}

// base^-beta for base > 0; AlexNet and its successors use 0.75.
template <class D, class V = hn::Vec<D>>
V inverse_power(D d, V base, float beta) {
  if (beta == 0.75f) {
    const V root = hn::Sqrt(base);
    return hn::Div(hn::Set(d, 1.0f), hn::Mul(root, hn::Sqrt(root)));
  }
  return Exp(d, hn::Mul(hn::Set(d, -beta), Log(d, base)));
}

void Lrn(const LrnArgs& args, std::int64_t begin, std::int64_t end) {
  const hn::ScalableTag<float> d;
  const auto n = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t reach = args.size / 2;
  const auto factor = hn::Set(d, args.alpha / static_cast<float>(args.size));
  const auto knorm = hn::Set(d, args.knorm);
  for (std::int64_t row = begin; row < end; ++row) {
    const std::int64_t c = row % args.channels;
    const std::int64_t first = std::max<std::int64_t>(0, c - reach),
                       last = std::min(args.channels - 1, c + reach);
    const float* image = args.src + (row - c) * args.inner;
    for (std::int64_t i = 0; i < args.inner; i += n) {
      // A last, partial vector is computed as a whole one, so that its lanes get the same bits as others
      // would.
      const std::int64_t count = std::min(n, args.inner - i);
      const auto load = [&](std::int64_t k) {
        const float* at = image + k * args.inner + i;
        return count == n ? hn::LoadU(d, at) : LoadFirst(d, at, count, 0.0f);
      };
      auto squares = hn::Zero(d);
      for (std::int64_t k = first; k <= last; ++k) {
        const auto x = load(k);
        squares = hn::MulAdd(x, x, squares);
      }
      const auto y = hn::Mul(load(c), inverse_power(d, hn::MulAdd(squares, factor, knorm), args.beta));
      float* dst = args.dst + row * args.inner + i;
      if (count == n) {
        hn::StoreU(y, d, dst);
      } else {
        StoreFirst(d, y, dst, count);
      }
    }
  }
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/common/dispatch.h"

namespace mxinfer::kernels {

MXINFER_TABLE(RowNorm);
MXINFER_TABLE(Lrn);

RowNormFn<float> select_row_norm_f32(Target target) {
  if (target == Target::ref) return row_norm_ref;
  return MXINFER_DISPATCH(RowNorm, target);
}
LrnFn select_lrn_f32(Target target) {
  if (target == Target::ref) return lrn_ref;
  return MXINFER_DISPATCH(Lrn, target);
}

}  // namespace mxinfer::kernels
#endif
