// What the GEMM kernels share: where matrices and elements are, and what is done to a sum. Included by the
// .cu files of this folder.
#pragma once

#include <type_traits>

#include "kernels/common/divide.h"
#include "kernels/cuda/dispatch.h"
#include "kernels/cuda/float_vectors.h"
#include "kernels/cuda/stored_floats.h"
#include "kernels/gemm/along.h"
#include "kernels/gemm/gemm_cuda.h"

namespace mxinfer::kernels::cuda {

/// What the blocks of a launch are, beside the arguments: block b is of tile b % down of the rows, and so on
/// across the columns, the pieces of the depth, the matrices.
struct GemmGrid {
  std::int64_t down = 1, across = 1, splits = 1;
  std::int64_t first_matrix = 0;
  std::int64_t split_depth = 0;
  bool vectors_a = false, vectors_b = false;  ///< the operand may be read 16 bytes at a time
  /// Of four columns, all are inside of the matrix or none, and dst, or the pieces, have them in 16 aligned
  /// bytes.
  bool vectors_dst = false;
  bool vectors_bias = false;  ///< there is a bias, of columns, whose floats may be read so
};

/// A piece of the depth.
struct GemmPiece {
  std::int64_t begin, end;
};

__device__ __forceinline__ std::int64_t smaller(std::int64_t a, std::int64_t b) {
  return a < b ? a : b;
}

__device__ __forceinline__ GemmPiece piece_of(const GemmArgs& args, std::int64_t split_depth,
                                              std::int64_t split) {
  const std::int64_t begin = split * split_depth;
  return {begin, smaller(args.depth, begin + split_depth)};
}

template <typename T>
__device__ __forceinline__ const T* side_of(const GemmArgs& args, const GemmSide& side, std::int64_t matrix) {
  return static_cast<const T*>(side.data) + matrix / args.inner * side.outer +
         matrix % args.inner * side.inner;
}

__device__ __forceinline__ std::int64_t dst_of(const GemmArgs& args, std::int64_t matrix) {
  return matrix / args.inner * args.dst_outer + matrix % args.inner * args.dst_inner;
}

/// Where a piece's sums of a matrix begin in the scratch memory: [piece][matrix][row][column].
__device__ __forceinline__ std::int64_t partial_of(const GemmArgs& args, std::int64_t split,
                                                   std::int64_t matrix) {
  return (split * args.outer * args.inner + matrix) * args.rows * args.columns;
}

/// What becomes of a sum but for the activation. `at`: where its element is in dst.
template <typename T>
__device__ __forceinline__ float finish_linear(const GemmArgs& args, float sum, std::int64_t at,
                                               std::int64_t i, std::int64_t j) {
  float value = args.scale * sum;
  if (args.bias != nullptr) value += args.bias[i * args.bias_row + j * args.bias_column];
  if (args.residual != nullptr)
    value += args.residual_scale * to_float(static_cast<const T*>(args.residual)[at]);
  return value;
}

/// Stores element (i, j) of the matrix whose dst begins at `dst`.
template <typename T>
__device__ __forceinline__ void finish(const GemmArgs& args, float sum, std::int64_t dst, std::int64_t i,
                                       std::int64_t j) {
  const std::int64_t at = dst + i * args.dst_row + j * args.dst_column;
  static_cast<T*>(args.dst)[at] =
      to_stored<T>(activate(args.post_ops, finish_linear<T>(args, sum, at, i, j)));
}

/// The indices of a thread's elements: from `first` on, groups of four, `distance` apart.
struct GroupsOfFour {
  std::int64_t first;
  int distance;
  __device__ __forceinline__ std::int64_t operator()(int e) const { return first + e / 4 * distance + e % 4; }
};

/// What becomes of a sum when it is stored at once: activations that are more than a comparison are left out.
template <typename T>
__device__ __forceinline__ float finish_at_once(const GemmArgs& args, float sum, std::int64_t at,
                                                std::int64_t i, std::int64_t j) {
  return activate_linear(args.post_ops, finish_linear<T>(args, sum, at, i, j));
}

/// Stores the elements that a thread has of a tile, float32: (m, n) is the sum of row `rows(m)`, column
/// `columns(n)`.
template <int M, int N, typename Rows, typename Columns>
__device__ __forceinline__ void store_elements(const GemmArgs& args, const float (&sums)[M][N],
                                               std::int64_t dst, float* partial, const Rows& rows,
                                               const Columns& columns) {
#pragma unroll
  for (int m = 0; m < M; ++m) {
#pragma unroll
    for (int n = 0; n < N; ++n) {
      const std::int64_t i = rows(m), j = columns(n);
      if (i >= args.rows || j >= args.columns) continue;
      if (partial != nullptr) {
        partial[i * args.columns + j] = sums[m][n];
        continue;
      }
      const std::int64_t at = dst + i * args.dst_row + j * args.dst_column;
      static_cast<float*>(args.dst)[at] = finish_at_once<float>(args, sums[m][n], at, i, j);
    }
  }
}

/// The same of columns in groups of four, which are stored as vectors where GemmGrid::vectors_dst holds.
template <int M, int N, typename Rows>
__device__ __forceinline__ void store_fours(const GemmArgs& args, const float (&sums)[M][N], std::int64_t dst,
                                            float* partial, const Rows& rows, const GroupsOfFour& columns,
                                            bool vectors) {
  float* const to = partial != nullptr ? partial : static_cast<float*>(args.dst) + dst;
  const std::int64_t row_step = partial != nullptr ? args.columns : args.dst_row;
  const std::int64_t column_step = partial != nullptr ? 1 : args.dst_column;
#pragma unroll
  for (int m = 0; m < M; ++m) {
#pragma unroll
    for (int n = 0; n < N; n += 4) {
      const std::int64_t i = rows(m), j = columns(n);
      if (i >= args.rows || j >= args.columns) continue;
      const std::int64_t at = i * row_step + j * column_step;
      const int count = args.columns - j < 4 ? static_cast<int>(args.columns - j) : 4;
      float four[4];
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        four[e] = sums[m][n + e];
        if (partial == nullptr && e < count)
          four[e] = finish_at_once<float>(args, four[e], dst + at + e * column_step, i, j + e);
      }
      if (vectors) {
        simt::store4(to + at, make_float4(four[0], four[1], four[2], four[3]));
      } else {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          if (e < count) to[at + e * column_step] = four[e];
        }
      }
    }
  }
}

