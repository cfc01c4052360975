#include <algorithm>
#include <cmath>

#include "kernels/roi/roi.h"

namespace mxinfer::kernels {
namespace {

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

// The most samples of a table: those of all bins. If their number follows from the size of the bin, they are
// at least half a pixel apart, so that at most two a pixel and two a bin are in the map.
std::int64_t table_capacity(std::int64_t samples_given, std::int64_t bins, std::int64_t pixels) {
  return samples_given > 0 ? bins * samples_given : 2 * (pixels + 4) + 2 * bins;
}

template <typename A>
std::size_t table_bytes(std::int64_t samples_given, std::int64_t bins, std::int64_t pixels) {
  return static_cast<std::size_t>(bins + 1) * sizeof(std::int64_t) +
         static_cast<std::size_t>(table_capacity(samples_given, bins, pixels)) * sizeof(Sample<A>);
}

template <typename A>
void fill_table(const RegionAxis<A>& axis, std::int64_t bins, std::int64_t pixels, SampleTable<A>& table) {
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
      if (!is_outside(position, pixels)) table.samples[count++] = sample_at(position, pixels);
    }
  }
  table.first[bins] = count;
}

template <typename T>
class Aligner {
  using A = Real<T>;

 public:
  Aligner(const RoiAlignArgs& args, std::byte* scratch) : args_(args) {
    const std::size_t y_bytes = table_bytes<A>(args.samples, args.bins_y, args.height);
    place(scratch, args.bins_y, ys_);
    place(scratch + y_bytes, args.bins_x, xs_);
  }

  // Prepares a region; false if the output is 0.
  bool set_region(const T* roi) {
    index_ = convert<std::int32_t>(static_cast<A>(roi[0]));
    RegionAxis<A> x{}, y{};
    if (index_ < 0 || !set_axis(roi[1], roi[3], args_.bins_x, x) ||
        !set_axis(roi[2], roi[4], args_.bins_y, y))
      return false;
    divisor_ = static_cast<A>(x.samples) * static_cast<A>(y.samples);
    fill_table(x, args_.bins_x, args_.width, xs_);
    fill_table(y, args_.bins_y, args_.height, ys_);
    return true;
  }

