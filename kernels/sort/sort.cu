#include "kernels/common/divide.h"
#include "kernels/sort/sort_cuda.h"
#include "kernels/sort/sort_keys_device.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;
constexpr int kTile = static_cast<int>(kKeyTile);
constexpr int kTileBlock = 512;

unsigned blocks_for(std::int64_t tasks) {
  constexpr std::int64_t kMost = 65536;
  return static_cast<unsigned>(tasks < kMost ? tasks : kMost);
}

// ---- Tiles: each is sorted by a block in shared memory.

/// Short rows stand side by side in one tile, `group` of them; a long row is several tiles.
struct Tiles {
  std::int64_t rows, length;
  std::int64_t row_tiles;  ///< 1 if group is above 1
  int width;               ///< of a row in a tile, a power of 2
  int group;
};

struct TileSmem {
  std::uint64_t keys[kTile];
};

/// Where element i of a tile is in memory, -1 if nowhere.
__device__ __forceinline__ std::int64_t place_in_rows(const Tiles& tiles, std::int64_t task, int i) {
  const std::int64_t row = task / tiles.row_tiles * tiles.group + i / tiles.width;
  const std::int64_t at = task % tiles.row_tiles * tiles.width + i % tiles.width;
  return row < tiles.rows && at < tiles.length ? row * tiles.length + at : -1;
}

/// A bitonic network over parts of `width` keys.
__device__ __forceinline__ void sort_tile(std::uint64_t (&keys)[kTile], int count, int width) {
  for (int size = 2; size <= width; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      for (int pair = static_cast<int>(threadIdx.x); pair < count / 2; pair += static_cast<int>(blockDim.x)) {
        const int low = 2 * pair - (pair & (stride - 1)), high = low + stride;
        const bool ascending = size == width || (low & size) == 0;
        const std::uint64_t a = keys[low], b = keys[high];
        if ((a > b) == ascending) {
          keys[low] = b;
          keys[high] = a;
        }
      }
      __syncthreads();
    }
  }
}

__global__ void __launch_bounds__(kTileBlock)
    sort_tiles_kernel(Tiles tiles, std::int64_t tasks, std::uint64_t* keys) {
  TileSmem& smem = simt::shared_memory<TileSmem>();
  const int count = tiles.width * tiles.group;
  for (std::int64_t task = blockIdx.x; task < tasks; task += gridDim.x) {
    for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) {
      const std::int64_t place = place_in_rows(tiles, task, i);
      smem.keys[i] = place < 0 ? kNoKey : keys[place];
    }
    __syncthreads();
    sort_tile(smem.keys, count, tiles.width);
    for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) {
      const std::int64_t place = place_in_rows(tiles, task, i);
      if (place >= 0) keys[place] = smem.keys[i];
    }
    __syncthreads();
  }
}

Status sort_tiles(const KeyRows& rows, const Stream& stream) {
  Tiles tiles{rows.rows, rows.length, ceil_div(rows.length, kTile), 1, 1};
  while (tiles.width < kTile && tiles.width < rows.length) tiles.width *= 2;
  while (tiles.width * tiles.group < kTile && tiles.group < rows.rows) tiles.group *= 2;
  const std::int64_t tasks = ceil_div(rows.rows, tiles.group) * tiles.row_tiles;
  int block = simt::kWarp;
  while (block < kTileBlock && block < tiles.width * tiles.group / 2) block *= 2;
  return simt::launch(sort_tiles_kernel, blocks_for(tasks), block, sizeof(TileSmem), stream, tiles, tasks,
                      rows.keys);
}

// ---- Merges: pairs of sorted runs become runs of twice the length.

struct Merge {
  std::int64_t rows, length, kept;
  std::int64_t run;        ///< the length of a run, without what is not kept
  std::int64_t pairs;      ///< of a row
  std::int64_t out_tiles;  ///< of a pair
  const std::uint64_t* src;
  std::uint64_t* dst;
};

struct MergeSmem {
  std::uint64_t keys[kTile];  ///< of run a, then of run b
  std::int64_t from_a[2];     ///< how many keys before the tile, and up to its end, come from a
};

