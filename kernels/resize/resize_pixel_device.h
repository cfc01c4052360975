// One value of a resized image, for kernels of a GPU: a struct for each form of resize.h, with the order of
// operations of the CPU's kernels. Products are rounded by themselves.
//
//   const std::uint8_t value = TapsPixel<std::uint8_t, 2>::value(args, image, y, x, channel);
//
// `image` is the first element of the source, x and y are of the destination.
#pragma once

#include <type_traits>

#include "kernels/cuda/dialect.h"
#include "kernels/resize/resize_rows.h"

namespace mxinfer::kernels::cuda {

__device__ __forceinline__ std::uint8_t clamp_to_u8(int value) {
  return static_cast<std::uint8_t>(value < 0 ? 0 : value > 255 ? 255 : value);
}

/// To the type of an image: uint8 rounds half to even and clamps.
template <typename T>
__device__ __forceinline__ T to_pixel(float value) {
  if constexpr (std::is_same_v<T, float>) {
    return value;
  } else {
    return clamp_to_u8(static_cast<int>(rintf(value)));
  }
}

__device__ __forceinline__ std::int64_t clamp_index(std::int64_t index, std::int64_t size) {
  return index < 0 ? 0 : index < size ? index : size - 1;
}

struct NearestPixel {
  template <typename T>
  static __device__ __forceinline__ T value(const ResizeArgs& args, const T* image, std::int64_t y,
                                            std::int64_t x, std::int64_t c) {
    return image[args.y_first[y] * args.src_stride + args.x_first[x] * args.shape.channels + c];
  }
};

template <int kTaps>
struct TapsPixel {
  static __device__ __forceinline__ float row_sum(const ResizeArgs& args, const float* row, std::int64_t x) {
    const std::int64_t channels = args.shape.channels, width = args.shape.src_width;
    // The last column of linear alone: a second tap of weight 0 would make infinities NaN.
    if (kTaps == 2 && x >= args.x_inner_end) return row[(width - 1) * channels];
    const float* weight = args.x_weight + x * kTaps;
    float sum = 0;
#pragma unroll
    for (int i = 0; i < kTaps; ++i) {
      const float part = simt::mul_rn(row[clamp_index(args.x_first[x] + i, width) * channels], weight[i]);
      sum = i == 0 ? part : sum + part;
    }
    return sum;
  }
  static __device__ __forceinline__ int row_sum(const ResizeArgs& args, const std::uint8_t* row,
                                                std::int64_t x) {
    const std::int64_t channels = args.shape.channels, width = args.shape.src_width;
    if (kTaps == 2 && x >= args.x_inner_end) return row[(width - 1) * channels] * kResizeOne;
    const std::int16_t* weight = args.x_weight_fixed + x * kTaps;
    int sum = 0;
#pragma unroll
    for (int i = 0; i < kTaps; ++i)
      sum += row[clamp_index(args.x_first[x] + i, width) * channels] * weight[i];
    return sum;
  }

  template <typename T>
  static __device__ __forceinline__ const T* row(const ResizeArgs& args, const T* image, std::int64_t y,
                                                 int k) {
    return image + clamp_index(args.y_first[y] + k, args.shape.src_height) * args.src_stride;
  }

  static __device__ __forceinline__ float value(const ResizeArgs& args, const float* image, std::int64_t y,
                                                std::int64_t x, std::int64_t c) {
    const float* weight = args.y_weight + y * kTaps;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < kTaps; ++k) {
      const float part = simt::mul_rn(row_sum(args, row(args, image, y, k) + c, x), weight[k]);
      sum = k == 0 ? part : sum + part;
    }
    return sum;
  }

