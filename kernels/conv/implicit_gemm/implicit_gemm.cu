// Tiles in registers: a thread has 8 rows by 8 or 4 columns, a warp 4 times as many rows and 8 times as many
// columns. Operands go to shared memory by asynchronous copies, several steps ahead. Rows of src stay rows
// there, as they are copied: a thread reads four elements of the sum of a row at once.
#include "kernels/conv/implicit_gemm/gather_device.h"
#include "kernels/conv/implicit_gemm/launch.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kDepth = 8;  ///< ImplicitGemm::step_depth() of float32
constexpr int kStages = 3;
constexpr int kThreadRows = 8;
/// Elements from one row of src to the next: the rows that a warp reads at once are in different banks.
constexpr int kPitch = kDepth + 4;

template <int kRows, int kColumns, int kThreadColumns>
struct Tile {
  static constexpr int rows = kRows, columns = kColumns, thread_columns = kThreadColumns;
  static constexpr int warp_rows = 4 * kThreadRows, warp_columns = 8 * kThreadColumns;
  static constexpr int warps_across = kColumns / warp_columns;
  static constexpr int threads = simt::kWarp * (kRows / warp_rows) * warps_across;
  /// Vectors of four that a thread copies in a step.
  static constexpr int src_vectors = kRows * kDepth / 4 / threads;
  static constexpr int weight_vectors = (kColumns * kDepth / 4 + threads - 1) / threads;
  static_assert(src_vectors * threads * 4 == kRows * kDepth && weight_vectors == 1);
};

template <class T>
struct Smem {
  float src[kStages][T::rows][kPitch];
  float weight[kStages][kDepth][T::columns];
  Window window;
  RowCorner corner[T::rows];
  bool is_last;
};

/// What a thread copies of src in a step: vectors of four channels. The two of a row are of neighbouring
/// threads, which read 32 consecutive bytes.
template <class T>
class AlignedSource {
 public:
  __device__ __forceinline__ void start(const ImplicitGemm& g, const Smem<T>& smem, int group, int first_k) {
    k_.set(g, smem.window, first_k + column());
    find_taps(g, smem, group);
  }

  /// Copies its part of a step and goes on to the next.
  __device__ __forceinline__ void copy(const ImplicitGemm& g, Smem<T>& smem, int group, int stage) {
#pragma unroll
    for (int i = 0; i < T::src_vectors; ++i) {
      const bool is_there = tap_[i] != nullptr;
      simt::cp_async16(&smem.src[stage][row() + i * kApart][column()],
                       is_there ? tap_[i] + k_.channel : static_cast<const float*>(g.src), is_there ? 16 : 0);
    }
    if (k_.advance(g, smem.window, kDepth)) find_taps(g, smem, group);
  }

 private:
  static constexpr int kApart = T::threads / 2;

  __device__ __forceinline__ static int row() {
    return static_cast<int>(threadIdx.x) / 2;
  }
  __device__ __forceinline__ static int column() {
    return static_cast<int>(threadIdx.x) % 2 * 4;
  }

  __device__ __forceinline__ void find_taps(const ImplicitGemm& g, const Smem<T>& smem, int group) {
    int step = 1;
#pragma unroll
    for (int i = 0; i < T::src_vectors; ++i)
      tap_[i] = tap_address<float>(g, smem.window, smem.corner[row() + i * kApart], k_, group, &step);
  }

  const float* tap_[T::src_vectors];  ///< null: zeros
  SumElement k_;
};

/// The same, element by element: consecutive ones of a row. Neighbouring threads have neighbouring rows,
/// whose elements are neighbours where channels are planes.
template <class T>
class ScalarSource {
 public:
  __device__ __forceinline__ void start(const ImplicitGemm& g, const Smem<T>& smem, int group, int first_k) {
    k_.set(g, smem.window, first_k + column());
    tap_ = tap_address<float>(g, smem.window, smem.corner[row()], k_, group, &step_);
  }

  __device__ __forceinline__ void copy(const ImplicitGemm& g, Smem<T>& smem, int group, int stage) {
#pragma unroll
    for (int i = 0; i < kElements; ++i) {
      const bool is_there = tap_ != nullptr;
      simt::cp_async4(
          &smem.src[stage][row()][column() + i],
          is_there ? tap_ + static_cast<std::int64_t>(k_.channel) * step_ : static_cast<const float*>(g.src),
          is_there ? 4 : 0);
      if (k_.advance(g, smem.window, i + 1 < kElements ? 1 : kDepth - kElements + 1))
        tap_ = tap_address<float>(g, smem.window, smem.corner[row()], k_, group, &step_);
    }
  }

