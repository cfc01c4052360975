// What follows the sums of a tile: bias, residual, activation, rounding. All tiles share it.
#include "kernels/conv_bf16/bf16_tile.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv_bf16/bf16_finish_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/bfloat16-inl.h"
#include "kernels/common/dispatch.h"
#include "kernels/common/epilogue-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

using D = hn::ScalableTag<float>;
constexpr std::int64_t kLanes = HWY_LANES(float);

/// Bias, residual, a piecewise linear activation and rounding of whole vectors, in registers.
void FinishVectors(const Bf16FinishArgs& args, std::int64_t row, std::int64_t count) {
  const D d;
  const float* sums = args.sums + row * kBf16PanelColumns;
  for (std::int64_t i = 0; i < count; i += kLanes) {
    auto v = hn::LoadU(d, sums + i);
    if (args.bias != nullptr) v = hn::Add(v, hn::LoadU(d, args.bias + i));
    if (args.residual != nullptr) v = hn::Add(v, LoadBFloat16(d, args.residual + row * args.dst_stride + i));
    v = ApplyPiecewiseLinear(d, *args.epilogue, v);
    if (args.dst != nullptr) {
      StoreBFloat16(d, v, args.dst + row * args.dst_stride + i);
    } else {
      hn::StoreU(v, d, args.wide + row * args.dst_stride + i);
    }
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
  ActivateRow(*args.epilogue, sums + first, args.columns - first);
  for (std::int64_t i = first; i < args.columns; ++i) {
    if (args.dst != nullptr) {
      args.dst[at + i] = BFloat16(sums[i]);
    } else {
      args.wide[at + i] = sums[i];
    }
  }
}

void Finish(const Bf16FinishArgs& args) {
  const std::int64_t whole =
      is_piecewise_linear(args.epilogue->activation) ? args.columns / kLanes * kLanes : 0;
  for (std::int64_t row = 0; row < args.rows; ++row) {
    FinishVectors(args, row, whole);
    if (whole < args.columns) FinishStored(args, row, whole);
  }
}

}  // namespace

Bf16FinishFn Bf16FinishRow() {
  return Finish;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::kernels {

MXINFER_TABLE(Bf16FinishRow);

Bf16FinishFn bf16_finish(Target target) {
  return MXINFER_ROW(Bf16FinishRow, target)();
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
