#include "kernels/cuda/dispatch.h"
#include "kernels/scan/cumulative_sum_cuda.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;

/// T is unsigned for integers, which wrap around.
template <typename T>
__global__ void __launch_bounds__(kBlock) sum_lines(CumulativeSumArgs args, std::int64_t lines) {
  for (std::int64_t line = simt::first_index(); line < lines; line += simt::grid_step()) {
    const std::int64_t first = line / args.inner * args.length * args.inner + line % args.inner;
    const T* src = static_cast<const T*>(args.src) + first;
    T* dst = static_cast<T*>(args.dst) + first;
    T sum = src[0];
    dst[0] = sum;
    for (std::int64_t a = 1; a < args.length; ++a) {
      sum += src[a * args.inner];
      dst[a * args.inner] = sum;
    }
  }
}

}  // namespace

Status cumulative_sum(const CumulativeSumArgs& args, ElementType type, std::int64_t lines,
                      const Stream& stream) {
  const auto run = [&](auto zero) {
    return simt::launch(sum_lines<decltype(zero)>, simt::grid_for(lines, kBlock), kBlock, 0, stream, args,
                        lines);
  };
  if (type == ElementType::int32) return run(std::uint32_t{});
  return type == ElementType::int64 ? run(std::uint64_t{}) : run(float{});
}

}  // namespace mxinfer::kernels::cuda
