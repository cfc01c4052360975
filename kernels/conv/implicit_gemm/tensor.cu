// Tiles by tensor instructions: a warp has WARP_ROWS x 32 elements. src is rounded on its way into shared
// memory through registers, one step ahead; weights were rounded when they were packed.
#include "kernels/conv/implicit_gemm/gather_device.h"
#include "kernels/conv/implicit_gemm/launch.h"
#include "kernels/cuda/tensor_words.h"

namespace mxinfer::kernels::cuda {
namespace {

template <Precision P, int ROWS, int COLUMNS, int WARP_ROWS>
struct TensorTile {
  static constexpr Precision precision = P;
  static constexpr int rows = ROWS, columns = COLUMNS, warp_rows = WARP_ROWS, warp_columns = 32;
  static constexpr int warps_across = COLUMNS / warp_columns;
  static constexpr int threads = simt::kWarp * (ROWS / WARP_ROWS) * warps_across;
  static constexpr int fragments_down = WARP_ROWS / 16, fragments_across = warp_columns / 8;
  static constexpr int depth = kWords * kElements<P>;  ///< of a step
  /// Vectors of four elements of src in a row of a step, and how many a thread has, each of another row.
  static constexpr int row_vectors = depth / 4;
  static constexpr int src_vectors = ROWS * row_vectors / threads;
  static constexpr int weight_vectors = COLUMNS * kWords / 4 / threads;
  /// Threads of a row, if elements are read one by one.
  static constexpr int row_threads = threads / ROWS;
};

template <class T>
struct TensorSmem {
  std::uint32_t src[2][T::rows][kPitch];
  std::uint32_t weight[2][T::columns][kPitch];
  Window window;
  RowCorner corner[T::rows];
};

/// Stores four elements of a row, rounded; `column` counts elements.
template <Precision P>
__device__ __forceinline__ void store_rounded(std::uint32_t (&row)[kPitch], int column, const float* four) {
  std::uint32_t* to = &row[column / kElements<P>];
  if constexpr (kElements<P> == 1) {
    *reinterpret_cast<uint4*>(to) =
        make_uint4(word_of<P>(four), word_of<P>(four + 1), word_of<P>(four + 2), word_of<P>(four + 3));
  } else {
    *reinterpret_cast<uint2*>(to) = make_uint2(word_of<P>(four), word_of<P>(four + 2));
  }
}

/// Brings steps of src into registers, one after another, and from there into shared memory: vectors of four
/// channels, those of a thread in the same column.
template <class T>
class AlignedRows {
 public:
  __device__ __forceinline__ void start(const ImplicitGemm& g, const TensorSmem<T>& smem, int group,
                                        int first_k) {
    k_.set(g, smem.window, first_k + column());
    find_taps(g, smem, group);
  }
  __device__ __forceinline__ void load(const ImplicitGemm& g, const TensorSmem<T>& smem, int group) {
#pragma unroll
    for (int i = 0; i < T::src_vectors; ++i) {
      float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
      if (tap_[i] != nullptr) v = simt::load4(tap_[i] + k_.channel);
      values_[i][0] = v.x, values_[i][1] = v.y, values_[i][2] = v.z, values_[i][3] = v.w;
    }
    if (k_.advance(g, smem.window, T::depth)) find_taps(g, smem, group);
  }
  __device__ __forceinline__ void store(TensorSmem<T>& smem, int stage) const {
#pragma unroll
    for (int i = 0; i < T::src_vectors; ++i)
      store_rounded<T::precision>(smem.src[stage][row() + i * kApart], column(), values_[i]);
  }

 private:
  static constexpr int kApart = T::threads / T::row_vectors;

  __device__ __forceinline__ static int row() {
    return static_cast<int>(threadIdx.x) / T::row_vectors;
  }
  __device__ __forceinline__ static int column() {
    return static_cast<int>(threadIdx.x) % T::row_vectors * 4;
  }
  __device__ __forceinline__ void find_taps(const ImplicitGemm& g, const TensorSmem<T>& smem, int group) {
    int step = 1;
#pragma unroll
    for (int i = 0; i < T::src_vectors; ++i)
      tap_[i] = tap_address(g, smem.window, smem.corner[row() + i * kApart], k_, group, &step);
  }

