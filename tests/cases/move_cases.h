// kernels/copy, kernels/take and kernels/upsample, which only move elements. Plain code, chosen by the
// strides.
#pragma once

#include <cstdint>

#include "cases/case.h"
#include "kernels/copy/copy.h"
#include "kernels/take/take.h"
#include "kernels/upsample/upsample.h"

namespace mxinfer::cases {

/// dst has three dimensions, row-major; src has the same ones with these strides.
struct Copy {
  Case label;
  std::int64_t dims[3];
  std::int64_t src_strides[3];
};

inline constexpr Copy kCopy[] = {
    {{"nchw_to_nhwc_56x56x64", "channels brought last"}, {1, 56 * 56, 64}, {0, 1, 56 * 56}},
    {{"nhwc_to_nchw_56x56x64", "channels brought first"}, {1, 64, 56 * 56}, {0, 1, 64}},
    {{"heads_128x12x64", "the heads of attention brought outside"}, {12, 128, 64}, {64, 768, 1}},
    {{"shuffle_2x58x28x28", "channels shuffled, as in ShuffleNet"},
     {58, 2, 28 * 28},
     {28 * 28, 58 * 28 * 28, 1}},
    {{"slice_56x56x64", "the inside of a padded plane"}, {64, 54, 54}, {56 * 56, 56, 1}},
    {{"transpose_1024", "a matrix", kLarge}, {1, 1024, 1024}, {0, 1, 1024}},
    {{"odd_13x37x5", "blocks that are not full"}, {5, 37, 13}, {37, 1, 5 * 37}},
};

inline kernels::CopyArgs args_of(const Copy& c) {
  kernels::CopyArgs args;
  args.rank = 3;
  std::int64_t stride = 1;
  for (int d = 2; d >= 0; --d) {
    args.dims[d] = c.dims[d];
    args.src_strides[d] = c.src_strides[d];
    args.dst_strides[d] = stride;
    stride *= c.dims[d];
  }
  return args;
}

/// The elements of src that the copy spans.
constexpr std::int64_t src_elements(const Copy& c) {
  std::int64_t last = 0;
  for (int d = 0; d < 3; ++d) last += (c.dims[d] - 1) * c.src_strides[d];
  return last + 1;
}

/// Rows of floats chosen by index.
struct Take {
  Case label;
  std::int64_t size, count, row;
};

inline constexpr Take kTake[] = {
    {{"words_128x768", "the embedding of 128 words"}, 30522, 128, 768},
    {{"boxes_8732x4", "boxes by the order of their scores"}, 8732, 400, 4},
    {{"odd_37x19", "rows that no vector fits"}, 11, 37, 19},
};

/// Planes of floats to upsample.
struct Upsample {
  Case label;
  std::int64_t channels, size, scale;
};

inline constexpr Upsample kUpsample[] = {
    {{"yolo_256x13", "YOLOv3's first enlargement"}, 256, 13, 2},
    {{"fpn_256x50", "a feature pyramid", kLarge}, 256, 50, 2},
    {{"odd_5x7_by_3", "rows that no vector fits"}, 5, 7, 3},
};

}  // namespace mxinfer::cases
