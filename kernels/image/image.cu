#include <type_traits>

#include "kernels/cuda/dialect.h"
#include "kernels/cuda/dispatch.h"
#include "kernels/image/image_cuda.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;

/// A thread has a word of a pixel: `words` in each, `count` in dst.
template <typename T, typename Index>
__global__ void __launch_bounds__(kBlock)
    border_elements(ImageBorderArgs args, Index words, Index count, const T* src, const T* pixel, T* dst) {
  const auto width = static_cast<Index>(args.dst_width), height = static_cast<Index>(args.dst_height);
  for (Index i = static_cast<Index>(simt::first_index()); i < count;
       i += static_cast<Index>(simt::grid_step())) {
    const Index word = i % words, at = i / words, row = at / width;
    const std::int64_t y =
        border_index(static_cast<std::int64_t>(row % height) - args.top, args.src_height, args.mode);
    const std::int64_t x =
        border_index(static_cast<std::int64_t>(at % width) - args.left, args.src_width, args.mode);
    const std::int64_t image = row / height;
    dst[i] = y < 0 || x < 0 ? pixel[word]
                            : src[((image * args.src_height + y) * args.src_width + x) * words + word];
  }
}

/// With the roundings of the CPU.
__device__ __forceinline__ float grey_of(float r, float g, float b) {
  return simt::add_rn(simt::add_rn(simt::mul_rn(0.299f, r), simt::mul_rn(0.587f, g)),
                      simt::mul_rn(0.114f, b));
}
__device__ __forceinline__ std::uint8_t grey_of(std::uint8_t r, std::uint8_t g, std::uint8_t b) {
  return static_cast<std::uint8_t>((4899 * r + 9617 * g + 1868 * b + 8192) >> 14);
}

/// A thread has a pixel.
template <typename T>
__global__ void __launch_bounds__(kBlock)
    convert_pixels(ColorConversion conversion, std::int64_t pixels, const T* src, T* dst) {
  for (std::int64_t i = simt::first_index(); i < pixels; i += simt::grid_step()) {
    if (conversion == ColorConversion::from_grey) {
      dst[3 * i] = dst[3 * i + 1] = dst[3 * i + 2] = src[i];
      continue;
    }
    const T a = src[3 * i], b = src[3 * i + 1], c = src[3 * i + 2];
    if (conversion == ColorConversion::swap) {
      dst[3 * i] = c;
      dst[3 * i + 1] = b;
      dst[3 * i + 2] = a;
    } else {
      dst[i] = conversion == ColorConversion::rgb_to_grey ? grey_of(a, b, c) : grey_of(c, b, a);
    }
  }
}

template <typename T>
Status launch_conversion(ColorConversion conversion, std::int64_t pixels, const void* src, void* dst,
                         const Stream& stream) {
  return simt::launch(convert_pixels<T>, simt::grid_for(pixels, kBlock), kBlock, 0, stream, conversion,
                      pixels, static_cast<const T*>(src), static_cast<T*>(dst));
}

}  // namespace

Status image_border(const ImageBorderArgs& args, std::int64_t images, const void* src, const void* pixel,
                    void* dst, const Stream& stream) {
  const std::size_t bytes = widest_word(
      static_cast<std::size_t>(args.pixel_bytes) | reinterpret_cast<std::uintptr_t>(pixel), src, dst);
  const std::int64_t words = args.pixel_bytes / static_cast<std::int64_t>(bytes);
  const std::int64_t count = images * args.dst_height * args.dst_width * words;
  return with_word(bytes, [&](auto word) {
    using T = decltype(word);
    return with_index(count, [&](auto index) {
      using Index = decltype(index);
      return simt::launch(border_elements<T, Index>, simt::grid_for(count, kBlock), kBlock, 0, stream, args,
                          static_cast<Index>(words), static_cast<Index>(count), static_cast<const T*>(src),
                          static_cast<const T*>(pixel), static_cast<T*>(dst));
    });
  });
}

Status convert_color(ElementType type, ColorConversion conversion, std::int64_t pixels, const void* src,
                     void* dst, const Stream& stream) {
  return type == ElementType::uint8 ? launch_conversion<std::uint8_t>(conversion, pixels, src, dst, stream)
                                    : launch_conversion<float>(conversion, pixels, src, dst, stream);
}

}  // namespace mxinfer::kernels::cuda
