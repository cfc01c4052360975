#include <algorithm>
#include <limits>

#include "kernels/cuda/dispatch.h"
#include "kernels/cuda/stored_floats.h"
#include "kernels/pool_nd/pool_cuda.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;

/// What the elements of a window come to, one after another or part by part.
template <PoolKind kKind>
struct Fold {
  static __device__ __forceinline__ float add(float all, float value, int p) {
    if (kKind == PoolKind::max) return value > all ? value : all;
    if (kKind != PoolKind::lp || p == 1) return all + value;
    return all + (p == 2 ? value * value : value * value * value);
  }
  static __device__ __forceinline__ float merge(float a, float b) {
    if (kKind == PoolKind::max) return b > a ? b : a;
    return a + b;
  }
};

struct Window {
  PoolWindow z, y, x;
};

__device__ __forceinline__ float start_of(const PoolArgs& args, const Window& window) {
  if (args.kind != PoolKind::max) return 0;
  if (!args.old_max) return -std::numeric_limits<float>::max();
  const std::int64_t inside =
      (window.z.last - window.z.first) * (window.y.last - window.y.first) * (window.x.last - window.x.first);
  const bool padded = inside < window.z.padded * window.y.padded * window.x.padded;
  return padded ? 0 : -std::numeric_limits<float>::infinity();
}

__device__ __forceinline__ float finish(const PoolArgs& args, const Window& window, float value) {
  if (args.kind == PoolKind::avg) {
    const std::int64_t divisor = pool_divisor(args, window.z, window.y, window.x);
    return divisor > 0 ? value / static_cast<float>(divisor) : 0;
  }
  if (args.kind == PoolKind::lp && args.p == 2) return sqrtf(value);
  if (args.kind == PoolKind::lp && args.p == 3) return cbrtf(value);
  return value;
}

/// The window of an output, and the plane that it is in: outputs are [planes][depth][height][width].
template <typename Index>
__device__ __forceinline__ Window window_of(const PoolArgs& args, Index output, Index* plane) {
  const Index width = static_cast<Index>(args.out[2]), height = static_cast<Index>(args.out[1]);
  const Index depth = static_cast<Index>(args.out[0]);
  const Index row = output / width, slice = row / height;
  *plane = slice / depth;
  return {pool_window(args, 0, slice % depth), pool_window(args, 1, row % height),
          pool_window(args, 2, output % width)};
}

template <int kLanes>
struct Lanes {
  float values[kLanes];
};

/// kLanes neighbours: one, or 16 bytes.
template <int kLanes, typename T>
__device__ __forceinline__ Lanes<kLanes> load(const T* from) {
  Lanes<kLanes> lanes;
  if constexpr (kLanes == 1) {
    lanes.values[0] = to_float(*from);
  } else {
    load_vector(from, lanes.values);
  }
  return lanes;
}

template <int kLanes, typename T>
__device__ __forceinline__ void store(T* to, const Lanes<kLanes>& lanes) {
  if constexpr (kLanes == 1) {
    *to = to_stored<T>(lanes.values[0]);
  } else {
    store_vector(to, lanes.values);
  }
}

