#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "kernels/resize/resize_rows.h"

namespace mxinfer::kernels {
namespace {

using std::int64_t;

std::uint8_t clamp_to_u8(int value) {
  return static_cast<std::uint8_t>(std::clamp(value, 0, 255));
}

/// To the type of an image: uint8 rounds half to even and clamps.
template <typename T, typename V>
T store(V value) {
  if constexpr (std::is_same_v<T, std::uint8_t>) {
    return clamp_to_u8(static_cast<int>(std::lrint(value)));
  } else {
    return static_cast<T>(value);
  }
}

template <typename T>
void copy_rows(const ResizeArgs& args, const T* src, T* dst, int64_t row_begin, int64_t row_end, void*) {
  const int64_t row = args.shape.dst_width * args.shape.channels;
  for (int64_t y = row_begin; y < row_end; ++y, dst += row) {
    std::memcpy(dst, src + y * args.src_stride, static_cast<std::size_t>(row) * sizeof(T));
  }
}

template <typename T>
void nearest_rows(const ResizeArgs& args, const T* src, T* dst, int64_t row_begin, int64_t row_end, void*) {
  const int64_t channels = args.shape.channels;
  T* out = dst;
  for (int64_t y = row_begin; y < row_end; ++y) {
    const T* row = src + args.y_first[y] * args.src_stride;
    for (int64_t x = 0; x < args.shape.dst_width; ++x) {
      const T* pixel = row + args.x_first[x] * channels;
      for (int64_t c = 0; c < channels; ++c) *out++ = pixel[c];
    }
  }
}

// The sums of a row, and their type until rows are summed.
template <typename T>
struct Sums {
  using type = T;
  static constexpr type kOne = 1;
  static const float* x_weight(const ResizeArgs& args) { return args.x_weight; }
  static const float* y_weight(const ResizeArgs& args) { return args.y_weight; }
};
template <>
struct Sums<std::uint8_t> {
  using type = std::int32_t;
  static constexpr type kOne = kResizeOne;
  static const std::int16_t* x_weight(const ResizeArgs& args) { return args.x_weight_fixed; }
  static const std::int16_t* y_weight(const ResizeArgs& args) { return args.y_weight_fixed; }
};

/// One value of a row: its taps, `step` apart, times the weights.
template <typename Sum, int kTaps, typename T, typename W>
Sum weigh(const T* tap, int64_t step, const W* weight) {
  Sum sum = static_cast<Sum>(tap[0]) * weight[0];
  for (int i = 1; i < kTaps; ++i) sum += static_cast<Sum>(tap[i * step]) * weight[i];
  return sum;
}

template <typename T, int kTaps>
void sum_row(const ResizeArgs& args, const T* src, typename Sums<T>::type* out) {
  using Sum = typename Sums<T>::type;
  const int64_t channels = args.shape.channels;
  const int64_t last = args.shape.src_width - 1;
  const auto* weights = Sums<T>::x_weight(args);
  const auto border = [&](int64_t x) {
    for (int64_t c = 0; c < channels; ++c) {
      T taps[kTaps];
      for (int i = 0; i < kTaps; ++i) {
        taps[i] = src[std::clamp<int64_t>(args.x_first[x] + i, 0, last) * channels + c];
      }
      out[x * channels + c] = weigh<Sum, kTaps>(taps, 1, weights + x * kTaps);
    }
  };
  for (int64_t x = 0; x < std::min(args.x_inner_begin, args.x_inner_end); ++x) border(x);
  for (int64_t x = args.x_inner_begin; x < args.x_inner_end; ++x) {
    for (int64_t c = 0; c < channels; ++c) {
      out[x * channels + c] =
          weigh<Sum, kTaps>(src + args.x_first[x] * channels + c, channels, weights + x * kTaps);
    }
  }
  for (int64_t x = args.x_inner_end; x < args.shape.dst_width; ++x) {
    if constexpr (kTaps == 2) {
      // The last column alone: a second tap of weight 0 would make infinities NaN.
      for (int64_t c = 0; c < channels; ++c) out[x * channels + c] = src[last * channels + c] * Sums<T>::kOne;
    } else {
      border(x);
    }
  }
}

/// Sums one column of kTaps rows.
template <int kTaps, typename Sum>
Sum weigh_rows(const Sum* const* rows, const float* weight, int64_t i) {
  Sum sum = rows[0][i] * weight[0];
  for (int k = 1; k < kTaps; ++k) sum += rows[k][i] * weight[k];
  return sum;
}

template <int kTaps, typename T>
void combine_rows(const ResizeArgs&, const T* const* rows, const float* weight, T* out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) out[i] = weigh_rows<kTaps>(rows, weight, i);
}

template <int kTaps>
std::uint8_t fixed_to_u8(const std::int32_t* const* rows, const std::int16_t* weight, int64_t i) {
  // At most 2.11e9 in size: the weights of eight taps, without their signs, add up to no more than 1.7146.
  int sum = 0;
  for (int k = 0; k < kTaps; ++k) sum += rows[k][i] * weight[k];
  return clamp_to_u8((sum + (1 << (2 * kResizeBits - 1))) >> (2 * kResizeBits));
}

template <int kTaps>
void combine_rows(const ResizeArgs& args, const std::int32_t* const* rows, const std::int16_t* weight,
                  std::uint8_t* out, int64_t count) {
  int64_t i = 0;
  if constexpr (kTaps == 4) {
    constexpr float kScale = 1.0f / (kResizeOne * kResizeOne);
    const float scaled[4] = {weight[0] * kScale, weight[1] * kScale, weight[2] * kScale, weight[3] * kScale};
    for (; i < args.cubic_float_end; ++i) {
      float sum = static_cast<float>(rows[0][i]) * scaled[0];
      for (int k = 1; k < 4; ++k) sum += static_cast<float>(rows[k][i]) * scaled[k];
      out[i] = store<std::uint8_t>(sum);
    }
  }
  for (; i < count; ++i) out[i] = fixed_to_u8<kTaps>(rows, weight, i);
}

template <>
void combine_rows<2>(const ResizeArgs&, const std::int32_t* const* rows, const std::int16_t* weight,
                     std::uint8_t* out, int64_t count) {
  combine_linear_u8(rows, weight, out, 0, count);
}

template <typename T, int kTaps>
void tap_rows(const ResizeArgs& args, const T* src, T* dst, int64_t row_begin, int64_t row_end,
              void* scratch) {
  using Sum = typename Sums<T>::type;
  run_tap_rows<T, Sum, kTaps>(args, src, dst, row_begin, row_end, static_cast<Sum*>(scratch),
                              Sums<T>::y_weight(args), sum_row<T, kTaps>,
                              [&args](const Sum* const* rows, const auto* weight, T* out, int64_t count) {
                                combine_rows<kTaps>(args, rows, weight, out, count);
                              });
}

/// The sum of one channel of a block. Floats are added by fours, as the order decides the last bits, or in
/// two pairs.
template <typename Sum, typename T>
Sum block_sum(const T* block, const ResizeArgs& args, bool in_pairs) {
  const int64_t channels = args.shape.channels;
  const int64_t stride = args.src_stride;
  Sum sum = 0;
  if constexpr (std::is_same_v<T, std::uint8_t>) {
    for (std::int32_t y = 0; y < args.y_scale; ++y) {
      for (std::int32_t x = 0; x < args.x_scale; ++x) sum += block[y * stride + x * channels];
    }
  } else {
    if (in_pairs) return (block[0] + block[channels]) + (block[stride] + block[stride + channels]);
    const int64_t area = int64_t{args.x_scale} * args.y_scale;
    std::int32_t x = 0;
    const auto next = [&]() -> Sum {
      const Sum value = block[x * channels];
      if (++x == args.x_scale) {
        x = 0;
        block += stride;
      }
      return value;
    };
    int64_t i = 0;
    for (; i + 4 <= area; i += 4) {
      const Sum first = next();
      const Sum second = next();
      const Sum third = next();
      sum += first + second + third + next();
    }
    for (; i < area; ++i) sum += next();
  }
  return sum;
}

/// Both sides halved: the mean of two by two bytes, half up.
template <int kChannels>
void halved_rows(const ResizeArgs& args, const std::uint8_t* src, std::uint8_t* dst, int64_t row_begin,
                 int64_t row_end, void*) {
  const int64_t stride = args.src_stride;
  const int64_t width = args.shape.dst_width;
  for (int64_t y = row_begin; y < row_end; ++y) {
    const std::uint8_t* upper = src + 2 * y * stride;
    const std::uint8_t* lower = upper + stride;
    std::uint8_t* out = dst + (y - row_begin) * width * kChannels;
    for (int64_t x = 0; x < width; ++x) {
      for (int c = 0; c < kChannels; ++c) {
        const int64_t i = 2 * x * kChannels + c;
        const int sum = upper[i] + upper[i + kChannels] + lower[i] + lower[i + kChannels];
        out[x * kChannels + c] = static_cast<std::uint8_t>((sum + 2) >> 2);
      }
    }
  }
}

template <typename T>
void area_integer_rows(const ResizeArgs& args, const T* src, T* dst, int64_t row_begin, int64_t row_end,
                       void*) {
  using Sum = std::conditional_t<std::is_same_v<T, std::uint8_t>, int64_t, T>;
  const int64_t channels = args.shape.channels;
  const int64_t stride = args.src_stride;
  const int64_t area = int64_t{args.x_scale} * args.y_scale;
  const float scale = 1.0f / static_cast<float>(area);
  const int64_t pairs_end = std::is_same_v<T, float> ? args.pairs_end : 0;
  T* out = dst;
  for (int64_t y = row_begin; y < row_end; ++y) {
    for (int64_t x = 0; x < args.shape.dst_width; ++x) {
      for (int64_t c = 0; c < channels; ++c) {
        const T* block = src + y * args.y_scale * stride + x * args.x_scale * channels + c;
        const Sum sum = block_sum<Sum>(block, args, x < pairs_end);
        if constexpr (std::is_same_v<T, std::uint8_t>) {
          *out++ = store<T>(static_cast<float>(sum) * scale);
        } else {
          *out++ = sum * scale;
        }
      }
    }
  }
}

template <typename T>
void area_rows(const ResizeArgs& args, const T* src, T* dst, int64_t row_begin, int64_t row_end,
               void* scratch) {
  using Sum = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const int64_t channels = args.shape.channels;
  const int64_t count = args.shape.dst_width * channels;
  Sum* line = static_cast<Sum*>(scratch);
  Sum* sum = line + count;
  for (int64_t y = row_begin; y < row_end; ++y) {
    for (int64_t k = args.y_share_begin[y]; k < args.y_share_begin[y + 1]; ++k) {
      const T* row = src + args.y_share[k].src * args.src_stride;
      std::fill(line, line + count, Sum{0});
      for (int64_t s = 0; s < args.x_share_count; ++s) {
        const ResizeShare& share = args.x_share[s];
        const Sum weight = share.weight;
        for (int64_t c = 0; c < channels; ++c) {
          line[share.dst * channels + c] += row[share.src * channels + c] * weight;
        }
      }
      const Sum weight = args.y_share[k].weight;
      if (k == args.y_share_begin[y]) {
        for (int64_t i = 0; i < count; ++i) sum[i] = weight * line[i];
      } else {
        for (int64_t i = 0; i < count; ++i) sum[i] += weight * line[i];
      }
    }
    T* out = dst + (y - row_begin) * count;
    for (int64_t i = 0; i < count; ++i) out[i] = store<T>(sum[i]);
  }
}

enum Name { kCopy, kNearest, kAreaInteger, kArea, kLinear, kCubic, kLanczos4 };

template <typename T>
const char* name_of(Name name) {
  constexpr const char* kNames[][3] = {
      {"resize_copy_u8", "resize_copy_f32", "resize_copy_f64"},
      {"resize_nearest_u8", "resize_nearest_f32", "resize_nearest_f64"},
      {"resize_area_integer_u8", "resize_area_integer_f32", "resize_area_integer_f64"},
      {"resize_area_u8", "resize_area_f32", "resize_area_f64"},
      {"resize_linear_u8", "resize_linear_f32", "resize_linear_f64"},
      {"resize_cubic_u8", "resize_cubic_f32", "resize_cubic_f64"},
      {"resize_lanczos4_u8", "resize_lanczos4_f32", "resize_lanczos4_f64"},
  };
  return kNames[name][sizeof(T) / 4];
}

template <typename T>
ResizeKernel<T> select_ref(const ResizeArgs& args) {
  switch (args.form) {
    case ResizeForm::copy:
      return {name_of<T>(kCopy), Target::ref, copy_rows<T>};
    case ResizeForm::nearest:
      return {name_of<T>(kNearest), Target::ref, nearest_rows<T>};
    case ResizeForm::area_integer:
      // Two by two bytes of 1, 3 or 4 channels round half up, all others half to even.
      if constexpr (std::is_same_v<T, std::uint8_t>) {
        if (args.x_scale == 2 && args.y_scale == 2) {
          if (args.shape.channels == 1) return {"resize_halved_u8", Target::ref, halved_rows<1>};
          if (args.shape.channels == 3) return {"resize_halved_u8", Target::ref, halved_rows<3>};
          if (args.shape.channels == 4) return {"resize_halved_u8", Target::ref, halved_rows<4>};
        }
      }
      return {name_of<T>(kAreaInteger), Target::ref, area_integer_rows<T>};
    case ResizeForm::area:
      return {name_of<T>(kArea), Target::ref, area_rows<T>};
    case ResizeForm::taps:
      break;
  }
  if (args.taps == 2) return {name_of<T>(kLinear), Target::ref, tap_rows<T, 2>};
  if (args.taps == 4) return {name_of<T>(kCubic), Target::ref, tap_rows<T, 4>};
  return {name_of<T>(kLanczos4), Target::ref, tap_rows<T, 8>};
}

}  // namespace

std::int64_t resize_scratch_bytes(const ResizeArgs& args, std::int64_t element_bytes) {
  const int64_t row = args.shape.dst_width * args.shape.channels;
  const int64_t sum_bytes = element_bytes == 8 ? 8 : 4;
  if (args.form == ResizeForm::taps) return resize_row_stride(row) * args.taps * sum_bytes;
  if (args.form == ResizeForm::area) return 2 * row * sum_bytes;
  return 0;
}

ResizeKernel<std::uint8_t> select_resize_u8(const ResizeArgs& args, Target target) {
  if (target != Target::ref && args.form == ResizeForm::taps && args.taps == 2)
    return resize_linear_u8_simd(target);
  return select_ref<std::uint8_t>(args);
}

ResizeKernel<float> select_resize_f32(const ResizeArgs& args, Target) {
  return select_ref<float>(args);
}

ResizeKernel<double> select_resize_f64(const ResizeArgs& args, Target) {
  return select_ref<double>(args);
}

}  // namespace mxinfer::kernels