 private:
  static constexpr int kElements = 4 * T::src_vectors;

  __device__ __forceinline__ static int row() {
    return static_cast<int>(threadIdx.x) % T::rows;
  }
  __device__ __forceinline__ static int column() {
    return static_cast<int>(threadIdx.x) / T::rows * kElements;
  }

  const float* tap_;
  int step_ = 1;
  SumElement k_;
};

/// What a thread copies of the weights: a vector of four filters, or nothing.
template <class T>
class WeightSource {
 public:
  __device__ __forceinline__ void start(const ImplicitGemm& g, const BlockPart& part, int first_column,
                                        int first_k) {
    const std::int64_t depth = static_cast<std::int64_t>(g.steps) * kDepth;
    const std::int64_t from = (part.group * g.all_phases() + part.phase) * depth + first_k + row();
    from_ = static_cast<const float*>(g.weight) + from * g.packed_filters + first_column + column();
  }
  __device__ __forceinline__ void copy(const ImplicitGemm& g, Smem<T>& smem, int first_column, int stage) {
    if (row() < kDepth) {
      const bool is_there = first_column + column() < g.packed_filters;
      simt::cp_async16(&smem.weight[stage][row()][column()],
                       is_there ? from_ : static_cast<const float*>(g.weight), is_there ? 16 : 0);
    }
    from_ += static_cast<std::int64_t>(kDepth) * g.packed_filters;
  }

 private:
  static constexpr int kVectors = T::columns / 4;

  __device__ __forceinline__ static int row() { return static_cast<int>(threadIdx.x) / kVectors; }
  __device__ __forceinline__ static int column() { return static_cast<int>(threadIdx.x) % kVectors * 4; }

  const float* from_;
};

/// The rows and columns of a thread within the tile: rows are 4 apart, columns are vectors that are 32 apart.
template <class T>
struct ThreadTile {
  int row, column;
  __device__ __forceinline__ ThreadTile() {
    const int thread = static_cast<int>(threadIdx.x), lane = thread % simt::kWarp,
              warp = thread / simt::kWarp;
    row = warp / T::warps_across * T::warp_rows + lane / 8;
    column = warp % T::warps_across * T::warp_columns + lane % 8 * 4;
  }
};

template <class T>
using Sums = float[kThreadRows][T::thread_columns];

/// Adds the products of two elements of the sum: more at once would need more registers than a thread has.
template <class T>
__device__ __forceinline__ void multiply(const float (&src)[T::rows][kPitch],
                                         const float (&weight)[kDepth][T::columns], const ThreadTile<T>& tile,
                                         Sums<T>& sums) {
#pragma unroll
  for (int k = 0; k < kDepth; k += 2) {
    float a[2][kThreadRows];
#pragma unroll
    for (int i = 0; i < kThreadRows; ++i) {
      const float2 v = *reinterpret_cast<const float2*>(&src[tile.row + 4 * i][k]);
      a[0][i] = v.x, a[1][i] = v.y;
    }
#pragma unroll
    for (int kk = 0; kk < 2; ++kk) {
      float b[T::thread_columns];
#pragma unroll
      for (int j = 0; j < T::thread_columns; j += 4) {
        const float4 v = simt::load4(&weight[k + kk][tile.column + 8 * j]);
        b[j] = v.x, b[j + 1] = v.y, b[j + 2] = v.z, b[j + 3] = v.w;
      }
#pragma unroll
      for (int i = 0; i < kThreadRows; ++i) {
#pragma unroll
        for (int j = 0; j < T::thread_columns; ++j) sums[i][j] += a[kk][i] * b[j];
      }
    }
  }
}

