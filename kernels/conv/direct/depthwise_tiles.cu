// Depthwise convolutions, channels-last, which memory bounds. A block has a tile of outputs of kChannels
// channels. It copies what they see of src to shared memory, all of it at once and without registers, so that
// many bytes are on their way; other blocks compute meanwhile. A thread has four channels of a run of
// neighbouring outputs in two rows: each value that it reads meets all taps and rows that see it.
#include "kernels/conv/conv_epilogue_device.h"
#include "kernels/conv/direct/depthwise_tiles.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kChannels = 32;  ///< of a tile
constexpr int kLanes = 4;      ///< channels of a thread
constexpr int kRows = 2;       ///< of a thread
constexpr int kRowPairs = 4;   ///< of a tile

/// RUNS: of a row of the tile.
template <typename T, int KERNEL, int STRIDE, int RUNS>
struct DepthwiseTile {
  /// Runs begin four pixels of src apart: with the padding of a pixel, two of them lie in different banks.
  static constexpr int kRun = 4 / STRIDE;
  static constexpr int kPixel = kChannels + (sizeof(T) == 2 ? 8 : 0);

  static constexpr int kColumns = RUNS * kRun, kLines = kRowPairs * kRows;
  static constexpr int kInputColumns = (kColumns - 1) * STRIDE + KERNEL;
  static constexpr int kInputLines = (kLines - 1) * STRIDE + KERNEL;
  static constexpr int kThreads = kChannels / kLanes * RUNS * kRowPairs;
  /// With 100 registers to a thread.
  static constexpr int kBlocks = 640 / kThreads;
};

template <typename T, class Tile>
struct DepthwiseSmem {
  T pixels[Tile::kInputLines][Tile::kInputColumns][Tile::kPixel];
};

/// How many tiles there are; blocks that follow each other have neighbouring channels.
struct DepthwiseGrid {
  unsigned channels, across, down;
};

struct DepthwisePlace {
  int image, line, column, channel;  ///< the first ones of the tile
};
template <class Tile>
__device__ __forceinline__ DepthwisePlace place_of_block(const DepthwiseGrid& grid) {
  const unsigned pixels = blockIdx.x / grid.channels, rows = pixels / grid.across, image = rows / grid.down;
  return {static_cast<int>(image), static_cast<int>(rows - image * grid.down) * Tile::kLines,
          static_cast<int>(pixels - rows * grid.across) * Tile::kColumns,
          static_cast<int>(blockIdx.x - pixels * grid.channels) * kChannels};
}

/// Starts to copy what the tile sees: border values, or zeros, where that is outside of src.
template <typename T, class Tile>
__device__ __forceinline__ void copy_tile(const DirectConv& c, const DepthwisePlace& place, int stride,
                                          DepthwiseSmem<T, Tile>& smem) {
  constexpr int kChunks = kChannels / kVector<T>, kPixels = Tile::kInputLines * Tile::kInputColumns;
  constexpr int kTogether = Tile::kThreads / kChunks;  // pixels of all threads
  // A thread has the same channels of all of its pixels.
  const int first = static_cast<int>(threadIdx.x) % kChunks * kVector<T>, channel = place.channel + first;
  const bool exists = channel < c.groups, has_border = exists && c.border != nullptr;
  const T* image = static_cast<const T*>(c.src) + place.image * c.src_image + (exists ? channel : 0);
  const T* outside = has_border ? static_cast<const T*>(c.border) + channel : static_cast<const T*>(c.src);
  const int outside_bytes = has_border ? 16 : 0;
  const int top = place.line * stride - c.pad[1], left = place.column * stride - c.pad[2];
#pragma unroll 4
  for (int pixel = static_cast<int>(threadIdx.x) / kChunks; pixel < kPixels; pixel += kTogether) {
    const int line = pixel / Tile::kInputColumns, column = pixel - line * Tile::kInputColumns;
    const int y = top + line, x = left + column;
    const bool inside = exists && static_cast<unsigned>(y) < static_cast<unsigned>(c.input[1]) &&
                        static_cast<unsigned>(x) < static_cast<unsigned>(c.input[2]);
    simt::cp_async16(&smem.pixels[line][column][first],
                     inside ? image + (y * c.input[2] + x) * c.src_position : outside,
                     inside ? 16 : outside_bytes);
  }
  simt::cp_async_commit();
}

/// A row of a filter, for a thread's channels.
template <int KERNEL>
struct FilterRow {
  float taps[KERNEL][kLanes];

  __device__ __forceinline__ void load(const float* weight, std::int64_t filters) {
#pragma unroll
    for (int k = 0; k < KERNEL; ++k) load_floats(weight + k * filters, taps[k]);
  }
};