/// Small windows: a thread has an output of kLanes channels. `count` is the number of threads that have one;
/// Index counts the elements of src and dst.
template <PoolKind kKind, int kLanes, typename T, typename Index>
__global__ void __launch_bounds__(kBlock) pool_windows(PoolArgs args, Index count, const T* src, T* dst) {
  const Index inner = static_cast<Index>(args.inner), groups = inner / kLanes;
  const Index step = static_cast<Index>(args.src_step());
  const Index row_step = static_cast<Index>(args.in[2]) * step;
  const Index slice_step = static_cast<Index>(args.in[1]) * row_step;
  for (Index i = static_cast<Index>(simt::first_index()); i < count;
       i += static_cast<Index>(simt::grid_step())) {
    Index plane = 0;
    const Window window = window_of(args, i / groups, &plane);
    const auto depth = static_cast<Index>(window.z.last - window.z.first);
    const auto height = static_cast<Index>(window.y.last - window.y.first);
    const auto width = static_cast<Index>(window.x.last - window.x.first);
    const Index first = plane * static_cast<Index>(args.in[0]) + static_cast<Index>(window.z.first);
    Index slice = first * slice_step + static_cast<Index>(window.y.first) * row_step +
                  static_cast<Index>(window.x.first) * step + i % groups * kLanes;
    Lanes<kLanes> all;
#pragma unroll
    for (int k = 0; k < kLanes; ++k) all.values[k] = start_of(args, window);
    for (Index z = 0; z < depth; ++z, slice += slice_step) {
      Index row = slice;
      for (Index y = 0; y < height; ++y, row += row_step) {
        for (Index x = 0; x < width; ++x) {
          const Lanes<kLanes> one = load<kLanes>(src + (row + x * step));
#pragma unroll
          for (int k = 0; k < kLanes; ++k)
            all.values[k] = Fold<kKind>::add(all.values[k], one.values[k], args.p);
        }
      }
    }
#pragma unroll
    for (int k = 0; k < kLanes; ++k) all.values[k] = finish(args, window, all.values[k]);
    store<kLanes>(dst + (i / groups * static_cast<Index>(args.dst_step()) + i % groups * kLanes), all);
  }
}

/// Tiles of kTileVectors x kTileColumns x kTileLines outputs to a block, whose windows overlap in the cache.
constexpr int kTileVectors = 8, kTileColumns = 8, kTileLines = 4;
static_assert(kTileVectors * kTileColumns * kTileLines == kBlock);

struct PoolTiles {
  unsigned vectors, across, down;  ///< how many there are
};

/// The largest of two; NaN does not count.
template <PoolKind kKind>
__device__ __forceinline__ float fold_tap(float all, float value, int p) {
  return kKind == PoolKind::max ? fmaxf(all, value) : Fold<kKind>::add(all, value, p);
}

/// Windows of KERNEL x KERNEL: a thread has 16 bytes of channels of an output. All of its loads are on their
/// way at a time: where an element is outside, they read the next one inside, which is one of the window too.
template <PoolKind kKind, int KERNEL, typename T>
__global__ void __launch_bounds__(kBlock) pool_tile(PoolArgs args, PoolTiles tiles, const T* src, T* dst) {
  const unsigned columns = blockIdx.x / tiles.vectors, rows = columns / tiles.across,
                 plane = rows / tiles.down;
  const auto thread = static_cast<int>(threadIdx.x);
  const int vector =
      static_cast<int>(blockIdx.x - columns * tiles.vectors) * kTileVectors + thread % kTileVectors;
  const int ox =
      static_cast<int>(columns - rows * tiles.across) * kTileColumns + thread / kTileVectors % kTileColumns;
  const int oy =
      static_cast<int>(rows - plane * tiles.down) * kTileLines + thread / (kTileVectors * kTileColumns);
  const int channel = vector * kVector<T>;
  if (channel >= args.inner || ox >= args.out[2] || oy >= args.out[1]) return;
  const auto height = static_cast<int>(args.in[1]), width = static_cast<int>(args.in[2]);
  const int top = oy * static_cast<int>(args.stride[1]) - static_cast<int>(args.pad[1]);
  const int left = ox * static_cast<int>(args.stride[2]) - static_cast<int>(args.pad[2]);
  const auto step = static_cast<int>(args.src_step());
  const T* from = src + plane * args.plane_stride() + channel;
  float x[KERNEL][KERNEL][kVector<T>];
#pragma unroll
  for (int ky = 0; ky < KERNEL; ++ky) {
    const int y = top + ky < 0 ? 0 : top + ky < height ? top + ky : height - 1;
#pragma unroll
    for (int kx = 0; kx < KERNEL; ++kx) {
      const int column = left + kx < 0 ? 0 : left + kx < width ? left + kx : width - 1;
      load_vector(from + (y * width + column) * step, x[ky][kx]);
    }
  }
  const Window window{pool_window(args, 0, 0), pool_window(args, 1, oy), pool_window(args, 2, ox)};
  const bool is_empty = top >= height || left >= width || top + KERNEL <= 0 || left + KERNEL <= 0;
  const float start = start_of(args, window);
  float all[kVector<T>];
#pragma unroll
  for (int i = 0; i < kVector<T>; ++i) all[i] = start;
    // Without branches, so that loads do not wait for each other.
#pragma unroll
  for (int ky = 0; ky < KERNEL; ++ky) {
#pragma unroll
    for (int kx = 0; kx < KERNEL; ++kx) {
      const bool inside = static_cast<unsigned>(top + ky) < static_cast<unsigned>(height) &&
                          static_cast<unsigned>(left + kx) < static_cast<unsigned>(width);
#pragma unroll
      for (int i = 0; i < kVector<T>; ++i) {
        const float value = kKind == PoolKind::max || inside ? x[ky][kx][i] : 0.0f;
        all[i] = fold_tap<kKind>(all[i], value, args.p);
      }
    }
  }
#pragma unroll
  for (int i = 0; i < kVector<T>; ++i) {
    if constexpr (kKind == PoolKind::max) {
      all[i] = is_empty ? start : all[i];
    } else {
      all[i] = finish(args, window, all[i]);
    }
  }
  store_vector(dst + ((plane * args.out[1] + oy) * args.out[2] + ox) * args.dst_step() + channel, all);
}

