#include "kernels/roi/roi_cuda.h"
#include "kernels/roi/roi_device.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;

// ---- ROIPooling

/// Where a bin begins and ends in the pixels of an axis.
struct PixelRange {
  std::int64_t first, last;
};

__device__ __forceinline__ PixelRange rounded_bin(float low, float high, float scale, std::int64_t bins,
                                                  std::int64_t bin, std::int64_t pixels) {
  const auto start = convert<std::int32_t>(roundf(simt::mul_rn(low, scale)));
  const auto end = convert<std::int32_t>(roundf(simt::mul_rn(high, scale)));
  const auto length =
      static_cast<std::int32_t>(static_cast<std::uint32_t>(end) - static_cast<std::uint32_t>(start) + 1u);
  const float size = simt::div_rn(static_cast<float>(length > 1 ? length : 1), static_cast<float>(bins));
  const float from = floorf(simt::mul_rn(static_cast<float>(bin), size));
  const float to = ceilf(simt::mul_rn(static_cast<float>(bin + 1), size));
  return {clamp_to(convert<std::int32_t>(from) + std::int64_t{start}, 0, pixels),
          clamp_to(convert<std::int32_t>(to) + std::int64_t{start}, 0, pixels)};
}

__global__ void roi_pool_kernel(RoiArgs args, std::int64_t count) {
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const RoiBin bin = bin_of(args, i);
    const float* roi = static_cast<const float*>(args.rois) + bin.region * 5;
    const std::int64_t image = convert<std::int32_t>(roi[0]);
    float best = 0;
    if (image >= 0 && image < args.batch) {
      const PixelRange x = rounded_bin(roi[1], roi[3], args.scale, args.bins_x, bin.x, args.width);
      const PixelRange y = rounded_bin(roi[2], roi[4], args.scale, args.bins_y, bin.y, args.height);
      const float* plane = plane_of<float>(args, image, bin.channel);
      if (y.first < y.last && x.first < x.last) best = -simt::bits_float(0x7f7fffffu);
      for (std::int64_t row = y.first; row < y.last; ++row) {
        for (std::int64_t column = x.first; column < x.last; ++column) {
          const float value = plane[row * args.width + column];
          best = value > best ? value : best;
        }
      }
    }
    static_cast<float*>(args.dst)[i] = best;
  }
}

// ---- ROIAlign

__device__ __forceinline__ bool is_finite(float x) {
  return x - x == 0;
}

/// One axis of a region and the samples of one of its bins that may be in the map.
struct BinSamples {
  float start, bin;
  std::int64_t samples;      ///< of the whole bin
  std::int64_t first, last;  ///< others are more than a pixel outside
  bool valid;
};

/// The index of the sample at a distance from the start of its bin, not exact.
__device__ __forceinline__ std::int64_t sample_near(float distance, float bin, std::int64_t samples) {
  const float index = distance / bin * static_cast<float>(samples);
  return static_cast<std::int64_t>(index < -1e9f ? -1e9f : index > 1e15f ? 1e15f : index);
}

__device__ __forceinline__ BinSamples bin_samples(const RoiAlignArgs& args, float low, float high,
                                                  std::int64_t bins, std::int64_t bin, std::int64_t pixels) {
  const float offset = args.aligned ? 0.5f : 0.0f;
  BinSamples s{};
  s.start = simt::sub_rn(simt::mul_rn(low, args.scale), offset);
  const float end = simt::sub_rn(simt::mul_rn(high, args.scale), offset);
  if (!is_finite(s.start) || !is_finite(end)) return s;
  float length = simt::sub_rn(end, s.start);
  if (!args.aligned && length < 1) length = 1;
  s.bin = simt::div_rn(length, static_cast<float>(bins));
  s.samples = args.samples > 0 ? args.samples : convert<std::int64_t>(ceilf(s.bin));
  s.valid = s.bin > 0 && is_finite(s.bin) && s.samples > 0;
  if (!s.valid) return s;
  const float bin_start = s.start + static_cast<float>(bin) * s.bin;
  const std::int64_t first = sample_near(-1 - bin_start, s.bin, s.samples) - 2;
  const std::int64_t last = sample_near(static_cast<float>(pixels) - bin_start, s.bin, s.samples) + 2;
  s.first = first > 0 ? first : 0;
  s.last = last < s.samples ? last : s.samples;
  return s;
}

/// Where sample i of bin b is, rounded as on the CPU: the edges of the map decide what counts.
__device__ __forceinline__ float sample_position(const BinSamples& s, std::int64_t b, std::int64_t i) {
  const float start = simt::add_rn(s.start, simt::mul_rn(static_cast<float>(b), s.bin));
  const float inside = simt::mul_rn(simt::add_rn(static_cast<float>(i), 0.5f), s.bin);
  return simt::add_rn(start, simt::div_rn(inside, static_cast<float>(s.samples)));
}

