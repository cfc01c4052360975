#include "kernels/cuda/dialect.h"
#include "kernels/cuda/line.h"
#include "kernels/normalize/normalize_cuda.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;

// The sum of term(x) over a thread's elements of a line: four in float32, and those in double, so that long
// lines lose no digits.
template <int Threads, typename Term>
__device__ __forceinline__ double thread_sum(const float* line, std::int64_t length, std::int64_t inner,
                                             const Term& term) {
  double sum = 0;
  std::int64_t i = line_lane<Threads>();
  for (; i + 3 * Threads < length; i += 4 * Threads) {
    float x[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) x[k] = term(line[(i + k * Threads) * inner]);
    sum += static_cast<double>((x[0] + x[1]) + (x[2] + x[3]));
  }
  for (; i < length; i += Threads) sum += static_cast<double>(term(line[i * inner]));
  return sum;
}

template <int Threads, typename Term>
__device__ __forceinline__ float sum_of(LineSmem& smem, const float* line, std::int64_t length,
                                        std::int64_t inner, const Term& term) {
  return line_sum<Threads>(smem, static_cast<float>(thread_sum<Threads>(line, length, inner, term)));
}

template <int Threads>
__global__ void __launch_bounds__(kLineBlock) row_norm_kernel(RowNormArgs<float> args, std::int64_t rows) {
  LineSmem& smem = simt::shared_memory<LineSmem>();
  const auto length = static_cast<float>(args.length);
  for (std::int64_t row = first_line<Threads>(); row < rows; row += line_step<Threads>()) {
    const std::int64_t offset = row / args.inner * args.length * args.inner + row % args.inner;
    const float* src = args.src + offset;
    float* dst = args.dst + offset;
    const auto itself = [](float x) { return x; };
    const float mean = sum_of<Threads>(smem, src, args.length, args.inner, itself) / length;
    const auto squared = [mean](float x) { return (x - mean) * (x - mean); };
    const float squares = sum_of<Threads>(smem, src, args.length, args.inner, squared);
    const float std = sqrtf(squares / length + static_cast<float>(args.eps));
    for (std::int64_t i = line_lane<Threads>(); i < args.length; i += Threads) {
      const std::int64_t a = args.element_affine ? i : row % args.groups;
      dst[i * args.inner] = (src[i * args.inner] - mean) / std * args.gamma[a] + args.beta[a];
    }
    if (line_lane<Threads>() != 0) continue;
    if (args.mean != nullptr) args.mean[row] = mean;
    if (args.std != nullptr) args.std[row] = std;
  }
}

// Squares are summed in double: they leave the range of float32 though the norm does not.
template <int Threads>
__device__ __forceinline__ double sum_of_squares(const float* line, std::int64_t length, std::int64_t inner) {
  double sum = 0;
  for (std::int64_t i = line_lane<Threads>(); i < length; i += Threads) {
    const auto x = static_cast<double>(line[i * inner]);
    sum += x * x;
  }
  return sum;
}

template <int Threads>
__global__ void __launch_bounds__(kLineBlock) l2_norm_kernel(L2NormArgs args, const float* src, float* dst) {
  LineSmem& smem = simt::shared_memory<LineSmem>();
  for (std::int64_t k = first_line<Threads>(); k < args.lines; k += line_step<Threads>()) {
    const std::int64_t offset = k / args.inner * args.length * args.inner + k % args.inner;
    const float* from = src + offset;
    // The root of a thread's sum is in range; the others' are joined relative to the largest.
    const double mine = sqrt(sum_of_squares<Threads>(from, args.length, args.inner));
    const float largest = line_max<Threads>(smem, static_cast<float>(mine));
    const bool scales = largest > 0 && largest < 3e38f;
    const double part = scales ? mine / static_cast<double>(largest) : mine;
    const double sum = static_cast<double>(line_sum<Threads>(smem, static_cast<float>(part * part)));
    const double squares = scales ? sum * largest * largest : sum;
    const auto norm = static_cast<float>(sqrt(squares + args.eps));
    for (std::int64_t i = line_lane<Threads>(); i < args.length; i += Threads)
      dst[offset + i * args.inner] = from[i * args.inner] / norm;
  }
}

__global__ void __launch_bounds__(kBlock) lrn_kernel(LrnArgs args, std::int64_t count) {
  const std::int64_t reach = args.size / 2;
  const float factor = args.alpha / static_cast<float>(args.size);
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const std::int64_t c = i / args.inner % args.channels;
    const std::int64_t first = c < reach ? -c : -reach;
    const std::int64_t last = args.channels - 1 - c < reach ? args.channels - 1 - c : reach;
    float squares = 0;
    for (std::int64_t k = first; k <= last; ++k) {
      const float x = args.src[i + k * args.inner];
      squares += x * x;
    }
    args.dst[i] = args.src[i] * powf(args.knorm + factor * squares, -args.beta);
  }
}

}  // namespace

Status row_norm(const RowNormArgs<float>& args, std::int64_t rows, const Stream& stream) {
  return with_line_threads(args.length, args.inner, [&](auto threads) {
    return simt::launch(row_norm_kernel<threads()>, simt::grid_for(rows, kLineBlock / threads()), kLineBlock,
                        sizeof(LineSmem), stream, args, rows);
  });
}

Status l2_norm(const L2NormArgs& args, const float* src, float* dst, const Stream& stream) {
  return with_line_threads(args.length, args.inner, [&](auto threads) {
    return simt::launch(l2_norm_kernel<threads()>, simt::grid_for(args.lines, kLineBlock / threads()),
                        kLineBlock, sizeof(LineSmem), stream, args, src, dst);
  });
}

Status lrn(const LrnArgs& args, std::int64_t rows, const Stream& stream) {
  const std::int64_t count = rows * args.inner;
  return simt::launch(lrn_kernel, simt::grid_for(count, kBlock), kBlock, 0, stream, args, count);
}

}  // namespace mxinfer::kernels::cuda