/// Large windows: a block has an output of kColumns neighbours of kLanes channels, its threads the elements
/// of the window in turn. The order of the additions follows from the size of the block alone.
constexpr int kMostWarps = 32;
template <int kColumns, int kLanes>
struct SmemLarge {
  float parts[kMostWarps][kColumns][kLanes];
};

template <PoolKind kKind, int kColumns, int kLanes, typename T>
__global__ void __launch_bounds__(1024) pool_large(PoolArgs args, std::int64_t count, const T* src, T* dst) {
  auto& smem = simt::shared_memory<SmemLarge<kColumns, kLanes>>();
  constexpr int kChannels = kColumns * kLanes;
  const std::int64_t groups = (args.inner + kChannels - 1) / kChannels;
  const int column = static_cast<int>(threadIdx.x) % kColumns;
  const int warp = static_cast<int>(threadIdx.x) / simt::kWarp;
  const int lane = static_cast<int>(threadIdx.x) % simt::kWarp;
  const unsigned step = blockDim.x / kColumns;
  for (std::int64_t i = blockIdx.x; i < count; i += gridDim.x) {
    std::int64_t plane = 0;
    const Window window = window_of(args, i / groups, &plane);
    const std::int64_t channel = i % groups * kChannels + column * kLanes;
    const bool inside = channel < args.inner;
    const auto width = static_cast<unsigned>(window.x.last - window.x.first);
    const auto height = static_cast<unsigned>(window.y.last - window.y.first);
    const unsigned elements = width * height * static_cast<unsigned>(window.z.last - window.z.first);
    const T* in = src + plane * args.plane_stride() + channel;
    Lanes<kLanes> all;
#pragma unroll
    for (int k = 0; k < kLanes; ++k) all.values[k] = start_of(args, window);
    for (unsigned e = threadIdx.x / kColumns; inside && e < elements; e += step) {
      const unsigned row = e / width;
      const std::int64_t x = window.x.first + e % width, y = window.y.first + row % height;
      const std::int64_t z = window.z.first + row / height;
      const Lanes<kLanes> one = load<kLanes>(in + ((z * args.in[1] + y) * args.in[2] + x) * args.src_step());
#pragma unroll
      for (int k = 0; k < kLanes; ++k) all.values[k] = Fold<kKind>::add(all.values[k], one.values[k], args.p);
    }
#pragma unroll
    for (int k = 0; k < kLanes; ++k) {
      float& value = all.values[k];
      for (int other = simt::kWarp / 2; other >= kColumns; other /= 2)
        value = Fold<kKind>::merge(value, __shfl_xor_sync(simt::kAllLanes, value, other));
      if (lane < kColumns) smem.parts[warp][lane][k] = value;
    }
    __syncthreads();
    if (threadIdx.x < kColumns && inside) {
#pragma unroll
      for (int k = 0; k < kLanes; ++k) {
        for (unsigned w = 1; w < blockDim.x / simt::kWarp; ++w)
          all.values[k] = Fold<kKind>::merge(all.values[k], smem.parts[w][column][k]);
        all.values[k] = finish(args, window, all.values[k]);
      }
      store<kLanes>(dst + (i / groups * args.dst_step() + channel), all);
    }
    __syncthreads();  // the parts are written again
  }
}

