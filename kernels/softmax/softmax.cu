#include <limits>

#include "kernels/cuda/line_vectors.h"
#include "kernels/softmax/softmax_cuda.h"

namespace mxinfer::kernels::cuda {
namespace {

template <int Threads, typename T>
__global__ void __launch_bounds__(kLineBlock)
    softmax_kernel(SoftmaxArgs args, float scale, std::int64_t lines, const T* src, T* dst,
                   const void* lengths) {
  LineSmem& smem = simt::shared_memory<LineSmem>();
  const int lane = line_lane<Threads>();
  for (std::int64_t k = first_line<Threads>(); k < lines; k += line_step<Threads>()) {
    const std::int64_t offset = k / args.inner * args.axis * args.inner + k % args.inner;
    const T* from = src + offset;
    T* to = dst + offset;
    const std::int64_t length = softmax_length(args, lengths, k);
    float largest = -std::numeric_limits<float>::infinity();
    for (std::int64_t i = lane; i < length; i += Threads)
      largest = fmaxf(largest, args.sign * to_float(from[i * args.inner]));
    largest = line_max<Threads>(smem, largest);
    float sum = 0;
    for (std::int64_t i = lane; i < length; i += Threads)
      sum += expf((args.sign * to_float(from[i * args.inner]) - largest) * scale);
    sum = line_sum<Threads>(smem, sum);
    const float log_sum = args.log ? logf(sum) : 0.0f;
    for (std::int64_t i = lane; i < args.axis; i += Threads) {
      const float s = i < length ? (args.sign * to_float(from[i * args.inner]) - largest) * scale : 0.0f;
      to[i * args.inner] = to_stored<T>(i >= length ? 0.0f : args.log ? s - log_sum : expf(s) / sum);
    }
  }
}

// Lines that fit into registers: they are read once, and each exponential is computed once.
template <typename T, int Threads, int kVectors>
__global__ void __launch_bounds__(kLineBlock)
    softmax_vectors(SoftmaxArgs args, float scale, std::int64_t lines, const T* src, T* dst,
                    const void* lengths) {
  LineSmem& smem = simt::shared_memory<LineSmem>();
  for (std::int64_t k = first_line<Threads>(); k < lines; k += line_step<Threads>()) {
    LineVectors<T, Threads, kVectors> line;
    line.load(src + k * args.axis, args.axis);
    const std::int64_t length = softmax_length(args, lengths, k);
    float largest = -std::numeric_limits<float>::infinity();
    line.each(args.axis, [&](float& x, std::int64_t i) {
      x *= args.sign;
      if (i < length) largest = fmaxf(largest, x);
    });
    largest = line_max<Threads>(smem, largest);
    float sum = 0;
    line.each(args.axis, [&](float& x, std::int64_t i) {
      x = (x - largest) * scale;
      const float power = i < length ? expf(x) : 0.0f;
      sum += power;
      if (!args.log) x = power;
    });
    sum = line_sum<Threads>(smem, sum);
    const float log_sum = args.log ? logf(sum) : 0.0f;
    line.each(args.axis, [&](float& x, std::int64_t i) {
      x = i >= length ? 0.0f : args.log ? x - log_sum : x / sum;
    });
    line.store(dst + k * args.axis, args.axis);
  }
}

}  // namespace

Status softmax(const SoftmaxArgs& args, FloatType type, std::int64_t count, const void* src, void* dst,
               const void* lengths, const Stream& stream) {
  const auto scale = static_cast<float>(1 / args.temperature);
  return with_float_type(type, [&](auto element) {
    using T = decltype(element);
    const auto* from = static_cast<const T*>(src);
    auto* to = static_cast<T*>(dst);
    if (fits_registers<T>(args.axis, args.inner, src, dst)) {
      return with_line_vectors<T>(args.axis, [&](auto threads, auto vectors) {
        return simt::launch(softmax_vectors<T, threads(), vectors()>,
                            simt::grid_for(count, kLineBlock / threads()), kLineBlock, sizeof(LineSmem),
                            stream, args, scale, count, from, to, lengths);
      });
    }
    return with_line_threads(args.axis, args.inner, [&](auto threads) {
      return simt::launch(softmax_kernel<threads(), T>, simt::grid_for(count, kLineBlock / threads()),
                          kLineBlock, sizeof(LineSmem), stream, args, scale, count, from, to, lengths);
    });
  });
}

}  // namespace mxinfer::kernels::cuda
