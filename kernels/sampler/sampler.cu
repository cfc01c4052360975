#include "kernels/cuda/dispatch.h"
#include "kernels/cuda/stored_floats.h"
#include "kernels/sampler/sampler_cuda.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;

/// A place in [-1, 1] on each axis.
struct GridPoint {
  float x, y;
};

/// Index i of n as a number in [-1, 1]; NaN if n is 1.
__device__ __forceinline__ float unit(std::int64_t i, std::int64_t n) {
  const float step = simt::div_rn(2.0f, static_cast<float>(n - 1));
  return simt::add_rn(-1.0f, simt::mul_rn(static_cast<float>(i), step));
}

__device__ __forceinline__ GridPoint affine_point(const float* theta, float x, float y) {
  const auto row = [&](const float* t) {
    return simt::add_rn(simt::add_rn(simt::mul_rn(t[0], x), simt::mul_rn(t[1], y)), t[2]);
  };
  return {row(theta), row(theta + 3)};
}

/// Where a place of a flow points to on an axis: `moved` pixels from pixel i of n.
__device__ __forceinline__ float warped(float moved, std::int64_t i, std::int64_t n) {
  const float half = static_cast<float>(n - 1) / 2;
  return simt::sub_rn(simt::div_rn(simt::add_rn(moved, static_cast<float>(i)), half), 1.0f);
}

/// A thread for each place of `count`.
template <typename Index>
__global__ void __launch_bounds__(kBlock)
    affine_points(const float* theta, Index height, Index width, Index count, float* grid) {
  const Index places = height * width;
  for (Index i = static_cast<Index>(simt::first_index()); i < count;
       i += static_cast<Index>(simt::grid_step())) {
    const Index image = i / places, place = i % places;
    const GridPoint point =
        affine_point(theta + image * 6, unit(place % width, width), unit(place / width, height));
    const std::int64_t at = std::int64_t{image} * 2 * places + place;
    grid[at] = point.x;
    grid[at + places] = point.y;
  }
}

template <typename Index>
__global__ void __launch_bounds__(kBlock)
    warped_points(const float* flow, Index height, Index width, Index count, float* grid) {
  const Index places = height * width;
  for (Index i = static_cast<Index>(simt::first_index()); i < count;
       i += static_cast<Index>(simt::grid_step())) {
    const Index image = i / places, place = i % places;
    const std::int64_t at = std::int64_t{image} * 2 * places + place;
    grid[at] = warped(flow[at], place % width, width);
    grid[at + places] = warped(flow[at + places], place / width, height);
  }
}

/// The pixel before a point, and its weight. For points far outside it is any pixel outside.
__device__ __forceinline__ std::int64_t pixel_before(float place, std::int64_t size, float& share) {
  const float floor = floorf(place);
  share = simt::sub_rn(1.0f, simt::sub_rn(place, floor));
  return floor >= -1.0f && floor < static_cast<float>(size) ? static_cast<std::int64_t>(floor) : -2;
}

/// The four pixels around a point: their indices in a plane, 0 for those outside, and their weights.
struct PointCorners {
  std::int64_t at[4];
  bool inside[4];
  float weight[4];
};

__device__ __forceinline__ PointCorners corners_at(const GridPoint& point, std::int64_t height,
                                                   std::int64_t width) {
  const auto pixels = [](float place, std::int64_t size) {
    return simt::div_rn(simt::mul_rn(simt::add_rn(place, 1.0f), static_cast<float>(size - 1)), 2.0f);
  };
  float left = 0, upper = 0;
  const std::int64_t column = pixel_before(pixels(point.x, width), width, left);
  const std::int64_t row = pixel_before(pixels(point.y, height), height, upper);
  PointCorners corners{};
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const std::int64_t r = row + i / 2, c = column + i % 2;
    corners.inside[i] = r >= 0 && r < height && c >= 0 && c < width;
    corners.at[i] = corners.inside[i] ? r * width + c : 0;
    corners.weight[i] = simt::mul_rn(i / 2 == 0 ? upper : simt::sub_rn(1.0f, upper),
                                     i % 2 == 0 ? left : simt::sub_rn(1.0f, left));
  }
  return corners;
}

