#include "kernels/bilinear/bilinear_resize_cuda.h"
#include "kernels/cuda/dispatch.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;

__device__ __forceinline__ float blend(float a, float b, float share) {
  return simt::mul_rn(1.0f - share, a) + simt::mul_rn(share, b);
}

template <typename Index>
__global__ void __launch_bounds__(kBlock)
    blend_planes(BilinearResizeArgs args, Index count, const float* src, float* dst) {
  const auto width = static_cast<Index>(args.out_width), height = static_cast<Index>(args.out_height);
  for (Index i = static_cast<Index>(simt::first_index()); i < count;
       i += static_cast<Index>(simt::grid_step())) {
    const Index row = i / width;
    const BilinearTap y = args.rows[row % height], x = args.columns[i % width];
    const float* plane = src + row / height * args.in_height * args.in_width;
    const float* upper = plane + y.first * args.in_width;
    const float* lower = plane + y.next * args.in_width;
    dst[i] = blend(blend(upper[x.first], upper[x.next], x.share),
                   blend(lower[x.first], lower[x.next], x.share), y.share);
  }
}

}  // namespace

Status bilinear_resize(const BilinearResizeArgs& args, const float* src, float* dst, const Stream& stream) {
  const std::int64_t count = args.planes * args.out_height * args.out_width;
  return with_index(count, [&](auto index) {
    using Index = decltype(index);
    return simt::launch(blend_planes<Index>, simt::grid_for(count, kBlock), kBlock, 0, stream, args,
                        static_cast<Index>(count), src, dst);
  });
}

}  // namespace mxinfer::kernels::cuda
