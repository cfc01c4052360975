#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/deformable/deformable.h"

namespace mxinfer::kernels {
namespace {

constexpr std::int64_t kOutside = -1;

/// A place in an image as four pixels, kOutside for those that count as 0, and their weights.
template <typename T>
struct Sample {
  std::array<std::int64_t, 4> at{};
  std::array<T, 4> weight{};
  T mask = 1;
};

/// A place on one axis: two neighbours and their weights.
template <typename T>
struct Neighbours {
  std::int64_t low = kOutside, high = kOutside;
  T low_weight = 0, high_weight = 0;
};

template <typename T>
Neighbours<T> neighbours(T place, std::int64_t size, DeformableBorder border) {
  const bool clamped = border == DeformableBorder::clamped;
  const bool inside = (clamped ? place >= T(0) : place > T(-1)) && place < static_cast<T>(size);
  if (!inside) return {};  // NaN too
  const T floor = std::floor(place);
  const auto low = static_cast<std::int64_t>(floor);
  const T share = place - floor;
  if (low + 1 < size) return {low, low + 1, T(1) - share, share};  // low may be -1, which is outside
  if (clamped) return {low, low, T(1), T(0)};
  return {low, kOutside, T(1) - share, share};
}

template <typename T>
Sample<T> sample_at(const DeformableShape& s, T y, T x, T mask) {
  const Neighbours<T> rows = neighbours(y, s.input[0], s.border);
  const Neighbours<T> columns = neighbours(x, s.input[1], s.border);
  const auto index = [&](std::int64_t row, std::int64_t column) {
    return row == kOutside || column == kOutside ? kOutside : row * s.input[1] + column;
  };
  Sample<T> sample;
  sample.at = {index(rows.low, columns.low), index(rows.low, columns.high), index(rows.high, columns.low),
               index(rows.high, columns.high)};
  sample.weight = {rows.low_weight * columns.low_weight, rows.low_weight * columns.high_weight,
                   rows.high_weight * columns.low_weight, rows.high_weight * columns.high_weight};
  sample.mask = mask;
  return sample;
}

/// The samples of one tap at `count` output pixels.
template <typename T>
void place_samples(const DeformableArgs<T>& args, std::int64_t group, std::int64_t tap, std::int64_t first,
                   std::int64_t count, Sample<T>* samples) {
  const DeformableShape& s = args.shape;
  const std::int64_t ky = tap / s.kernel[1] * s.dilate[0] - s.pad[0];
  const std::int64_t kx = tap % s.kernel[1] * s.dilate[1] - s.pad[1];
  const std::int64_t row = group * s.taps() + tap;
  const T* offset_y = args.offset + 2 * row * s.pixels();
  const T* offset_x = offset_y + s.pixels();
  const T* mask = args.mask != nullptr ? args.mask + row * s.pixels() : nullptr;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t o = first + i, row_of = o / s.output[1], column_of = o % s.output[1];
    const T y = static_cast<T>(row_of * s.stride[0] + ky) + offset_y[o];
    const T x = static_cast<T>(column_of * s.stride[1] + kx) + offset_x[o];
    samples[i] = sample_at(s, y, x, mask != nullptr ? mask[o] : T(1));
  }
}

template <typename T>
T read(const T* plane, const Sample<T>& sample) {
  T sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    if (sample.at[i] != kOutside) sum += sample.weight[i] * plane[sample.at[i]];
  }
  return sum * sample.mask;
}

}  // namespace

template <typename T>
void deformable_columns(const DeformableArgs<T>& args, std::int64_t first, std::int64_t count, T* columns) {
  const DeformableShape& s = args.shape;
  const std::int64_t plane = s.input[0] * s.input[1];
  const std::int64_t group_channels = s.channels / s.offset_groups;
  std::array<Sample<T>, kDeformablePixels> samples;
  for (std::int64_t g = 0; g < s.offset_groups; ++g) {
    for (std::int64_t k = 0; k < s.taps(); ++k) {
      place_samples(args, g, k, first, count, samples.data());
      for (std::int64_t c = g * group_channels; c < (g + 1) * group_channels; ++c) {
        T* row = columns + (c * s.taps() + k) * count;
        for (std::int64_t i = 0; i < count; ++i) {
          row[i] = read(args.src + c * plane, samples[static_cast<std::size_t>(i)]);
        }
      }
    }
  }
}

template void deformable_columns(const DeformableArgs<float>&, std::int64_t, std::int64_t, float*);
template void deformable_columns(const DeformableArgs<double>&, std::int64_t, std::int64_t, double*);

}  // namespace mxinfer::kernels
