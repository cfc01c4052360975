// A block's product of two operands by tensor instructions: the pipeline of copies and products, from memory
// to sums in shared memory, float32 ones or, of bytes, those of 32-bit integers by their bits. Included by
// the .cu files of products and of convolutions, which say where operands are, and what becomes of sums.
//
//   struct Smem { TensorSmem<T> tile; ... };                       // T: TensorTileOf<GemmTile::tile_128x64>
//   TensorSums<T> sums{};
//   multiply_steps<Operands<StoredFloat16, Along::depth, Along::depth>>(smem.tile, left, right, steps, sums);
//   share_sums(smem.tile, sums);
//   for_each_vector<8>(smem.tile, [&](int row, int column, float* eight) { ... });
//
// A source of an operand (`left`, `right`) has two functions. fetch(stage) begins to bring the next step into
// a stage. deliver(stage), called after products of another stage, stores what fetch() has left in registers;
// sources that copy asynchronously do nothing there.
//
// A stage is rows of 128 bytes, each in 8 chunks of 16. Chunk c of row r is at c ^ (r % 8), so that the 8
// rows of a matrix of ldmatrix are in different banks. A row is one row of the operand, along the depth. Of
// operands whose rows lie innermost it is one element of the depth instead: 64 halves, or 32 floats, of
// neighbouring rows; such rows follow each other along the depth, then come those of the next 64 or 32 rows.
#pragma once

#include <iterator>
#include <type_traits>

#include "kernels/cuda/mma.h"
#include "kernels/gemm/along.h"
#include "kernels/gemm/tensor_tiles.h"

namespace mxinfer::kernels::cuda {

inline constexpr int kRowWords = kTensorRowBytes / 4;
inline constexpr int kRowChunks = kTensorRowBytes / 16;
/// Instructions along the depth of a step.
inline constexpr int kStepSlices = 4;

/// Elements of the depth in a step, which are also the rows of an operand in a row of a stage.
template <typename E>
inline constexpr int kStepDepth = static_cast<int>(kTensorRowBytes / sizeof(E));

template <GemmTile TILE>
struct TensorTileOf {
  static constexpr TensorTile shape = tensor_tile(TILE);
  static_assert(shape.tile == TILE);
  static constexpr int rows = shape.rows, columns = shape.columns, stages = shape.stages;
  static constexpr int threads = shape.threads(), blocks = shape.blocks;
  static constexpr int warps_across = shape.warps_across;
  static constexpr bool by_groups = shape.by_groups;
  static constexpr int warp_rows = rows / shape.warps_down, warp_columns = columns / shape.warps_across;
  static constexpr int fragments_down = warp_rows / 16, fragments_across = warp_columns / 8;
  static_assert(fragments_across % 2 == 0 && rows * kRowChunks % threads == 0 &&
                columns * kRowChunks % threads == 0);
};

/// Calls launch(TensorTileOf<tile>{}). HAS: whether the kernel is made for a tile of kTensorTiles.
template <bool (*HAS)(const TensorTile&), int I = 0, typename Launch>
Status with_tensor_tile(GemmTile tile, const Launch& launch) {
  if constexpr (I < static_cast<int>(std::size(kTensorTiles))) {
    constexpr TensorTile kThis = kTensorTiles[I];
    if constexpr (HAS(kThis)) {
      if (tile == kThis.tile) return launch(TensorTileOf<kThis.tile>{});
    }
    return with_tensor_tile<HAS, I + 1>(tile, launch);
  } else {
    return static_cast<Status>(cudaErrorInvalidValue);
  }
}

/// The sums of a thread: of a fragment of 16 x 8, sum r is that of row lane / 4 + r / 2 * 8 and column
/// lane % 4 * 2 + r % 2.
template <class T, typename Sum = float>
using TensorSums = Sum[T::fragments_down][T::fragments_across][4];

template <class T>
struct TensorSmem {
  /// Rows of sums this far apart keep the stores of a warp in different banks.
  static constexpr int kSumsPitch = T::columns + 8;
  struct Operands {
    std::uint32_t left[T::stages][T::rows][kRowWords];
    std::uint32_t right[T::stages][T::columns][kRowWords];
  };
  union {
    Operands operands;
    float sums[T::rows][kSumsPitch];
  };
};

/// The elements that are multiplied, how operands lie, and whether the right one is rounded to tf32 already.
template <typename E, Along LEFT, Along RIGHT, bool ROUNDED_RIGHT = false>
struct Operands {
  using Element = E;
  static constexpr Along left = LEFT, right = RIGHT;
  static constexpr bool rounded_right = ROUNDED_RIGHT;
};

template <int N>
__device__ __forceinline__ std::uint32_t* chunk_of(std::uint32_t (&rows)[N][kRowWords], int row, int chunk) {
  return &rows[row][(chunk ^ (row & (kRowChunks - 1))) * 4];
}
template <int N>
__device__ __forceinline__ const std::uint32_t* chunk_of(const std::uint32_t (&rows)[N][kRowWords], int row,
                                                         int chunk) {
  return &rows[row][(chunk ^ (row & (kRowChunks - 1))) * 4];
}

/// A chunk in registers, of elements that come one by one, in their order.
template <typename E>
class Chunk {
 public:
  __device__ __forceinline__ void set(int i, E x) {
    if constexpr (std::is_same_v<E, float>) {
      words_[i] = simt::float_bits(x);
    } else if constexpr (sizeof(E) == 1) {
      words_[i / 4] = i % 4 == 0 ? x.bits : words_[i / 4] | static_cast<std::uint32_t>(x.bits) << 8 * (i % 4);
    } else {
      words_[i / 2] = i % 2 == 0 ? x.bits : words_[i / 2] | static_cast<std::uint32_t>(x.bits) << 16;
    }
  }
  __device__ __forceinline__ void set_all(uint4 words) {
    words_[0] = words.x, words_[1] = words.y, words_[2] = words.z, words_[3] = words.w;
  }
  __device__ __forceinline__ void store(std::uint32_t* to) const {
    *reinterpret_cast<uint4*>(to) = make_uint4(words_[0], words_[1], words_[2], words_[3]);
  }

