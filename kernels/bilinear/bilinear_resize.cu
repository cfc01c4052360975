#include "kernels/bilinear/bilinear_resize_cuda.h"
#include "kernels/cuda/dispatch.h"
#include "kernels/cuda/stored_floats.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;

__device__ __forceinline__ float blend(float a, float b, float share) {
  return simt::mul_rn(1.0f - share, a) + simt::mul_rn(share, b);
}

template <typename T, typename Index>
__global__ void __launch_bounds__(kBlock)
    blend_planes(BilinearResizeArgs args, Index count, const T* src, T* dst) {
  const auto width = static_cast<Index>(args.out_width), height = static_cast<Index>(args.out_height);
  for (Index i = static_cast<Index>(simt::first_index()); i < count;
       i += static_cast<Index>(simt::grid_step())) {
    const Index row = i / width;
    const BilinearTap y = args.rows[row % height], x = args.columns[i % width];
    const T* plane = src + row / height * args.in_height * args.in_width;
    const T* upper = plane + y.first * args.in_width;
    const T* lower = plane + y.next * args.in_width;
    const float above = blend(to_float(upper[x.first]), to_float(upper[x.next]), x.share);
    const float below = blend(to_float(lower[x.first]), to_float(lower[x.next]), x.share);
    dst[i] = to_stored<T>(blend(above, below, y.share));
  }
}

}  // namespace

Status bilinear_resize(const BilinearResizeArgs& args, FloatType type, const void* src, void* dst,
                       const Stream& stream) {
  const std::int64_t count = args.planes * args.out_height * args.out_width;
  return with_float_type(type, [&](auto element) {
    using T = decltype(element);
    return with_index(count, [&](auto index) {
      using Index = decltype(index);
      return simt::launch(blend_planes<T, Index>, simt::grid_for(count, kBlock), kBlock, 0, stream, args,
                          static_cast<Index>(count), static_cast<const T*>(src), static_cast<T*>(dst));
    });
  });
}

}  // namespace mxinfer::kernels::cuda