  const float* tap_[T::src_vectors];  ///< null: zeros
  float values_[T::src_vectors][4];
  SumElement k_;
};

/// The same, element by element: consecutive ones of a row. Neighbouring threads have neighbouring rows.
template <class T>
class ScalarRows {
 public:
  __device__ __forceinline__ void start(const ImplicitGemm& g, const TensorSmem<T>& smem, int group,
                                        int first_k) {
    k_.set(g, smem.window, first_k + column());
    tap_ = tap_address(g, smem.window, smem.corner[row()], k_, group, &step_);
  }
  __device__ __forceinline__ void load(const ImplicitGemm& g, const TensorSmem<T>& smem, int group) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      values_[i] = tap_ != nullptr ? tap_[static_cast<std::int64_t>(k_.channel) * step_] : 0.0f;
      if (k_.advance(g, smem.window, i + 1 < kCount ? 1 : T::depth - kCount + 1))
        tap_ = tap_address(g, smem.window, smem.corner[row()], k_, group, &step_);
    }
  }
  __device__ __forceinline__ void store(TensorSmem<T>& smem, int stage) const {
#pragma unroll
    for (int i = 0; i < kCount; i += 4)
      store_rounded<T::precision>(smem.src[stage][row()], column() + i, values_ + i);
  }

 private:
  static constexpr int kCount = T::depth / T::row_threads;

  __device__ __forceinline__ static int row() {
    return static_cast<int>(threadIdx.x) % T::rows;
  }
  __device__ __forceinline__ static int column() {
    return static_cast<int>(threadIdx.x) / T::rows * kCount;
  }

  const float* tap_;
  int step_ = 1;
  float values_[kCount];
  SumElement k_;
};

/// Copies steps of weights, vectors of four words.
template <class T>
class WeightRows {
 public:
  __device__ __forceinline__ WeightRows(const ImplicitGemm& g, const BlockPart& part, int first_column)
      : row_words_(static_cast<std::int64_t>(g.steps) * kWords), rows_(g.packed_filters - first_column) {
    const std::int64_t first_row =
        (static_cast<std::int64_t>(part.group) * g.all_phases() + part.phase) * g.packed_filters +
        first_column + row();
    from_ = static_cast<const std::uint32_t*>(g.weight) + first_row * row_words_ +
            static_cast<std::int64_t>(part.first_step) * kWords + word();
  }
  __device__ __forceinline__ void copy(const ImplicitGemm& g, TensorSmem<T>& smem, int stage) {
#pragma unroll
    for (int i = 0; i < T::weight_vectors; ++i) {
      const bool is_there = row() + i * kApart < rows_;
      simt::cp_async16(&smem.weight[stage][row() + i * kApart][word()],
                       is_there ? from_ + i * kApart * row_words_ : g.weight, is_there ? 16 : 0);
    }
    from_ += kWords;
  }

 private:
  static constexpr int kRowVectors = kWords / 4, kApart = T::threads / kRowVectors;

  __device__ __forceinline__ static int row() {
    return static_cast<int>(threadIdx.x) / kRowVectors;
  }
  __device__ __forceinline__ static int word() {
    return static_cast<int>(threadIdx.x) % kRowVectors * 4;
  }

  const std::uint32_t* from_;
  std::int64_t row_words_;
  int rows_;
};

template <class T>
using Fragments = float[T::fragments_down][T::fragments_across][4];

/// Two sums of neighbouring filters; `column` is the first one's number within the group.
struct SumPair {
  float x, y;
};

__device__ __forceinline__ void store_partial_pair(const ImplicitGemm& g, const BlockPart& part,
                                                   std::int64_t position, int column, const SumPair& pair) {
  float* to = g.partial + (part.split * (g.batch * g.epilogue.positions) + position) * g.epilogue.filters +
              static_cast<std::int64_t>(part.group) * g.filters + column;
  to[0] = pair.x;
  if (column + 1 < g.filters) to[1] = pair.y;
}

/// `pairs`: whether 8 bytes may be stored at once.
__device__ __forceinline__ void store_pair(const ImplicitGemm& g, const BlockPart& part, std::int64_t at,
                                           int column, bool pairs, const SumPair& pair) {
  const ConvEpilogue& e = g.epilogue;
  const std::int64_t m = static_cast<std::int64_t>(part.group) * g.filters + column;
  const std::int64_t first = at + m * e.dst_filter;
  if (pairs) {
    *reinterpret_cast<float2*>(e.dst + first) =
        make_float2(finish_linear(e, pair.x, m, first), finish_linear(e, pair.y, m + 1, first + 1));
    return;
  }
  e.dst[first] = finish_linear(e, pair.x, m, first);
  if (column + 1 < g.filters)
    e.dst[first + e.dst_filter] = finish_linear(e, pair.y, m + 1, first + e.dst_filter);
}

/// Applies an activation that is no comparison to the pairs that this thread has stored in a row: a loop that
/// is not unrolled, since its code is long.
template <class T>
__device__ __forceinline__ void activate_row(const ImplicitGemm& g, const BlockPart& part, std::int64_t at,
                                             int first_column) {
#pragma unroll 1
  for (int i = 0; i < 2 * T::fragments_across; ++i) {
    const int column = first_column + i / 2 * 8 + i % 2;
    if (column >= g.filters) return;
    float* to = g.epilogue.dst + at +
                (static_cast<std::int64_t>(part.group) * g.filters + column) * g.epilogue.dst_filter;
    *to = activate(g.epilogue.post_ops, *to);
  }
}