 private:
  std::uint32_t words_[4];
};

/// A float that the instruction cuts to tf32, so that it comes out as rounded, nearly: exact values stay, and
/// errors have no bias. Cut values of significands from 1 to 2 are too small by half of 2^-10 on average.
/// Infinities and NaN stay.
__device__ __forceinline__ std::uint32_t nearly_rounded(std::uint32_t bits) {
  constexpr float kHalfOnAverage = 1.0f + 0.72f * 0x1p-11f;
  return simt::float_bits(simt::bits_float(bits) * kHalfOnAverage);
}

/// The element of a row at element k of the depth, where rows lie innermost.
template <int N>
__device__ __forceinline__ std::uint32_t tf32_at(const std::uint32_t (&rows)[N][kRowWords], int row, int k) {
  return chunk_of(rows, row / kRowWords * kRowWords + k, row % kRowWords / 4)[row % 4];
}

/// The fragments of a slice of the left operand, from row `first` on.
template <class O, int M, int ROWS>
__device__ __forceinline__ void load_left(std::uint32_t (&to)[M][4],
                                          const std::uint32_t (&rows)[ROWS][kRowWords], int first,
                                          int slice) {
  constexpr bool kTf32 = sizeof(typename O::Element) == 4;
  const int lane = static_cast<int>(threadIdx.x) % simt::kWarp;
#pragma unroll
  for (int m = 0; m < M; ++m) {
    const int row = first + 16 * m;
    if constexpr (O::left == Along::depth) {
      simt::ldmatrix_x4(to[m], chunk_of(rows, row + lane % 16, 2 * slice + lane / 16));
    } else if constexpr (!kTf32) {
      const int k = 16 * slice + lane % 8 + lane / 16 * 8, at = row + lane / 8 % 2 * 8;
      simt::ldmatrix_x4_trans(to[m], chunk_of(rows, at / 64 * 64 + k, at % 64 / 8));
    } else {
#pragma unroll
      for (int r = 0; r < 4; ++r)
        to[m][r] = tf32_at(rows, row + lane / 4 + r % 2 * 8, 8 * slice + lane % 4 + r / 2 * 4);
    }
    if constexpr (kTf32) {
#pragma unroll
      for (int r = 0; r < 4; ++r) to[m][r] = nearly_rounded(to[m][r]);
    }
  }
}

/// The same of the right operand.
template <class O, int N, int COLUMNS>
__device__ __forceinline__ void load_right(std::uint32_t (&to)[N][2],
                                           const std::uint32_t (&rows)[COLUMNS][kRowWords], int first,
                                           int slice) {
  constexpr bool kTf32 = sizeof(typename O::Element) == 4;
  const int lane = static_cast<int>(threadIdx.x) % simt::kWarp;
#pragma unroll
  for (int n = 0; n < N; n += 2) {
    const int row = first + 8 * n;
    if constexpr (O::right == Along::rows && kTf32) {
#pragma unroll
      for (int r = 0; r < 4; ++r)
        to[n + r / 2][r % 2] = tf32_at(rows, row + lane / 4 + r / 2 * 8, 8 * slice + lane % 4 + r % 2 * 4);
    } else {
      std::uint32_t both[4];
      if constexpr (O::right == Along::depth) {
        simt::ldmatrix_x4(both, chunk_of(rows, row + lane % 8 + lane / 16 * 8, 2 * slice + lane / 8 % 2));
      } else {
        const int k = 16 * slice + lane % 16, at = row + lane / 16 * 8;
        simt::ldmatrix_x4_trans(both, chunk_of(rows, at / 64 * 64 + k, at % 64 / 8));
      }
#pragma unroll
      for (int r = 0; r < 4; ++r) to[n + r / 2][r % 2] = both[r];
    }
    if constexpr (kTf32 && !O::rounded_right) {
#pragma unroll
      for (int r = 0; r < 4; ++r) to[n + r / 2][r % 2] = nearly_rounded(to[n + r / 2][r % 2]);
    }
  }
}

/// Where the sums of the calling warp begin in the tile.
template <class T>
struct WarpPlace {
  int row, column;
  __device__ __forceinline__ WarpPlace() {
    const int warp = static_cast<int>(threadIdx.x) / simt::kWarp;
    row = warp / T::warps_across * T::warp_rows;
    column = warp % T::warps_across * T::warp_columns;
  }
};

/// sums += a stage of the left operand times one of the right one.
template <class O, class T, class Sums>
__device__ __forceinline__ void multiply_stage(Sums& sums, const std::uint32_t (&left)[T::rows][kRowWords],
                                               const std::uint32_t (&right)[T::columns][kRowWords],
                                               const WarpPlace<T>& warp) {
#pragma unroll
  for (int slice = 0; slice < kStepSlices; ++slice) {
    std::uint32_t a[T::fragments_down][4], b[T::fragments_across][2];
    load_left<O>(a, left, warp.row, slice);
    load_right<O>(b, right, warp.column, slice);
    multiply_fragments<typename O::Element>(sums, a, b);
  }
}

/// sums += the products of so many steps. At its end, all threads are done with the stages.
template <class O, class T, class Left, class Right, class Sums>
__device__ __forceinline__ void multiply_steps(TensorSmem<T>& smem, Left& left, Right& right, int steps,
                                               Sums& sums) {
  auto& [left_stages, right_stages] = smem.operands;
  const WarpPlace<T> warp;
  // A group is committed for each step, empty ones behind the last.
#pragma unroll
  for (int s = 0; s < T::stages - 1; ++s) {
    if (s < steps) {
      left.fetch(left_stages[s]);
      right.fetch(right_stages[s]);
      left.deliver(left_stages[s]);
      right.deliver(right_stages[s]);
    }
    simt::cp_async_commit();
  }
  int stage = 0, next = T::stages - 1;
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    simt::cp_async_wait<T::stages - 2>();
    __syncthreads();  // the stage is there for all, and all are done with the one that is filled next
    const bool more = step + T::stages - 1 < steps;
    if (more) {
      left.fetch(left_stages[next]);
      right.fetch(right_stages[next]);
    }
    simt::cp_async_commit();
    multiply_stage<O, T>(sums, left_stages[stage], right_stages[stage], warp);
    if (more) {
      left.deliver(left_stages[next]);
      right.deliver(right_stages[next]);
    }
    stage = stage + 1 < T::stages ? stage + 1 : 0;
    next = next + 1 < T::stages ? next + 1 : 0;
  }
  simt::cp_async_wait<0>();
  __syncthreads();
}