/// Stores sums as they are, in (splits, positions of all images, filters).
template <class T>
__device__ __forceinline__ void store_partial(const ImplicitGemm& g, const Window& w, const BlockPart& part,
                                              int first_row, int rows, int first_column,
                                              const Sums<T>& sums) {
  const ThreadTile<T> tile;
  const std::int64_t filters = g.epilogue.filters;
  const bool vectors = filters % 4 == 0 && g.filters % 4 == 0;
#pragma unroll
  for (int i = 0; i < kThreadRows; ++i) {
    const int row = first_row + tile.row + 4 * i;
    const std::int64_t position = row < rows ? output_position(g, w, row) : -1;
    if (position < 0) continue;
    float* to = g.partial + (part.split * (g.batch * g.epilogue.positions) + position) * filters +
                static_cast<std::int64_t>(part.group) * g.filters;
#pragma unroll
    for (int j = 0; j < T::thread_columns; j += 4) {
      const int m = first_column + tile.column + 8 * j;
      if (vectors) {
        if (m < g.filters)
          simt::store4(to + m, make_float4(sums[i][j], sums[i][j + 1], sums[i][j + 2], sums[i][j + 3]));
        continue;
      }
#pragma unroll
      for (int c = 0; c < 4; ++c) {
        if (m + c < g.filters) to[m + c] = sums[i][j + c];
      }
    }
  }
}

/// Applies an activation that is no comparison to what this thread has stored: a loop that is not unrolled,
/// since its code is long.
template <class T>
__device__ __forceinline__ void activate_stored(const ImplicitGemm& g, const Window& w, const BlockPart& part,
                                                int first_row, int rows, int first_column) {
  const ThreadTile<T> tile;
#pragma unroll 1
  for (int i = 0; i < kThreadRows * T::thread_columns; ++i) {
    const int row = first_row + tile.row + i / T::thread_columns * 4;
    const int j = i % T::thread_columns, m = first_column + tile.column + j / 4 * 32 + j % 4;
    const std::int64_t position = row < rows ? output_position(g, w, row) : -1;
    if (position < 0 || m >= g.filters) continue;
    float* at = dst_of<float>(g.epilogue) + dst_offset(g.epilogue, position) +
                (static_cast<std::int64_t>(part.group) * g.filters + m) * g.epilogue.dst_filter;
    *at = activate(g.epilogue.post_ops, *at);
  }
}

template <class T>
__device__ __forceinline__ void store(const ImplicitGemm& g, const Window& w, const BlockPart& part,
                                      int first_row, int rows, int first_column, bool vectors,
                                      const Sums<T>& sums) {
  const ThreadTile<T> tile;
  const ConvEpilogue& e = g.epilogue;
#pragma unroll
  for (int i = 0; i < kThreadRows; ++i) {
    const int row = first_row + tile.row + 4 * i;
    const std::int64_t position = row < rows ? output_position(g, w, row) : -1;
    if (position < 0) continue;
    const std::int64_t at = dst_offset(e, position);
#pragma unroll
    for (int j = 0; j < T::thread_columns; j += 4) {
      const int column = first_column + tile.column + 8 * j;
      if (column >= g.filters) continue;
      const std::int64_t m = static_cast<std::int64_t>(part.group) * g.filters + column;
      const float four[4] = {sums[i][j], sums[i][j + 1], sums[i][j + 2], sums[i][j + 3]};
      store_linear(e, four, m, g.filters - column, at + m * e.dst_filter, vectors);
    }
  }
  if (!is_piecewise_linear(e.post_ops.activation))
    activate_stored<T>(g, w, part, first_row, rows, first_column);
}

/// Whether this block is the last of its tile: the other ranges of the sum are in memory then.
template <class T>
__device__ __forceinline__ bool ends_tile(const ImplicitGemm& g, Smem<T>& smem) {
  const unsigned tile =
      (blockIdx.z / static_cast<unsigned>(g.splits) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) smem.is_last = simt::is_last_of(g.counters + tile, static_cast<unsigned>(g.splits));
  __syncthreads();
  return smem.is_last;
}

