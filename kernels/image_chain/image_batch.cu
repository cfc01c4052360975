#include "kernels/common/divide.h"
#include "kernels/cuda/dispatch.h"
#include "kernels/cuda/stored_floats.h"
#include "kernels/image_chain/image_batch_cuda.h"
#include "kernels/resize/resize_pixel_device.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBatchBlock = 256, kPixelsOfThread = 4;

/// What a block knows of its image.
struct BatchSmem {
  ResizeArgs resize;
  const std::int64_t* x_share_begin;
  const std::uint8_t* pixels;
};

template <typename T>
__device__ __forceinline__ const T* table_of(const std::byte* packed, std::int64_t offset) {
  return reinterpret_cast<const T*>(packed + offset);
}

/// By one thread.
__device__ __forceinline__ void find_image(const ImageChainArgs& args, const std::byte* packed,
                                           BatchSmem& smem) {
  const PackedImage& image = reinterpret_cast<const PackedImage*>(packed)[blockIdx.y];
  ResizeArgs& resize = smem.resize;
  resize.shape = {image.src_height, image.src_width, args.resize.shape.dst_height,
                  args.resize.shape.dst_width, image.channels};
  resize.form = image.form;
  resize.src_stride = image.src_stride;
  resize.x_first = table_of<std::int32_t>(packed, image.x_first);
  resize.y_first = table_of<std::int32_t>(packed, image.y_first);
  resize.taps = image.taps;
  resize.x_weight_fixed = table_of<std::int16_t>(packed, image.x_weight);
  resize.y_weight_fixed = table_of<std::int16_t>(packed, image.y_weight);
  resize.x_inner_end = image.x_inner_end;
  resize.cubic_float_end = image.cubic_float_end;
  resize.x_scale = image.x_scale;
  resize.y_scale = image.y_scale;
  resize.x_share = table_of<ResizeShare>(packed, image.x_share);
  resize.y_share = table_of<ResizeShare>(packed, image.y_share);
  resize.y_share_begin = table_of<std::int64_t>(packed, image.y_share_begin);
  smem.x_share_begin = table_of<std::int64_t>(packed, image.x_share_begin);
  smem.pixels = table_of<std::uint8_t>(packed, image.pixels);
}

/// Puts value(y, x, channel) of the block's pixels to their places. kUnrolled: how many channels of a pixel
/// are read without a wait for each other, as registers allow.
template <int kUnrolled, typename Out, typename Value>
__device__ __forceinline__ void put_pixels(const ImageChainArgs& args, bool spreads, Out* dst,
                                           const Value& value) {
  const auto width = static_cast<int>(args.resize.shape.dst_width);
  const int pixels = static_cast<int>(args.resize.shape.dst_height) * width;
  const auto channels = static_cast<int>(args.channels);
  const int step = static_cast<int>(gridDim.x) * kBatchBlock;
#pragma unroll 1
  for (int i = static_cast<int>(blockIdx.x) * kBatchBlock + static_cast<int>(threadIdx.x); i < pixels;
       i += step) {
    const int y = i / width, x = i - y * width;
    Out* out = dst + y * args.dst_row_step + x * args.dst_pixel_step;
    std::uint8_t pixel = 0;
#pragma unroll kUnrolled
    for (int c = 0; c < channels; ++c) {
      if (c == 0 || !spreads) pixel = value(y, x, c);
      out[c * args.dst_channel_step] = to_stored<Out>(args.table[c * 256 + pixel]);
    }
  }
}

template <int kUnrolled, typename Pixel, typename Out>
__device__ __forceinline__ void put_resized(const ImageChainArgs& args, const BatchSmem& image, bool spreads,
                                            Out* dst) {
  put_pixels<kUnrolled>(args, spreads, dst, [&](int y, int x, int c) {
    return Pixel::value(image.resize, image.pixels, std::int64_t{y}, std::int64_t{x}, std::int64_t{c});
  });
}

/// TapsPixel of more than two taps, row after row: all rows at once need more registers than are worth it.
template <int kTaps>
struct RowsOfTaps {
  static __device__ __forceinline__ std::uint8_t value(const ResizeArgs& args, const std::uint8_t* image,
                                                       std::int64_t y, std::int64_t x, std::int64_t c) {
    constexpr float kScale = 1.0f / (kResizeOne * kResizeOne);
    const std::int16_t* weight = args.y_weight_fixed + y * kTaps;
    int sum = 0;
    float float_sum = 0;
#pragma unroll 1
    for (int k = 0; k < kTaps; ++k) {
      using Pixel = TapsPixel<kTaps>;
      const int row = Pixel::row_sum(args, Pixel::row(args, image, y, k) + c, x);
      const float part =
          simt::mul_rn(static_cast<float>(row), simt::mul_rn(static_cast<float>(weight[k]), kScale));
      sum += row * weight[k];
      float_sum = k == 0 ? part : float_sum + part;
    }
    if (kTaps == 4 && x * args.shape.channels + c < args.cubic_float_end)
      return to_pixel<std::uint8_t>(float_sum);
    return clamp_to_u8((sum + (1 << (2 * kResizeBits - 1))) >> (2 * kResizeBits));
  }
};

/// A row of blocks for each image.
template <typename Out>
__global__ void __launch_bounds__(kBatchBlock)
    batch_pixels(ImageChainArgs args, const std::byte* packed, Out* dst) {
  BatchSmem& image = simt::shared_memory<BatchSmem>();
  if (threadIdx.x == 0) find_image(args, packed, image);
  __syncthreads();
  dst += args.dst_offset + static_cast<std::int64_t>(blockIdx.y) * args.dst_image_step;
  const ResizeArgs& resize = image.resize;
  const bool spreads = resize.shape.channels == 1;
  switch (resize.form) {
    case ResizeForm::copy:
      return put_pixels<4>(args, spreads, dst, [&](int y, int x, int c) {
        return image.pixels[y * resize.src_stride + x * resize.shape.channels + c];
      });
    case ResizeForm::nearest:
      return put_resized<4, NearestPixel>(args, image, spreads, dst);
    case ResizeForm::area_integer:
      return put_resized<1, AreaIntegerPixel>(args, image, spreads, dst);
    case ResizeForm::area:
      return put_pixels<1>(args, spreads, dst, [&](int y, int x, int c) {
        return AreaPixel::value(resize, image.x_share_begin, image.pixels, std::int64_t{y}, std::int64_t{x},
                                std::int64_t{c});
      });
    case ResizeForm::taps:
      break;
  }
  if (resize.taps == 2) return put_resized<2, TapsPixel<2>>(args, image, spreads, dst);
  if (resize.taps == 4) return put_resized<1, RowsOfTaps<4>>(args, image, spreads, dst);
  put_resized<1, RowsOfTaps<8>>(args, image, spreads, dst);
}

}  // namespace

Status image_batch(const ImageChainArgs& args, const std::byte* packed, void* dst, const Stream& stream) {
  const std::int64_t pixels = args.resize.shape.dst_height * args.resize.shape.dst_width;
  const dim3 grid(static_cast<unsigned>(ceil_div(pixels, kBatchBlock * kPixelsOfThread)),
                  static_cast<unsigned>(args.images));
  return with_float_type(args.out, [&](auto element) {
    using Out = decltype(element);
    return simt::launch(batch_pixels<Out>, grid, kBatchBlock, sizeof(BatchSmem), stream, args, packed,
                        static_cast<Out*>(dst));
  });
}

}  // namespace mxinfer::kernels::cuda
