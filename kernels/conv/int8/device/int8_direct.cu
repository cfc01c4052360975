// Convolutions of bytes without tiles: threads and warps sum their outputs by themselves, by dp4a or, where
// each channel is a group, by plain products.
#include <type_traits>

#include "kernels/common/divide.h"
#include "kernels/conv/conv_epilogue_device.h"
#include "kernels/conv/int8/device/int8_cuda.h"
#include "kernels/conv/int8/device/int8_epilogue_device.h"
#include "kernels/conv/int8/device/launch.h"
#include "kernels/cuda/byte_products.h"
#include "kernels/cuda/dispatch.h"

namespace mxinfer::kernels::cuda {
namespace {

/// A position of the output: its number in all images, the image, and the input of its first tap.
struct OutputPosition {
  std::int64_t number;
  int image, z, y, x;
};
template <typename Index>
__device__ __forceinline__ OutputPosition output_at(const DeviceConv& c, Index number) {
  const auto width = static_cast<Index>(c.output[2]), height = static_cast<Index>(c.output[1]),
             depth = static_cast<Index>(c.output[0]);
  const Index row = number / width, plane = row / height, image = plane / depth;
  return {static_cast<std::int64_t>(number), static_cast<int>(image),
          static_cast<int>(plane - image * depth) * c.stride[0] - c.pad[0],
          static_cast<int>(row - plane * height) * c.stride[1] - c.pad[1],
          static_cast<int>(number - row * width) * c.stride[2] - c.pad[2]};
}

/// Calls body(tap, the address of channel 0 of all groups) for each tap that sees src.
template <typename Body>
__device__ __forceinline__ void for_each_tap(const DeviceConv& c, const OutputPosition& at,
                                             const Body& body) {
  const auto* image = static_cast<const std::uint8_t*>(c.src) + at.image * c.src_image;
  for (int kz = 0; kz < c.kernel[0]; ++kz) {
    const int z = at.z + kz * c.dilate[0];
    if (static_cast<unsigned>(z) >= static_cast<unsigned>(c.input[0])) continue;
    for (int ky = 0; ky < c.kernel[1]; ++ky) {
      const int y = at.y + ky * c.dilate[1];
      if (static_cast<unsigned>(y) >= static_cast<unsigned>(c.input[1])) continue;
      for (int kx = 0; kx < c.kernel[2]; ++kx) {
        const int x = at.x + kx * c.dilate[2];
        if (static_cast<unsigned>(x) >= static_cast<unsigned>(c.input[2])) continue;
        body((kz * c.kernel[1] + ky) * c.kernel[2] + kx,
             image + static_cast<std::int64_t>((z * c.input[1] + y) * c.input[2] + x) * c.src_position);
      }
    }
  }
}

/// Bytes channel to channel + 3 of a group's `channels`, 0 behind them. `words`: as an aligned word.
__device__ __forceinline__ std::uint32_t load_word(const std::uint8_t* from, int channel, int channels,
                                                   std::int64_t step, bool words) {
  if (words) return *reinterpret_cast<const std::uint32_t*>(from + channel);
  std::uint32_t word = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if (channel + i < channels) word |= static_cast<std::uint32_t>(from[(channel + i) * step]) << (8 * i);
  }
  return word;
}

/// FILTERS weights words: one, or 16 aligned bytes.
template <int FILTERS>
__device__ __forceinline__ void load_weights(const std::uint32_t* from, std::uint32_t (&to)[FILTERS]) {
  if constexpr (FILTERS == 4) {
    const uint4 four = *reinterpret_cast<const uint4*>(from);
    to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
  } else {
    to[0] = *from;
  }
}

/// A thread has FILTERS filters of a group at a position.
template <bool SIGNED, int FILTERS, typename Index>
__global__ void __launch_bounds__(kInt8Block)
    int8_direct_kernel(DeviceInt8Conv conv, Index count, bool words, bool fours) {
  const DeviceConv& c = conv.gemm;
  const ConvEpilogue& e = c.epilogue;
  const auto* weight = static_cast<const std::uint32_t*>(c.weight);
  const auto blocks = static_cast<Index>(e.filters) / FILTERS;
  const int of_tap = channel_words(c);
  for (auto i = static_cast<Index>(simt::first_index()); i < count;
       i += static_cast<Index>(simt::grid_step())) {
    const Index number = i / blocks;
    const auto m = static_cast<std::int64_t>(i - number * blocks) * FILTERS;
    const OutputPosition at = output_at(c, number);
    const std::int64_t first = m / c.filters * c.channels * static_cast<std::int64_t>(c.src_channel);
    int sums[FILTERS] = {};
    for_each_tap(c, at, [&](int tap, const std::uint8_t* from) {
      const std::uint32_t* w = weight + static_cast<std::int64_t>(tap) * of_tap * e.filters + m;
      for (int word = 0; word < of_tap; ++word, w += e.filters) {
        const std::uint32_t x = load_word(from + first, 4 * word, c.channels, c.src_channel, words);
        std::uint32_t y[FILTERS];
        load_weights<FILTERS>(w, y);
#pragma unroll
        for (int f = 0; f < FILTERS; ++f) sums[f] = simt::dot4<SIGNED>(x, y[f], sums[f]);
      }
    });
    finish_int8(conv.epilogue, sums,
                {m, dst_offset(e, at.number) + m * e.dst_filter, e.dst_filter, FILTERS, fours});
  }
}

/// A thread has CHANNELS channels of a position: one, or the four of an aligned word.
template <bool SIGNED, int CHANNELS, typename Index>
__global__ void __launch_bounds__(kInt8Block)
    int8_depthwise_kernel(DeviceInt8Conv conv, Index count, bool fours) {
  const DeviceConv& c = conv.gemm;
  const auto* weight = static_cast<const std::uint8_t*>(c.weight);
  const auto channels = static_cast<Index>(c.epilogue.filters), blocks = channels / CHANNELS;
  for (auto i = static_cast<Index>(simt::first_index()); i < count;
       i += static_cast<Index>(simt::grid_step())) {
    const Index number = i / blocks;
    const auto m = static_cast<std::int64_t>(i - number * blocks) * CHANNELS;
    const OutputPosition at = output_at(c, number);
    int sums[CHANNELS] = {};
    for_each_tap(c, at, [&](int tap, const std::uint8_t* from) {
      const std::uint8_t* w = weight + static_cast<std::int64_t>(tap) * channels + m;
      std::uint32_t x = 0, y = 0;
      if constexpr (CHANNELS == 4) {
        x = *reinterpret_cast<const std::uint32_t*>(from + m);
        y = *reinterpret_cast<const std::uint32_t*>(w);
      } else {
        x = from[m];
        y = *w;
      }
#pragma unroll
      for (int k = 0; k < CHANNELS; ++k) sums[k] += byte_at<SIGNED>(x, k) * byte_at<true>(y, k);
    });
    finish_int8(conv.epilogue, sums, {m, dst_offset(c.epilogue, at.number) + m, 1, CHANNELS, fours});
  }
}

constexpr int kRowsAtOnce = 4, kFiltersOfBlock = kInt8Block / simt::kWarp;

/// A warp has a filter, and up to kRowsAtOnce rows; lanes read 16 bytes of each in turn.
template <bool SIGNED>
__global__ void __launch_bounds__(kInt8Block) int8_rows_kernel(DeviceInt8Conv conv, bool vectors) {
  const ImplicitGemm& g = conv.gemm;
  const int lane = static_cast<int>(threadIdx.x) % simt::kWarp, rows = static_cast<int>(conv.rows());
  const std::int64_t m = static_cast<std::int64_t>(blockIdx.x) * kFiltersOfBlock + threadIdx.x / simt::kWarp;
  if (m >= g.epilogue.filters) return;
  const auto* src = static_cast<const std::uint8_t*>(g.src);
  const auto* weight = static_cast<const std::uint8_t*>(g.weight) + m * g.steps * g.step_depth();
  int sums[kRowsAtOnce] = {};
  for (int k = lane * 16; k < g.channels; k += 16 * simt::kWarp) {
    const uint4 four = *reinterpret_cast<const uint4*>(weight + k);
    const std::uint32_t w[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
    for (int r = 0; r < kRowsAtOnce; ++r) {
      if (r >= rows) break;
      const std::uint8_t* from = src + static_cast<std::int64_t>(r) * g.channels;
      std::uint32_t x[4];
      if (vectors) {
        load_weights<4>(reinterpret_cast<const std::uint32_t*>(from + k), x);
      } else {
#pragma unroll
        for (int i = 0; i < 4; ++i) x[i] = load_word(from, k + 4 * i, g.channels, 1, false);
      }
#pragma unroll
      for (int i = 0; i < 4; ++i) sums[r] = simt::dot4<SIGNED>(x[i], w[i], sums[r]);
    }
  }
#pragma unroll
  for (int r = 0; r < kRowsAtOnce; ++r) {
    int sum = sums[r];
    for (int step = simt::kWarp / 2; step > 0; step /= 2) sum += __shfl_xor_sync(simt::kAllLanes, sum, step);
    if (lane != r || r >= rows) continue;
    const int one[1] = {sum};
    finish_int8(conv.epilogue, one, {m, dst_offset(g.epilogue, r) + m, 1, 1, false});
  }
}

/// Calls body with whether the data is signed, as std::bool_constant.
template <typename Body>
Status with_sign(const DeviceInt8Conv& c, const Body& body) {
  return c.src_type == Int8Type::s8 ? body(std::true_type()) : body(std::false_type());
}

/// Whether four channels of a position begin at a multiple of four.
bool reads_words(const DeviceConv& c, std::int64_t channels) {
  return c.src_channel == 1 && channels % 4 == 0 && c.src_position % 4 == 0 &&
         reinterpret_cast<std::uintptr_t>(c.src) % 4 == 0;
}

template <int FILTERS>
Status launch_direct_of(const DeviceInt8Conv& c, const Stream& stream) {
  const std::int64_t count = c.rows() * c.gemm.epilogue.filters / FILTERS;
  return with_sign(c, [&](auto is_signed) {
    return with_index(count, [&](auto index) {
      using Index = decltype(index);
      return simt::launch(int8_direct_kernel<decltype(is_signed)::value, FILTERS, Index>,
                          simt::grid_for(count, kInt8Block), kInt8Block, 0, stream, c,
                          static_cast<Index>(count), reads_words(c.gemm, c.gemm.channels),
                          stores_fours(c, c.gemm.filters));
    });
  });
}

template <int CHANNELS>
Status launch_depthwise_of(const DeviceInt8Conv& c, const Stream& stream) {
  const std::int64_t count = c.rows() * c.gemm.epilogue.filters / CHANNELS;
  return with_sign(c, [&](auto is_signed) {
    return with_index(count, [&](auto index) {
      using Index = decltype(index);
      return simt::launch(int8_depthwise_kernel<decltype(is_signed)::value, CHANNELS, Index>,
                          simt::grid_for(count, kInt8Block), kInt8Block, 0, stream, c,
                          static_cast<Index>(count), stores_fours(c, c.gemm.epilogue.filters));
    });
  });
}

}  // namespace

Status launch_int8_direct(const DeviceInt8Conv& c, const Stream& stream) {
  return c.gemm.filters % 4 == 0 ? launch_direct_of<4>(c, stream) : launch_direct_of<1>(c, stream);
}

Status launch_int8_depthwise(const DeviceInt8Conv& c, const Stream& stream) {
  return reads_words(c.gemm, c.gemm.epilogue.filters) ? launch_depthwise_of<4>(c, stream)
                                                      : launch_depthwise_of<1>(c, stream);
}

Status launch_int8_rows(const DeviceInt8Conv& c, const Stream& stream) {
  const auto blocks = static_cast<unsigned>(ceil_div(c.gemm.epilogue.filters, std::int64_t{kFiltersOfBlock}));
  const bool vectors = c.gemm.channels % 16 == 0 && is_vector_aligned(c.gemm.src);
  return with_sign(c, [&](auto is_signed) {
    return simt::launch(int8_rows_kernel<decltype(is_signed)::value>, dim3(blocks), kInt8Block, 0, stream, c,
                        vectors);
  });
}

Status int8_conv(const DeviceInt8Conv& c, const Stream& stream) {
  switch (c.kernel) {
    case Int8Kernel::gemm:
      return launch_int8_gemm(c, stream);
    case Int8Kernel::depthwise:
      return launch_int8_depthwise(c, stream);
    case Int8Kernel::rows:
      return launch_int8_rows(c, stream);
    case Int8Kernel::direct:
      break;
  }
  return launch_int8_direct(c, stream);
}

}  // namespace mxinfer::kernels::cuda