/// The weights count even if the pixel is outside, so that a point that is NaN gives NaN.
template <typename T>
__device__ __forceinline__ float sample_of(const T* plane, const PointCorners& corners) {
  float pixels[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) pixels[i] = corners.inside[i] ? to_float(plane[corners.at[i]]) : 0.0f;
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) sum = simt::add_rn(sum, simt::mul_rn(pixels[i], corners.weight[i]));
  return sum;
}

/// Channels of a thread: the corners serve all, and their pixels are read side by side.
constexpr int kSamplerChannels = 4;

/// A thread for each place of a group of channels of an image, `count` in all.
template <typename T, typename Index, bool kIsAffine>
__global__ void __launch_bounds__(kBlock)
    sample_images(SampledImages args, Index groups, Index places, Index width, Index count) {
  const std::int64_t plane = args.height * args.width;
  for (Index i = static_cast<Index>(simt::first_index()); i < count;
       i += static_cast<Index>(simt::grid_step())) {
    const Index place = i % places, group = i / places % groups;
    const std::int64_t image = i / places / groups;
    GridPoint point;
    if constexpr (kIsAffine) {
      point = affine_point(args.theta + image * 6, unit(place % width, args.out_width),
                           unit(place / width, args.out_height));
    } else {
      const float* grid = args.grid + image * 2 * places + place;
      point = {grid[0], grid[places]};
    }
    const PointCorners corners = corners_at(point, args.height, args.width);
    const std::int64_t first = std::int64_t{group} * kSamplerChannels,
                       channel = image * args.channels + first;
    const T* src = static_cast<const T*>(args.src) + channel * plane;
    T* dst = static_cast<T*>(args.dst) + channel * places + place;
    float samples[kSamplerChannels];
#pragma unroll
    for (int c = 0; c < kSamplerChannels; ++c)
      samples[c] = first + c < args.channels ? sample_of(src + c * plane, corners) : 0.0f;
#pragma unroll
    for (int c = 0; c < kSamplerChannels; ++c) {
      if (first + c < args.channels) dst[std::int64_t{c} * places] = to_stored<T>(samples[c]);
    }
  }
}

}  // namespace

Status affine_grid(const float* theta, float* grid, std::int64_t batch, std::int64_t height,
                   std::int64_t width, const Stream& stream) {
  const std::int64_t count = batch * height * width;
  return with_index(count, [&](auto index) {
    using Index = decltype(index);
    return simt::launch(affine_points<Index>, simt::grid_for(count, kBlock), kBlock, 0, stream, theta,
                        static_cast<Index>(height), static_cast<Index>(width), static_cast<Index>(count),
                        grid);
  });
}

Status warp_grid(const float* flow, float* grid, std::int64_t batch, std::int64_t height, std::int64_t width,
                 const Stream& stream) {
  const std::int64_t count = batch * height * width;
  return with_index(count, [&](auto index) {
    using Index = decltype(index);
    return simt::launch(warped_points<Index>, simt::grid_for(count, kBlock), kBlock, 0, stream, flow,
                        static_cast<Index>(height), static_cast<Index>(width), static_cast<Index>(count),
                        grid);
  });
}

Status bilinear_sampler(const SampledImages& args, const Stream& stream) {
  const std::int64_t groups = (args.channels + kSamplerChannels - 1) / kSamplerChannels;
  const std::int64_t places = args.out_height * args.out_width, count = args.batch * groups * places;
  return with_float_type(args.type, [&](auto element) {
    using T = decltype(element);
    return with_index(count, [&](auto index) {
      using Index = decltype(index);
      const auto kernel =
          args.theta != nullptr ? sample_images<T, Index, true> : sample_images<T, Index, false>;
      return simt::launch(kernel, simt::grid_for(count, kBlock), kBlock, 0, stream, args,
                          static_cast<Index>(groups), static_cast<Index>(places),
                          static_cast<Index>(args.out_width), static_cast<Index>(count));
    });
  });
}

}  // namespace mxinfer::kernels::cuda