template <typename T>
__global__ void __launch_bounds__(kBlock)
    adaptive_windows(AdaptivePoolArgs<float> args, std::int64_t count, const T* src, T* dst) {
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const std::int64_t ox = i % args.out_width, oy = i / args.out_width % args.out_height;
    const T* plane = src + i / args.out_width / args.out_height * args.height * args.width;
    const std::int64_t x0 = ox * args.width / args.out_width, y0 = oy * args.height / args.out_height;
    const std::int64_t x1 = ((ox + 1) * args.width + args.out_width - 1) / args.out_width;
    const std::int64_t y1 = ((oy + 1) * args.height + args.out_height - 1) / args.out_height;
    float sum = 0;
    for (std::int64_t y = y0; y < y1; ++y) {
      for (std::int64_t x = x0; x < x1; ++x) sum += to_float(plane[y * args.width + x]);
    }
    dst[i] = to_stored<T>(sum / static_cast<float>((y1 - y0) * (x1 - x0)));
  }
}

/// Elements of the largest window that a thread takes by itself.
constexpr std::int64_t kSmallWindow = 32;
constexpr std::int64_t kMostBlocks = 2048;

template <PoolKind kKind, int kColumns, int kLanes, typename T>
Status launch_large(const PoolArgs& args, std::int64_t elements, const T* src, T* dst, const Stream& stream) {
  constexpr int kChannels = kColumns * kLanes;
  const std::int64_t groups = (args.inner + kChannels - 1) / kChannels;
  const std::int64_t count = args.planes * args.out[0] * args.out[1] * args.out[2] * groups;
  // A thread should have some elements of the window.
  const std::int64_t work = elements * kColumns;
  const int block = work <= 256 ? 32 : work <= 4096 ? 256 : 1024;
  const auto blocks = static_cast<unsigned>(count < kMostBlocks ? count : kMostBlocks);
  return simt::launch(pool_large<kKind, kColumns, kLanes, T>, dim3(blocks), block,
                      sizeof(SmemLarge<kColumns, kLanes>), stream, args, count, src, dst);
}

template <PoolKind kKind, int kLanes, typename T>
Status launch_windows(const PoolArgs& args, const T* src, T* dst, const Stream& stream) {
  const std::int64_t count = args.planes * args.out_plane() / kLanes;
  const std::int64_t outputs = args.planes * args.out[0] * args.out[1] * args.out[2];
  const std::int64_t elements = std::max(args.planes * args.plane_stride(), outputs * args.dst_step());
  return with_index(elements, [&](auto index) {
    using Index = decltype(index);
    return simt::launch(pool_windows<kKind, kLanes, T, Index>, simt::grid_for(count, kBlock), kBlock, 0,
                        stream, args, static_cast<Index>(count), src, dst);
  });
}

/// Whether the channels of every position are whole vectors.
template <typename T>
bool in_vectors(const PoolArgs& args, const T* src, const T* dst) {
  const auto addresses = reinterpret_cast<std::uintptr_t>(src) | reinterpret_cast<std::uintptr_t>(dst);
  return addresses % 16 == 0 && args.inner % kVector<T> == 0 && args.src_step() % kVector<T> == 0 &&
         args.dst_step() % kVector<T> == 0;
}

