// kernels/normalize: normalize_simd.cpp (rows, local response) and scale_shift_simd.cpp
#pragma once

#include <cstdint>

#include "cases/case.h"
#include "kernels/normalize/lrn.h"
#include "kernels/normalize/row_norm.h"
#include "kernels/normalize/scale_shift.h"

namespace mxinfer::cases {

struct RowNorm {
  Case label;
  std::int64_t rows, length;
  bool element_affine = true;  ///< LayerNorm; false: one gamma a row, as in GroupNorm and InstanceNorm
};

inline constexpr RowNorm kRowNorm[] = {
    {{"bert_128x768", "LayerNorm of BERT base, 128 tokens"}, 128, 768},
    {{"vit_197x1024", "LayerNorm of ViT-L, one image", kLarge}, 197, 1024},
    {{"instance_64x56x56", "InstanceNorm of a style network"}, 64, 56 * 56, false},
    {{"odd_13x67", "rows that end inside a vector"}, 13, 67},
};

struct Lrn {
  Case label;
  std::int64_t batch, channels, inner, size;
  float beta = 0.75f;
};

inline constexpr Lrn kLrn[] = {
    {{"alexnet_96x55x55", "AlexNet's first LRN"}, 1, 96, 55 * 55, 5},
    {{"googlenet_64x56x56", "GoogLeNet's first LRN", kLarge}, 1, 64, 56 * 56, 5},
    {{"odd_7x35", "planes that end inside a vector"}, 2, 7, 35, 3},
    {{"odd_7x35_beta", "a power that is not a quarter"}, 2, 7, 35, 3, 0.6f},
};

struct ScaleShift {
  Case label;
  std::int64_t outer, channels, inner;
  kernels::Activation activation = kernels::Activation::none;
};

inline constexpr ScaleShift kScaleShift[] = {
    {{"resnet_nchw_256x14x14", "pre-activation ResNet, channels first", false},
     1,
     256,
     14 * 14,
     kernels::Activation::relu},
    {{"resnet_nhwc_14x14x256", "the same, channels last"}, 14 * 14, 256, 1, kernels::Activation::relu},
    {{"densenet_nhwc_56x56x64", "DenseNet's first block", kLarge}, 56 * 56, 64, 1, kernels::Activation::relu},
    {{"odd_nchw", "planes that end inside a vector"}, 2, 5, 67},
    {{"odd_nhwc", "channels that end inside a vector"}, 31, 19, 1, kernels::Activation::sigmoid},
};

inline kernels::RowNormArgs<float> args_of(const RowNorm& c) {
  kernels::RowNormArgs<float> args;
  args.length = c.length;
  args.eps = 1e-5;
  args.element_affine = c.element_affine;
  args.groups = c.element_affine ? 1 : c.rows;
  return args;
}

inline kernels::LrnArgs args_of(const Lrn& c) {
  kernels::LrnArgs args;
  args.channels = c.channels;
  args.inner = c.inner;
  args.size = c.size;
  args.alpha = 1e-4f;
  args.beta = c.beta;
  args.knorm = 2.0f;
  return args;
}

inline kernels::ScaleShiftArgs<float> args_of(const ScaleShift& c) {
  kernels::ScaleShiftArgs<float> args;
  args.channels = c.channels;
  args.inner = c.inner;
  args.post_ops.activation = c.activation;
  return args;
}

/// The rows of the kernel.
constexpr std::int64_t rows_of(const ScaleShift& c) {
  return c.inner > 1 ? c.outer * c.channels : c.outer;
}

}  // namespace mxinfer::cases