__device__ __forceinline__ float align_bin(const RoiAlignArgs& args, const RoiBin& bin, const float* roi) {
  if (!(truncf(roi[0]) < static_cast<float>(args.batch))) return nan_of_errors();
  const std::int64_t image = convert<std::int32_t>(roi[0]);
  if (image < 0) return 0;
  const BinSamples xs = bin_samples(args, roi[1], roi[3], args.bins_x, bin.x, args.width);
  const BinSamples ys = bin_samples(args, roi[2], roi[4], args.bins_y, bin.y, args.height);
  if (!xs.valid || !ys.valid) return 0;
  const std::int64_t bins = args.bins_y * args.bins_x, place = bin.y * args.bins_x + bin.x;
  const float* plane =
      plane_of<float>(args, image, args.position_sensitive ? bin.channel * bins + place : bin.channel);
  float total = 0;
  for (std::int64_t i = ys.first; i < ys.last; ++i) {
    const Neighbours y = neighbours_at(sample_position(ys, bin.y, i), args.height);
    if (y.outside) continue;
    const float* low = plane + y.low * args.width;
    const float* high = plane + y.high * args.width;
    for (std::int64_t j = xs.first; j < xs.last; ++j) {
      const Neighbours x = neighbours_at(sample_position(xs, bin.x, j), args.width);
      if (x.outside) continue;
      total += y.low_weight * (x.low_weight * low[x.low] + x.high_weight * low[x.high]) +
               y.high_weight * (x.low_weight * high[x.low] + x.high_weight * high[x.high]);
    }
  }
  return total / (static_cast<float>(xs.samples) * static_cast<float>(ys.samples));
}

__global__ void roi_align_kernel(RoiAlignArgs args, std::int64_t count) {
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const RoiBin bin = bin_of(args, i);
    const float* roi = static_cast<const float*>(args.rois) + bin.region * 5;
    static_cast<float*>(args.dst)[i] = align_bin(args, bin, roi);
  }
}

// ---- PSROIPooling

__device__ __forceinline__ PixelRange scaled_bin(float low, float high, float scale, std::int64_t bins,
                                                 std::int64_t bin, std::int64_t pixels) {
  const float start = simt::mul_rn(roundf(low), scale);
  const float end = simt::mul_rn(simt::add_rn(roundf(high), 1), scale);
  const float given = simt::sub_rn(end, start), length = given < 0.1f ? 0.1f : given;
  const float size = simt::div_rn(length, static_cast<float>(bins));
  const float from = simt::add_rn(simt::mul_rn(static_cast<float>(bin), size), start);
  const float to = simt::add_rn(simt::mul_rn(static_cast<float>(bin + 1), size), start);
  return {clamp_to(static_cast<std::int64_t>(floorf(from)), 0, pixels),
          clamp_to(static_cast<std::int64_t>(ceilf(to)), 0, pixels)};
}

__global__ void psroi_pool_kernel(PsRoiPoolArgs args, std::int64_t count) {
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const RoiBin bin = bin_of(args, i);
    const float* roi = static_cast<const float*>(args.rois) + bin.region * 5;
    float sum = nan_of_errors();
    if (is_region<5>(roi, args.batch)) {
      const PixelRange x = scaled_bin(roi[1], roi[3], args.scale, args.bins_x, bin.x, args.width);
      const PixelRange y = scaled_bin(roi[2], roi[4], args.scale, args.bins_y, bin.y, args.height);
      const float* plane = plane_of<float>(args, convert<std::int32_t>(roi[0]), sensitive_channel(args, bin));
      sum = 0;
      for (std::int64_t row = y.first; row < y.last; ++row) {
        for (std::int64_t column = x.first; column < x.last; ++column)
          sum += plane[row * args.width + column];
      }
      const std::int64_t pixels = (y.last - y.first) * (x.last - x.first);
      sum = y.first < y.last && x.first < x.last ? sum / static_cast<float>(pixels) : 0.0f;
    }
    static_cast<float*>(args.dst)[i] = sum;
  }
}

}  // namespace

Status roi_pool(const RoiArgs& args, std::int64_t regions, const Stream& stream) {
  const std::int64_t count = outputs_of(args, regions);
  return simt::launch(roi_pool_kernel, simt::grid_for(count, kBlock), kBlock, 0, stream, args, count);
}

Status roi_align(const RoiAlignArgs& args, std::int64_t regions, const Stream& stream) {
  const std::int64_t count = outputs_of(args, regions);
  return simt::launch(roi_align_kernel, simt::grid_for(count, kBlock), kBlock, 0, stream, args, count);
}

Status psroi_pool(const PsRoiPoolArgs& args, std::int64_t regions, const Stream& stream) {
  const std::int64_t count = outputs_of(args, regions);
  return simt::launch(psroi_pool_kernel, simt::grid_for(count, kBlock), kBlock, 0, stream, args, count);
}

}  // namespace mxinfer::kernels::cuda
