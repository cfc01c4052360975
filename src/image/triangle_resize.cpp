#include "image/triangle_resize.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/threads/thread_arena.h"

namespace mxinfer::image {
namespace {

constexpr int kWeightBits = 22;  // of a weight

/// The source pixels of the result's pixels [first, first + count) along one axis.
struct Taps {
  std::vector<std::int64_t> first;    ///< of each
  std::vector<std::int32_t> weights;  ///< `most` of each, of which count[i] are used
  std::vector<std::int64_t> count;
  std::int64_t most = 0;
};

std::int32_t fixed_point(double weight) {
  return static_cast<std::int32_t>(std::floor(weight * (1 << kWeightBits) + 0.5));
}

Taps make_taps(std::int64_t from, std::int64_t to, std::int64_t first, std::int64_t count) {
  const double scale = static_cast<double>(from) / static_cast<double>(to);
  const double reach = std::max(scale, 1.0);
  Taps taps;
  taps.most = static_cast<std::int64_t>(std::ceil(reach)) * 2 + 1;
  taps.weights.resize(static_cast<std::size_t>(taps.most * count));
  std::vector<double> weights(static_cast<std::size_t>(taps.most));
  for (std::int64_t i = 0; i < count; ++i) {
    const double centre = (static_cast<double>(first + i) + 0.5) * scale;
    const auto begin = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(centre - reach + 0.5)));
    const auto end = std::min(from, static_cast<std::int64_t>(std::floor(centre + reach + 0.5)));
    double sum = 0;
    for (std::int64_t k = begin; k < end; ++k) {
      const double distance = std::abs((static_cast<double>(k) - centre + 0.5) * (1 / reach));
      const double weight = distance < 1 ? 1 - distance : 0;
      weights[static_cast<std::size_t>(k - begin)] = weight;
      sum += weight;
    }
    taps.first.push_back(begin);
    taps.count.push_back(end - begin);
    for (std::int64_t k = 0; k < end - begin; ++k) {
      const double weight = weights[static_cast<std::size_t>(k)];
      taps.weights[static_cast<std::size_t>(i * taps.most + k)] =
          fixed_point(sum != 0 ? weight / sum : weight);
    }
  }
  return taps;
}

/// One value of the result: pixels `step` values apart from `src` on.
std::uint8_t weighted(const std::uint8_t* src, std::int64_t step, const std::int32_t* weights,
                      std::int64_t count) {
  std::int32_t sum = 1 << (kWeightBits - 1);
  for (std::int64_t k = 0; k < count; ++k) sum += weights[k] * src[k * step];
  return static_cast<std::uint8_t>(std::clamp(sum >> kWeightBits, 0, 255));
}

/// The window's columns of source rows [first, first + count), stored densely.
std::vector<std::uint8_t> resize_rows(const std::uint8_t* src, const PixelGrid& from, const Taps& x,
                                      std::int64_t first, std::int64_t count) {
  const auto columns = static_cast<std::int64_t>(x.first.size());
  const std::int64_t channels = from.width, row = columns * channels;
  std::vector<std::uint8_t> rows(static_cast<std::size_t>(count * row));
  parallel_for(count, 8, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t y = begin; y < end; ++y) {
      const std::uint8_t* in = src + (first + y) * from.size.width * channels;
      std::uint8_t* out = rows.data() + y * row;
      for (std::int64_t i = 0; i < columns; ++i) {
        const auto at = static_cast<std::size_t>(i);
        for (std::int64_t c = 0; c < channels; ++c) {
          out[i * channels + c] =
              weighted(in + x.first[at] * channels + c, channels, x.weights.data() + i * x.most, x.count[at]);
        }
      }
    }
  });
  return rows;
}

/// The source pixels of the result's pixels [first, first + count). The positions are added up, as Pillow
/// does: their last bits decide between neighbours.
std::vector<std::int64_t> nearest_sources(std::int64_t from, std::int64_t to, std::int64_t first,
                                          std::int64_t count) {
  const double step = static_cast<double>(from) / static_cast<double>(to);
  std::vector<std::int64_t> sources;
  double position = step * 0.5;
  for (std::int64_t i = 0; i < first + count; ++i) {
    if (i >= first) sources.push_back(std::min(from - 1, static_cast<std::int64_t>(position)));
    position += step;
  }
  return sources;
}

}  // namespace

void triangle_resize(const std::uint8_t* src, const PixelGrid& from, Size to, const Region& window,
                     std::uint8_t* dst, std::int64_t stride) {
  const Taps x = make_taps(from.size.width, to.width, window.x, window.width);
  const Taps y = make_taps(from.size.height, to.height, window.y, window.height);
  const std::int64_t first = y.first.front(), count = y.first.back() + y.count.back() - first;
  const auto rows = resize_rows(src, from, x, first, count);
  const std::int64_t row = window.width * from.width;
  parallel_for(window.height, 8, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const std::uint8_t* in = rows.data() + (y.first[at] - first) * row;
      for (std::int64_t v = 0; v < row; ++v) {
        dst[i * stride + v] = weighted(in + v, row, y.weights.data() + i * y.most, y.count[at]);
      }
    }
  });
}

void nearest_resize(const std::byte* src, const PixelGrid& from, Size to, const Region& window,
                    std::byte* dst, std::int64_t stride) {
  const auto x = nearest_sources(from.size.width, to.width, window.x, window.width);
  const auto y = nearest_sources(from.size.height, to.height, window.y, window.height);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const std::byte* in = src + y[i] * from.size.width * from.width;
    std::byte* out = dst + static_cast<std::int64_t>(i) * stride;
    for (const std::int64_t column : x) {
      std::memcpy(out, in + column * from.width, static_cast<std::size_t>(from.width));
      out += from.width;
    }
  }
}

}  // namespace mxinfer::image
