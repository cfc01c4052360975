// kernels/int8: int8_convert_simd.cpp and int8_pool_simd.cpp
#pragma once

#include <cstdint>

#include "cases/case.h"
#include "cases/pool_cases.h"

namespace mxinfer::cases {

/// A number of values to quantize, or to bring back.
struct Int8Convert {
  Case label;
  std::int64_t count;
};

inline constexpr Int8Convert kInt8Convert[] = {
    {{"image_3x224x224", "an image"}, 3 * 224 * 224},
    {{"features_2048x7x7", "the last features of ResNet-50"}, 2048 * 7 * 7},
    {{"odd_1003", "a count that ends inside a vector"}, 1003},
};

inline constexpr Pool kInt8Pool[] = {
    {{"resnet_112x64", "ResNet's stem"}, kMax, true, 64, 112, 3, 2, 1},
    {{"inception_35x192", "Inception's pooling branch"}, kAvg, true, 192, 35, 3, 1, 1},
    {{"global_7x2048", "ResNet-50's global average"}, kAvg, true, 2048, 7, 7, 1, 0},
    {{"odd_max_9x67", "channels that end inside a vector"}, kMax, true, 67, 9, 3, 2, 1},
    {{"odd_mean_9x67", "the same of means"}, kAvg, true, 67, 9, 3, 2, 1},
    {{"few_9x5", "fewer channels than a vector has bytes"}, kMax, true, 5, 9, 3, 2, 1},
};

}  // namespace mxinfer::cases
