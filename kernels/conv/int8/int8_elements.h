// What the plain loops and the ends of vectors share: elements of any type, and the formula of
// kernels/conv/int8/int8_conv.h for one of them.
#pragma once

#include "kernels/conv/int8/int8_conv.h"
#include "kernels/int8/rounding.h"

namespace mxinfer::kernels {

inline float element_at(Int8Type type, const void* from, std::int64_t i) {
  switch (type) {
    case Int8Type::s8:
      return typed<std::int8_t>(from)[i];
    case Int8Type::u8:
      return typed<std::uint8_t>(from)[i];
    case Int8Type::s32:
      return static_cast<float>(typed<std::int32_t>(from)[i]);
    case Int8Type::f32:
      break;
  }
  return typed<float>(from)[i];
}

/// dst[i] = round(x).
inline void store_element(Int8Type type, void* dst, std::int64_t i, float x) {
  switch (type) {
    case Int8Type::s8:
      typed<std::int8_t>(dst)[i] = saturate<std::int8_t>(x);
      return;
    case Int8Type::u8:
      typed<std::uint8_t>(dst)[i] = saturate<std::uint8_t>(x);
      return;
    case Int8Type::s32:
      typed<std::int32_t>(dst)[i] = saturate<std::int32_t>(x);
      return;
    case Int8Type::f32:
      typed<float>(dst)[i] = x;
      return;
  }
}

/// The operands of one element: null for those that there are not.
struct Int8Operands {
  const std::int32_t* bias;
  const float* scale;
  const void* residual;  ///< at element i of dst
};

inline void finish_element(const Int8ConvArgs& args, std::int32_t sum, const Int8Operands& of, void* dst,
                           std::int64_t i) {
  auto x = static_cast<float>(sum);
  if (of.bias != nullptr) x += static_cast<float>(*of.bias);
  if (of.scale != nullptr) x *= *of.scale;
  x = activate(args.before, x);
  if (of.residual != nullptr)
    x = std::fma(element_at(args.residual_type, of.residual, i), args.residual_scale, x);
  store_element(args.dst_type, dst, i, args.dst_factor * activate(args.after, x));
}

}  // namespace mxinfer::kernels