  void write(std::int64_t channel, T* dst) const {
    const T* data = static_cast<const T*>(args_.data) + index_ * args_.channels * args_.plane();
    for (std::int64_t bin = 0; bin < args_.bins(); ++bin) {
      const std::int64_t from = args_.position_sensitive ? channel * args_.bins() + bin : channel;
      dst[bin] =
          static_cast<T>(sum(data + from * args_.plane(), bin / args_.bins_x, bin % args_.bins_x) / divisor_);
    }
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

  A sum(const T* plane, std::int64_t bin_y, std::int64_t bin_x) const {
    A total = 0;
    for (std::int64_t i = ys_.first[bin_y]; i < ys_.first[bin_y + 1]; ++i) {
      const Sample<A>& y = ys_.samples[i];
      const T* low = plane + y.low * args_.width;
      const T* high = plane + y.high * args_.width;
      for (std::int64_t j = xs_.first[bin_x]; j < xs_.first[bin_x + 1]; ++j) {
        const Sample<A>& x = xs_.samples[j];
        total += y.low_weight * (x.low_weight * A(low[x.low]) + x.high_weight * A(low[x.high])) +
                 y.high_weight * (x.low_weight * A(high[x.low]) + x.high_weight * A(high[x.high]));
      }
    }
    return total;
  }

  const RoiAlignArgs& args_;
  SampleTable<A> xs_{}, ys_{};
  std::int64_t index_ = 0;
  A divisor_ = 1;
};

template <typename T>
void roi_align(const RoiAlignArgs& args, std::byte* scratch, std::int64_t begin, std::int64_t end) {
  Aligner<T> aligner(args, scratch);
  bool filled = false;
  for (std::int64_t task = begin; task < end; ++task) {
    const std::int64_t region = task / args.out_channels, channel = task % args.out_channels;
    if (task == begin || channel == 0)
      filled = aligner.set_region(static_cast<const T*>(args.rois) + region * 5);
    T* dst = static_cast<T*>(args.dst) + task * args.bins();
    if (filled) {
      aligner.write(channel, dst);
    } else {
      std::fill_n(dst, args.bins(), static_cast<T>(Real<T>(0)));
    }
  }
}

/// A region turned around its center.
template <typename A>
struct Rotated {
  A x, y, cosine, sine;
  RegionAxis<A> xs, ys;
};

template <typename T>
Rotated<Real<T>> rotated_region(const RoiAlignArgs& args, const T* roi) {
  using A = Real<T>;
  const A scale = static_cast<A>(args.scale);
  const A angle = static_cast<A>(static_cast<double>(static_cast<A>(roi[5])) * 3.14159265358979323846 / 180);
  const auto axis = [&](T size, std::int64_t bins) {
    const A length = std::max(static_cast<A>(size) * scale, A(1));
    const A bin = length / static_cast<A>(bins);
    return RegionAxis<A>{-length / 2, bin, samples_of(args.samples, bin)};
  };
  return {static_cast<A>(roi[1]) * scale, static_cast<A>(roi[2]) * scale, std::cos(angle), std::sin(angle),
          axis(roi[3], args.bins_x),      axis(roi[4], args.bins_y)};
}

template <typename T>
Real<T> rotated_sum(const RoiAlignArgs& args, const Rotated<Real<T>>& region, const T* plane,
                    std::int64_t bin_y, std::int64_t bin_x) {
  using A = Real<T>;
  A total = 0;
  for (std::int64_t i = 0; i < region.ys.samples; ++i) {
    const A v = region.ys.position(bin_y, i);
    for (std::int64_t j = 0; j < region.xs.samples; ++j) {
      const A u = region.xs.position(bin_x, j);
      const A x = u * region.cosine + v * region.sine + region.x;
      const A y = v * region.cosine - u * region.sine + region.y;
      if (is_outside(x, args.width) || is_outside(y, args.height)) continue;
      const Sample<A> sx = sample_at(x, args.width), sy = sample_at(y, args.height);
      const T* low = plane + sy.low * args.width;
      const T* high = plane + sy.high * args.width;
      total += sy.low_weight * (sx.low_weight * A(low[sx.low]) + sx.high_weight * A(low[sx.high])) +
               sy.high_weight * (sx.low_weight * A(high[sx.low]) + sx.high_weight * A(high[sx.high]));
    }
  }
  return total;
}

template <typename T>
void roi_align_rotated(const RoiAlignArgs& args, std::int64_t begin, std::int64_t end) {
  using A = Real<T>;
  for (std::int64_t task = begin; task < end; ++task) {
    const T* roi = static_cast<const T*>(args.rois) + task / args.channels * 6;
    const Rotated<A> region = rotated_region(args, roi);
    const A divisor = static_cast<A>(region.xs.samples) * static_cast<A>(region.ys.samples);
    const std::int64_t index = convert<std::int32_t>(static_cast<A>(roi[0]));
    const T* plane =
        static_cast<const T*>(args.data) + (index * args.channels + task % args.channels) * args.plane();
    T* dst = static_cast<T*>(args.dst) + task * args.bins();
    for (std::int64_t bin = 0; bin < args.bins(); ++bin) {
      dst[bin] =
          static_cast<T>(rotated_sum(args, region, plane, bin / args.bins_x, bin % args.bins_x) / divisor);
    }
  }
}

}  // namespace

std::size_t roi_align_scratch(const RoiAlignArgs& args) {
  return table_bytes<double>(args.samples, args.bins_y, args.height) +
         table_bytes<double>(args.samples, args.bins_x, args.width);
}

RoiAlignFn select_roi_align(ElementType type) {
  static constexpr PerType<RoiAlignFn> kFunctions{roi_align<float>, roi_align<double>, roi_align<Float16>};
  return pick(kFunctions, type);
}

RoiAlignRotatedFn select_roi_align_rotated(ElementType type) {
  static constexpr PerType<RoiAlignRotatedFn> kFunctions{roi_align_rotated<float>, roi_align_rotated<double>,
                                                         roi_align_rotated<Float16>};
  return pick(kFunctions, type);
}

}  // namespace mxinfer::kernels