/// How many of the first `count` merged keys come from a. By a warp; all lanes get it.
__device__ __forceinline__ std::int64_t split_merged(const std::uint64_t* a, std::int64_t a_count,
                                                     const std::uint64_t* b, std::int64_t b_count,
                                                     std::int64_t count) {
  const std::int64_t lane = static_cast<std::int64_t>(threadIdx.x) % simt::kWarp;
  std::int64_t low = count > b_count ? count - b_count : 0, high = count < a_count ? count : a_count;
  while (low < high) {
    const std::int64_t step = (high - low + simt::kWarp - 1) / simt::kWarp;
    const std::int64_t at = low + lane * step;
    const bool taken = at < high && a[at] < b[count - 1 - at];
    const int lanes = __popc(__ballot_sync(simt::kAllLanes, taken));
    if (lanes == 0) return low;
    const std::int64_t next = low + lanes * step;
    low += (lanes - 1) * step + 1;
    high = next < high ? next : high;
  }
  return low;
}

/// How many of `count` sorted keys are below `key`, or not above it.
template <bool with_equal>
__device__ __forceinline__ int rank_of(const std::uint64_t* keys, int count, std::uint64_t key) {
  int low = 0, high = count;
  while (low < high) {
    const int middle = (low + high) / 2;
    const bool before = with_equal ? keys[middle] <= key : keys[middle] < key;
    if (before) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

__global__ void __launch_bounds__(kTileBlock) merge_kernel(Merge merge, std::int64_t tasks) {
  MergeSmem& smem = simt::shared_memory<MergeSmem>();
  const std::int64_t row_tasks = merge.pairs * merge.out_tiles;
  for (std::int64_t task = blockIdx.x; task < tasks; task += gridDim.x) {
    const std::int64_t start = task / merge.out_tiles % merge.pairs * 2 * merge.run;
    const std::int64_t used = merge.run < merge.kept ? merge.run : merge.kept;
    const std::int64_t a_left = merge.length - start, b_left = a_left - merge.run;
    const std::int64_t a_count = a_left < used ? a_left : used;
    const std::int64_t b_count = b_left < 0 ? 0 : b_left < used ? b_left : used;
    const std::int64_t both = a_count + b_count, out = both < merge.kept ? both : merge.kept;
    const std::int64_t first = task % merge.out_tiles * kTile;
    if (first >= out) continue;
    const std::int64_t last = first + kTile < out ? first + kTile : out;
    const std::uint64_t* a = merge.src + task / row_tasks * merge.length + start;
    const std::uint64_t* b = a + merge.run;
    const int warp = static_cast<int>(threadIdx.x) / simt::kWarp;
    if (warp < 2) {
      const std::int64_t split = split_merged(a, a_count, b, b_count, warp == 0 ? first : last);
      if (threadIdx.x % simt::kWarp == 0) smem.from_a[warp] = split;
    }
    __syncthreads();
    const std::int64_t a_first = smem.from_a[0], b_first = first - a_first;
    const int a_keys = static_cast<int>(smem.from_a[1] - a_first);
    const int keys = static_cast<int>(last - first), b_keys = keys - a_keys;
    for (int i = static_cast<int>(threadIdx.x); i < keys; i += static_cast<int>(blockDim.x))
      smem.keys[i] = i < a_keys ? a[a_first + i] : b[b_first + i - a_keys];
    __syncthreads();
    std::uint64_t* dst = merge.dst + (a - merge.src) + first;
    for (int i = static_cast<int>(threadIdx.x); i < keys; i += static_cast<int>(blockDim.x)) {
      const std::uint64_t key = smem.keys[i];
      const int rank = i < a_keys ? i + rank_of<true>(&smem.keys[0] + a_keys, b_keys, key)
                                  : i - a_keys + rank_of<false>(&smem.keys[0], a_keys, key);
      dst[rank] = key;
    }
    __syncthreads();
  }
}

// ---- Merges of many runs of which few keys are kept: they are in shared memory together.

constexpr int kGathered = 8192;  ///< keys
constexpr int kGatherBlock = 1024;
constexpr std::int64_t kMostGatheredKept = 1024;

struct Gather {
  std::int64_t rows, length;
  std::int64_t run;     ///< from the start of a run to that of the next
  std::int64_t runs;    ///< of a row
  std::int64_t groups;  ///< of a row
  int used;             ///< keys of a run that may be kept
  int group;            ///< runs that become one
  const std::uint64_t* src;
  std::uint64_t* dst;
};

struct GatherSmem {
  std::uint64_t keys[kGathered];
};

/// Merges pairs of `runs` runs, and keeps the first `used` keys of each.
__device__ __forceinline__ void merge_pairs(std::uint64_t (&keys)[kGathered], int runs, int used) {
  constexpr int kEach = kGathered / kGatherBlock;
  std::uint64_t key[kEach];
  int to[kEach];
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    const int at = static_cast<int>(threadIdx.x) + k * kGatherBlock, run = at / used, i = at - run * used;
    to[k] = -1;
    if (run >= runs) continue;
    const int other = run % 2 == 0 ? run + 1 : run - 1;
    key[k] = keys[at];
    int rank = i;
    if (other < runs) {
      rank += other > run ? rank_of<true>(&keys[0] + other * used, used, key[k])
                          : rank_of<false>(&keys[0] + other * used, used, key[k]);
    }
    if (rank < used) to[k] = run / 2 * used + rank;
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    if (to[k] >= 0) keys[to[k]] = key[k];
  }
  __syncthreads();
}

__global__ void __launch_bounds__(kGatherBlock) gather_runs_kernel(Gather gather, std::int64_t tasks) {
  GatherSmem& smem = simt::shared_memory<GatherSmem>();
  const int used = gather.used;
  for (std::int64_t task = blockIdx.x; task < tasks; task += gridDim.x) {
    const std::int64_t row = task / gather.groups, first = task % gather.groups * gather.group;
    const std::int64_t left = gather.runs - first;
    int runs = static_cast<int>(left < gather.group ? left : gather.group);
    for (int i = static_cast<int>(threadIdx.x); i < runs * used; i += kGatherBlock) {
      const std::int64_t at = (first + i / used) * gather.run + i % used;
      smem.keys[i] = at < gather.length ? gather.src[row * gather.length + at] : kNoKey;
    }
    __syncthreads();
    for (; runs > 1; runs = (runs + 1) / 2) merge_pairs(smem.keys, runs, used);
    for (int i = static_cast<int>(threadIdx.x); i < used; i += kGatherBlock) {
      const std::int64_t at = first * gather.run + i;
      if (at < gather.length) gather.dst[row * gather.length + at] = smem.keys[i];
    }
    __syncthreads();
  }
}

/// Sorted tiles become one run; `sorted` gets where it is.
Status gather_runs(const KeyRows& rows, const std::uint64_t** sorted, const Stream& stream) {
  Gather gather{
      rows.rows, rows.length, kTile,     ceil_div(rows.length, kTile), 0, static_cast<int>(rows.kept),
      0,         rows.keys,   rows.spare};
  gather.group = kGathered / gather.used;
  Status status = kSuccess;
  while (gather.runs > 1 && status == kSuccess) {
    gather.groups = ceil_div(gather.runs, gather.group);
    const std::int64_t tasks = gather.rows * gather.groups;
    status = simt::launch(gather_runs_kernel, blocks_for(tasks), kGatherBlock, sizeof(GatherSmem), stream,
                          gather, tasks);
    gather.run *= gather.group;
    gather.runs = gather.groups;
    std::uint64_t* const other = const_cast<std::uint64_t*>(gather.src);
    gather.src = gather.dst;
    gather.dst = other;
  }
  *sorted = gather.src;
  return status;
}

// ---- Elements become keys, keys become what is asked for.

template <typename T>
__device__ __forceinline__ std::uint32_t key_bits(T x, bool ascending) {
  const std::uint32_t bits = static_cast<std::uint32_t>(static_cast<std::int32_t>(x)) ^ 0x80000000u;
  return ascending ? bits : ~bits;
}
template <>
__device__ __forceinline__ std::uint32_t key_bits<float>(float x, bool ascending) {
  return ascending || x != x ? ordered_bits(x) : ~ordered_bits(x);
}
template <>
__device__ __forceinline__ std::uint32_t key_bits<std::uint16_t>(std::uint16_t x, bool ascending) {
  return key_bits(simt::from_float16(x), ascending);
}

/// An element of [outer][count][inner], and where its row is.
struct Place {
  std::int64_t row, at;
};
__device__ __forceinline__ Place place_of(std::int64_t i, std::int64_t count, std::int64_t inner) {
  return {i / (count * inner) * inner + i % inner, i / inner % count};
}

template <typename T>
__global__ void make_keys_kernel(SortArgs args, std::int64_t count, std::uint64_t* keys) {
  const T* src = static_cast<const T*>(args.src);
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const Place place = place_of(i, args.length, args.inner);
    keys[place.row * args.length + place.at] = static_cast<std::uint64_t>(key_bits<T>(src[i], args.ascending))
                                                   << 32 |
                                               static_cast<std::uint64_t>(place.at);
  }
}

