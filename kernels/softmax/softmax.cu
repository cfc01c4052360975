#include <limits>

#include "kernels/cuda/dialect.h"
#include "kernels/cuda/line.h"
#include "kernels/softmax/softmax_cuda.h"

namespace mxinfer::kernels::cuda {
namespace {

template <int Threads>
__global__ void __launch_bounds__(kLineBlock)
    softmax_kernel(SoftmaxArgs args, float scale, std::int64_t lines, const float* src, float* dst,
                   const void* lengths) {
  LineSmem& smem = simt::shared_memory<LineSmem>();
  const int lane = line_lane<Threads>();
  for (std::int64_t k = first_line<Threads>(); k < lines; k += line_step<Threads>()) {
    const std::int64_t offset = k / args.inner * args.axis * args.inner + k % args.inner;
    const float* from = src + offset;
    float* to = dst + offset;
    const std::int64_t length = softmax_length(args, lengths, k);
    float largest = -std::numeric_limits<float>::infinity();
    for (std::int64_t i = lane; i < length; i += Threads)
      largest = fmaxf(largest, args.sign * from[i * args.inner]);
    largest = line_max<Threads>(smem, largest);
    float sum = 0;
    for (std::int64_t i = lane; i < length; i += Threads)
      sum += expf((args.sign * from[i * args.inner] - largest) * scale);
    sum = line_sum<Threads>(smem, sum);
    const float log_sum = args.log ? logf(sum) : 0.0f;
    for (std::int64_t i = lane; i < args.axis; i += Threads) {
      const float s = i < length ? (args.sign * from[i * args.inner] - largest) * scale : 0.0f;
      to[i * args.inner] = i >= length ? 0.0f : args.log ? s - log_sum : expf(s) / sum;
    }
  }
}

}  // namespace

Status softmax(const SoftmaxArgs& args, std::int64_t count, const float* src, float* dst, const void* lengths,
               const Stream& stream) {
  const auto scale = static_cast<float>(1 / args.temperature);
  return with_line_threads(args.axis, args.inner, [&](auto threads) {
    return simt::launch(softmax_kernel<threads()>, simt::grid_for(count, kLineBlock / threads()), kLineBlock,
                        sizeof(LineSmem), stream, args, scale, count, src, dst, lengths);
  });
}

}  // namespace mxinfer::kernels::cuda
