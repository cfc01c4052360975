// What follows the sums of a tile: bias, residual, activation, rounding. All tiles share it.
#include "kernels/conv/bf16/bf16_tile.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/bf16/bf16_finish_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/bfloat16-inl.h"
#include "kernels/common/cpu_bfloat16.h"
#include "kernels/common/dispatch.h"
#include "kernels/common/post_ops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
constexpr std::int64_t kLanes = HWY_LANES(float);

/// Bias, residual, activation and rounding of `count` columns, whole vectors, in registers. What is decided
/// is decided before: where the sums are few, this takes as long as they do.
template <bool kResidual, bool kWide, Rounding kRounding, class Activate>
void FinishColumns(const Bf16FinishArgs& given, std::int64_t count, const Activate& activate) {
  const Bf16FinishArgs args = given;  // a copy, which what is stored cannot be part of
  const D d;
  for (std::int64_t i = 0; i < count; i += kLanes) {
    const V bias = args.bias != nullptr ? hn::LoadU(d, args.bias + i) : hn::Zero(d);
    const float* sums = args.sums + i;
    std::int64_t at = i;
    for (std::int64_t row = 0; row < args.rows; ++row, sums += kBf16PanelColumns, at += args.dst_stride) {
      V v = hn::Add(hn::LoadU(d, sums), bias);
      if constexpr (kResidual) v = hn::Add(v, LoadBFloat16(d, args.residual + at));
      v = activate(v);
      if constexpr (kWide) {
        hn::StoreU(v, d, args.wide + at);
      } else {
        StoreRounded<kRounding>(v, args.dst + at);
      }
    }
  }
}

template <Rounding kRounding, class Activate>
void FinishWith(const Bf16FinishArgs& args, std::int64_t count, const Activate& activate) {
  const bool residual = args.residual != nullptr;
  if (args.dst == nullptr) {
    residual ? FinishColumns<true, true, kRounding>(args, count, activate)
             : FinishColumns<false, true, kRounding>(args, count, activate);
  } else {
    residual ? FinishColumns<true, false, kRounding>(args, count, activate)
             : FinishColumns<false, false, kRounding>(args, count, activate);
  }
}

/// A piecewise linear activation, of whole vectors.
template <Rounding kRounding>
void FinishVectors(const Bf16FinishArgs& args, std::int64_t count) {
  const D d;
  const PostOps& e = *args.post_ops;
  switch (e.activation) {
    case Activation::relu:
      return FinishWith<kRounding>(args, count, [d](V x) HWY_ATTR { return Rectify(d, x); });
    case Activation::clip: {
      const V low = hn::Set(d, e.alpha), high = hn::Set(d, e.beta);
      return FinishWith<kRounding>(args, count, [low, high](V x) HWY_ATTR { return Limit(x, low, high); });
    }
    case Activation::leaky: {
      const V alpha = hn::Set(d, e.alpha);
      return FinishWith<kRounding>(args, count, [d, alpha](V x) HWY_ATTR { return Leaky(d, x, alpha); });
    }
    default:
      return FinishWith<kRounding>(args, count, [](V x) HWY_ATTR { return x; });
  }
}

/// Any activation, of columns [first, columns).
void FinishStored(const Bf16FinishArgs& args, std::int64_t row, std::int64_t first) {
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
      args.wide[at + i] = sums[i];
    }
  }
}

template <Rounding kRounding>
void Finish(const Bf16FinishArgs& args) {
  const std::int64_t whole =
      is_piecewise_linear(args.post_ops->activation) ? args.columns / kLanes * kLanes : 0;
  if (whole > 0) FinishVectors<kRounding>(args, whole);
  if (whole == args.columns) return;
  for (std::int64_t row = 0; row < args.rows; ++row) FinishStored(args, row, whole);
}

}  // namespace

Bf16FinishFn Bf16FinishRow(bool at_once) {
  return HWY_TARGET == HWY_AVX3 && at_once ? Finish<Rounding::at_once> : Finish<Rounding::in_steps>;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::kernels {

MXINFER_TABLE(Bf16FinishRow);

Bf16FinishFn bf16_finish(Target target) {
  return MXINFER_DISPATCH(Bf16FinishRow, target)(rounds_at_once(target));
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