__device__ __forceinline__ float stored_sum(float sum) {
  return sum;
}
__device__ __forceinline__ float stored_sum(int sum) {
  return simt::bits_float(static_cast<std::uint32_t>(sum));
}

/// Leaves the sums in shared memory, row by row, for all threads.
template <class T, class Sums>
__device__ __forceinline__ void share_sums(TensorSmem<T>& smem, const Sums& sums) {
  const WarpPlace<T> warp;
  const int lane = static_cast<int>(threadIdx.x) % simt::kWarp;
#pragma unroll
  for (int m = 0; m < T::fragments_down; ++m) {
#pragma unroll
    for (int n = 0; n < T::fragments_across; ++n) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        float* to = &smem.sums[warp.row + 16 * m + lane / 4 + 8 * half][warp.column + 8 * n + lane % 4 * 2];
        *reinterpret_cast<float2*>(to) =
            make_float2(stored_sum(sums[m][n][2 * half]), stored_sum(sums[m][n][2 * half + 1]));
      }
    }
  }
  __syncthreads();
}

/// Calls body(row, column, sums) for WIDTH neighbouring sums of a row at a time. Neighbouring threads have
/// neighbours.
template <int WIDTH, class T, typename Body>
__device__ __forceinline__ void for_each_vector(TensorSmem<T>& smem, const Body& body) {
  constexpr int kVectors = T::columns / WIDTH;
#pragma unroll 1
  for (int v = static_cast<int>(threadIdx.x); v < T::rows * kVectors; v += T::threads) {
    const int row = v / kVectors, column = v % kVectors * WIDTH;
    body(row, column, &smem.sums[row][column]);
  }
}