  static __device__ __forceinline__ std::uint8_t value(const ResizeArgs& args, const std::uint8_t* image,
                                                       std::int64_t y, std::int64_t x, std::int64_t c) {
    const std::int16_t* weight = args.y_weight_fixed + y * kTaps;
    int sums[kTaps];
#pragma unroll
    for (int k = 0; k < kTaps; ++k) sums[k] = row_sum(args, row(args, image, y, k) + c, x);
    if constexpr (kTaps == 2) {
      const int upper = (weight[0] * (sums[0] >> 4)) >> 16;
      const int lower = (weight[1] * (sums[1] >> 4)) >> 16;
      return static_cast<std::uint8_t>((upper + lower + 2) >> 2);
    }
    if (kTaps == 4 && x * args.shape.channels + c < args.cubic_float_end) {
      constexpr float kScale = 1.0f / (kResizeOne * kResizeOne);
      float sum = 0;
#pragma unroll
      for (int k = 0; k < kTaps; ++k) {
        const float part =
            simt::mul_rn(static_cast<float>(sums[k]), simt::mul_rn(static_cast<float>(weight[k]), kScale));
        sum = k == 0 ? part : sum + part;
      }
      return to_pixel<std::uint8_t>(sum);
    }
    int sum = 0;
#pragma unroll
    for (int k = 0; k < kTaps; ++k) sum += sums[k] * weight[k];
    return clamp_to_u8((sum + (1 << (2 * kResizeBits - 1))) >> (2 * kResizeBits));
  }
};

struct AreaIntegerPixel {
  static __device__ __forceinline__ std::uint8_t value(const ResizeArgs& args, const std::uint8_t* image,
                                                       std::int64_t y, std::int64_t x, std::int64_t c) {
    const std::int64_t channels = args.shape.channels;
    const std::uint8_t* block = image + y * args.y_scale * args.src_stride + x * args.x_scale * channels + c;
    std::int64_t sum = 0;
    for (int i = 0; i < args.y_scale; ++i) {
      for (int j = 0; j < args.x_scale; ++j) sum += block[i * args.src_stride + j * channels];
    }
    // Two by two bytes of 1, 3 or 4 channels round half up, all others half to even.
    if (args.x_scale == 2 && args.y_scale == 2 && (channels == 1 || channels == 3 || channels == 4))
      return static_cast<std::uint8_t>((sum + 2) >> 2);
    return to_pixel<std::uint8_t>(simt::mul_rn(static_cast<float>(sum), scale(args)));
  }

  /// Floats are added by fours, as the order decides the last bits, or in two pairs.
  static __device__ __forceinline__ float value(const ResizeArgs& args, const float* image, std::int64_t y,
                                                std::int64_t x, std::int64_t c) {
    const std::int64_t channels = args.shape.channels, stride = args.src_stride;
    const float* block = image + y * args.y_scale * stride + x * args.x_scale * channels + c;
    if (x < args.pairs_end) {
      const float sum = (block[0] + block[channels]) + (block[stride] + block[stride + channels]);
      return simt::mul_rn(sum, scale(args));
    }
    const std::int64_t area = std::int64_t{args.x_scale} * args.y_scale, whole = area / 4 * 4;
    float sum = 0, four = 0;
    int column = 0;
    for (std::int64_t i = 0; i < area; ++i) {
      const float next = block[column * channels];
      if (++column == args.x_scale) {
        column = 0;
        block += stride;
      }
      if (i >= whole) {
        sum += next;
        continue;
      }
      four = i % 4 == 0 ? next : four + next;
      if (i % 4 == 3) sum += four;
    }
    return simt::mul_rn(sum, scale(args));
  }

 private:
  static __device__ __forceinline__ float scale(const ResizeArgs& args) {
    return 1.0f / static_cast<float>(std::int64_t{args.x_scale} * args.y_scale);
  }
};

/// `x_share_begin`: where the shares of each column begin, one more than columns.
struct AreaPixel {
  template <typename T>
  static __device__ __forceinline__ T value(const ResizeArgs& args, const std::int64_t* x_share_begin,
                                            const T* image, std::int64_t y, std::int64_t x, std::int64_t c) {
    float sum = 0;
    for (std::int64_t k = args.y_share_begin[y]; k < args.y_share_begin[y + 1]; ++k) {
      const T* row = image + args.y_share[k].src * args.src_stride + c;
      float line = 0;
      for (std::int64_t s = x_share_begin[x]; s < x_share_begin[x + 1]; ++s) {
        const ResizeShare& share = args.x_share[s];
        line += simt::mul_rn(static_cast<float>(row[share.src * args.shape.channels]), share.weight);
      }
      const float part = simt::mul_rn(args.y_share[k].weight, line);
      sum = k == args.y_share_begin[y] ? part : sum + part;
    }
    return to_pixel<T>(sum);
  }
};

}  // namespace mxinfer::kernels::cuda