/// Applies the activations that finish_at_once() leaves out, to what the thread has stored, in a loop:
/// unrolled, they would be most of the kernel.
template <int M, int N, typename Rows, typename Columns>
__device__ __forceinline__ void activate_stored(const GemmArgs& args, std::int64_t dst, const Rows& rows,
                                                const Columns& columns) {
  if (is_piecewise_linear(args.post_ops.activation)) return;
#pragma unroll 1
  for (int e = 0; e < M * N; ++e) {
    const std::int64_t i = rows(e / N), j = columns(e % N);
    if (i >= args.rows || j >= args.columns) continue;
    float& value = static_cast<float*>(args.dst)[dst + i * args.dst_row + j * args.dst_column];
    value = activate(args.post_ops, value);
  }
}

/// Stores what a thread has of a tile, in dst or among the pieces.
template <int M, int N, typename Rows, typename Columns>
__device__ __forceinline__ void store_tile(const GemmArgs& args, const GemmGrid& grid,
                                           const float (&sums)[M][N], std::int64_t matrix, std::int64_t split,
                                           float* partial, const Rows& rows, const Columns& columns) {
  const std::int64_t dst = dst_of(args, matrix);
  float* piece = partial == nullptr ? nullptr : partial + partial_of(args, split, matrix);
  if constexpr (std::is_same_v<Columns, GroupsOfFour>) {
    store_fours(args, sums, dst, piece, rows, columns, grid.vectors_dst);
  } else {
    store_elements(args, sums, dst, piece, rows, columns);
  }
  if (piece == nullptr) activate_stored<M, N>(args, dst, rows, columns);
}

/// Which tile a block computes; neighbours share the columns.
struct BlockPlace {
  std::int64_t row, column, split, matrix;
};

__device__ __forceinline__ BlockPlace block_place(const GemmGrid& grid, int tile_rows, int tile_columns) {
  std::int64_t index = blockIdx.x;
  BlockPlace place;
  place.row = index % grid.down * tile_rows;
  index /= grid.down;
  place.column = index % grid.across * tile_columns;
  index /= grid.across;
  place.split = index % grid.splits;
  place.matrix = grid.first_matrix + index / grid.splits;
  return place;
}

// ---- For launchers.

/// Whether all matrices begin at 16 bytes and so does, along the other dimension, every row of `vector`
/// elements, 16 bytes.
inline bool has_vectors(const GemmSide& side, std::int64_t contiguous, std::int64_t other, int vector) {
  return contiguous == 1 && other % vector == 0 && side.outer % vector == 0 && side.inner % vector == 0 &&
         is_vector_aligned(side.data);
}

/// Whether dst, or the pieces, have `vector` columns in 16 aligned bytes: GemmGrid::vectors_dst.
inline bool has_vectors_of_dst(const GemmArgs& args, const float* partial, int vector = 4) {
  if (args.columns % vector != 0) return false;
  if (partial != nullptr) return is_vector_aligned(partial);
  return args.dst_column == 1 && args.dst_row % vector == 0 && args.dst_outer % vector == 0 &&
         args.dst_inner % vector == 0 && is_vector_aligned(args.dst);
}

/// Calls launch with the directions of a and b as types.
template <typename Launch>
Status with_directions(const GemmArgs& args, const Launch& launch) {
  using Depth = std::integral_constant<Along, Along::depth>;
  using Rows = std::integral_constant<Along, Along::rows>;
  const auto [a, b] = directions_of(args);
  if (a == Along::rows && b == Along::rows) return launch(Rows{}, Rows{});
  if (a == Along::rows) return launch(Rows{}, Depth{});
  if (b == Along::rows) return launch(Depth{}, Rows{});
  return launch(Depth{}, Depth{});
}

/// Calls `launch` with grids of all matrices, as many at a time as a launch may have blocks.
template <typename Launch>
Status launch_matrices(const GemmArgs& args, GemmGrid grid, const Launch& launch) {
  constexpr std::int64_t kMostBlocks = 0x7fffffff;
  const std::int64_t blocks = grid.down * grid.across * grid.splits;
  const std::int64_t matrices = kMostBlocks / blocks < 1 ? 1 : kMostBlocks / blocks;
  for (grid.first_matrix = 0; grid.first_matrix < args.matrices(); grid.first_matrix += matrices) {
    const std::int64_t rest = args.matrices() - grid.first_matrix;
    const Status status =
        launch(grid, dim3(static_cast<unsigned>(blocks * (rest < matrices ? rest : matrices))));
    if (status != kSuccess) return status;
  }
  return kSuccess;
}

}  // namespace mxinfer::kernels::cuda
