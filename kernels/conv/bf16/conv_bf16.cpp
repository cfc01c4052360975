#include "kernels/conv/bf16/conv_bf16.h"

#include "kernels/conv/bf16/bf16_winograd.h"

namespace mxinfer::kernels {
namespace {

template <Target kTarget>
Bf16Parts emulated_parts() {
  return {&bf16_tile_emulated(kTarget), bf16_post_ops(kTarget), &bf16_winograd(kTarget)};
}
Bf16Parts dot_parts() {
  return {bf16_tile_dot(), bf16_post_ops(Target::avx512), &bf16_winograd(Target::avx512)};
}
Bf16Parts amx_parts() {
  return {bf16_tile_amx(), bf16_post_ops(Target::avx512), nullptr};
}

template <Target kTarget>
const ConvImpl& emulated(Bf16Method method) {
  static constexpr ConvImpl kDirect = bf16_impl<Bf16Direct, emulated_parts<kTarget>>("conv_bf16_emulated");
  static constexpr ConvImpl kWinograd =
      bf16_impl<Bf16WinogradGemm, emulated_parts<kTarget>>("conv_bf16_winograd2_emulated");
  return method == Bf16Method::direct ? kDirect : kWinograd;
}

}  // namespace

const ConvImpl& conv_bf16_emulated(Target target, Bf16Method method) {
  if (target == Target::avx512) return emulated<Target::avx512>(method);
  return target == Target::avx2 ? emulated<Target::avx2>(method) : emulated<Target::baseline>(method);
}

const ConvImpl* conv_bf16_dot(Bf16Method method) {
  static constexpr ConvImpl kDirect = bf16_impl<Bf16Direct, dot_parts>("conv_bf16_dot");
  static constexpr ConvImpl kWinograd = bf16_impl<Bf16WinogradGemm, dot_parts>("conv_bf16_winograd2_dot");
  if (bf16_tile_dot() == nullptr || !is_supported(Target::avx512)) return nullptr;
  return method == Bf16Method::direct ? &kDirect : &kWinograd;
}

const ConvImpl* conv_bf16_amx(Bf16Method method) {
  static constexpr ConvImpl kDirect = bf16_impl<Bf16Direct, amx_parts>("conv_bf16_amx");
  static constexpr ConvImpl kLines = bf16_impl<Bf16Lines, amx_parts>("conv_bf16_lines_amx");
  if (bf16_tile_amx() == nullptr || !is_supported(Target::avx512)) return nullptr;
  return method == Bf16Method::lines ? &kLines : &kDirect;
}

const ConvImpl* conv_bf16_fast(Target target) {
  if (target != Target::avx512) return nullptr;
  if (const ConvImpl* amx = conv_bf16_amx()) return amx;
  const ConvImpl* dot = conv_bf16_dot();
  return dot != nullptr && bf16_tile_dot()->speed > 1 ? dot : nullptr;
}

const Bf16Parts* bf16_fast_parts(Target target) {
  const ConvImpl* fast = conv_bf16_fast(target);
  if (fast == nullptr) return nullptr;
  static const Bf16Parts kParts = fast == conv_bf16_amx() ? amx_parts() : dot_parts();
  return &kParts;
}

}  // namespace mxinfer::kernels
