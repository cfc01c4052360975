#include "kernels/cuda/dispatch.h"
#include "kernels/cuda/float_vectors.h"
#include "kernels/cuda/line_vectors.h"
#include "kernels/normalize/normalize_cuda.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;

// The sum of term(x) over a thread's elements of a line: four in float32, and those in double, so that long
// lines lose no digits.
template <int Threads, typename T, typename Term>
__device__ __forceinline__ double thread_sum(const T* line, std::int64_t length, std::int64_t inner,
                                             const Term& term) {
  double sum = 0;
  std::int64_t i = line_lane<Threads>();
  for (; i + 3 * Threads < length; i += 4 * Threads) {
    float x[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) x[k] = term(to_float(line[(i + k * Threads) * inner]));
    sum += static_cast<double>((x[0] + x[1]) + (x[2] + x[3]));
  }
  for (; i < length; i += Threads) sum += static_cast<double>(term(to_float(line[i * inner])));
  return sum;
}

template <int Threads, typename T, typename Term>
__device__ __forceinline__ float sum_of(LineSmem& smem, const T* line, std::int64_t length,
                                        std::int64_t inner, const Term& term) {
  return line_sum<Threads>(smem, static_cast<float>(thread_sum<Threads>(line, length, inner, term)));
}

__device__ __forceinline__ void store_statistics(const RowNormArgs<float>& args, std::int64_t row, float mean,
                                                 float std) {
  if (args.mean != nullptr) args.mean[row] = mean;
  if (args.std != nullptr) args.std[row] = std;
}

template <int Threads, typename T>
__global__ void __launch_bounds__(kLineBlock)
    row_norm_kernel(RowNormArgs<float> args, std::int64_t rows, const T* all_src, T* all_dst) {
  LineSmem& smem = simt::shared_memory<LineSmem>();
  const auto length = static_cast<float>(args.length);
  for (std::int64_t row = first_line<Threads>(); row < rows; row += line_step<Threads>()) {
    const std::int64_t offset = row / args.inner * args.length * args.inner + row % args.inner;
    const T* src = all_src + offset;
    T* dst = all_dst + offset;
    const auto itself = [](float x) { return x; };
    const float mean = sum_of<Threads>(smem, src, args.length, args.inner, itself) / length;
    const auto squared = [mean](float x) { return (x - mean) * (x - mean); };
    const float squares = sum_of<Threads>(smem, src, args.length, args.inner, squared);
    const float std = sqrtf(squares / length + static_cast<float>(args.eps));
    for (std::int64_t i = line_lane<Threads>(); i < args.length; i += Threads) {
      const std::int64_t a = args.element_affine ? i : row % args.groups;
      const float x = to_float(src[i * args.inner]);
      dst[i * args.inner] = to_stored<T>((x - mean) / std * args.gamma[a] + args.beta[a]);
    }
    if (line_lane<Threads>() == 0) store_statistics(args, row, mean, std);
  }
}

// (x - mean) * factor * gamma + beta. `group`: of the row, without element_affine.
template <typename T, int Threads, int kVectors>
__device__ __forceinline__ void scale_row(const RowNormArgs<float>& args, std::int64_t group, float mean,
                                          float factor, LineVectors<T, Threads, kVectors>& line) {
  if (!args.element_affine) {
    const float gamma = args.gamma[group], beta = args.beta[group];
    line.each(args.length, [&](float& x, std::int64_t) { x = (x - mean) * factor * gamma + beta; });
    return;
  }
#pragma unroll
  for (int v = 0; v < kVectors; ++v) {
    // Without a branch, so that loads do not wait for each other.
    const std::int64_t first = line.first_of(v), at = first < args.length ? first : 0;
    float gamma[kVector<T>], beta[kVector<T>];
    load_floats(args.gamma + at, gamma);
    load_floats(args.beta + at, beta);
#pragma unroll
    for (int i = 0; i < kVector<T>; ++i)
      line.values[v][i] = (line.values[v][i] - mean) * factor * gamma[i] + beta[i];
  }
}

// Rows that fit into registers, which are read once.
template <typename T, int Threads, int kVectors>
__global__ void __launch_bounds__(kLineBlock, 2)
    row_norm_vectors(RowNormArgs<float> args, std::int64_t rows, const T* src, T* dst) {
  LineSmem& smem = simt::shared_memory<LineSmem>();
  const auto length = static_cast<float>(args.length);
  for (std::int64_t row = first_line<Threads>(); row < rows; row += line_step<Threads>()) {
    // A call, which would save the elements of the row, if it had them.
    const std::int64_t group = args.element_affine ? 0 : row % args.groups;
    LineVectors<T, Threads, kVectors> line;
    line.load(src + row * args.length, args.length);
    float sum = 0, squares = 0;
    line.each(args.length, [&](float x, std::int64_t) { sum += x; });
    const float mean = line_sum<Threads>(smem, sum) / length;
    line.each(args.length, [&](float x, std::int64_t) { squares += (x - mean) * (x - mean); });
    const float std = sqrtf(line_sum<Threads>(smem, squares) / length + static_cast<float>(args.eps));
    const float factor = 1.0f / std;
    scale_row(args, group, mean, factor, line);
    line.store(dst + row * args.length, args.length);
    if (line_lane<Threads>() == 0) store_statistics(args, row, mean, std);
  }
}

