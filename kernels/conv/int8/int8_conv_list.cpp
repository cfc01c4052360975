// The convolutions of 8-bit data to choose from on this CPU.
#include "kernels/conv/int8/int8_conv.h"
#include "kernels/conv/int8/int8_depthwise.h"
#include "kernels/conv/int8/int8_direct.h"

namespace mxinfer::kernels {
namespace {

template <Target kTarget>
const Int8Tile& tile_for() {
  return int8_tile(kTarget);
}

template <Target kTarget>
const Int8ConvImpl& direct_for() {
  static const Int8ConvImpl kDirect = int8_direct_impl<tile_for<kTarget>, kTarget>(int8_tile(kTarget).name);
  return kDirect;
}

template <Target kTarget>
const Int8DepthwiseKernel& depthwise_kernel_for() {
  const Int8DepthwiseKernel* vnni = kTarget == Target::avx512 ? int8_depthwise_avx512_vnni() : nullptr;
  return vnni != nullptr ? *vnni : int8_depthwise_widened(kTarget);
}

template <Target kTarget>
const Int8ConvImpl& depthwise_for() {
  static const Int8ConvImpl kDepthwise = int8_depthwise_impl<depthwise_kernel_for<kTarget>, kTarget>();
  return kDepthwise;
}

}  // namespace

const Int8Tile& int8_tile(Target target) {
  if (target == Target::avx512) {
    if (const Int8Tile* amx = int8_tile_amx()) return *amx;
    if (const Int8Tile* vnni = int8_tile_avx512_vnni()) return *vnni;
  }
  if (target == Target::avx2) {
    if (const Int8Tile* vnni = int8_tile_avx_vnni()) return *vnni;
  }
  const Int8Tile* neon = target == Target::baseline ? int8_tile_neon_dot() : nullptr;
  return neon != nullptr ? *neon : int8_tile_widened(target);
}

const Int8ConvImpl& int8_conv_direct(Target target) {
  if (target == Target::avx512) return direct_for<Target::avx512>();
  return target == Target::avx2 ? direct_for<Target::avx2>() : direct_for<Target::baseline>();
}

const Int8ConvImpl& int8_conv_depthwise(Target target) {
  if (target == Target::avx512) return depthwise_for<Target::avx512>();
  return target == Target::avx2 ? depthwise_for<Target::avx2>() : depthwise_for<Target::baseline>();
}

const Int8ConvImpl& select_int8_conv(const ConvProblem& problem, Int8Type /*src*/, Target target) {
  if (problem.src_layout != SrcLayout::nhwc || target == Target::ref) return int8_conv_ref();
  return is_int8_depthwise(problem) ? int8_conv_depthwise(target) : int8_conv_direct(target);
}

}  // namespace mxinfer::kernels
