#include "kernels/correlation/correlation_cuda.h"
#include "kernels/cuda/dispatch.h"
#include "kernels/cuda/stored_floats.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;
/// Displacements along x of a thread: each pixel of a is read once for all of them.
constexpr int kColumns = 4;
/// Channels whose pixels are read side by side.
constexpr int kDepth = 4;

/// Positions [first, last) of a kernel along an axis.
struct KernelPart {
  std::int64_t first, last;
};

__device__ __forceinline__ std::int64_t clamped(std::int64_t x, std::int64_t last) {
  return x < 0 ? 0 : x > last ? last : x;
}

/// Those of a kernel at `at` at which the pixel, or one moved by `low` to `high`, may be inside of the map:
/// the time must not grow with padding.
__device__ __forceinline__ KernelPart part_with_pixels(const CorrelationShape& s, std::int64_t size,
                                                       std::int64_t at, std::int64_t low, std::int64_t high) {
  const std::int64_t first = s.pad - at - (high > 0 ? high : 0);
  const std::int64_t last = s.pad + size - at - (low < 0 ? low : 0);
  return {clamped(first, s.kernel), clamped(last, s.kernel)};
}

/// Adds a position of the kernel, in all channels: a pixel of a and kColumns of b. Null pointers are padding.
template <typename T, bool kMultiply>
__device__ __forceinline__ void add_channels(std::int64_t channels, std::int64_t plane, const T* a,
                                             const T* const (&b)[kColumns], float (&sums)[kColumns]) {
  const auto add_depth = [&](std::int64_t first, auto depth) {
    float left[depth()], right[kColumns][depth()];
#pragma unroll
    for (int c = 0; c < depth(); ++c) {
      left[c] = a != nullptr ? to_float(a[(first + c) * plane]) : 0.0f;
#pragma unroll
      for (int d = 0; d < kColumns; ++d)
        right[d][c] = b[d] != nullptr ? to_float(b[d][(first + c) * plane]) : 0.0f;
    }
#pragma unroll
    for (int c = 0; c < depth(); ++c) {
#pragma unroll
      for (int d = 0; d < kColumns; ++d) {
        if constexpr (kMultiply) {
          sums[d] = fmaf(left[c], right[d][c], sums[d]);
        } else {
          sums[d] += fabsf(left[c] - right[d][c]);
        }
      }
    }
  };
  std::int64_t c = 0;
  for (; c + kDepth <= channels; c += kDepth) add_depth(c, std::integral_constant<int, kDepth>());
  for (; c < channels; ++c) add_depth(c, std::integral_constant<int, 1>());
}

/// The pixel at a place of the padded maps; null: it is padding.
template <typename T>
__device__ __forceinline__ const T* pixel_at(const CorrelationShape& s, const T* map, std::int64_t y,
                                             std::int64_t x) {
  y -= s.pad;
  x -= s.pad;
  return y >= 0 && y < s.height && x >= 0 && x < s.width ? map + y * s.width + x : nullptr;
}

/// The sums of kColumns displacements from (dy, dx) on, at a place of the padded maps.
template <typename T, bool kMultiply>
__device__ __forceinline__ void correlate(const CorrelationShape& s, const T* a, const T* b, std::int64_t y,
                                          std::int64_t x, std::int64_t dy, std::int64_t dx,
                                          float (&sums)[kColumns]) {
  const KernelPart rows = part_with_pixels(s, s.height, y, dy, dy);
  const KernelPart columns = part_with_pixels(s, s.width, x, dx, dx + (kColumns - 1) * s.stride2);
  for (std::int64_t ky = rows.first; ky < rows.last; ++ky) {
    for (std::int64_t kx = columns.first; kx < columns.last; ++kx) {
      const T* left = pixel_at(s, a, y + ky, x + kx);
      const T* right[kColumns];
      bool any = left != nullptr;
#pragma unroll
      for (int d = 0; d < kColumns; ++d) {
        right[d] = pixel_at(s, b, y + ky + dy, x + kx + dx + d * s.stride2);
        any = any || right[d] != nullptr;
      }
      if (any) add_channels<T, kMultiply>(s.channels, s.height * s.width, left, right, sums);
    }
  }
}

/// A thread for each place of dst and each group of displacements, `count` in all.
template <typename T, typename Index, bool kMultiply>
__global__ void __launch_bounds__(kBlock)
    correlate_places(CorrelationShape s, Index count, const T* a, const T* b, T* dst) {
  const Index width = static_cast<Index>(s.out_width), height = static_cast<Index>(s.out_height);
  const Index side = static_cast<Index>(s.side()), groups = (side + kColumns - 1) / kColumns;
  for (Index i = static_cast<Index>(simt::first_index()); i < count;
       i += static_cast<Index>(simt::grid_step())) {
    const Index x = i % width, row = i / width, y = row % height, task = row / height;
    const Index column = task % groups * kColumns, displaced = task / groups;  // image * side + row
    const std::int64_t image = displaced / side * s.channels * s.height * s.width;
    float sums[kColumns] = {};
    correlate<T, kMultiply>(s, a + image, b + image, y * s.stride1 + s.max_displacement,
                            x * s.stride1 + s.max_displacement,
                            (std::int64_t{displaced % side} - s.radius()) * s.stride2,
                            (std::int64_t{column} - s.radius()) * s.stride2, sums);
    const auto divisor = static_cast<float>(s.kernel * s.kernel * s.channels);
    const std::int64_t plane = s.out_height * s.out_width;
    T* to = dst + (std::int64_t{displaced} * side + column) * plane + std::int64_t{y} * width + x;
#pragma unroll
    for (int d = 0; d < kColumns; ++d) {
      if (column + d < side) to[d * plane] = to_stored<T>(sums[d] / divisor);
    }
  }
}

}  // namespace

Status correlation(const CorrelationShape& shape, std::int64_t batch, FloatType type, const void* a,
                   const void* b, void* dst, const Stream& stream) {
  const std::int64_t groups = (shape.side() + kColumns - 1) / kColumns;
  const std::int64_t count = batch * shape.side() * groups * shape.out_height * shape.out_width;
  return with_float_type(type, [&](auto element) {
    using T = decltype(element);
    return with_index(count, [&](auto index) {
      using Index = decltype(index);
      const auto kernel =
          shape.multiply ? correlate_places<T, Index, true> : correlate_places<T, Index, false>;
      return simt::launch(kernel, simt::grid_for(count, kBlock), kBlock, 0, stream, shape,
                          static_cast<Index>(count), static_cast<const T*>(a), static_cast<const T*>(b),
                          static_cast<T*>(dst));
    });
  });
}

}  // namespace mxinfer::kernels::cuda