// Squares are summed in double: they leave the range of float32 though the norm does not.
template <int Threads, typename T>
__device__ __forceinline__ double sum_of_squares(const T* line, std::int64_t length, std::int64_t inner) {
  double sum = 0;
  for (std::int64_t i = line_lane<Threads>(); i < length; i += Threads) {
    const auto x = static_cast<double>(to_float(line[i * inner]));
    sum += x * x;
  }
  return sum;
}

template <int Threads, typename T>
__global__ void __launch_bounds__(kLineBlock) l2_norm_kernel(L2NormArgs args, const T* src, T* dst) {
  LineSmem& smem = simt::shared_memory<LineSmem>();
  for (std::int64_t k = first_line<Threads>(); k < args.lines; k += line_step<Threads>()) {
    const std::int64_t offset = k / args.inner * args.length * args.inner + k % args.inner;
    const T* from = src + offset;
    // The root of a thread's sum is in range; the others' are joined relative to the largest.
    const double mine = sqrt(sum_of_squares<Threads>(from, args.length, args.inner));
    const float largest = line_max<Threads>(smem, static_cast<float>(mine));
    const bool scales = largest > 0 && largest < 3e38f;
    const double part = scales ? mine / static_cast<double>(largest) : mine;
    const double sum = static_cast<double>(line_sum<Threads>(smem, static_cast<float>(part * part)));
    const double squares = scales ? sum * largest * largest : sum;
    const auto norm = static_cast<float>(sqrt(squares + args.eps));
    for (std::int64_t i = line_lane<Threads>(); i < args.length; i += Threads)
      dst[offset + i * args.inner] = to_stored<T>(to_float(from[i * args.inner]) / norm);
  }
}

template <typename T>
__global__ void __launch_bounds__(kBlock) lrn_kernel(LrnArgs args, std::int64_t count, const T* src, T* dst) {
  const std::int64_t reach = args.size / 2;
  const float factor = args.alpha / static_cast<float>(args.size);
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const std::int64_t c = i / args.inner % args.channels;
    const std::int64_t first = c < reach ? -c : -reach;
    const std::int64_t last = args.channels - 1 - c < reach ? args.channels - 1 - c : reach;
    float squares = 0;
    for (std::int64_t k = first; k <= last; ++k) {
      const float x = to_float(src[i + k * args.inner]);
      squares += x * x;
    }
    dst[i] = to_stored<T>(to_float(src[i]) * powf(args.knorm + factor * squares, -args.beta));
  }
}

}  // namespace

Status row_norm(const RowNormArgs<float>& args, FloatType type, std::int64_t rows, const void* src, void* dst,
                const Stream& stream) {
  return with_float_type(type, [&](auto element) {
    using T = decltype(element);
    const auto* from = static_cast<const T*>(src);
    auto* to = static_cast<T*>(dst);
    const bool reads_vectors =
        !args.element_affine || (is_vector_aligned(args.gamma) && is_vector_aligned(args.beta));
    if (reads_vectors && fits_registers<T>(args.length, args.inner, src, dst)) {
      return with_line_vectors<T>(args.length, [&](auto threads, auto vectors) {
        return simt::launch(row_norm_vectors<T, threads(), vectors()>,
                            simt::grid_for(rows, kLineBlock / threads()), kLineBlock, sizeof(LineSmem),
                            stream, args, rows, from, to);
      });
    }
    return with_line_threads(args.length, args.inner, [&](auto threads) {
      return simt::launch(row_norm_kernel<threads(), T>, simt::grid_for(rows, kLineBlock / threads()),
                          kLineBlock, sizeof(LineSmem), stream, args, rows, from, to);
    });
  });
}

Status l2_norm(const L2NormArgs& args, FloatType type, const void* src, void* dst, const Stream& stream) {
  return with_float_type(type, [&](auto element) {
    using T = decltype(element);
    return with_line_threads(args.length, args.inner, [&](auto threads) {
      return simt::launch(l2_norm_kernel<threads(), T>, simt::grid_for(args.lines, kLineBlock / threads()),
                          kLineBlock, sizeof(LineSmem), stream, args, static_cast<const T*>(src),
                          static_cast<T*>(dst));
    });
  });
}

Status lrn(const LrnArgs& args, FloatType type, std::int64_t rows, const void* src, void* dst,
           const Stream& stream) {
  const std::int64_t count = rows * args.inner;
  return with_float_type(type, [&](auto element) {
    using T = decltype(element);
    return simt::launch(lrn_kernel<T>, simt::grid_for(count, kBlock), kBlock, 0, stream, args, count,
                        static_cast<const T*>(src), static_cast<T*>(dst));
  });
}

}  // namespace mxinfer::kernels::cuda
