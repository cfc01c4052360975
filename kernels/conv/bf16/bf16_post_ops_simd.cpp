// The post-ops of all tiles: bias, residual, activation, rounding.
#include "kernels/conv/bf16/bf16_tile.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/bf16/bf16_post_ops_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/bfloat16-inl.h"
#include "kernels/common/cpu_products.h"
#include "kernels/common/dispatch.h"
#include "kernels/common/post_ops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

using D = hn::ScalableTag<float>;
constexpr std::int64_t kLanes = HWY_LANES(float);

/// Bias, residual, activation and rounding of columns [first, end), whole vectors, in registers. Its branches
/// are template parameters: after a short sum, post-ops take as long as the sum does.
template <class DV, bool kResidual, bool kFloat32, Rounding kRounding, class Activate>
void ApplyToColumns(const Bf16PostOpsArgs& given, std::int64_t first, std::int64_t end,
                    const Activate& activate) {
  using V = hn::Vec<DV>;
  const Bf16PostOpsArgs args = given;  // a copy: stores cannot alias it
  const DV d;
  for (std::int64_t i = first; i < end; i += hn::MaxLanes(d)) {
    const V bias = args.bias != nullptr ? hn::LoadU(d, args.bias + i) : hn::Zero(d);
    const float* sums = args.sums + i;
    std::int64_t at = i;
    for (std::int64_t row = 0; row < args.rows; ++row, sums += kBf16PanelColumns, at += args.dst_stride) {
      V v = hn::Add(hn::LoadU(d, sums), bias);
      if constexpr (kResidual) v = hn::Add(v, LoadBFloat16(d, args.residual + at));
      v = activate(v);
      if constexpr (kFloat32) {
        hn::StoreU(v, d, args.dst_f32 + at);
      } else if constexpr (hn::MaxLanes(d) == kLanes) {
        StoreRounded<kRounding>(v, args.dst + at);
      } else {
        StoreBFloat16(d, v, args.dst + at);
      }
    }
  }
}

template <class DV, Rounding kRounding, class Activate>
void ApplyActivation(const Bf16PostOpsArgs& args, std::int64_t first, std::int64_t end,
                     const Activate& activate) {
  const bool residual = args.residual != nullptr;
  if (args.dst == nullptr) {
    residual ? ApplyToColumns<DV, true, true, kRounding>(args, first, end, activate)
             : ApplyToColumns<DV, false, true, kRounding>(args, first, end, activate);
  } else {
    residual ? ApplyToColumns<DV, true, false, kRounding>(args, first, end, activate)
             : ApplyToColumns<DV, false, false, kRounding>(args, first, end, activate);
  }
}

/// A piecewise linear activation, on whole vectors of DV.
template <class DV, Rounding kRounding>
void ApplyToVectors(const Bf16PostOpsArgs& args, std::int64_t first, std::int64_t end) {
  using V = hn::Vec<DV>;
  const DV d;
  const PostOps& e = *args.post_ops;
  switch (e.activation) {
    case Activation::relu:
      return ApplyActivation<DV, kRounding>(args, first, end, [d](V x) HWY_ATTR { return Rectify(d, x); });
    case Activation::clip: {
      const V low = hn::Set(d, e.alpha), high = hn::Set(d, e.beta);
      return ApplyActivation<DV, kRounding>(args, first, end,
                                            [low, high](V x) HWY_ATTR { return Limit(x, low, high); });
    }
    case Activation::leaky: {
      const V alpha = hn::Set(d, e.alpha);
      return ApplyActivation<DV, kRounding>(args, first, end,
                                            [d, alpha](V x) HWY_ATTR { return Leaky(d, x, alpha); });
    }
    default:
      return ApplyActivation<DV, kRounding>(args, first, end, [](V x) HWY_ATTR { return x; });
  }
}

/// Any activation, on columns [first, columns) of a row of sums.
void ApplyToStored(const Bf16PostOpsArgs& args, std::int64_t row, std::int64_t first) {
  float* sums = args.sums + row * kBf16PanelColumns;
  const std::int64_t at = row * args.dst_stride;
  for (std::int64_t i = first; i < args.columns; ++i) {
    if (args.bias != nullptr) sums[i] += args.bias[i];
    if (args.residual != nullptr) sums[i] += static_cast<float>(args.residual[at + i]);
  }
  ActivateRow(*args.post_ops, sums + first, args.columns - first);
  for (std::int64_t i = first; i < args.columns; ++i) {
    if (args.dst != nullptr) {
      args.dst[at + i] = BFloat16(sums[i]);
    } else {
      args.dst_f32[at + i] = sums[i];
    }
  }
}

template <Rounding kRounding>
void Apply(const Bf16PostOpsArgs& args) {
  std::int64_t done = 0;
  if (is_piecewise_linear(args.post_ops->activation)) {
    done = args.columns / kLanes * kLanes;
    if (done > 0) ApplyToVectors<D, kRounding>(args, 0, done);
#if HWY_TARGET == HWY_AVX3
    // Filters are often a multiple of 8.
    if (args.columns - done >= kLanes / 2) {
      ApplyToVectors<hn::Half<D>, kRounding>(args, done, done + kLanes / 2);
      done += kLanes / 2;
    }
#endif
  }
  if (done == args.columns) return;
  for (std::int64_t row = 0; row < args.rows; ++row) ApplyToStored(args, row, done);
}

}  // namespace

Bf16PostOpsFn Bf16PostOpsImpl(bool at_once) {
  return HWY_TARGET == HWY_AVX3 && at_once ? Apply<Rounding::at_once> : Apply<Rounding::in_steps>;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::kernels {

MXINFER_TABLE(Bf16PostOpsImpl);

Bf16PostOpsFn bf16_post_ops(Target target) {
  return MXINFER_DISPATCH(Bf16PostOpsImpl, target)(rounds_at_once(target));
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
