// The poolings of regions by samples that lie anywhere: rotated ROIAlign and deformable PSROIPooling.
#include "kernels/cuda/dispatch.h"
#include "kernels/cuda/stored_floats.h"
#include "kernels/roi/roi_cuda.h"
#include "kernels/roi/roi_device.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;

// ---- Rotated ROIAlign

/// One axis of a region, from its centre: where it starts, the length of a bin, and the samples of one.
struct CentredAxis {
  float start, bin;
  std::int64_t samples;
};

__device__ __forceinline__ CentredAxis centred_axis(const RoiAlignArgs& args, float size, std::int64_t bins) {
  const float scaled = simt::mul_rn(size, args.scale), length = scaled > 1.0f ? scaled : 1.0f;
  const float bin = simt::div_rn(length, static_cast<float>(bins));
  return {-length / 2, bin, args.samples > 0 ? args.samples : convert<std::int64_t>(ceilf(bin))};
}

__device__ __forceinline__ float centred_position(const CentredAxis& axis, std::int64_t b, std::int64_t i) {
  const float start = simt::add_rn(axis.start, simt::mul_rn(static_cast<float>(b), axis.bin));
  const float inside = simt::mul_rn(simt::add_rn(static_cast<float>(i), 0.5f), axis.bin);
  return simt::add_rn(start, simt::div_rn(inside, static_cast<float>(axis.samples)));
}

/// Whether a bin has as many samples as the CPU takes.
__device__ __forceinline__ bool has_few_samples(const RoiAlignArgs& args, float size, std::int64_t bins) {
  constexpr float kMost = 4096;
  return args.samples > 0 || size * args.scale <= kMost * static_cast<float>(bins);
}

template <typename T>
__device__ __forceinline__ float bilinear(const T* plane, std::int64_t width, const Neighbours& x,
                                          const Neighbours& y) {
  const T* low = plane + y.low * width;
  const T* high = plane + y.high * width;
  return y.low_weight * (x.low_weight * to_float(low[x.low]) + x.high_weight * to_float(low[x.high])) +
         y.high_weight * (x.low_weight * to_float(high[x.low]) + x.high_weight * to_float(high[x.high]));
}

/// roi: image, x, y, width, height, degrees.
template <typename T>
__device__ __forceinline__ float rotated_bin(const RoiAlignArgs& args, const RoiBin& bin, const float* roi) {
  const bool fits = is_region<6>(roi, args.batch) && has_few_samples(args, roi[3], args.bins_x) &&
                    has_few_samples(args, roi[4], args.bins_y);
  if (!fits) return nan_of_errors();
  const CentredAxis xs = centred_axis(args, roi[3], args.bins_x);
  const CentredAxis ys = centred_axis(args, roi[4], args.bins_y);
  const auto angle = static_cast<float>(static_cast<double>(roi[5]) * (3.14159265358979323846 / 180));
  const float cosine = cosf(angle), sine = sinf(angle);
  const float centre_x = simt::mul_rn(roi[1], args.scale), centre_y = simt::mul_rn(roi[2], args.scale);
  const T* plane = plane_of<T>(args, convert<std::int32_t>(roi[0]), bin.channel);
  float total = 0;
  for (std::int64_t i = 0; i < ys.samples; ++i) {
    const float v = centred_position(ys, bin.y, i);
    for (std::int64_t j = 0; j < xs.samples; ++j) {
      const float u = centred_position(xs, bin.x, j);
      const float at_x = simt::add_rn(simt::add_rn(simt::mul_rn(u, cosine), simt::mul_rn(v, sine)), centre_x);
      const float at_y = simt::add_rn(simt::sub_rn(simt::mul_rn(v, cosine), simt::mul_rn(u, sine)), centre_y);
      const Neighbours x = neighbours_at(at_x, args.width), y = neighbours_at(at_y, args.height);
      if (!x.outside && !y.outside) total += bilinear(plane, args.width, x, y);
    }
  }
  return total / (static_cast<float>(xs.samples) * static_cast<float>(ys.samples));
}

template <typename T>
__global__ void __launch_bounds__(kBlock) roi_align_rotated_kernel(RoiAlignArgs args, std::int64_t count) {
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const RoiBin bin = bin_of(args, i);
    const float* roi = static_cast<const float*>(args.rois) + bin.region * 6;
    static_cast<T*>(args.dst)[i] = to_stored<T>(rotated_bin<T>(args, bin, roi));
  }
}

// ---- Deformable PSROIPooling

/// An axis of a region in pixels of the map, at least a tenth of one long.
struct MapAxis {
  float start, length;
};

__device__ __forceinline__ MapAxis map_axis(float low, float high, float scale) {
  const float start = simt::sub_rn(simt::mul_rn(roundf(low), scale), 0.5f);
  const float end = simt::sub_rn(simt::mul_rn(simt::add_rn(roundf(high), 1.0f), scale), 0.5f);
  const float length = simt::sub_rn(end, start);
  return {start, length < 0.1f ? 0.1f : length};
}

