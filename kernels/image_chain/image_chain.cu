#include "kernels/cuda/dispatch.h"
#include "kernels/cuda/stored_floats.h"
#include "kernels/image_chain/image_chain_cuda.h"
#include "kernels/resize/resize_pixel_device.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;

/// Where a value of the resized window comes from, by the form of the resize.
struct Copied {
  template <typename T>
  static __device__ __forceinline__ T value(const ImageChainArgs& args, const T* image, std::int64_t y,
                                            std::int64_t x, std::int64_t c) {
    return image[y * args.resize.src_stride + x * args.src_pixel_step + c * args.src_channel_step];
  }
};
struct OfArea {
  template <typename T>
  static __device__ __forceinline__ T value(const ImageChainArgs& args, const T* image, std::int64_t y,
                                            std::int64_t x, std::int64_t c) {
    return AreaPixel::value(args.resize, args.x_share_begin, image, y, x, c);
  }
};
template <typename Pixel>
struct Resized {
  template <typename T>
  static __device__ __forceinline__ T value(const ImageChainArgs& args, const T* image, std::int64_t y,
                                            std::int64_t x, std::int64_t c) {
    return Pixel::value(args.resize, image, y, x, c);
  }
};

__device__ __forceinline__ float converted(const ImageChainArgs& args, std::uint8_t value, std::int64_t c) {
  return args.table[c * 256 + value];
}

__device__ __forceinline__ float converted(const ImageChainArgs& args, float value, std::int64_t c) {
  if (args.first == ChainFirst::share_of_255) value = value / 255.0f;
  for (int s = 0; s < args.steps.count; ++s) {
    const float number = args.steps.numbers[s * args.channels + c];
    switch (args.steps.ops[s]) {
      case ChainOp::add:
        value = value + number;
        break;
      case ChainOp::subtract:
        value = value - number;
        break;
      case ChainOp::multiply:
        value = simt::mul_rn(value, number);
        break;
      case ChainOp::divide:
        value = value / number;
        break;
    }
  }
  return value;
}

/// What an element becomes in the output.
template <bool kConverts, typename Out, typename T>
__device__ __forceinline__ Out finished(const ImageChainArgs& args, T value, std::int64_t c) {
  if constexpr (kConverts) {
    return to_stored<Out>(converted(args, value, c));
  } else {
    return value;
  }
}

/// A thread has a pixel with its channels. `count` is the number of pixels.
template <typename From, bool kConverts, typename T, typename Out, typename Index>
__global__ void __launch_bounds__(kBlock)
    chain_pixels(ImageChainArgs args, Index count, const T* src, Out* dst) {
  const auto width = static_cast<Index>(args.resize.shape.dst_width);
  const auto height = static_cast<Index>(args.resize.shape.dst_height);
  const bool spreads = args.resize.shape.channels == 1;
  for (Index i = static_cast<Index>(simt::first_index()); i < count;
       i += static_cast<Index>(simt::grid_step())) {
    const Index row = i / width;
    const std::int64_t x = i % width, y = row % height, n = row / height;
    const T* image = src + args.src_offset + n * args.src_image_step;
    Out* out =
        dst + args.dst_offset + n * args.dst_image_step + y * args.dst_row_step + x * args.dst_pixel_step;
    T value{};
    for (std::int64_t c = 0; c < args.channels; ++c) {
      if (c == 0 || !spreads) value = From::value(args, image, y, x, c);
      out[c * args.dst_channel_step] = finished<kConverts, Out>(args, value, c);
    }
  }
}

template <typename From, typename T>
Status launch_chain(const ImageChainArgs& args, const T* src, void* dst, const Stream& stream) {
  const std::int64_t count = args.images * args.resize.shape.dst_height * args.resize.shape.dst_width;
  return with_index(count, [&](auto index) {
    using Index = decltype(index);
    const dim3 grid = simt::grid_for(count, kBlock);
    const auto pixels = static_cast<Index>(count);
    if (args.converts) {
      return with_float_type(args.out, [&](auto element) {
        using Out = decltype(element);
        return simt::launch(chain_pixels<From, true, T, Out, Index>, grid, kBlock, 0, stream, args, pixels,
                            src, static_cast<Out*>(dst));
      });
    }
    return simt::launch(chain_pixels<From, false, T, T, Index>, grid, kBlock, 0, stream, args, pixels, src,
                        static_cast<T*>(dst));
  });
}

template <typename T>
Status chain(const ImageChainArgs& args, const T* src, void* dst, const Stream& stream) {
  switch (args.resize.form) {
    case ResizeForm::copy:
      return launch_chain<Copied>(args, src, dst, stream);
    case ResizeForm::nearest:
      return launch_chain<Resized<NearestPixel>>(args, src, dst, stream);
    case ResizeForm::area_integer:
      return launch_chain<Resized<AreaIntegerPixel>>(args, src, dst, stream);
    case ResizeForm::area:
      return launch_chain<OfArea>(args, src, dst, stream);
    case ResizeForm::taps:
      break;
  }
  if (args.resize.taps == 2) return launch_chain<Resized<TapsPixel<2>>>(args, src, dst, stream);
  if (args.resize.taps == 4) return launch_chain<Resized<TapsPixel<4>>>(args, src, dst, stream);
  return launch_chain<Resized<TapsPixel<8>>>(args, src, dst, stream);
}

}  // namespace

Status image_chain_u8(const ImageChainArgs& args, const std::uint8_t* src, void* dst, const Stream& stream) {
  return chain(args, src, dst, stream);
}

Status image_chain_f32(const ImageChainArgs& args, const float* src, void* dst, const Stream& stream) {
  return chain(args, src, dst, stream);
}

}  // namespace mxinfer::kernels::cuda
