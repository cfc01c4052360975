// kernels/elementwise: unary_simd.cpp, binary_simd.cpp and bfloat16_simd.cpp
#pragma once

#include <cstdint>

#include "cases/case.h"
#include "kernels/elementwise/unary.h"

namespace mxinfer::cases {

/// The number of elements of a call.
struct Elements {
  Case label;
  std::int64_t count;
};

inline constexpr Elements kElements[] = {
    {{"odd_1027", "in the first-level cache, ends inside a vector"}, 1027},
    {{"resnet_56x56x64", "an activation of ResNet, in the second-level cache or beyond"}, 56 * 56 * 64},
    {{"vgg_224x224x64", "an activation of VGG, from memory", kLarge}, 224 * 224 * 64},
};

/// A function of unary_simd.cpp with the default parameters of its operators.
struct Unary {
  const char* function;
  kernels::UnaryParams params{};
};

inline constexpr Unary kUnary[] = {
    {"relu"},
    {"clip", {0, 6}},
    {"leaky", {0.25, 0}},
    {"elu", {0.25, 0}},
    {"selu"},
    {"sigmoid"},
    {"hard_sigmoid", {0.2, 0.5}},
    {"tanh"},
    {"softrelu"},
    {"softsign"},
    {"gelu"},
    {"gelu_tanh"},
    {"swish", {1, 0}},
    {"hard_swish"},
    {"mish"},
    {"erf"},
    {"exp"},
    {"expm1"},
    {"log"},
    {"abs"},
    {"negative"},
    {"square"},
    {"sqrt"},
    {"rsqrt"},
    {"reciprocal"},
};

/// The functions of binary_simd.cpp.
inline constexpr const char* kBinary[] = {"add", "sub", "mul", "div", "maximum", "minimum", "prelu"};

}  // namespace mxinfer::cases
