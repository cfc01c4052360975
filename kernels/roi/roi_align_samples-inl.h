// Where the samples of ROIAlign lie: for each axis of a region the pixels that they are between, with
// weights.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "kernels/roi/roi.h"

namespace mxinfer::kernels {

/// A position between two neighbouring pixels of an axis, with their weights.
template <typename A>
struct Sample {
  std::int64_t low, high;
  A low_weight, high_weight;
};

template <typename A>
bool is_outside(A position, std::int64_t pixels) {
  return position < A(-1) || position > static_cast<A>(pixels);
}

/// Precondition: not is_outside.
template <typename A>
Sample<A> sample_at(A position, std::int64_t pixels) {
  position = std::max(position, A(0));
  const auto low = static_cast<std::int64_t>(position);
  if (low >= pixels - 1) return {pixels - 1, pixels - 1, 1, 0};
  const A rest = position - static_cast<A>(low);
  return {low, low + 1, 1 - rest, rest};
}

template <typename A>
std::int64_t samples_of(std::int64_t samples_given, A bin) {
  return samples_given > 0 ? samples_given : convert<std::int64_t>(std::ceil(bin));
}

/// One axis of a region: its start in the map, the length of its bins, and the samples of each.
template <typename A>
struct RegionAxis {
  A start, bin;
  std::int64_t samples;

  A position(std::int64_t b, std::int64_t i) const {
    return start + static_cast<A>(b) * bin + (static_cast<A>(i) + A(0.5)) * bin / static_cast<A>(samples);
  }
};

/// The samples of an axis that are not outside, bin after bin: those of bin b are [first[b], first[b + 1]).
template <typename A>
struct SampleTable {
  std::int64_t* first;
  Sample<A>* samples;
};

/// The most samples of a table: those of all bins. If their number follows from the size of the bin, they are
/// at least half a pixel apart, so that at most two a pixel and two a bin are in the map.
inline std::int64_t table_capacity(std::int64_t samples_given, std::int64_t bins, std::int64_t pixels) {
  return samples_given > 0 ? bins * samples_given : 2 * (pixels + 4) + 2 * bins;
}

template <typename A>
std::size_t table_bytes(std::int64_t samples_given, std::int64_t bins, std::int64_t pixels) {
  return static_cast<std::size_t>(bins + 1) * sizeof(std::int64_t) +
         static_cast<std::size_t>(table_capacity(samples_given, bins, pixels)) * sizeof(Sample<A>);
}

template <typename A>
void fill_table(const RegionAxis<A>& axis, std::int64_t bins, std::int64_t pixels, std::int64_t capacity,
                SampleTable<A>& table) {
  const auto inside = [&](A distance) {  // a sample's index near the edge of the map, not exact
    const A index = distance / axis.bin * static_cast<A>(axis.samples);
    return static_cast<std::int64_t>(std::clamp(index, A(-1e9), A(1e15)));
  };
  std::int64_t count = 0;
  for (std::int64_t b = 0; b < bins; ++b) {
    table.first[b] = count;
    const A bin_start = axis.start + static_cast<A>(b) * axis.bin;
    const std::int64_t begin = std::max<std::int64_t>(0, inside(A(-1) - bin_start) - 2);
    const std::int64_t end = std::min(axis.samples, inside(static_cast<A>(pixels) - bin_start) + 2);
    for (std::int64_t i = begin; i < end; ++i) {
      const A position = axis.position(b, i);
      // Of a region far larger than its coordinates are exact, many samples round to one place.
      if (count < capacity && !is_outside(position, pixels))
        table.samples[count++] = sample_at(position, pixels);
    }
  }
  table.first[bins] = count;
}

/// The samples of one region after another.
template <typename T>
class RegionSamples {
  using A = Real<T>;

 public:
  /// What a constructor's `scratch` needs.
  static std::size_t bytes(const RoiAlignArgs& args) {
    return table_bytes<A>(args.samples, args.bins_y, args.height) +
           table_bytes<A>(args.samples, args.bins_x, args.width);
  }
  RegionSamples(const RoiAlignArgs& args, std::byte* scratch) : args_(args) {
    place(scratch, args.bins_y, ys_);
    place(scratch + table_bytes<A>(args.samples, args.bins_y, args.height), args.bins_x, xs_);
  }

  /// Prepares a region; false if the output is 0.
  bool set_region(const T* roi) {
    index_ = convert<std::int32_t>(static_cast<A>(roi[0]));
    RegionAxis<A> x{}, y{};
    if (index_ < 0 || !set_axis(roi[1], roi[3], args_.bins_x, x) ||
        !set_axis(roi[2], roi[4], args_.bins_y, y))
      return false;
    divisor_ = static_cast<A>(x.samples) * static_cast<A>(y.samples);
    fill_table(x, args_.bins_x, args_.width, table_capacity(args_.samples, args_.bins_x, args_.width), xs_);
    fill_table(y, args_.bins_y, args_.height, table_capacity(args_.samples, args_.bins_y, args_.height), ys_);
    return true;
  }

  const SampleTable<A>& xs() const { return xs_; }
  const SampleTable<A>& ys() const { return ys_; }
  /// Samples of a bin, those outside of the map included.
  A divisor() const { return divisor_; }
  /// A channel of the region's image.
  const T* plane(std::int64_t channel) const {
    return static_cast<const T*>(args_.data) + (index_ * args_.channels + channel) * args_.plane();
  }

 private:
  static void place(std::byte* memory, std::int64_t bins, SampleTable<A>& table) {
    table.first = reinterpret_cast<std::int64_t*>(memory);
    table.samples = reinterpret_cast<Sample<A>*>(table.first + bins + 1);
  }

  bool set_axis(T low, T high, std::int64_t bins, RegionAxis<A>& axis) const {
    const A scale = static_cast<A>(args_.scale), offset = args_.aligned ? A(0.5) : A(0);
    axis.start = static_cast<A>(low) * scale - offset;
    const A end = static_cast<A>(high) * scale - offset;
    if (!std::isfinite(axis.start) || !std::isfinite(end)) return false;
    A length = end - axis.start;
    if (!args_.aligned) length = std::max(length, A(1));
    axis.bin = length / static_cast<A>(bins);
    axis.samples = samples_of(args_.samples, axis.bin);
    return axis.bin > 0 && std::isfinite(axis.bin) && axis.samples > 0;
  }

  const RoiAlignArgs& args_;
  SampleTable<A> xs_{}, ys_{};
  std::int64_t index_ = 0;
  A divisor_ = 1;
};

/// For each region and channel of tasks [begin, end): write(channel, dst), or 0 for a region without samples.
template <typename T, typename Write>
void for_each_region(const RoiAlignArgs& args, RegionSamples<T>& region, std::int64_t begin, std::int64_t end,
                     const Write& write) {
  bool filled = false;
  for (std::int64_t task = begin; task < end; ++task) {
    const std::int64_t index = task / args.out_channels, channel = task % args.out_channels;
    if (task == begin || channel == 0)
      filled = region.set_region(static_cast<const T*>(args.rois) + index * 5);
    T* dst = static_cast<T*>(args.dst) + task * args.bins();
    if (filled) {
      write(channel, dst);
    } else {
      std::fill_n(dst, args.bins(), static_cast<T>(Real<T>(0)));
    }
  }
}

}  // namespace mxinfer::kernels
