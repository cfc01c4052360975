// kernels/resize: resize_simd.cpp
#pragma once

#include "cases/case.h"
#include "kernels/resize/resize.h"

namespace mxinfer::cases {

/// Linear, of bytes.
struct Resize {
  Case label;
  kernels::ResizeShape shape;
};

inline constexpr Resize kResize[] = {
    {{"photo_480x640_to_224", "a photograph for a classifier"}, {480, 640, 224, 224, 3}},
    {{"photo_1080x1920_to_512", "a frame of video for a detector", kLarge}, {1080, 1920, 512, 512, 3}},
    {{"enlarged_96_to_224", "a thumbnail for a classifier"}, {96, 96, 224, 224, 3}},
    {{"grey_480x640_to_224", "one channel"}, {480, 640, 224, 224, 1}},
    {{"odd_31x43_to_37x29", "rows that end inside a vector"}, {31, 43, 37, 29, 3}},
    {{"odd_four_channels", "with alpha"}, {31, 43, 17, 71, 4}},
};

}  // namespace mxinfer::cases
