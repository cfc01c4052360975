#include "kernels/cuda/dispatch.h"
#include "kernels/cuda/stored_floats.h"
#include "kernels/upsample/upsample_cuda.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;

/// Whole words instead of elements; `count` is the number of words of dst.
template <bool kAdds, typename T, typename Index>
__global__ void __launch_bounds__(kBlock) enlarge(UpsampleShape shape, Index count, const T* src, T* dst) {
  const auto inner = static_cast<Index>(shape.inner), scale = static_cast<Index>(shape.scale);
  const auto width = static_cast<Index>(shape.width), wide = width * scale;
  const auto height = static_cast<Index>(shape.height), high = height * scale;
  const Index per_image = static_cast<Index>(shape.channels) * high * wide * inner;
  for (Index i = static_cast<Index>(simt::first_index()); i < count;
       i += static_cast<Index>(simt::grid_step())) {
    const Index pixel = i / inner, row = pixel / wide, plane = row / high;
    const Index y = row % high / scale, x = pixel % wide / scale;
    const T value = src[((plane * height + y) * width + x) * inner + i % inner];
    const Index image = i / per_image;
    T* to = dst + image * shape.dst_image + i % per_image;
    if constexpr (kAdds) {
      *to = to_stored<T>(to_float(*to) + to_float(value));
    } else {
      *to = value;
    }
  }
}

template <bool kAdds, typename T>
Status launch_enlarge(const UpsampleShape& shape, const void* src, void* dst, const Stream& stream) {
  const std::int64_t count =
      shape.images * shape.channels * shape.height * shape.width * shape.inner * shape.scale * shape.scale;
  return with_index(count, [&](auto index) {
    using Index = decltype(index);
    return simt::launch(enlarge<kAdds, T, Index>, simt::grid_for(count, kBlock), kBlock, 0, stream, shape,
                        static_cast<Index>(count), static_cast<const T*>(src), static_cast<T*>(dst));
  });
}

}  // namespace

Status upsample(const UpsampleShape& shape, std::size_t element_bytes, const void* src, void* dst,
                const Stream& stream) {
  UpsampleShape words = shape;
  std::size_t bytes = element_bytes;
  if (shape.inner > 1) {  // the elements of a position move together
    const std::size_t inner_bytes = static_cast<std::size_t>(shape.inner) * element_bytes;
    const std::size_t image_bytes = static_cast<std::size_t>(shape.dst_image) * element_bytes;
    bytes = widest_word(inner_bytes | image_bytes, src, dst);
    words.inner = static_cast<std::int64_t>(inner_bytes / bytes);
    words.dst_image = static_cast<std::int64_t>(image_bytes / bytes);
  }
  return with_word(bytes,
                   [&](auto word) { return launch_enlarge<false, decltype(word)>(words, src, dst, stream); });
}

Status upsample_add(const UpsampleShape& shape, FloatType type, const void* src, void* dst,
                    const Stream& stream) {
  return with_float_type(
      type, [&](auto element) { return launch_enlarge<true, decltype(element)>(shape, src, dst, stream); });
}

}  // namespace mxinfer::kernels::cuda