/// Calls body(row, column, at, sums, residual) for 16 bytes of elements M of each row at a time. `at` is what
/// place(row, column) gives, the place in dst, or -1: there is none. Several residuals are loaded before the
/// first body waits for its own; null: there are none.
template <typename M, class T, typename Place, typename Body>
__device__ __forceinline__ void for_each_vector_of(TensorSmem<T>& smem, const Place& place,
                                                   const void* residuals, const Body& body) {
  constexpr int kWidth = kVector<M>, kVectors = T::columns / kWidth,
                kOfThread = T::rows * kVectors / T::threads;
  constexpr int kAtOnce = kOfThread < 4 ? kOfThread : 4;
  static_assert(kOfThread % kAtOnce == 0 && T::rows * kVectors % T::threads == 0);
  const auto row_of = [](int v) { return v / kVectors; };
  const auto column_of = [](int v) { return v % kVectors * kWidth; };
#pragma unroll 1
  for (int first = static_cast<int>(threadIdx.x); first < T::rows * kVectors; first += kAtOnce * T::threads) {
    RawVector residual[kAtOnce];
    std::int64_t at[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int v = first + i * T::threads;
      at[i] = place(row_of(v), column_of(v));
      const bool loads = residuals != nullptr && at[i] >= 0;
      residual[i] = loads ? load_raw(static_cast<const M*>(residuals) + at[i]) : RawVector{};
    }
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      if (at[i] < 0) continue;
      const int row = row_of(first + i * T::threads), column = column_of(first + i * T::threads);
      float x[kWidth];
      load_floats(&smem.sums[row][column], x);
      body(row, column, at[i], x, residual[i]);
    }
  }
}

}  // namespace mxinfer::kernels::cuda
