// kernels/softmax: softmax_simd.cpp
#pragma once

#include <cstdint>

#include "cases/case.h"
#include "kernels/softmax/softmax.h"

namespace mxinfer::cases {

struct Softmax {
  Case label;
  std::int64_t outer, axis, inner;
  bool log = false;
};

inline constexpr Softmax kSoftmax[] = {
    {{"classes_1000_b1", "the classes of ImageNet, one image"}, 1, 1000, 1},
    {{"classes_1000_b32", "the classes of ImageNet, batch 32"}, 32, 1000, 1},
    {{"log_classes_1000_b32", "log_softmax of the same"}, 32, 1000, 1, true},
    {{"attention_12x128", "BERT base, 128 tokens: 12 heads"}, 12 * 128, 128, 1},
    {{"ssd_21x8732", "SSD-300: 21 classes for each of 8732 anchors", kLarge}, 1, 21, 8732},
    {{"fcn_21_64x64", "segmentation: 21 classes for each pixel"}, 1, 21, 64 * 64},
    {{"words_50257", "a language model's vocabulary", kLarge}, 8, 50257, 1},
    {{"odd_rows", "rows that end inside a vector"}, 37, 67, 1},
    {{"odd_columns", "columns that end inside a vector"}, 5, 19, 67},
};

/// Lengths and widths on both sides of every vector: for tests alone.
inline constexpr Softmax kSoftmaxTails[] = {
    {{"1x1x1", ""}, 1, 1, 1},     {{"3x2x1", ""}, 3, 2, 1},   {{"2x7x1", ""}, 2, 7, 1},
    {{"2x8x1", ""}, 2, 8, 1},     {{"2x9x1", ""}, 2, 9, 1},   {{"1x31x1", ""}, 1, 31, 1},
    {{"1x33x1", ""}, 1, 33, 1},   {{"2x64x1", ""}, 2, 64, 1}, {{"2x3x2", ""}, 2, 3, 2},
    {{"2x5x7", ""}, 2, 5, 7},     {{"1x4x8", ""}, 1, 4, 8},   {{"2x3x9", ""}, 2, 3, 9},
    {{"1x21x17", ""}, 1, 21, 17}, {{"1x2x33", ""}, 1, 2, 33}, {{"2x1x64", ""}, 2, 1, 64},
};

inline kernels::SoftmaxArgs args_of(const Softmax& c) {
  kernels::SoftmaxArgs args;
  args.axis = c.axis;
  args.inner = c.inner;
  args.log = c.log;
  return args;
}

}  // namespace mxinfer::cases