/// Adds what a row of a filter makes of a row of src.
template <int KERNEL, int STRIDE, int RUN, int WINDOW>
__device__ __forceinline__ void add_row(const FilterRow<KERNEL>& row, const float (&x)[WINDOW][kLanes],
                                        float (&sums)[kRows * RUN][kLanes], int first) {
#pragma unroll
  for (int k = 0; k < KERNEL; ++k) {
#pragma unroll
    for (int p = 0; p < RUN; ++p) {
#pragma unroll
      for (int i = 0; i < kLanes; ++i) sums[first + p][i] += x[p * STRIDE + k][i] * row.taps[k][i];
    }
  }
}

/// The sums of a thread, from `corner` on: that is the first pixel that it sees.
template <typename T, int KERNEL, int STRIDE, class Tile>
__device__ __forceinline__ void add_taps(const DepthwiseSmem<T, Tile>& smem, int line, int column, int lane,
                                         const FilterRow<3> (&filter)[3], const float* weight,
                                         std::int64_t filters, float (&sums)[kRows * Tile::kRun][kLanes]) {
  constexpr int kWindow = (Tile::kRun - 1) * STRIDE + KERNEL, kSeen = (kRows - 1) * STRIDE + KERNEL;
  const auto load = [&](int i, float(&x)[kWindow][kLanes]) {
#pragma unroll
    for (int j = 0; j < kWindow; ++j) load_four(&smem.pixels[line + i][column + j][lane], x[j]);
  };
  if constexpr (KERNEL == 3) {
#pragma unroll
    for (int i = 0; i < kSeen; ++i) {
      float x[kWindow][kLanes];
      load(i, x);
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        if (i >= r * STRIDE && i < r * STRIDE + KERNEL)
          add_row<KERNEL, STRIDE, Tile::kRun>(filter[i - r * STRIDE], x, sums, r * Tile::kRun);
      }
    }
  } else {
    // A filter is too large for registers: not unrolled, so that the compiler does not keep it there.
#pragma unroll 1
    for (int i = 0; i < kSeen; ++i) {
      float x[kWindow][kLanes];
      load(i, x);
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        if (i < r * STRIDE || i >= r * STRIDE + KERNEL) continue;
        FilterRow<KERNEL> row;
        row.load(weight + (i - r * STRIDE) * KERNEL * filters, filters);
        add_row<KERNEL, STRIDE, Tile::kRun>(row, x, sums, r * Tile::kRun);
      }
    }
  }
}

/// An activation that is long code: one after another, and vectors move round, as of activate_curved().
template <int VECTORS>
__device__ __forceinline__ void activate_in_turn(const PostOps& post_ops, float (&sums)[VECTORS][kLanes]) {
#pragma unroll 1
  for (int v = 0; v < VECTORS; ++v) {
    float now[kLanes];
#pragma unroll
    for (int i = 0; i < kLanes; ++i) now[i] = sums[0][i];
    activate_curved(post_ops, now);
#pragma unroll
    for (int j = 0; j < VECTORS; ++j) {
#pragma unroll
      for (int i = 0; i < kLanes; ++i) sums[j][i] = j + 1 < VECTORS ? sums[(j + 1) % VECTORS][i] : now[i];
    }
  }
}

template <typename T, int VECTORS>
__device__ __forceinline__ void add_residuals(const ConvEpilogue& e, const std::int64_t (&at)[VECTORS],
                                              float (&sums)[VECTORS][kLanes]) {
#pragma unroll
  for (int v = 0; v < VECTORS; ++v) {
    if (at[v] < 0) continue;
    float residual[kLanes];
    load_four(residual_of<T>(e) + at[v], residual);
#pragma unroll
    for (int i = 0; i < kLanes; ++i) sums[v][i] += residual[i];
  }
}

/// Residual and activation; `at` says where a sum is stored, -1: nowhere.
template <typename T, int VECTORS>
__device__ __forceinline__ void store_sums(const ConvEpilogue& e, const std::int64_t (&at)[VECTORS],
                                           int channel, float (&sums)[VECTORS][kLanes]) {
  if (e.residual != nullptr && !e.adds_last) add_residuals<T>(e, at, sums);
  if (e.slopes != nullptr) {
    float slopes[kLanes];
    load_floats(e.slopes + channel, slopes);
#pragma unroll
    for (int i = 0; i < VECTORS * kLanes; ++i) {
      float& x = sums[i / kLanes][i % kLanes];
      x = x > 0.0f ? x : x * slopes[i % kLanes];
    }
  } else if (is_piecewise_linear(e.post_ops.activation)) {
    activate_linear(e.post_ops, sums);
  } else {
    activate_in_turn(e.post_ops, sums);
  }
  if (e.adds_last) add_residuals<T>(e, at, sums);
#pragma unroll
  for (int v = 0; v < VECTORS; ++v) {
    if (at[v] >= 0) store_four(dst_of<T>(e) + at[v], sums[v]);
  }
}

