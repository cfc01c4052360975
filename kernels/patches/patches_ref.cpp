#include <algorithm>

#include "kernels/common/element_type.h"
#include "kernels/patches/patches.h"

namespace mxinfer::kernels {
namespace {

/// Calls body(place in the row of columns, pixel or -1) for each place of a tap.
template <typename Body>
void walk_tap(const PatchShape& s, std::int64_t tap, const Body& body) {
  const std::int64_t ky = tap / s.kernel[1] * s.dilate[0] - s.pad[0];
  const std::int64_t kx = tap % s.kernel[1] * s.dilate[1] - s.pad[1];
  std::int64_t place = 0;
  for (std::int64_t oy = 0; oy < s.places[0]; ++oy) {
    const std::int64_t y = oy * s.stride[0] + ky;
    const bool row_inside = y >= 0 && y < s.plane[0];
    for (std::int64_t ox = 0; ox < s.places[1]; ++ox, ++place) {
      const std::int64_t x = ox * s.stride[1] + kx;
      body(place, row_inside && x >= 0 && x < s.plane[1] ? y * s.plane[1] + x : -1);
    }
  }
}

}  // namespace

template <typename T>
void im2col(const PatchShape& shape, const T* src, T* dst, std::int64_t begin, std::int64_t end) {
  for (std::int64_t row = begin; row < end; ++row) {
    const T* plane = src + row / shape.taps() * shape.pixels();
    T* out = dst + row * shape.columns();
    walk_tap(shape, row % shape.taps(),
             [&](std::int64_t place, std::int64_t pixel) { out[place] = pixel < 0 ? T() : plane[pixel]; });
  }
}

template <typename T>
void col2im(const PatchShape& shape, const T* src, T* dst, std::int64_t begin, std::int64_t end) {
  using A = Arithmetic<T>;
  for (std::int64_t p = begin; p < end; ++p) {
    T* plane = dst + p * shape.pixels();
    std::fill_n(plane, shape.pixels(), T());
    for (std::int64_t k = 0; k < shape.taps(); ++k) {
      const T* row = src + (p * shape.taps() + k) * shape.columns();
      walk_tap(shape, k, [&](std::int64_t place, std::int64_t pixel) {
        if (pixel >= 0) plane[pixel] = T(static_cast<A>(plane[pixel]) + static_cast<A>(row[place]));
      });
    }
  }
}

template void im2col(const PatchShape&, const float*, float*, std::int64_t, std::int64_t);
template void im2col(const PatchShape&, const double*, double*, std::int64_t, std::int64_t);
template void im2col(const PatchShape&, const Float16*, Float16*, std::int64_t, std::int64_t);
template void col2im(const PatchShape&, const float*, float*, std::int64_t, std::int64_t);
template void col2im(const PatchShape&, const double*, double*, std::int64_t, std::int64_t);
template void col2im(const PatchShape&, const Float16*, Float16*, std::int64_t, std::int64_t);

}  // namespace mxinfer::kernels
