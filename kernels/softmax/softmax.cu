#include <limits>
#include <type_traits>

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

/// Of `Threads` lanes side by side, at most a warp; all lanes of the warp call it together.
template <int Threads, typename Join>
__device__ __forceinline__ float joined(float x, const Join& join) {
#pragma unroll
  for (int step = Threads / 2; step > 0; step /= 2) x = join(x, __shfl_xor_sync(simt::kAllLanes, x, step));
  return x;
}

constexpr int kMostOfShort = 32;  ///< elements of a thread, of all of its lines
constexpr int kMostLines = 4;

/// What a thread has of its lines: `Threads` threads share a line, and have kLines of them at a time.
template <typename T, int Threads, int kVectors, int kLines>
struct ShortLines {
  float values[kLines][kVectors][kVector<T>];
  std::int64_t first_line;
  int lane;

  __device__ __forceinline__ std::int64_t line(int k) const {
    return first_line + k * (kLineBlock / Threads);
  }
  /// The place in its line of the first element of a vector.
  __device__ __forceinline__ int place(int v) const { return (v * Threads + lane) * kVector<T>; }

  /// Sets the thread's place. The first line of its warp: if there is none, the warp has no lines.
  __device__ __forceinline__ std::int64_t place_thread() {
    lane = static_cast<int>(threadIdx.x) % Threads;
    const std::int64_t of_block = static_cast<std::int64_t>(blockIdx.x) * (kLineBlock / Threads * kLines);
    first_line = of_block + threadIdx.x / Threads;
    return of_block + threadIdx.x / simt::kWarp * simt::kWarp / Threads;
  }
  /// `safe_line`: what lanes without a line read. No other warp may write it: dst may be src.
  __device__ __forceinline__ void load(const T* src, std::int64_t lines, std::int64_t safe_line, int axis) {
    // Without branches, so that loads do not wait for each other.
#pragma unroll
    for (int k = 0; k < kLines; ++k) {
      const T* from = src + (line(k) < lines ? line(k) : safe_line) * axis;
#pragma unroll
      for (int v = 0; v < kVectors; ++v) load_vector(from + (place(v) < axis ? place(v) : 0), values[k][v]);
    }
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      const bool is_there = place(v) < axis;  // else it changes neither the largest nor the sum
#pragma unroll
      for (int i = 0; i < kLines * kVector<T>; ++i) {
        float& x = values[i / kVector<T>][v][i % kVector<T>];
        x = is_there ? x : -std::numeric_limits<float>::infinity();
      }
    }
  }
  __device__ __forceinline__ void store(T* dst, std::int64_t lines, int axis) const {
#pragma unroll
    for (int k = 0; k < kLines; ++k) {
#pragma unroll
      for (int v = 0; v < kVectors; ++v) {
        if (line(k) < lines && place(v) < axis) store_vector(dst + line(k) * axis + place(v), values[k][v]);
      }
    }
  }
  /// Calls body with each element of a line.
  template <typename Body>
  __device__ __forceinline__ void each(int k, const Body& body) {
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
#pragma unroll
      for (int i = 0; i < kVector<T>; ++i) body(values[k][v][i], place(v) + i);
    }
  }
};

/// exp(x), as exact as T.
template <typename T>
__device__ __forceinline__ float power_of(float x) {
  return std::is_same_v<T, float> ? expf(x) : simt::nearly_exp(x);
}