/// Element `at` of row `row` of [outer][count][inner].
__device__ __forceinline__ std::int64_t element_at(std::int64_t row, std::int64_t at, std::int64_t count,
                                                   std::int64_t inner) {
  return row / inner * count * inner + at * inner + row % inner;
}

__device__ __forceinline__ void write_index(const SortArgs& args, std::int64_t i, std::int64_t index) {
  switch (args.index_type) {
    case ElementType::float64:
      static_cast<double*>(args.indices)[i] = static_cast<double>(index);
      return;
    case ElementType::float16:
      static_cast<std::uint16_t*>(args.indices)[i] = simt::to_float16(static_cast<float>(index));
      return;
    case ElementType::uint8:
      static_cast<std::uint8_t*>(args.indices)[i] = static_cast<std::uint8_t>(index);
      return;
    case ElementType::int32:
      static_cast<std::int32_t*>(args.indices)[i] = static_cast<std::int32_t>(index);
      return;
    case ElementType::int64:
      static_cast<std::int64_t*>(args.indices)[i] = index;
      return;
    default:
      static_cast<float*>(args.indices)[i] = static_cast<float>(index);
  }
}

template <typename T>
__global__ void write_sorted_kernel(SortArgs args, std::int64_t count, const std::uint64_t* sorted, T one) {
  const T* src = static_cast<const T*>(args.src);
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const Place place = place_of(i, args.k, args.inner);
    const std::int64_t index = index_of_key(sorted[place.row * args.length + place.at]);
    const std::int64_t from = element_at(place.row, index, args.length, args.inner);
    if (args.values != nullptr) static_cast<T*>(args.values)[i] = src[from];
    if (args.indices != nullptr) write_index(args, i, index);
    if (args.mask != nullptr) static_cast<T*>(args.mask)[from] = one;
  }
}

