#include <algorithm>
#include <cmath>

#include "kernels/common/element_type.h"
#include "kernels/correlation/correlation.h"

namespace mxinfer::kernels {
namespace {

/// A pixel of a padded plane.
template <typename T>
Arithmetic<T> padded(const CorrelationShape& s, const T* plane, std::int64_t y, std::int64_t x) {
  y -= s.pad;
  x -= s.pad;
  const bool inside = y >= 0 && y < s.height && x >= 0 && x < s.width;
  return inside ? static_cast<Arithmetic<T>>(plane[y * s.width + x]) : Arithmetic<T>(0);
}

/// Whether position i of a padded axis is a pixel.
bool is_pixel(const CorrelationShape& s, std::int64_t size, std::int64_t i) {
  return i >= s.pad && i < s.pad + size;
}

/// Positions [begin, end) of a kernel.
struct Part {
  std::int64_t begin, end;
};

/// Those of a kernel at `at` along an axis at which the pixel, or the one moved by d, may be inside the map.
Part part_with_pixels(const CorrelationShape& s, std::int64_t size, std::int64_t at, std::int64_t d) {
  const std::int64_t first = s.pad - at - std::max<std::int64_t>(d, 0);
  const std::int64_t last = s.pad + size - at - std::min<std::int64_t>(d, 0);
  return {std::clamp<std::int64_t>(first, 0, s.kernel), std::clamp<std::int64_t>(last, 0, s.kernel)};
}

/// Skips positions at which both maps are padding, so that the time does not grow with padding.
template <typename T>
T window(const CorrelationShape& s, const T* a, const T* b, std::int64_t y, std::int64_t x, std::int64_t dy,
         std::int64_t dx) {
  using A = Arithmetic<T>;
  A sum = 0;
  const Part rows = part_with_pixels(s, s.height, y, dy), columns = part_with_pixels(s, s.width, x, dx);
  for (std::int64_t ky = rows.begin; ky < rows.end; ++ky) {
    if (!is_pixel(s, s.height, y + ky) && !is_pixel(s, s.height, y + ky + dy)) continue;
    for (std::int64_t kx = columns.begin; kx < columns.end; ++kx) {
      for (std::int64_t c = 0; c < s.channels; ++c) {
        const std::int64_t plane = c * s.height * s.width;
        const A left = padded(s, a + plane, y + ky, x + kx);
        const A right = padded(s, b + plane, y + ky + dy, x + kx + dx);
        sum += s.multiply ? left * right : std::abs(left - right);
      }
    }
  }
  return T(sum / static_cast<A>(s.kernel * s.kernel * s.channels));
}

}  // namespace

template <typename T>
void correlation(const CorrelationShape& s, const T* a, const T* b, T* dst, std::int64_t begin,
                 std::int64_t end) {
  const std::int64_t image = s.channels * s.height * s.width;
  for (std::int64_t task = begin; task < end; ++task) {
    const std::int64_t displacement = task / s.out_height % (s.side() * s.side());
    const std::int64_t dy = (displacement / s.side() - s.radius()) * s.stride2;
    const std::int64_t dx = (displacement % s.side() - s.radius()) * s.stride2;
    const std::int64_t from = task / s.out_height / (s.side() * s.side()) * image;
    const std::int64_t y = task % s.out_height * s.stride1 + s.max_displacement;
    for (std::int64_t i = 0; i < s.out_width; ++i) {
      dst[task * s.out_width + i] =
          window(s, a + from, b + from, y, i * s.stride1 + s.max_displacement, dy, dx);
    }
  }
}

template void correlation(const CorrelationShape&, const float*, const float*, float*, std::int64_t,
                          std::int64_t);
template void correlation(const CorrelationShape&, const double*, const double*, double*, std::int64_t,
                          std::int64_t);
template void correlation(const CorrelationShape&, const Float16*, const Float16*, Float16*, std::int64_t,
                          std::int64_t);

}  // namespace mxinfer::kernels