template <class T>
__device__ __forceinline__ void store(const ImplicitGemm& g, const Window& w, const BlockPart& part,
                                      int first_row, int rows, int first_column, bool pairs,
                                      const Fragments<T>& sums) {
  const int lane = static_cast<int>(threadIdx.x) % simt::kWarp;
  const bool curved = !is_piecewise_linear(g.epilogue.post_ops.activation);
  first_column += lane % 4 * 2;
#pragma unroll
  for (int m = 0; m < T::fragments_down; ++m) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int row = first_row + 16 * m + 8 * half + lane / 4;
      const std::int64_t position = row < rows ? output_position(g, w, row) : -1;
      if (position < 0) continue;
      const std::int64_t at = dst_offset(g.epilogue, position);
#pragma unroll
      for (int n = 0; n < T::fragments_across; ++n) {
        const int column = first_column + 8 * n;
        if (column >= g.filters) continue;
        const SumPair pair{sums[m][n][2 * half], sums[m][n][2 * half + 1]};
        if (g.splits > 1) {
          store_partial_pair(g, part, position, column, pair);
        } else {
          store_pair(g, part, at, column, pairs, pair);
        }
      }
      if (curved && g.splits == 1) activate_row<T>(g, part, at, first_column);
    }
  }
}

template <class T, class Rows>
__global__ void __launch_bounds__(T::threads, T::threads == 256 ? 1 : 2)
    tensor_kernel(ImplicitGemm g, int rows, bool pairs) {
  TensorSmem<T>& smem = simt::shared_memory<TensorSmem<T>>();
  const BlockPart part = block_part(g);
  const int first_row = static_cast<int>(blockIdx.x) * T::rows;
  const int first_column = static_cast<int>(blockIdx.y) * T::columns;
  find_rows(g, part.phase, first_row, rows, &smem.window, smem.corner);
  const int warp = static_cast<int>(threadIdx.x) / simt::kWarp;
  const int row = warp / T::warps_across * T::warp_rows, column = warp % T::warps_across * T::warp_columns;
  Rows src;
  src.start(g, smem, part.group, part.first_step * T::depth);
  WeightRows<T> weight(g, part, first_column);
  Fragments<T> sums = {};
  // The next step is on its way while this one is multiplied.
  if (part.steps > 0) {
    src.load(g, smem, part.group);
    weight.copy(g, smem, 0);
    simt::cp_async_commit();
    src.store(smem, 0);
    simt::cp_async_wait<0>();
    __syncthreads();
  }
#pragma unroll 1
  for (int step = 0; step < part.steps; ++step) {
    const int stage = step % 2;
    const bool more = step + 1 < part.steps;
    if (more) {
      src.load(g, smem, part.group);
      weight.copy(g, smem, 1 - stage);
      simt::cp_async_commit();
    }
    multiply_stage<T::precision>(sums, smem.src[stage], smem.weight[stage], row, column);
    if (more) {
      src.store(smem, 1 - stage);
      simt::cp_async_wait<0>();
      __syncthreads();
    }
  }
  store<T>(g, smem.window, part, first_row + row, rows, first_column + column, pairs, sums);
}

template <class T>
Status launch_tile(const ImplicitGemm& g, const Stream& stream) {
  const auto rows = static_cast<int>(g.batch * g.phase_positions());
  const dim3 grid = tile_grid(g, rows, T::rows, T::columns);
  const bool pairs = stores_vectors(g.epilogue) && g.filters % 4 == 0;
  if (g.channels % 4 == 0 && reads_vectors(g))
    return simt::launch(tensor_kernel<T, AlignedRows<T>>, grid, T::threads, sizeof(TensorSmem<T>), stream, g,
                        rows, pairs);
  return simt::launch(tensor_kernel<T, ScalarRows<T>>, grid, T::threads, sizeof(TensorSmem<T>), stream, g,
                      rows, pairs);
}

template <Precision P>
Status launch_precision(const ImplicitGemm& g, const Stream& stream) {
  switch (g.tile) {
    case GemmTile::tile_128x128:
      return launch_tile<TensorTile<P, 128, 128, 64>>(g, stream);
    case GemmTile::tile_128x64:
      return launch_tile<TensorTile<P, 128, 64, 64>>(g, stream);
    default:
      return launch_tile<TensorTile<P, 64, 64, 32>>(g, stream);
  }
}

}  // namespace

Status launch_implicit_gemm_tensor(const ImplicitGemm& g, const Stream& stream) {
  switch (g.precision) {
    case Precision::float16:
      return launch_precision<Precision::float16>(g, stream);
    case Precision::bfloat16:
      return launch_precision<Precision::bfloat16>(g, stream);
    default:
      return launch_precision<Precision::tf32>(g, stream);
  }
}

}  // namespace mxinfer::kernels::cuda
