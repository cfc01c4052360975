#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/checked.h"
#include "base/fail.h"
#include "image/resize.h"

namespace mxinfer::image {
namespace {

using kernels::ResizeForm;
using kernels::ResizeShape;
using kernels::ResizeShare;

constexpr float kFixedOne = 2048.0f;

const char* to_string(Interpolation interpolation) {
  switch (interpolation) {
    case Interpolation::nearest:
      return "nearest";
    case Interpolation::linear:
      return "linear";
    case Interpolation::cubic:
      return "cubic";
    case Interpolation::area:
      return "area";
    case Interpolation::lanczos4:
      return "lanczos4";
  }
  return nullptr;
}

void check(const ResizeShape& shape, DType dtype, Interpolation interpolation) {
  const auto is_side = [](std::int64_t n) {
    return n >= 1 && n <= std::numeric_limits<std::int32_t>::max() / 16;
  };
  if (!is_side(shape.src_height) || !is_side(shape.src_width) || !is_side(shape.dst_height) ||
      !is_side(shape.dst_width) || shape.channels < 1 || shape.channels > 512) {
    fail(ErrorCode::invalid_argument, "cannot resize ", shape.src_width, " x ", shape.src_height,
         " pixels of ", shape.channels, " channels to ", shape.dst_width, " x ", shape.dst_height,
         ": sides must be 1 to 134217727, channels 1 to 512");
  }
  if (to_string(interpolation) == nullptr) {
    fail(ErrorCode::invalid_argument, "interpolation is ", static_cast<int>(interpolation),
         "; it must be 0 (nearest), 1 (linear), 2 (cubic), 3 (area) or 4 (lanczos4)");
  }
  if (dtype != DType::uint8 && dtype != DType::float32 && dtype != DType::float64) {
    fail(ErrorCode::unsupported, "cannot resize ", mxinfer::to_string(dtype),
         " values; uint8, float32 and float64 can be resized");
  }
}

void check(const ResizeShape& shape, const ResizePart& part) {
  if (part.src_stride != 0 && part.src_stride < shape.src_width * shape.channels) {
    fail(ErrorCode::internal, "source rows of ", shape.src_width, " pixels overlap");
  }
  if (part.width == 0 && part.height == 0) return;
  const bool inside = part.x >= 0 && part.y >= 0 && part.width >= 1 && part.height >= 1 &&
                      part.width <= shape.dst_width - part.x && part.height <= shape.dst_height - part.y;
  if (!inside) {
    fail(ErrorCode::invalid_argument, "the region of ", part.width, " x ", part.height, " pixels at (",
         part.x, ", ", part.y, ") is not inside the resized image of ", shape.dst_width, " x ",
         shape.dst_height);
  }
}

std::array<float, 2> linear_weights(float fraction) {
  return {1.0f - fraction, fraction};
}

/// The cubic convolution of Keys with a = -0.75. The order of operations decides the last bit.
std::array<float, 4> cubic_weights(float x) {
  constexpr float a = -0.75f;
  const float y = 1.0f - x;
  std::array<float, 4> w;
  w[0] = ((a * (x + 1.0f) - 5.0f * a) * (x + 1.0f) + 8.0f * a) * (x + 1.0f) - 4.0f * a;
  w[1] = ((a + 2.0f) * x - (a + 3.0f)) * x * x + 1.0f;
  w[2] = ((a + 2.0f) * y - (a + 3.0f)) * y * y + 1.0f;
  w[3] = 1.0f - w[0] - w[1] - w[2];
  return w;
}

/// sinc(t) * sinc(t / 4) at the eight taps, up to a factor that their sum divides out. With t = x + 3 - i the
/// product is sin(pi t) sin(pi t / 4) / t^2, where sin(pi t) only changes its sign from tap to tap.
std::array<float, 8> lanczos_weights(float x) {
  std::array<float, 8> w{};
  if (x < std::numeric_limits<float>::epsilon()) {
    w[3] = 1.0f;
    return w;
  }
  // sin(angle - i pi / 4) with alternating sign, as a sum of sin(angle) and cos(angle).
  constexpr double kRoot = 0.70710678118654752440;
  constexpr double kTurn[8][2] = {{1, 0},  {-kRoot, -kRoot}, {0, 1},  {kRoot, -kRoot},
                                  {-1, 0}, {kRoot, kRoot},   {0, -1}, {-kRoot, kRoot}};
  constexpr double kPi = 3.1415926535897932384626433832795;
  const double angle = static_cast<double>(-(x + 3.0f)) * kPi * 0.25;
  const double sine = std::sin(angle);
  const double cosine = std::cos(angle);
  float sum = 0.0f;
  for (int i = 0; i < 8; ++i) {
    const double t = static_cast<double>(-(x + 3.0f - static_cast<float>(i))) * kPi * 0.25;
    w[i] = static_cast<float>((kTurn[i][0] * sine + kTurn[i][1] * cosine) / (t * t));
    sum += w[i];
  }
  const float scale = 1.0f / sum;
  for (float& weight : w) weight *= scale;
  return w;
}

/// Where the taps of a destination index begin, and how far it lies past its centre tap.
struct Position {
  std::int64_t index;
  float fraction;
};

/// Pixel centres at i + 0.5; `area` if it enlarges spreads each source pixel over the destination pixels
/// it covers.
Position position(std::int64_t dst, double scale, double inverse, bool area) {
  if (area) {
    const double index = std::floor(static_cast<double>(dst) * scale);
    const auto fraction = static_cast<float>(static_cast<double>(dst + 1) - (index + 1) * inverse);
    return {static_cast<std::int64_t>(index), fraction <= 0.0f ? 0.0f : fraction - std::floor(fraction)};
  }
  const auto centre = static_cast<float>((static_cast<double>(dst) + 0.5) * scale - 0.5);
  const float index = std::floor(centre);
  return {static_cast<std::int64_t>(index), centre - index};
}

/// The tables of one side.
struct Side {
  std::vector<std::int32_t> first;
  std::vector<float> weight;
  std::int64_t inner_begin = 0;
  std::int64_t inner_end = 0;
};

/// clamp_linear: columns of linear outside the image take its border by itself. Rows do not: there both
/// taps fall on the border row, which rounds otherwise.
Side taps_of_side(std::int64_t src, std::int64_t dst, Interpolation interpolation, bool clamp_linear) {
  const double inverse = static_cast<double>(dst) / static_cast<double>(src);
  const double scale = 1.0 / inverse;
  const bool linear = interpolation == Interpolation::linear || interpolation == Interpolation::area;
  const int taps = linear ? 2 : interpolation == Interpolation::cubic ? 4 : 8;
  const int half = taps / 2;
  Side side;
  side.inner_end = dst;
  side.first.reserve(static_cast<std::size_t>(dst));
  side.weight.reserve(static_cast<std::size_t>(dst * taps));
  for (std::int64_t i = 0; i < dst; ++i) {
    Position p = position(i, scale, inverse, interpolation == Interpolation::area);
    if (linear && clamp_linear && p.index < 0) p = {0, 0.0f};
    if (p.index < half - 1 && !linear) side.inner_begin = i + 1;
    if (p.index + half >= src) {
      side.inner_end = std::min(side.inner_end, i);
      if (linear && clamp_linear && p.index >= src - 1) p = {src - 1, 0.0f};
    }
    side.first.push_back(static_cast<std::int32_t>(p.index - (half - 1)));
    const auto append = [&](const auto& weights) {
      side.weight.insert(side.weight.end(), weights.begin(), weights.end());
    };
    if (linear) {
      append(linear_weights(p.fraction));
    } else if (taps == 4) {
      append(cubic_weights(p.fraction));
    } else {
      append(lanczos_weights(p.fraction));
    }
  }
  return side;
}

/// To multiples of 1 / 2048, half to even.
std::vector<std::int16_t> to_fixed(const std::vector<float>& weights) {
  std::vector<std::int16_t> fixed(weights.size());
  std::transform(weights.begin(), weights.end(), fixed.begin(), [](float weight) {
    return static_cast<std::int16_t>(std::clamp(std::lrint(weight * kFixedOne), -32768L, 32767L));
  });
  return fixed;
}

/// The source interval that each destination index covers, each share as a fraction of the whole. Slivers of
/// less than a thousandth of a pixel are left out.
std::vector<ResizeShare> shares_of_side(std::int64_t src, std::int64_t dst, double scale) {
  constexpr double kSliver = 1e-3;
  std::vector<ResizeShare> shares;
  const auto add = [&](std::int64_t i, std::int64_t from, double weight) {
    shares.push_back(
        {static_cast<std::int32_t>(i), static_cast<std::int32_t>(from), static_cast<float>(weight)});
  };
  for (std::int64_t i = 0; i < dst; ++i) {
    const double begin = static_cast<double>(i) * scale;
    const double end = begin + scale;
    const double length = std::min(scale, static_cast<double>(src) - begin);
    const std::int64_t last = std::min(static_cast<std::int64_t>(std::floor(end)), src - 1);
    const std::int64_t first = std::min(static_cast<std::int64_t>(std::ceil(begin)), last);
    if (static_cast<double>(first) - begin > kSliver) {
      add(i, first - 1, (static_cast<double>(first) - begin) / length);
    }
    for (std::int64_t s = first; s < last; ++s) add(i, s, 1.0 / length);
    if (end - static_cast<double>(last) > kSliver) {
      add(i, last, std::min(std::min(end - static_cast<double>(last), 1.0), length) / length);
    }
  }
  return shares;
}

bool is_whole(double scale) {
  return std::abs(scale - std::rint(scale)) < std::numeric_limits<double>::epsilon();
}

double scale_of(std::int64_t src, std::int64_t dst) {
  return 1.0 / (static_cast<double>(dst) / static_cast<double>(src));
}

ResizeForm choose_form(const ResizeShape& shape, Interpolation interpolation) {
  if (shape.src_height == shape.dst_height && shape.src_width == shape.dst_width) return ResizeForm::copy;
  if (interpolation == Interpolation::nearest) return ResizeForm::nearest;
  const double x_scale = scale_of(shape.src_width, shape.dst_width);
  const double y_scale = scale_of(shape.src_height, shape.dst_height);
  const bool whole = is_whole(x_scale) && is_whole(y_scale);
  // Halving both sides is the mean of four pixels, by linear as by area.
  const bool halves =
      interpolation == Interpolation::linear && whole && std::rint(x_scale) == 2 && std::rint(y_scale) == 2;
  const bool area = interpolation == Interpolation::area && x_scale >= 1 && y_scale >= 1;
  if (!area && !halves) return ResizeForm::taps;
  return whole ? ResizeForm::area_integer : ResizeForm::area;
}

}  // namespace

void ResizePlan::fill_nearest() {
  const auto indices = [](std::int64_t src, std::int64_t dst) {
    const double scale = scale_of(src, dst);
    std::vector<std::int32_t> first(static_cast<std::size_t>(dst));
    for (std::int64_t i = 0; i < dst; ++i) {
      const auto index = static_cast<std::int64_t>(std::floor(static_cast<double>(i) * scale));
      first[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(std::min(index, src - 1));
    }
    return first;
  };
  x_first_ = indices(args_.shape.src_width, args_.shape.dst_width);
  y_first_ = indices(args_.shape.src_height, args_.shape.dst_height);
}

void ResizePlan::fill_taps(Interpolation interpolation) {
  Side x = taps_of_side(args_.shape.src_width, args_.shape.dst_width, interpolation, true);
  Side y = taps_of_side(args_.shape.src_height, args_.shape.dst_height, interpolation, false);
  args_.taps = static_cast<int>(static_cast<std::int64_t>(x.weight.size()) / args_.shape.dst_width);
  args_.x_inner_begin = x.inner_begin;
  args_.x_inner_end = x.inner_end;
  x_first_ = std::move(x.first);
  y_first_ = std::move(y.first);
  if (dtype_ == DType::uint8) {
    x_weight_fixed_ = to_fixed(x.weight);
    y_weight_fixed_ = to_fixed(y.weight);
  } else {
    x_weight_ = std::move(x.weight);
    y_weight_ = std::move(y.weight);
  }
}

void ResizePlan::fill_area() {
  const ResizeShape& shape = args_.shape;
  x_share_ = shares_of_side(shape.src_width, shape.dst_width, scale_of(shape.src_width, shape.dst_width));
  y_share_ = shares_of_side(shape.src_height, shape.dst_height, scale_of(shape.src_height, shape.dst_height));
  y_share_begin_.assign(static_cast<std::size_t>(shape.dst_height) + 1, 0);
  for (const ResizeShare& share : y_share_) ++y_share_begin_[static_cast<std::size_t>(share.dst) + 1];
  for (std::size_t y = 0; y + 1 < y_share_begin_.size(); ++y) y_share_begin_[y + 1] += y_share_begin_[y];
}

ResizePlan::ResizePlan(const ResizeShape& shape, DType dtype, Interpolation interpolation,
                       kernels::Target target, const ResizePart& part)
    : dtype_(dtype) {
  check(shape, dtype, interpolation);
  check(shape, part);
  args_.shape = shape;
  args_.src_stride = part.src_stride == 0 ? shape.src_width * shape.channels : part.src_stride;
  args_.form = choose_form(shape, interpolation);
  if (args_.form == ResizeForm::area && shape.channels > 4) {
    fail(ErrorCode::unsupported, "interpolation area shrinks images of up to 4 channels if the ratio of the ",
         "sides is not a whole number; ", shape.channels, " were given");
  }
  in_context([] { return "resize tables"; },
             [&] {
               if (args_.form == ResizeForm::nearest) fill_nearest();
               if (args_.form == ResizeForm::taps) fill_taps(interpolation);
               if (args_.form == ResizeForm::area) fill_area();
             });
  if (args_.form == ResizeForm::area_integer) {
    args_.x_scale = static_cast<std::int32_t>(std::rint(scale_of(shape.src_width, shape.dst_width)));
    args_.y_scale = static_cast<std::int32_t>(std::rint(scale_of(shape.src_height, shape.dst_height)));
  }
  args_.x_first = x_first_.data();
  args_.y_first = y_first_.data();
  args_.x_weight_fixed = x_weight_fixed_.data();
  args_.y_weight_fixed = y_weight_fixed_.data();
  args_.x_weight = x_weight_.data();
  args_.y_weight = y_weight_.data();
  args_.x_share = x_share_.data();
  args_.x_share_count = static_cast<std::int64_t>(x_share_.size());
  args_.y_share = y_share_.data();
  args_.y_share_begin = y_share_begin_.data();
  args_.cubic_float_end = shape.dst_width * shape.channels / 8 * 8;
  // Floats of 2 x 2 pixels are summed in pairs: all for 4 channels, whole groups of four pixels for 1
  // channel.
  if (args_.x_scale == 2 && args_.y_scale == 2) {
    if (shape.channels == 4) args_.pairs_end = shape.dst_width;
    if (shape.channels == 1) args_.pairs_end = shape.dst_width / 4 * 4;
  }
  if (part.width != 0) narrow_to(part);

  const auto take = [&](auto& kernel, const auto& selected) {
    kernel = selected;
    kernel_name_ = selected.name;
    kernel_target_ = selected.target;
  };
  if (dtype == DType::uint8) take(run_u8_, kernels::select_resize_u8(args_, target));
  if (dtype == DType::float32) take(run_f32_, kernels::select_resize_f32(args_, target));
  if (dtype == DType::float64) take(run_f64_, kernels::select_resize_f64(args_, target));
  scratch_bytes_ = static_cast<std::size_t>(
      kernels::resize_scratch_bytes(args_, static_cast<std::int64_t>(size_of(dtype))));
  // The taps form sums rows at the border of two tasks twice, so a task has at least four times its taps.
  constexpr std::int64_t kValuesPerTask = 1 << 15;
  constexpr std::int64_t kMostTasks = 16;
  rows_per_task_ = std::max<std::int64_t>({32, kValuesPerTask / (args_.shape.dst_width * shape.channels),
                                           ceil_div(args_.shape.dst_height, kMostTasks)});
}

/// Makes every table begin at the window's corner.
void ResizePlan::narrow_to(const ResizePart& part) {
  kernels::ResizeArgs& args = args_;
  const std::int64_t channels = args.shape.channels;
  args.shape.dst_width = part.width;
  args.shape.dst_height = part.height;
  switch (args.form) {
    case ResizeForm::copy:
      src_offset_ = part.y * args.src_stride + part.x * channels;
      break;
    case ResizeForm::area_integer:
      src_offset_ = part.y * args.y_scale * args.src_stride + part.x * args.x_scale * channels;
      args.pairs_end = std::clamp<std::int64_t>(args.pairs_end - part.x, 0, part.width);
      break;
    case ResizeForm::nearest:
      args.x_first += part.x;
      args.y_first += part.y;
      break;
    case ResizeForm::taps:
      args.x_first += part.x;
      args.y_first += part.y;
      if (dtype_ == DType::uint8) {
        args.x_weight_fixed += part.x * args.taps;
        args.y_weight_fixed += part.y * args.taps;
      } else {
        args.x_weight += part.x * args.taps;
        args.y_weight += part.y * args.taps;
      }
      args.x_inner_begin = std::clamp<std::int64_t>(args.x_inner_begin - part.x, 0, part.width);
      args.x_inner_end = std::clamp<std::int64_t>(args.x_inner_end - part.x, 0, part.width);
      args.cubic_float_end =
          std::clamp<std::int64_t>(args.cubic_float_end - part.x * channels, 0, part.width * channels);
      break;
    case ResizeForm::area:
      std::erase_if(x_share_, [&](const ResizeShare& share) {
        return share.dst < part.x || share.dst >= part.x + part.width;
      });
      for (ResizeShare& share : x_share_) share.dst -= static_cast<std::int32_t>(part.x);
      args.x_share = x_share_.data();
      args.x_share_count = static_cast<std::int64_t>(x_share_.size());
      args.y_share_begin += part.y;
      break;
  }
}

void ResizePlan::run(const void* src, void* dst, std::int64_t row_begin, std::int64_t row_end,
                     void* scratch) const {
  const std::int64_t row_bytes =
      args_.shape.dst_width * args_.shape.channels * static_cast<std::int64_t>(size_of(dtype_));
  run_rows(src, static_cast<std::byte*>(dst) + row_begin * row_bytes, row_begin, row_end, scratch);
}

void ResizePlan::run_rows(const void* src, void* rows, std::int64_t row_begin, std::int64_t row_end,
                          void* scratch) const {
  const auto run_as = [&](const auto& kernel, auto element) {
    using T = decltype(element);
    kernel.run(args_, static_cast<const T*>(src) + src_offset_, static_cast<T*>(rows), row_begin, row_end,
               scratch);
  };
  if (dtype_ == DType::uint8) run_as(run_u8_, std::uint8_t{});
  if (dtype_ == DType::float32) run_as(run_f32_, float{});
  if (dtype_ == DType::float64) run_as(run_f64_, double{});
}

}  // namespace mxinfer::image
