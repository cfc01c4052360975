// Pooling over windows in one, two or three dimensions.
//
// Arrays are [planes][depth][height][width][inner], row-major. Channels-first (NCHW): a plane is one channel
// of one image, inner is 1. Channels-last (NHWC): a plane is one image, inner the number of channels. Missing
// dimensions have size 1. Along each dimension d the window of output o covers
//
//   [o * stride - pad, o * stride - pad + kernel)   cut to [0, size)
//
//   max  the largest value, or the type's lowest finite number if the window is empty
//   sum  the sum
//   avg  the sum / divisor
//   lp   (sum of x^p)^(1/p), p = 1, 2, 3, with the signs of x
//
// For max, NaN loses every comparison.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/target.h"

namespace mxinfer::kernels {

enum class PoolKind : std::uint8_t { max, avg, sum, lp };

/// What an average is divided by.
enum class PoolDivisor : std::uint8_t {
  valid,   ///< elements of the window inside the input
  padded,  ///< elements of the window inside the input and `pad` elements on both sides of it
  kernel   ///< elements of the whole kernel
};

struct PoolArgs {
  std::int64_t planes = 0;
  std::int64_t inner = 1;
  std::int64_t in[3] = {1, 1, 1};  ///< depth, height, width
  std::int64_t out[3] = {1, 1, 1};
  std::int64_t kernel[3] = {1, 1, 1};
  std::int64_t stride[3] = {1, 1, 1};
  std::int64_t pad[3] = {0, 0, 0};
  PoolKind kind = PoolKind::max;
  PoolDivisor divisor = PoolDivisor::padded;
  int p = 2;             ///< of lp
  bool old_max = false;  ///< max: padding counts as 0, an empty window gives minus infinity
  /// Elements from one pixel to the next if it is strided; 0: inner. For channels-last only.
  std::int64_t src_stride = 0, dst_stride = 0;

  constexpr std::int64_t src_step() const { return src_stride != 0 ? src_stride : inner; }
  constexpr std::int64_t dst_step() const { return dst_stride != 0 ? dst_stride : inner; }
  constexpr std::int64_t in_plane() const { return in[0] * in[1] * in[2] * inner; }
  constexpr std::int64_t out_plane() const { return out[0] * out[1] * out[2] * inner; }
  /// From one plane of src to the next.
  constexpr std::int64_t plane_stride() const { return in[0] * in[1] * in[2] * src_step(); }
};

/// Computes tasks [begin, end). Preconditions: all sizes and strides at least 1, pads at least 0, inner at
/// least 1.
using PoolFn = void (*)(const PoolArgs& args, const void* src, void* dst, std::int64_t begin,
                        std::int64_t end);

struct PoolKernel {
  const char* name;
  const char* reason;
  PoolFn run;
  std::int64_t (*tasks)(const PoolArgs& args);  ///< their number
  Target target = Target::ref;                  ///< whose instructions it uses
};

/// element_bytes: 2 for BFloat16 (not for lp and old_max), 4 for float, 8 for double. Sums of
/// float and BFloat16 are accumulated in double by the reference kernel, in float by the others.
PoolKernel select_pool(const PoolArgs& args, std::size_t element_bytes, Target target);

/// A window along one dimension, cut to the input.
struct PoolWindow {
  std::int64_t first;   ///< first element inside the input
  std::int64_t last;    ///< one past the last; equal to first if the window is empty
  std::int64_t padded;  ///< elements inside the input and its padding
};

constexpr PoolWindow pool_window(const PoolArgs& args, int d, std::int64_t o) {
  const std::int64_t begin = o * args.stride[d] - args.pad[d];
  const std::int64_t end = begin + args.kernel[d];
  const std::int64_t padded_end = end < args.in[d] + args.pad[d] ? end : args.in[d] + args.pad[d];
  PoolWindow window{};
  window.first = begin > 0 ? begin : 0;
  window.last = end < args.in[d] ? end : args.in[d];
  if (window.last < window.first) window.last = window.first;
  window.padded = padded_end > begin ? padded_end - begin : 0;
  return window;
}

/// With one output a plane there are few tasks, so channels are cut into blocks of this many.
inline constexpr std::int64_t kPoolChannelBlock = 32;

inline std::int64_t pool_channel_blocks(const PoolArgs& args) {
  const bool one_output = args.out[0] * args.out[1] * args.out[2] == 1;
  return one_output ? (args.inner + kPoolChannelBlock - 1) / kPoolChannelBlock : 1;
}

/// Block `block` of the channels, [begin, end).
struct PoolChannelRange {
  std::int64_t begin, end;
};
inline PoolChannelRange pool_channel_range(const PoolArgs& args, std::int64_t block) {
  if (pool_channel_blocks(args) == 1) return {0, args.inner};
  const std::int64_t begin = block * kPoolChannelBlock, rest = args.inner - begin;
  return {begin, begin + (rest < kPoolChannelBlock ? rest : kPoolChannelBlock)};
}

/// The divisor of an average whose window is (z, y, x).
constexpr std::int64_t pool_divisor(const PoolArgs& args, const PoolWindow& z, const PoolWindow& y,
                                    const PoolWindow& x) {
  switch (args.divisor) {
    case PoolDivisor::valid:
      return (z.last - z.first) * (y.last - y.first) * (x.last - x.first);
    case PoolDivisor::padded:
      return z.padded * y.padded * x.padded;
    case PoolDivisor::kernel:
      break;
  }
  return args.kernel[0] * args.kernel[1] * args.kernel[2];
}

// The implementations, for select_pool and the tests.
PoolFn pool_ref(std::size_t element_bytes);
/// Averages and sums of one element, all inside the input, inner > 1: is_pool_copy. Any element of 2, 4 or 8
/// bytes.
PoolFn pool_copy(std::size_t element_bytes);
bool is_pool_copy(const PoolArgs& args);
PoolFn pool_rows_f32(const PoolArgs& args, Target target);      ///< inner = 1, stride 1 or 2 along the width
PoolFn pool_channels_f32(const PoolArgs& args, Target target);  ///< inner > 1
PoolFn pool_bf16(Target target);                                ///< not for lp and old_max
PoolFn pool_global_f32(const PoolArgs& args, Target target);    ///< inner = 1, one window over a whole plane

}  // namespace mxinfer::kernels
