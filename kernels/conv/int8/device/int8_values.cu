// 8-bit values from floats and back, and their pooling: kernels/int8/int8_convert.h and int8_pool.h.
#include <limits>

#include "kernels/common/divide.h"
#include "kernels/conv/int8/device/int8_cuda.h"
#include "kernels/conv/int8/device/int8_elements_device.h"
#include "kernels/cuda/dispatch.h"

namespace mxinfer::kernels::cuda {
namespace {

/// A thread has four neighbours; `fours`: they are read and written at once.
template <typename Index>
__global__ void __launch_bounds__(kInt8Block)
    quantize_kernel(const float* from, Int8Type type, void* to, Index count, float scale, bool fours) {
  for (Index first = static_cast<Index>(simt::first_index()) * 4; first < count;
       first += static_cast<Index>(simt::grid_step()) * 4) {
    if (fours && first + 4 <= count) {
      float x[4];
      load_int8_elements(Int8Type::f32, from, first, x);
#pragma unroll
      for (int i = 0; i < 4; ++i) x[i] = simt::mul_rn(x[i], scale);
      store_int8_elements(type, to, first, x);
    } else {
      for (Index i = first; i < count && i < first + 4; ++i)
        store_int8_element(type, to, i, simt::mul_rn(from[i], scale));
    }
  }
}

template <typename Index>
__global__ void __launch_bounds__(kInt8Block)
    dequantize_kernel(const void* from, Int8Type type, float* to, Index count, float scale, bool fours) {
  for (Index first = static_cast<Index>(simt::first_index()) * 4; first < count;
       first += static_cast<Index>(simt::grid_step()) * 4) {
    if (fours && first + 4 <= count) {
      float x[4];
      load_int8_elements(type, from, first, x);
#pragma unroll
      for (int i = 0; i < 4; ++i) x[i] = simt::mul_rn(x[i], scale);
      store_int8_elements(Int8Type::f32, to, first, x);
    } else {
      for (Index i = first; i < count && i < first + 4; ++i)
        to[i] = simt::mul_rn(int8_element(type, from, i), scale);
    }
  }
}

bool are_fours(const void* floats, const void* bytes) {
  return is_vector_aligned(floats) && reinterpret_cast<std::uintptr_t>(bytes) % 4 == 0;
}

struct PoolWindows {
  PoolWindow z, y, x;
};

/// What the elements of windows come to: the largest, and the sum.
template <int CHANNELS>
struct PooledBytes {
  int largest[CHANNELS], sum[CHANNELS];
};

template <bool SIGNED, int CHANNELS>
__device__ __forceinline__ void add_bytes(const std::uint8_t* from, PooledBytes<CHANNELS>& all) {
  std::uint32_t word = 0;
  if constexpr (CHANNELS == 4) {
    word = *reinterpret_cast<const std::uint32_t*>(from);
  } else {
    word = *from;
  }
#pragma unroll
  for (int k = 0; k < CHANNELS; ++k) {
    const int value = byte_at<SIGNED>(word, k);
    all.largest[k] = value > all.largest[k] ? value : all.largest[k];
    all.sum[k] += value;
  }
}

/// CHANNELS results of an output: one, or the four of an aligned word.
template <bool SIGNED, int CHANNELS>
__device__ __forceinline__ void store_pooled(const PoolArgs& args, const PoolWindows& windows,
                                             const PooledBytes<CHANNELS>& all, std::uint8_t* to) {
  constexpr Int8Type kType = SIGNED ? Int8Type::s8 : Int8Type::u8;
  const std::int64_t count = pool_divisor(args, windows.z, windows.y, windows.x);
  const auto divisor = static_cast<float>(count > 1 ? count : 1);
  std::uint32_t word = 0;
#pragma unroll
  for (int k = 0; k < CHANNELS; ++k) {
    const int value = args.kind == PoolKind::max
                          ? all.largest[k]
                          : nearest(kType, simt::div_rn(static_cast<float>(all.sum[k]), divisor));
    word |= (static_cast<std::uint32_t>(value) & 0xffu) << (8 * k);
  }
  if constexpr (CHANNELS == 4) {
    *reinterpret_cast<std::uint32_t*>(to) = word;
  } else {
    *to = static_cast<std::uint8_t>(word);
  }
}

/// THREADS threads, one or a warp, have CHANNELS channels of an output, and the elements of its window in
/// turn: sums of integers are the same in any order.
template <bool SIGNED, int CHANNELS, int THREADS, typename Index>
__global__ void __launch_bounds__(kInt8Block)
    int8_pool_kernel(PoolArgs args, Index count, const std::uint8_t* src, std::uint8_t* dst) {
  const auto inner = static_cast<Index>(args.inner), blocks = inner / CHANNELS;
  const int lane = static_cast<int>(threadIdx.x) % THREADS;
  for (Index i = static_cast<Index>(simt::first_index()) / THREADS; i < count;
       i += static_cast<Index>(simt::grid_step()) / THREADS) {
    const Index output = i / blocks, row = output / static_cast<Index>(args.out[2]);
    const Index slice = row / static_cast<Index>(args.out[1]),
                plane = slice / static_cast<Index>(args.out[0]);
    const PoolWindows windows{
        pool_window(args, 0, static_cast<std::int64_t>(slice - plane * static_cast<Index>(args.out[0]))),
        pool_window(args, 1, static_cast<std::int64_t>(row - slice * static_cast<Index>(args.out[1]))),
        pool_window(args, 2, static_cast<std::int64_t>(output - row * static_cast<Index>(args.out[2])))};
    const auto width = static_cast<int>(windows.x.last - windows.x.first);
    const auto height = static_cast<int>(windows.y.last - windows.y.first);
    const auto elements = width * height * static_cast<int>(windows.z.last - windows.z.first);
    const std::uint8_t* from = src + static_cast<std::int64_t>(plane) * args.in_plane() +
                               static_cast<std::int64_t>(i - output * blocks) * CHANNELS;
    PooledBytes<CHANNELS> all;
#pragma unroll
    for (int k = 0; k < CHANNELS; ++k) all.largest[k] = SIGNED ? -128 : 0, all.sum[k] = 0;
    for (int e = lane; width > 0 && height > 0 && e < elements; e += THREADS) {
      const int line = e / width;
      const std::int64_t z = windows.z.first + line / height, y = windows.y.first + line % height;
      const std::int64_t x = windows.x.first + (e - line * width);
      add_bytes<SIGNED>(from + ((z * args.in[1] + y) * args.in[2] + x) * args.inner, all);
    }
#pragma unroll
    for (int k = 0; k < CHANNELS; ++k) {
#pragma unroll
      for (int step = THREADS / 2; step > 0; step /= 2) {
        const int other = __shfl_xor_sync(simt::kAllLanes, all.largest[k], step);
        all.largest[k] = other > all.largest[k] ? other : all.largest[k];
        all.sum[k] += __shfl_xor_sync(simt::kAllLanes, all.sum[k], step);
      }
    }
    if (lane == 0) store_pooled<SIGNED>(args, windows, all, dst + static_cast<std::int64_t>(i) * CHANNELS);
  }
}

/// Elements of the largest window that a thread takes by itself.
constexpr std::int64_t kSmallInt8Window = 32;

template <bool SIGNED, int CHANNELS, int THREADS>
Status launch_int8_pool(const PoolArgs& args, const std::uint8_t* src, std::uint8_t* dst,
                        const Stream& stream) {
  const std::int64_t count = args.planes * args.out_plane() / CHANNELS;
  return with_index(count * THREADS, [&](auto index) {
    using Index = decltype(index);
    return simt::launch(int8_pool_kernel<SIGNED, CHANNELS, THREADS, Index>,
                        simt::grid_for(count * THREADS, kInt8Block), kInt8Block, 0, stream, args,
                        static_cast<Index>(count), src, dst);
  });
}

template <bool SIGNED>
Status int8_pool_of(const PoolArgs& args, const std::uint8_t* src, std::uint8_t* dst, const Stream& stream) {
  std::int64_t elements = 1;  // of the largest window
  for (int d = 0; d < 3; ++d) elements *= args.kernel[d] < args.in[d] ? args.kernel[d] : args.in[d];
  const bool words = widest_word(static_cast<std::size_t>(args.inner), src, dst) >= 4;
  if (elements <= kSmallInt8Window) {
    return words ? launch_int8_pool<SIGNED, 4, 1>(args, src, dst, stream)
                 : launch_int8_pool<SIGNED, 1, 1>(args, src, dst, stream);
  }
  return words ? launch_int8_pool<SIGNED, 4, simt::kWarp>(args, src, dst, stream)
               : launch_int8_pool<SIGNED, 1, simt::kWarp>(args, src, dst, stream);
}

}  // namespace

Status int8_quantize(const float* from, Int8Type type, void* to, std::int64_t count, float scale,
                     const Stream& stream) {
  return with_index(count, [&](auto index) {
    using Index = decltype(index);
    return simt::launch(quantize_kernel<Index>, simt::grid_for(ceil_div(count, std::int64_t{4}), kInt8Block),
                        kInt8Block, 0, stream, from, type, to, static_cast<Index>(count), scale,
                        are_fours(from, to));
  });
}

Status int8_dequantize(const void* from, Int8Type type, float* to, std::int64_t count, float scale,
                       const Stream& stream) {
  return with_index(count, [&](auto index) {
    using Index = decltype(index);
    return simt::launch(dequantize_kernel<Index>,
                        simt::grid_for(ceil_div(count, std::int64_t{4}), kInt8Block), kInt8Block, 0, stream,
                        from, type, to, static_cast<Index>(count), scale, are_fours(to, from));
  });
}

Status int8_pool(const PoolArgs& args, Int8Type type, const void* src, void* dst, const Stream& stream) {
  const auto* from = static_cast<const std::uint8_t*>(src);
  auto* to = static_cast<std::uint8_t*>(dst);
  return type == Int8Type::s8 ? int8_pool_of<true>(args, from, to, stream)
                              : int8_pool_of<false>(args, from, to, stream);
}

}  // namespace mxinfer::kernels::cuda