/// Adds the ranges of the sum of a tile, in their order, and stores it. Neighbouring threads have
/// neighbouring filters.
template <class T>
__device__ __forceinline__ void add_ranges(const ImplicitGemm& g, const Window& w, const BlockPart& part,
                                           int first_row, int rows, int first_column, bool vectors) {
  constexpr int kAcross = T::columns / 4;
  const ConvEpilogue& e = g.epilogue;
  const bool reads_vectors = e.filters % 4 == 0 && g.filters % 4 == 0;
  const std::int64_t range = g.batch * e.positions * e.filters;
#pragma unroll 1
  for (int v = static_cast<int>(threadIdx.x); v < T::rows * kAcross; v += T::threads) {
    const int row = first_row + v / kAcross, column = first_column + v % kAcross * 4;
    const std::int64_t position = row < rows ? output_position(g, w, row) : -1;
    const int count = g.filters - column;
    if (position < 0 || count <= 0) continue;
    const std::int64_t m = static_cast<std::int64_t>(part.group) * g.filters + column;
    const float* from = g.partial + position * e.filters + m;
    float sums[4]{};
#pragma unroll 4
    for (int split = 0; split < g.splits; ++split) {
      const float* one = from + split * range;
      if (reads_vectors) {
        add_floats(one, sums);
      } else {
#pragma unroll
        for (int i = 0; i < 4; ++i) sums[i] += i < count ? one[i] : 0.0f;
      }
    }
    const std::int64_t at = dst_offset(e, position) + m * e.dst_filter;
    if (vectors && is_piecewise_linear(e.post_ops.activation)) {
      store_linear(e, sums, m, count, at, true);
      continue;
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const std::int64_t here = at + i * e.dst_filter;
      if (i < count) dst_of<float>(e)[here] = finish<float>(e, sums[i], m + i, here);
    }
  }
}

template <class T, class Source>
__global__ void __launch_bounds__(T::threads, T::threads == 256 ? 1 : 3)
    gemm_kernel(ImplicitGemm g, int rows, bool vectors) {
  Smem<T>& smem = simt::shared_memory<Smem<T>>();
  const BlockPart part = block_part(g);
  const int first_row = static_cast<int>(blockIdx.x) * T::rows;
  find_rows(g, part.phase, first_row, rows, &smem.window, smem.corner);
  const int first_column = static_cast<int>(blockIdx.y) * T::columns;
  Source source;
  WeightSource<T> weight;
  source.start(g, smem, part.group, part.first_step * kDepth);
  weight.start(g, part, first_column, part.first_step * kDepth);

#pragma unroll
  for (int s = 0; s < kStages - 1; ++s) {
    if (s < part.steps) {
      source.copy(g, smem, part.group, s);
      weight.copy(g, smem, first_column, s);
    }
    simt::cp_async_commit();
  }
  Sums<T> sums{};
  const ThreadTile<T> tile;
  int stage = 0, next_stage = kStages - 1;
#pragma unroll 1
  for (int step = 0; step < part.steps; ++step) {
    simt::cp_async_wait<kStages - 2>();
    __syncthreads();
    if (step + kStages - 1 < part.steps) {
      source.copy(g, smem, part.group, next_stage);
      weight.copy(g, smem, first_column, next_stage);
    }
    simt::cp_async_commit();
    multiply<T>(smem.src[stage], smem.weight[stage], tile, sums);
    stage = stage + 1 < kStages ? stage + 1 : 0;
    next_stage = next_stage + 1 < kStages ? next_stage + 1 : 0;
  }
  if (g.splits > 1) {
    store_partial<T>(g, smem.window, part, first_row, rows, first_column, sums);
    if (g.counters == nullptr || !ends_tile(g, smem)) return;
    add_ranges<T>(g, smem.window, part, first_row, rows, first_column, vectors);
  } else {
    store<T>(g, smem.window, part, first_row, rows, first_column, vectors, sums);
  }
}

template <class T>
Status launch_tile(const ImplicitGemm& g, const Stream& stream) {
  const auto rows = static_cast<int>(g.batch * g.phase_positions());
  const dim3 grid = tile_grid(g, rows, T::rows, T::columns);
  const bool vectors = stores_vectors(g) && g.filters % 4 == 0;
  if (g.channels % 4 == 0 && reads_vectors(g))
    return simt::launch(gemm_kernel<T, AlignedSource<T>>, grid, T::threads, sizeof(Smem<T>), stream, g, rows,
                        vectors);
  return simt::launch(gemm_kernel<T, ScalarSource<T>>, grid, T::threads, sizeof(Smem<T>), stream, g, rows,
                      vectors);
}

}  // namespace

Status launch_implicit_gemm_f32(const ImplicitGemm& g, const Stream& stream) {
  switch (g.tile) {
    case GemmTile::tile_128x128:
      return launch_tile<Tile<128, 128, 8>>(g, stream);
    case GemmTile::tile_128x64:
      return launch_tile<Tile<128, 64, 8>>(g, stream);
    case GemmTile::tile_128x32:
      return launch_tile<Tile<128, 32, 4>>(g, stream);
    default:
      return launch_tile<Tile<64, 64, 4>>(g, stream);
  }
}

}  // namespace mxinfer::kernels::cuda