template <typename T, int KERNEL, int STRIDE, int RUNS>
__global__ void __launch_bounds__(DepthwiseTile<T, KERNEL, STRIDE, RUNS>::kThreads,
                                  DepthwiseTile<T, KERNEL, STRIDE, RUNS>::kBlocks)
    depthwise_tile(DirectConv c, DepthwiseGrid grid) {
  using Tile = DepthwiseTile<T, KERNEL, STRIDE, RUNS>;
  constexpr int kChannelThreads = kChannels / kLanes;
  auto& smem = simt::shared_memory<DepthwiseSmem<T, Tile>>();
  const ConvEpilogue& e = c.epilogue;
  const DepthwisePlace place = place_of_block<Tile>(grid);
  copy_tile(c, place, STRIDE, smem);

  const int lane = static_cast<int>(threadIdx.x) % kChannelThreads * kLanes;
  const int run = static_cast<int>(threadIdx.x) / kChannelThreads % RUNS * Tile::kRun;
  const int row = static_cast<int>(threadIdx.x) / (kChannelThreads * RUNS) * kRows;
  const int channel = place.channel + lane, y = place.line + row, x = place.column + run;
  const bool exists = channel < c.groups && y < c.output[1] && x < c.output[2];
  const float* weight = static_cast<const float*>(c.weight) + channel;
  FilterRow<3> filter[3];
  float sums[kRows * Tile::kRun][kLanes] = {};
  if (exists) {
    if constexpr (KERNEL == 3) {
#pragma unroll
      for (int k = 0; k < 3; ++k) filter[k].load(weight + k * KERNEL * e.filters, e.filters);
    }
    if (e.bias != nullptr) {
#pragma unroll
      for (int v = 0; v < kRows * Tile::kRun; ++v) load_floats(e.bias + channel, sums[v]);
    }
  }
  simt::cp_async_wait<0>();
  __syncthreads();
  if (!exists) return;
  add_taps<T, KERNEL, STRIDE, Tile>(smem, row * STRIDE, run * STRIDE, lane, filter, weight, e.filters, sums);

  std::int64_t at[kRows * Tile::kRun];
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
#pragma unroll
    for (int p = 0; p < Tile::kRun; ++p) {
      const std::int64_t position =
          place.image * e.positions + static_cast<std::int64_t>(y + r) * c.output[2] + x + p;
      const bool inside = y + r < c.output[1] && x + p < c.output[2];
      at[r * Tile::kRun + p] = inside ? position * e.dst_position + channel : -1;
    }
  }
  store_sums<T>(e, at, channel, sums);
}

constexpr unsigned parts(std::int64_t count, int of) {
  return static_cast<unsigned>((count + of - 1) / of);
}

template <typename T, int KERNEL, int STRIDE, int RUNS>
Status launch_tile(const DirectConv& c, const Stream& stream) {
  using Tile = DepthwiseTile<T, KERNEL, STRIDE, RUNS>;
  const DepthwiseGrid grid{parts(c.groups, kChannels), parts(c.output[2], Tile::kColumns),
                           parts(c.output[1], Tile::kLines)};
  // Blocks are counted by 32 bits: of very many images, some at a time.
  const std::int64_t of_image = static_cast<std::int64_t>(grid.channels) * grid.across * grid.down;
  constexpr std::int64_t kMostBlocks = (std::int64_t{1} << 31) - 1;
  const std::int64_t images = of_image < kMostBlocks ? kMostBlocks / of_image : 1;
  for (std::int64_t first = 0; first < c.batch; first += images) {
    DirectConv now = c;
    now.batch = static_cast<int>(c.batch - first < images ? c.batch - first : images);
    now.src = static_cast<const T*>(c.src) + first * c.src_image;
    now.epilogue.dst = dst_of<T>(c.epilogue) + first * c.epilogue.dst_image;
    if (c.epilogue.residual != nullptr)
      now.epilogue.residual = residual_of<T>(c.epilogue) + first * c.epilogue.dst_image;
    const Status status = simt::launch(depthwise_tile<T, KERNEL, STRIDE, RUNS>,
                                       dim3(static_cast<unsigned>(of_image * now.batch)), Tile::kThreads,
                                       sizeof(DepthwiseSmem<T, Tile>), stream, now, grid);
    if (status != kSuccess) return status;
  }
  return kSuccess;
}

/// Narrow planes have narrower tiles, of which more is of use.
template <typename T, int KERNEL>
Status launch_kernel(const DirectConv& c, const Stream& stream) {
  if (c.stride[1] == 2) return launch_tile<T, KERNEL, 2, 4>(c, stream);
  return c.output[2] <= 8 ? launch_tile<T, KERNEL, 1, 2>(c, stream) : launch_tile<T, KERNEL, 1, 4>(c, stream);
}

}  // namespace

Status launch_depthwise_tiles(const DirectConv& direct, const Stream& stream) {
  return with_float_type(direct.type, [&](auto element) {
    using T = decltype(element);
    return direct.kernel[1] == 3 ? launch_kernel<T, 3>(direct, stream) : launch_kernel<T, 5>(direct, stream);
  });
}

}  // namespace mxinfer::kernels::cuda
