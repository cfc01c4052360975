// What the poolings of regions have in common on a GPU. For .cu files.
#pragma once

#include "kernels/cuda/dialect.h"
#include "kernels/roi/roi.h"

namespace mxinfer::kernels::cuda {

/// One element of the output: a bin of a channel of a region.
struct RoiBin {
  std::int64_t region, channel, y, x;
};

__device__ __forceinline__ RoiBin bin_of(const RoiArgs& args, std::int64_t i) {
  const std::int64_t task = i / args.bins_x / args.bins_y;
  return {task / args.out_channels, task % args.out_channels, i / args.bins_x % args.bins_y, i % args.bins_x};
}

inline std::int64_t outputs_of(const RoiArgs& args, std::int64_t regions) {
  return regions * args.out_channels * args.bins();
}

template <typename T>
__device__ __forceinline__ const T* plane_of(const RoiArgs& args, std::int64_t image, std::int64_t channel) {
  return static_cast<const T*>(args.data) + (image * args.channels + channel) * args.height * args.width;
}

__device__ __forceinline__ float nan_of_errors() {
  return simt::bits_float(0x7fc00000u);
}

__device__ __forceinline__ std::int64_t clamp_to(std::int64_t x, std::int64_t low, std::int64_t high) {
  return x < low ? low : x > high ? high : x;
}

/// Whether a region of so many numbers is of an image of the batch, and within 2^30 pixels.
template <int kNumbers>
__device__ __forceinline__ bool is_region(const float* roi, std::int64_t batch) {
  const float image = truncf(roi[0]);
  bool fits = image >= 0 && image < static_cast<float>(batch);
#pragma unroll
  for (int i = 1; i < kNumbers; ++i) fits = fits && fabsf(roi[i]) < 1073741824.0f;
  return fits;
}

/// The channel that a bin reads, of those of its group of bins.
__device__ __forceinline__ std::int64_t sensitive_channel(const PsRoiPoolArgs& args, const RoiBin& bin) {
  const std::int64_t y = clamp_to(bin.y * args.groups / args.bins_y, 0, args.groups - 1);
  const std::int64_t x = clamp_to(bin.x * args.groups / args.bins_x, 0, args.groups - 1);
  return (bin.channel * args.groups + y) * args.groups + x;
}

/// Two neighbouring pixels of an axis and their weights, or nothing of the map.
struct Neighbours {
  std::int64_t low, high;
  float low_weight, high_weight;
  bool outside;
};

__device__ __forceinline__ Neighbours neighbours_at(float position, std::int64_t pixels) {
  if (position < -1 || position > static_cast<float>(pixels)) return {0, 0, 0, 0, true};
  const float inside = position > 0 ? position : 0.0f;
  const auto low = static_cast<std::int64_t>(inside);
  if (low >= pixels - 1) return {pixels - 1, pixels - 1, 1, 0, false};
  const float rest = inside - static_cast<float>(low);
  return {low, low + 1, 1 - rest, rest, false};
}

}  // namespace mxinfer::kernels::cuda