template <typename T>
__global__ void clear_kernel(std::int64_t count, T* dst) {
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) dst[i] = T(0);
}

/// `one` is 1 as stored.
template <typename T>
Status sort_typed(const SortArgs& args, std::int64_t outer, void* memory, T one, const Stream& stream) {
  Scratch scratch(memory);
  const KeyRows rows = take_key_rows(scratch, outer * args.inner, args.length, args.k);
  const std::int64_t all = rows.rows * rows.length, kept = rows.rows * rows.kept;
  Status status =
      simt::launch(make_keys_kernel<T>, simt::grid_for(all, kBlock), kBlock, 0, stream, args, all, rows.keys);
  const std::uint64_t* sorted = nullptr;
  if (status == kSuccess) status = sort_keys(rows, &sorted, stream);
  if (status == kSuccess && args.mask != nullptr) {
    status = simt::launch(clear_kernel<T>, simt::grid_for(all, kBlock), kBlock, 0, stream, all,
                          static_cast<T*>(args.mask));
  }
  if (status != kSuccess) return status;
  return simt::launch(write_sorted_kernel<T>, simt::grid_for(kept, kBlock), kBlock, 0, stream, args, kept,
                      sorted, one);
}

}  // namespace

Status sort_keys(const KeyRows& rows, const std::uint64_t** sorted, const Stream& stream) {
  Status status = sort_tiles(rows, stream);
  if (status == kSuccess && rows.kept <= kMostGatheredKept) return gather_runs(rows, sorted, stream);
  std::uint64_t *src = rows.keys, *dst = rows.spare;
  for (std::int64_t run = kTile; run < rows.length && status == kSuccess; run *= 2) {
    const std::int64_t most = 2 * run < rows.kept ? 2 * run : rows.kept;
    const Merge merge{
        rows.rows, rows.length, rows.kept, run, ceil_div(rows.length, 2 * run), ceil_div(most, kTile),
        src,       dst};
    const std::int64_t tasks = merge.rows * merge.pairs * merge.out_tiles;
    status =
        simt::launch(merge_kernel, blocks_for(tasks), kTileBlock, sizeof(MergeSmem), stream, merge, tasks);
    std::uint64_t* const other = src;
    src = dst;
    dst = other;
  }
  *sorted = src;
  return status;
}

Status sort_elements(const SortArgs& args, ElementType type, std::int64_t outer, void* scratch,
                     const Stream& stream) {
  switch (type) {
    case ElementType::float16:
      return sort_typed<std::uint16_t>(args, outer, scratch, 0x3c00, stream);
    case ElementType::int32:
      return sort_typed<std::int32_t>(args, outer, scratch, 1, stream);
    case ElementType::int8:
      return sort_typed<std::int8_t>(args, outer, scratch, 1, stream);
    case ElementType::uint8:
      return sort_typed<std::uint8_t>(args, outer, scratch, 1, stream);
    default:
      return sort_typed<float>(args, outer, scratch, 1.0f, stream);
  }
}

}  // namespace mxinfer::kernels::cuda