// Lines of whole vectors that a warp or a part of it keeps in registers. A thread has several lines at a
// time, whose loads and exchanges do not wait for each other. kLengths: lines have lengths of their own.
template <typename T, int Threads, int kVectors, int kLines, bool kLengths>
__global__ void __launch_bounds__(kLineBlock) softmax_short(SoftmaxArgs args, float scale, std::int64_t lines,
                                                            const T* src, T* dst, const void* lengths) {
  const auto axis = static_cast<int>(args.axis);
  ShortLines<T, Threads, kVectors, kLines> mine;
  const std::int64_t of_warp = mine.place_thread();
  if (of_warp >= lines) return;
  mine.load(src, lines, of_warp, axis);
  float largest[kLines], sum[kLines];
  int length[kLines];
#pragma unroll
  for (int k = 0; k < kLines; ++k) {
    length[k] = axis;
    if (kLengths && mine.line(k) < lines)
      length[k] = static_cast<int>(softmax_length(args, lengths, mine.line(k)));
    largest[k] = -std::numeric_limits<float>::infinity();
    mine.each(k, [&](float& x, int i) {
      const bool is_there = i < axis;  // signs of what is not there would matter
      if (args.sign < 0.0f) x = is_there ? -x : x;
      if (!kLengths || i < length[k]) largest[k] = fmaxf(largest[k], x);
    });
  }
#pragma unroll
  for (int k = 0; k < kLines; ++k)
    largest[k] = joined<Threads>(largest[k], [](float x, float y) { return fmaxf(x, y); });
#pragma unroll
  for (int k = 0; k < kLines; ++k) {
    sum[k] = 0;
    mine.each(k, [&](float& x, int i) {
      x = (x - largest[k]) * scale;
      const float power = !kLengths || i < length[k] ? power_of<T>(x) : 0.0f;
      sum[k] += power;
      if (!args.log) x = power;
    });
  }
#pragma unroll
  for (int k = 0; k < kLines; ++k) sum[k] = joined<Threads>(sum[k], [](float x, float y) { return x + y; });
#pragma unroll
  for (int k = 0; k < kLines; ++k) {
    const float log_sum = args.log ? logf(sum[k]) : 0.0f, factor = 1.0f / sum[k];
    mine.each(k, [&](float& x, int i) {
      const float y = args.log ? x - log_sum : x * factor;
      x = !kLengths || i < length[k] ? y : 0.0f;
    });
  }
  __syncwarp();  // all lanes have read what others store now
  mine.store(dst, lines, axis);
}

template <typename T, int Threads, int kVectors>
Status launch_short(const SoftmaxArgs& args, std::int64_t lines, const T* src, T* dst, const void* lengths,
                    const Stream& stream) {
  constexpr int kFitting = kMostOfShort / (kVectors * kVector<T>);
  constexpr int kLines = kFitting < kMostLines ? kFitting : kMostLines,
                kOfBlock = kLineBlock / Threads * kLines;
  const auto scale = static_cast<float>(1 / args.temperature);
  const dim3 grid(static_cast<unsigned>((lines + kOfBlock - 1) / kOfBlock));
  if (lengths != nullptr) {
    return simt::launch(softmax_short<T, Threads, kVectors, kLines, true>, grid, kLineBlock, 0, stream, args,
                        scale, lines, src, dst, lengths);
  }
  return simt::launch(softmax_short<T, Threads, kVectors, kLines, false>, grid, kLineBlock, 0, stream, args,
                      scale, lines, src, dst, lengths);
}

/// Lines of fits_registers() that a warp has room for.
template <typename T>
bool is_short(std::int64_t axis) {
  return axis <= simt::kWarp * kMostOfShort;
}

template <typename T>
Status launch_short(const SoftmaxArgs& args, std::int64_t lines, const T* src, T* dst, const void* lengths,
                    const Stream& stream) {
  const std::int64_t vectors = args.axis / kVector<T>;
  const auto with = [&](auto threads, auto of_thread) {
    return launch_short<T, threads(), of_thread()>(args, lines, src, dst, lengths, stream);
  };
  using One = std::integral_constant<int, 1>;
  if (vectors <= 4) return with(std::integral_constant<int, 4>(), One());
  if (vectors <= 8) return with(std::integral_constant<int, 8>(), One());
  if (vectors <= 16) return with(std::integral_constant<int, 16>(), One());
  using Warp = std::integral_constant<int, simt::kWarp>;
  if (vectors <= 32) return with(Warp(), One());
  if (vectors <= 64) return with(Warp(), std::integral_constant<int, 2>());
  if (vectors <= 128) return with(Warp(), std::integral_constant<int, 4>());
  return with(Warp(), std::integral_constant<int, kMostOfShort / kVector<T>>());
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
      if (is_short<T>(args.axis)) return launch_short(args, count, from, to, lengths, stream);
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