/// Whether pool_tile() has the windows, and an int counts the elements of a plane and the tiles.
bool has_tiles(const PoolArgs& args, const PoolTiles& tiles) {
  constexpr std::int64_t kMost = std::int64_t{1} << 30;
  const bool is_flat = args.in[0] == 1 && args.out[0] == 1 && args.kernel[0] == 1 && args.pad[0] == 0;
  const std::int64_t kernel = args.kernel[1];
  return is_flat && kernel == args.kernel[2] && (kernel == 2 || kernel == 3) && args.plane_stride() < kMost &&
         args.out[1] * args.stride[1] < kMost && args.out[2] * args.stride[2] < kMost &&
         args.pad[1] < kMost && args.pad[2] < kMost &&
         args.planes * tiles.vectors * tiles.across * tiles.down < kMost;
}

constexpr unsigned tiles_of(std::int64_t count, int size) {
  return static_cast<unsigned>((count + size - 1) / size);
}

template <PoolKind kKind, int KERNEL, typename T>
Status launch_tiles(const PoolArgs& args, const PoolTiles& tiles, const T* src, T* dst,
                    const Stream& stream) {
  const auto blocks = static_cast<unsigned>(args.planes) * tiles.vectors * tiles.across * tiles.down;
  return simt::launch(pool_tile<kKind, KERNEL, T>, dim3(blocks), kBlock, 0, stream, args, tiles, src, dst);
}

template <PoolKind kKind, typename T>
Status pool_as(const PoolArgs& args, const T* src, T* dst, const Stream& stream) {
  std::int64_t elements = 1;  // of the largest window
  for (int d = 0; d < 3; ++d) elements *= args.kernel[d] < args.in[d] ? args.kernel[d] : args.in[d];
  constexpr std::int64_t kCounted = std::int64_t{1} << 31;  // by the kernel of large windows
  constexpr int kLanes = kVector<T>;
  const bool vectors = in_vectors(args, src, dst);
  if (elements > kSmallWindow && elements < kCounted) {
    if (args.inner == 1) return launch_large<kKind, 1, 1>(args, elements, src, dst, stream);
    return vectors ? launch_large<kKind, 8, kLanes>(args, elements, src, dst, stream)
                   : launch_large<kKind, 8, 1>(args, elements, src, dst, stream);
  }
  const PoolTiles tiles{tiles_of(args.inner, kLanes * kTileVectors), tiles_of(args.out[2], kTileColumns),
                        tiles_of(args.out[1], kTileLines)};
  if (vectors && has_tiles(args, tiles)) {
    return args.kernel[1] == 2 ? launch_tiles<kKind, 2>(args, tiles, src, dst, stream)
                               : launch_tiles<kKind, 3>(args, tiles, src, dst, stream);
  }
  return vectors ? launch_windows<kKind, kLanes>(args, src, dst, stream)
                 : launch_windows<kKind, 1>(args, src, dst, stream);
}

template <typename T>
Status pool_of(const PoolArgs& args, const T* src, T* dst, const Stream& stream) {
  switch (args.kind) {
    case PoolKind::max:
      return pool_as<PoolKind::max>(args, src, dst, stream);
    case PoolKind::lp:
      return pool_as<PoolKind::lp>(args, src, dst, stream);
    default:
      return pool_as<PoolKind::sum>(args, src, dst, stream);
  }
}

}  // namespace

Status pool(const PoolArgs& args, FloatType type, const void* src, void* dst, const Stream& stream) {
  return with_float_type(type, [&](auto element) {
    using T = decltype(element);
    return pool_of(args, static_cast<const T*>(src), static_cast<T*>(dst), stream);
  });
}

Status adaptive_avg_pool(const AdaptivePoolArgs<float>& args, FloatType type, std::int64_t planes,
                         const void* src, void* dst, const Stream& stream) {
  const std::int64_t count = planes * args.out_height * args.out_width;
  return with_float_type(type, [&](auto element) {
    using T = decltype(element);
    return simt::launch(adaptive_windows<T>, simt::grid_for(count, kBlock), kBlock, 0, stream, args, count,
                        static_cast<const T*>(src), static_cast<T*>(dst));
  });
}

}  // namespace mxinfer::kernels::cuda
