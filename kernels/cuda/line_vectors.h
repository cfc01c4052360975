// Lines that threads keep in registers: neighbouring elements, read and written once, 16 bytes at a time. As
// line.h, of lines whose elements lie side by side and fill whole vectors.
//
//   template <typename T, int Threads, int kVectors>
//   __global__ void kernel(...) {
//     LineVectors<T, Threads, kVectors> line;
//     line.load(src + k * length, length);
//     float sum = 0;
//     line.each(length, [&](float& x, std::int64_t i) { sum += x; });
//     ...
//     line.store(dst + k * length, length);
//
// For .cu files.
#pragma once

#include "kernels/cuda/line.h"
#include "kernels/cuda/stored_floats.h"

namespace mxinfer::kernels::cuda {

/// What one of `Threads` threads has of a line: vectors lane, lane + Threads, ...
template <typename T, int Threads, int kVectors>
struct LineVectors {
  float values[kVectors][kVector<T>]{};

  static __device__ __forceinline__ std::int64_t first_of(int vector) {
    return (static_cast<std::int64_t>(vector) * Threads + line_lane<Threads>()) * kVector<T>;
  }
  __device__ __forceinline__ void load(const T* from, std::int64_t length) {
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      if (first_of(v) < length) load_vector(from + first_of(v), values[v]);
    }
  }
  __device__ __forceinline__ void store(T* to, std::int64_t length) const {
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      if (first_of(v) < length) store_vector(to + first_of(v), values[v]);
    }
  }
  /// Calls body with each element and its place in the line.
  template <typename Body>
  __device__ __forceinline__ void each(std::int64_t length, const Body& body) {
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      if (first_of(v) >= length) continue;
#pragma unroll
      for (int k = 0; k < kVector<T>; ++k) body(values[v][k], first_of(v) + k);
    }
  }
};

/// Elements of a line that a thread may have.
inline constexpr int kMostOfLine = 32;

/// Whether lines of so many elements, from these addresses on, consist of whole vectors that fit into the
/// registers of a block.
template <typename T>
bool fits_registers(std::int64_t length, std::int64_t inner, const void* src, const void* dst) {
  const auto addresses = reinterpret_cast<std::uintptr_t>(src) | reinterpret_cast<std::uintptr_t>(dst);
  return inner == 1 && length % kVector<T> == 0 && addresses % 16 == 0 && length >= simt::kWarp &&
         length <= kLineBlock * kMostOfLine;
}

/// Calls launch with the number of threads to a line and of vectors to a thread as std::integral_constant.
/// Precondition: fits_registers.
template <typename T, typename Launch>
Status with_line_vectors(std::int64_t length, const Launch& launch) {
  const auto with_vectors = [&](auto threads) {
    const std::int64_t share = (length + threads() - 1) / threads();
    if (share <= 8) return launch(threads, std::integral_constant<int, 8 / kVector<T>>());
    if (share <= 16) return launch(threads, std::integral_constant<int, 16 / kVector<T>>());
    if (share <= 24) return launch(threads, std::integral_constant<int, 24 / kVector<T>>());
    return launch(threads, std::integral_constant<int, kMostOfLine / kVector<T>>());
  };
  return length <= simt::kWarp * kMostOfLine ? with_vectors(std::integral_constant<int, simt::kWarp>())
                                             : with_vectors(std::integral_constant<int, kLineBlock>());
}

}  // namespace mxinfer::kernels::cuda
