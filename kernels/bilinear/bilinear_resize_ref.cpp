#include <algorithm>
#include <type_traits>
#include <utility>

#include "kernels/bilinear/bilinear_resize.h"

namespace mxinfer::kernels {
namespace {

/// (1 - share) * a + share * b, each operation rounded to T.
template <typename T>
T blend(T a, T b, T share) {
  if constexpr (std::is_same_v<T, Float16>) {
    const auto round = [](float x) { return static_cast<float>(Float16(x)); };
    const float s = static_cast<float>(share);
    const float left = round(round(1.0f - s) * static_cast<float>(a));
    return Float16(left + round(s * static_cast<float>(b)));
  } else {
    return (T(1) - share) * a + share * b;
  }
}

/// A row of src interpolated at the columns of dst.
template <typename T>
void blend_columns(const BilinearResizeArgs& args, const T* src, T* row) {
  for (std::int64_t x = 0; x < args.out_width; ++x) {
    const BilinearTap& tap = args.columns[x];
    row[x] = blend(src[tap.first], src[tap.next], static_cast<T>(tap.share));
  }
}

}  // namespace

void fill_bilinear_taps(std::int64_t in, bool align_corners, BilinearTap* taps, std::int64_t out) {
  float scale = 0;
  if (out > 1) {
    scale = align_corners ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                          : static_cast<float>(in) / static_cast<float>(out);
  }
  for (std::int64_t i = 0; i < out; ++i) {
    // MXNet computes the middle of a part in double and rounds it to float.
    const float place =
        align_corners
            ? scale * static_cast<float>(i)
            : std::max(0.0f,
                       static_cast<float>(static_cast<double>(scale) * (static_cast<double>(i) + 0.5) - 0.5));
    taps[i].first = std::min(static_cast<std::int64_t>(place), in - 1);
    taps[i].next = std::min(taps[i].first + 1, in - 1);
    taps[i].share = place - static_cast<float>(taps[i].first);
  }
}

template <typename T>
void bilinear_resize(const BilinearResizeArgs& args, const T* src, T* dst, T* scratch, std::int64_t begin,
                     std::int64_t end) {
  // The source rows that `upper` and `lower` hold, interpolated; neighbours in dst often share
  // them.
  T* upper = scratch;
  T* lower = scratch + args.out_width;
  std::int64_t in_upper = -1, in_lower = -1;
  const auto fetch = [&](std::int64_t row, T* into) { blend_columns(args, src + row * args.in_width, into); };
  for (std::int64_t task = begin; task < end; ++task) {
    const BilinearTap& tap = args.rows[task % args.out_height];
    const std::int64_t plane = task / args.out_height * args.in_height;
    const std::int64_t first = plane + tap.first, next = plane + tap.next;
    if (in_lower == first && in_upper != first) {
      std::swap(upper, lower);
      std::swap(in_upper, in_lower);
    }
    if (in_upper != first) fetch(in_upper = first, upper);
    if (in_lower != next) fetch(in_lower = next, lower);
    T* out = dst + task * args.out_width;
    const T share = static_cast<T>(tap.share);
    for (std::int64_t x = 0; x < args.out_width; ++x) out[x] = blend(upper[x], lower[x], share);
  }
}

template void bilinear_resize(const BilinearResizeArgs&, const float*, float*, float*, std::int64_t,
                              std::int64_t);
template void bilinear_resize(const BilinearResizeArgs&, const double*, double*, double*, std::int64_t,
                              std::int64_t);
template void bilinear_resize(const BilinearResizeArgs&, const Float16*, Float16*, Float16*, std::int64_t,
                              std::int64_t);

}  // namespace mxinfer::kernels
