// kernels/image_chain: image_chain_simd.cpp
#pragma once

#include <cstdint>

#include "cases/case.h"
#include "kernels/image_chain/image_chain.h"

namespace mxinfer::cases {

/// (height, width, 3) pixels of floats or bytes into three planes of floats, each minus its mean and divided
/// by its deviation.
struct ImageChain {
  Case label;
  std::int64_t height, width;
  bool floats = true;
  bool mirror = false;
};

inline constexpr ImageChain kImageChain[] = {
    {{"floats_224", "a classifier's input, resized as floats"}, 224, 224},
    {{"floats_224_mirrored", "the same, mirrored"}, 224, 224, true, true},
    {{"bytes_224", "a classifier's input, as decoded"}, 224, 224, false},
    {{"bytes_512", "a detector's input, as decoded", kLarge}, 512, 512, false},
    {{"odd_floats", "rows that end inside a vector"}, 5, 67},
    {{"odd_floats_mirrored", "mirrored rows that end inside a vector"}, 5, 67, true, true},
    {{"odd_bytes_mirrored", "mirrored rows of bytes"}, 5, 67, false, true},
};

inline constexpr float kImageMean[] = {0.485f, 0.456f, 0.406f};
inline constexpr float kImageDeviation[] = {0.229f, 0.224f, 0.225f};
inline constexpr kernels::ChainStep kImageSteps[] = {{kernels::ChainOp::subtract, kImageMean},
                                                     {kernels::ChainOp::divide, kImageDeviation}};

/// `table`: 3 * 256 values, which the caller fills; for bytes only.
inline kernels::ChainArgs args_of(const ImageChain& c, const float* table) {
  kernels::ChainArgs args{};
  args.width = c.width;
  args.src_channels = args.channels = 3;
  args.src_row_step = 3 * c.width;
  args.dst_row_step = c.width;
  args.dst_pixel_step = 1;
  args.dst_channel_step = c.height * c.width;
  args.mirror = c.mirror;
  args.first = kernels::ChainFirst::share_of_255;
  args.steps = kImageSteps;
  args.step_count = 2;
  args.table = table;
  return args;
}

}  // namespace mxinfer::cases
