// What follows the sums of a tile: bias, residual, activation, rounding. All tiles share it.
#include <algorithm>

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

void AddFloats(const float* from, std::int64_t count, float* sums) {
  const D d;
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    hn::StoreU(hn::Add(hn::LoadU(d, sums + i), hn::LoadU(d, from + i)), d, sums + i);
  for (; i < count; ++i) sums[i] += from[i];
}

void AddBFloat16(const BFloat16* from, std::int64_t count, float* sums) {
  const D d;
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    hn::StoreU(hn::Add(hn::LoadU(d, sums + i), LoadBFloat16(d, from + i)), d, sums + i);
  for (; i < count; ++i) sums[i] += static_cast<float>(from[i]);
}

void StoreRow(const float* sums, std::int64_t count, BFloat16* dst) {
  const D d;
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) StoreBFloat16(d, hn::LoadU(d, sums + i), dst + i);
  for (; i < count; ++i) dst[i] = BFloat16(sums[i]);
}

void Finish(const Bf16FinishArgs& args) {
  for (std::int64_t i = 0; i < args.rows; ++i) {
    float* sums = args.sums + i * kBf16PanelColumns;
    if (args.bias != nullptr) AddFloats(args.bias, args.columns, sums);
    if (args.residual != nullptr) AddBFloat16(args.residual + i * args.dst_stride, args.columns, sums);
    if (args.epilogue->activation != Activation::none) ActivateRow(*args.epilogue, sums, args.columns);
    if (args.dst != nullptr) {
      StoreRow(sums, args.columns, args.dst + i * args.dst_stride);
    } else {
      std::copy_n(sums, args.columns, args.wide + i * args.dst_stride);
    }
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