/// How far a bin is moved along axis 0 (x) or 1 (y), in units of the region.
__device__ __forceinline__ float bin_offset(const PsRoiPoolArgs& args, const RoiBin& bin, int axis) {
  if (args.trans == nullptr) return 0;
  const std::int64_t of = bin.region * args.classes + bin.channel / (args.out_channels / args.classes);
  const std::int64_t part_y = bin.y * args.parts / args.bins_y, part_x = bin.x * args.parts / args.bins_x;
  const std::int64_t at = ((of * 2 + axis) * args.parts + part_y) * args.parts + part_x;
  return simt::mul_rn(static_cast<const float*>(args.trans)[at], args.trans_std);
}

/// The samples of a bin along an axis of `pixels`: the first one, and how far they are apart.
struct BinWalk {
  float first, step;
};

__device__ __forceinline__ BinWalk bin_walk(const PsRoiPoolArgs& args, const MapAxis& axis, std::int64_t bin,
                                            std::int64_t bins, float offset) {
  const float size = simt::div_rn(axis.length, static_cast<float>(bins));
  const float start = simt::add_rn(simt::mul_rn(static_cast<float>(bin), size), axis.start);
  return {simt::add_rn(start, simt::mul_rn(offset, axis.length)),
          simt::div_rn(size, static_cast<float>(args.samples))};
}

/// Where sample i is between two pixels; outside: half a pixel beyond the map or more, or NaN.
__device__ __forceinline__ Neighbours walked_to(const BinWalk& walk, std::int64_t i, std::int64_t pixels) {
  const float at = simt::add_rn(walk.first, simt::mul_rn(static_cast<float>(i), walk.step));
  const auto size = static_cast<float>(pixels);
  if (!(at >= -0.5f && at <= size - 0.5f)) return {0, 0, 0, 0, true};
  const float inside = at < 0 ? 0.0f : at > size - 1 ? size - 1 : at;
  const float low = floorf(inside), rest = inside - low;
  return {static_cast<std::int64_t>(low), static_cast<std::int64_t>(ceilf(inside)), 1 - rest, rest, false};
}

template <typename T>
__device__ __forceinline__ float deformed_bin(const PsRoiPoolArgs& args, const RoiBin& bin,
                                              const float* roi) {
  if (!is_region<5>(roi, args.batch)) return nan_of_errors();
  const MapAxis across = map_axis(roi[1], roi[3], args.scale), down = map_axis(roi[2], roi[4], args.scale);
  const BinWalk xs = bin_walk(args, across, bin.x, args.bins_x, bin_offset(args, bin, 0));
  const BinWalk ys = bin_walk(args, down, bin.y, args.bins_y, bin_offset(args, bin, 1));
  const T* plane = plane_of<T>(args, convert<std::int32_t>(roi[0]), sensitive_channel(args, bin));
  float sum = 0;
  std::int64_t inside = 0;
  for (std::int64_t i = 0; i < args.samples; ++i) {
    const Neighbours y = walked_to(ys, i, args.height);
    if (y.outside) continue;
    for (std::int64_t j = 0; j < args.samples; ++j) {
      const Neighbours x = walked_to(xs, j, args.width);
      if (x.outside) continue;
      sum += bilinear(plane, args.width, x, y);
      ++inside;
    }
  }
  return inside == 0 ? 0.0f : sum / static_cast<float>(inside);
}

template <typename T>
__global__ void __launch_bounds__(kBlock)
    deformable_psroi_pool_kernel(PsRoiPoolArgs args, std::int64_t count) {
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const RoiBin bin = bin_of(args, i);
    const float* roi = static_cast<const float*>(args.rois) + bin.region * 5;
    static_cast<T*>(args.dst)[i] = to_stored<T>(deformed_bin<T>(args, bin, roi));
  }
}

}  // namespace

Status roi_align_rotated(const RoiAlignArgs& args, FloatType type, std::int64_t regions,
                         const Stream& stream) {
  const std::int64_t count = outputs_of(args, regions);
  return with_float_type(type, [&](auto element) {
    return simt::launch(roi_align_rotated_kernel<decltype(element)>, simt::grid_for(count, kBlock), kBlock, 0,
                        stream, args, count);
  });
}

Status deformable_psroi_pool(const PsRoiPoolArgs& args, FloatType type, std::int64_t regions,
                             const Stream& stream) {
  const std::int64_t count = outputs_of(args, regions);
  return with_float_type(type, [&](auto element) {
    return simt::launch(deformable_psroi_pool_kernel<decltype(element)>, simt::grid_for(count, kBlock),
                        kBlock, 0, stream, args, count);
  });
}

}  // namespace mxinfer::kernels::cuda
