#include <array>
#include <cmath>

#include "kernels/common/element_type.h"
#include "kernels/sampler/sampler.h"

namespace mxinfer::kernels {
namespace {

/// Index i of n as a number in [-1, 1]; NaN if n is 1.
template <typename T>
T unit(std::int64_t i, std::int64_t n) {
  return T(-1) + static_cast<T>(i) * (T(2) / static_cast<T>(n - 1));
}

/// A point between four pixels: their indices in a plane, -1 outside of it, and their weights.
template <typename A>
struct Corners {
  std::array<std::int64_t, 4> at{};
  std::array<A, 4> weight{};
};

/// The pixel before a point, and its weight. For points far outside it is any pixel outside.
template <typename A>
std::int64_t pixel_before(A place, std::int64_t size, A& share) {
  const A floor = std::floor(place);
  share = A(1) - (place - floor);
  return floor >= A(-1) && floor < static_cast<A>(size) ? static_cast<std::int64_t>(floor) : -2;
}

template <typename A>
Corners<A> corners_at(A x, A y, std::int64_t height, std::int64_t width) {
  A left = 0, upper = 0;
  const std::int64_t column = pixel_before(x, width, left), row = pixel_before(y, height, upper);
  const auto index = [&](std::int64_t r, std::int64_t c) {
    const bool inside = r >= 0 && r < height && c >= 0 && c < width;
    return inside ? r * width + c : -1;
  };
  return {{index(row, column), index(row, column + 1), index(row + 1, column), index(row + 1, column + 1)},
          {upper * left, upper * (A(1) - left), (A(1) - upper) * left, (A(1) - upper) * (A(1) - left)}};
}

/// The weights count even if the pixel is outside, so that a point that is NaN gives NaN.
template <typename T, typename A>
A read(const T* plane, const Corners<A>& corners) {
  A sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const A value = corners.at[i] < 0 ? A(0) : static_cast<A>(plane[corners.at[i]]);
    sum += value * corners.weight[i];
  }
  return sum;
}

}  // namespace

template <typename T>
void affine_grid(const T* theta, T* grid, std::int64_t height, std::int64_t width, std::int64_t begin,
                 std::int64_t end) {
  for (std::int64_t task = begin; task < end; ++task) {
    const std::int64_t image = task / height, row = task % height;
    const T* t = theta + image * 6;
    const T y = unit<T>(row, height);
    T* xs = grid + (image * 2 * height + row) * width;
    T* ys = xs + height * width;
    for (std::int64_t column = 0; column < width; ++column) {
      const T x = unit<T>(column, width);
      xs[column] = t[0] * x + t[1] * y + t[2];
      ys[column] = t[3] * x + t[4] * y + t[5];
    }
  }
}

void warp_grid_f32(const float* flow, float* grid, std::int64_t height, std::int64_t width,
                   std::int64_t begin, std::int64_t end) {
  const float half_width = static_cast<float>(width - 1) / 2,
              half_height = static_cast<float>(height - 1) / 2;
  for (std::int64_t task = begin; task < end; ++task) {
    const std::int64_t row = task % height;
    const std::int64_t x_row = (task / height * 2 * height + row) * width, y_row = x_row + height * width;
    for (std::int64_t i = 0; i < width; ++i) {
      grid[x_row + i] = (flow[x_row + i] + static_cast<float>(i)) / half_width - 1;
      grid[y_row + i] = (flow[y_row + i] + static_cast<float>(row)) / half_height - 1;
    }
  }
}

template <typename T>
void bilinear_sampler(const SamplerArgs<T>& args, std::int64_t begin, std::int64_t end) {
  using A = Arithmetic<T>;
  const std::int64_t plane = args.height * args.width;
  for (std::int64_t task = begin; task < end; ++task) {
    const std::int64_t image = task / args.places, place = task % args.places;
    const T* grid = args.grid + image * 2 * args.places + place;
    const A x = (static_cast<A>(grid[0]) + A(1)) * static_cast<A>(args.width - 1) / A(2);
    const A y = (static_cast<A>(grid[args.places]) + A(1)) * static_cast<A>(args.height - 1) / A(2);
    const Corners<A> corners = corners_at(x, y, args.height, args.width);
    for (std::int64_t c = image * args.channels; c < (image + 1) * args.channels; ++c) {
      args.dst[c * args.places + place] = T(read(args.src + c * plane, corners));
    }
  }
}

template void affine_grid(const float*, float*, std::int64_t, std::int64_t, std::int64_t, std::int64_t);
template void affine_grid(const double*, double*, std::int64_t, std::int64_t, std::int64_t, std::int64_t);
template void bilinear_sampler(const SamplerArgs<float>&, std::int64_t, std::int64_t);
template void bilinear_sampler(const SamplerArgs<double>&, std::int64_t, std::int64_t);
template void bilinear_sampler(const SamplerArgs<Float16>&, std::int64_t, std::int64_t);

}  // namespace mxinfer::kernels
