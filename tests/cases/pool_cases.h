// kernels/pool_nd: pool_nd_simd.cpp and pool_bf16_simd.cpp
#pragma once

#include <cstdint>

#include "cases/case.h"
#include "kernels/pool_nd/pool_nd.h"

namespace mxinfer::cases {

/// A square window over square planes, channels-first (NCHW) or channels-last (NHWC).
struct Pool {
  Case label;
  kernels::PoolKind kind;
  bool channels_last;
  std::int64_t channels, size, kernel, stride, pad;
};

inline constexpr kernels::PoolKind kMax = kernels::PoolKind::max, kAvg = kernels::PoolKind::avg;

inline constexpr Pool kPool[] = {
    {{"resnet_nchw_112x64", "ResNet's stem, channels first"}, kMax, false, 64, 112, 3, 2, 1},
    {{"resnet_nhwc_112x64", "the same, channels last"}, kMax, true, 64, 112, 3, 2, 1},
    {{"vgg_nchw_224x64", "VGG's first pooling", kLarge}, kMax, false, 64, 224, 2, 2, 0},
    {{"inception_nhwc_35x192", "Inception's pooling branch"}, kAvg, true, 192, 35, 3, 1, 1},
    {{"global_nchw_7x2048", "ResNet-50's global average"}, kAvg, false, 2048, 7, 7, 1, 0},
    {{"global_nhwc_7x2048", "the same, channels last"}, kAvg, true, 2048, 7, 7, 1, 0},
    {{"odd_nchw_37x3", "rows that end inside a vector"}, kMax, false, 3, 37, 3, 2, 1},
    {{"odd_nhwc_9x67", "channels that end inside a vector"}, kAvg, true, 67, 9, 3, 2, 1},
};

inline kernels::PoolArgs args_of(const Pool& c) {
  kernels::PoolArgs args;
  args.planes = c.channels_last ? 1 : c.channels;
  args.inner = c.channels_last ? c.channels : 1;
  args.kind = c.kind;
  for (int d = 1; d < 3; ++d) {
    args.in[d] = c.size;
    args.kernel[d] = c.kernel;
    args.stride[d] = c.stride;
    args.pad[d] = c.pad;
    args.out[d] = (c.size + 2 * c.pad - c.kernel) / c.stride + 1;
  }
  return args;
}

}  // namespace mxinfer::cases
