// GemmKernel::tensor_tile of one element: both operands go from memory to shared memory as they are. Included
// by a .cu file for each element, which calls launch_tensor<T>().
#pragma once

#include "kernels/gemm/gemm_tensor.h"
#include "kernels/gemm/tensor_tile_device.h"

namespace mxinfer::kernels::cuda {
namespace {

/// Rows and depth that a source has of an operand: those of a tile, and of a piece of the depth.
struct MatrixPart {
  std::int64_t first_row, rows;  ///< the first, and the number of all in the matrix
  std::int64_t begin, end;       ///< of the depth
};

/// The source of an operand (kernels/gemm/tensor_tile_device.h). A thread has the same chunk of several rows
/// of a stage. What is outside of the matrix becomes 0; its address is made, but not read.
template <typename E, Along ALONG, int ROWS, int THREADS>
class MatrixSource {
 public:
  /// `vectors`: whether 16 bytes may be copied at once; else elements are stored one by one.
  __device__ __forceinline__ MatrixSource(const GemmSide& side, const E* matrix, const MatrixPart& part,
                                          bool vectors)
      : row_stride_(side.row), depth_stride_(side.depth), vectors_(vectors) {
    if constexpr (ALONG == Along::depth) {
      from_ =
          matrix + (part.first_row + line()) * row_stride_ + (part.begin + chunk() * kWidth) * depth_stride_;
      rows_ = clamped(part.rows - part.first_row - line());
      depth_ = part.end - part.begin - chunk() * kWidth;
    } else {
      from_ =
          matrix + (part.begin + line()) * depth_stride_ + (part.first_row + chunk() * kWidth) * row_stride_;
      rows_ = clamped(part.rows - part.first_row - chunk() * kWidth);
      depth_ = part.end - part.begin - line();
    }
  }

  __device__ __forceinline__ void fetch(std::uint32_t (&stage)[ROWS][kRowWords]) {
    if (vectors_) {
      copy(stage);
    } else {
      gather(stage);
    }
    from_ += kStepDepth<E> * depth_stride_;
    depth_ -= kStepDepth<E>;
  }
  __device__ __forceinline__ void deliver(std::uint32_t (&)[ROWS][kRowWords]) const {}

 private:
  static constexpr int kWidth = kVector<E>;
  static constexpr int kApart = THREADS / kRowChunks;  ///< rows of a stage from one of a thread to its next
  static constexpr int kCopies = ROWS / kApart;
  static_assert(kStepDepth<E> % kApart == 0);

  __device__ __forceinline__ static int line() { return static_cast<int>(threadIdx.x) / kRowChunks; }
  __device__ __forceinline__ static int chunk() { return static_cast<int>(threadIdx.x) % kRowChunks; }
  /// At most the rows of a tile, and some of those that are none.
  __device__ __forceinline__ static int clamped(std::int64_t rows) {
    return rows > ROWS ? ROWS : rows < 0 ? 0 : static_cast<int>(rows);
  }

  /// Elements of the thread's chunk i that are in the matrix.
  __device__ __forceinline__ int count(int i) const {
    if constexpr (ALONG == Along::depth) {
      const int there = depth_ > kWidth ? kWidth : depth_ < 0 ? 0 : static_cast<int>(depth_);
      return i * kApart < rows_ ? there : 0;
    } else {
      const int left = rows_ - i * kApart / kStepDepth<E> * kStepDepth<E>;
      const int there = left > kWidth ? kWidth : left < 0 ? 0 : left;
      return i * kApart % kStepDepth<E> < depth_ ? there : 0;
    }
  }
  /// Where that chunk is.
  __device__ __forceinline__ const E* address(int i) const {
    if constexpr (ALONG == Along::depth) {
      return from_ + i * kApart * row_stride_;
    } else {
      return from_ + i * kApart % kStepDepth<E> * depth_stride_ +
             i * kApart / kStepDepth<E> * kStepDepth<E> * row_stride_;
    }
  }

  __device__ __forceinline__ void copy(std::uint32_t (&stage)[ROWS][kRowWords]) const {
#pragma unroll
    for (int i = 0; i < kCopies; ++i)
      simt::cp_async16(chunk_of(stage, line() + i * kApart, chunk()), address(i),
                       count(i) * static_cast<int>(sizeof(E)));
  }

  __device__ __forceinline__ void gather(std::uint32_t (&stage)[ROWS][kRowWords]) const {
    const std::int64_t step = ALONG == Along::depth ? depth_stride_ : row_stride_;
#pragma unroll 1
    for (int i = 0; i < kCopies; ++i) {
      const E* from = address(i);
      const int there = count(i);
      Chunk<E> values;
#pragma unroll
      for (int e = 0; e < kWidth; ++e) values.set(e, e < there ? from[e * step] : E{});
      values.store(chunk_of(stage, line() + i * kApart, chunk()));
    }
  }

  const E* from_;
  std::int64_t row_stride_, depth_stride_, depth_;
  int rows_;
  bool vectors_;
};

/// What a block computes: blocks that follow each other have the same rows.
template <class T>
__device__ __forceinline__ BlockPlace tensor_place(const GemmGrid& grid) {
  std::int64_t index = blockIdx.x;
  BlockPlace place;
  place.column = index % grid.across * T::columns;
  index /= grid.across;
  place.row = index % grid.down * T::rows;
  index /= grid.down;
  place.split = index % grid.splits;
  place.matrix = grid.first_matrix + index / grid.splits;
  return place;
}

/// 16 bytes of dst: finish_linear() of each sum, and the activation.
template <typename E>
__device__ __forceinline__ void finish_vector(const GemmArgs& args, bool bias_vectors, float (&x)[kVector<E>],
                                              std::int64_t dst, std::int64_t i, std::int64_t j) {
  const std::int64_t at = dst + i * args.dst_row + j;
#pragma unroll
  for (int e = 0; e < kVector<E>; ++e) x[e] *= args.scale;
  if (bias_vectors) {
    add_floats(args.bias + j, x);
  } else if (args.bias != nullptr) {
#pragma unroll
    for (int e = 0; e < kVector<E>; ++e) x[e] += args.bias[i * args.bias_row + (j + e) * args.bias_column];
  }
  if (args.residual != nullptr) {
    float residual[kVector<E>];
    load_vector(static_cast<const E*>(args.residual) + at, residual);
#pragma unroll
    for (int e = 0; e < kVector<E>; ++e) x[e] += args.residual_scale * residual[e];
  }
#pragma unroll
  for (int e = 0; e < kVector<E>; ++e) x[e] = activate_linear(args.post_ops, x[e]);
  activate_curved(args.post_ops, x);
  store_vector(static_cast<E*>(args.dst) + at, x);
}

/// Stores the sums of a piece of the depth as they are.
template <class T>
__device__ __forceinline__ void store_piece(const GemmArgs& args, TensorSmem<T>& smem,
                                            const BlockPlace& place, float* partial) {
  float* to = partial + partial_of(args, place.split, place.matrix);
  const bool vectors = args.columns % 4 == 0;
  for_each_vector<4>(smem, [&](int row, int column, const float* sums) {
    const std::int64_t i = place.row + row, j = place.column + column;
    if (i >= args.rows || j >= args.columns) return;
    float* at = to + i * args.columns + j;
    if (vectors) return simt::store4(at, simt::load4(sums));
    for (int e = 0; e < 4 && j + e < args.columns; ++e) at[e] = sums[e];
  });
}

template <typename E, class T>
__device__ __forceinline__ void store_products(const GemmArgs& args, const GemmGrid& grid,
                                               TensorSmem<T>& smem, const BlockPlace& place) {
  const std::int64_t dst = dst_of(args, place.matrix);
  if (grid.vectors_dst) {
    for_each_vector<kVector<E>>(smem, [&](int row, int column, const float* sums) {
      const std::int64_t i = place.row + row, j = place.column + column;
      if (i >= args.rows || j >= args.columns) return;
      float x[kVector<E>];
      load_sums(sums, x);
      finish_vector<E>(args, grid.vectors_bias, x, dst, i, j);
    });
    return;
  }
  for_each_vector<1>(smem, [&](int row, int column, const float* sum) {
    const std::int64_t i = place.row + row, j = place.column + column;
    if (i < args.rows && j < args.columns) finish<E>(args, *sum, dst, i, j);
  });
}

template <typename E, Along A, Along B, class T>
__global__ void __launch_bounds__(T::threads, T::blocks)
    gemm_tensor_tile(GemmArgs args, GemmGrid grid, float* partial) {
  TensorSmem<T>& smem = simt::shared_memory<TensorSmem<T>>();
  const BlockPlace place = tensor_place<T>(grid);
  const GemmPiece piece = piece_of(args, grid.split_depth, place.split);
  MatrixSource<E, A, T::rows, T::threads> left(args.a, side_of<E>(args, args.a, place.matrix),
                                               {place.row, args.rows, piece.begin, piece.end},
                                               grid.vectors_a);
  MatrixSource<E, B, T::columns, T::threads> right(args.b, side_of<E>(args, args.b, place.matrix),
                                                   {place.column, args.columns, piece.begin, piece.end},
                                                   grid.vectors_b);
  const auto steps = static_cast<int>(ceil_div(piece.end - piece.begin, std::int64_t{kStepDepth<E>}));
  TensorSums<T> sums = {};
  multiply_steps<Operands<E, A, B>>(smem, left, right, steps, sums);
  share_sums(smem, sums);
  if (partial != nullptr) {
    store_piece(args, smem, place, partial);
  } else {
    store_products<E>(args, grid, smem, place);
  }
}

template <typename E, Along A, Along B, GemmTile TILE>
Status launch_tensor(const GemmArgs& args, GemmGrid grid, float* partial, const Stream& stream) {
  using T = TensorTileOf<TILE>;
  constexpr int kWidth = kVector<E>;
  grid.down = ceil_div(args.rows, T::rows);
  grid.across = ceil_div(args.columns, T::columns);
  grid.vectors_a = A == Along::depth ? has_vectors(args.a, args.a.depth, args.a.row, kWidth)
                                     : has_vectors(args.a, args.a.row, args.a.depth, kWidth);
  grid.vectors_b = B == Along::depth ? has_vectors(args.b, args.b.depth, args.b.row, kWidth)
                                     : has_vectors(args.b, args.b.row, args.b.depth, kWidth);
  grid.vectors_dst = has_vectors_of_dst(args, nullptr, kWidth) && is_vector_aligned(args.residual);
  grid.vectors_bias =
      args.bias != nullptr && args.bias_row == 0 && args.bias_column == 1 && is_vector_aligned(args.bias);
  return launch_matrices(args, grid, [&](const GemmGrid& part, dim3 blocks) {
    return simt::launch(gemm_tensor_tile<E, A, B, T>, blocks, T::threads, sizeof(TensorSmem<T>), stream, args,
                        part, partial);
  });
}

/// Operands along the depth have all tiles, others those that they need most: has_tensor_tile().
template <typename E>
Status launch_tensor(const GemmArgs& args, GemmTile tile, const GemmGrid& grid, float* partial,
                     const Stream& stream) {
  constexpr Along kDepth = Along::depth, kRows = Along::rows;
  const auto [a, b] = directions_of(args);
  if (a == kRows)
    return b == kRows ? launch_tensor<E, kRows, kRows, GemmTile::tile_64x64>(args, grid, partial, stream)
                      : launch_tensor<E, kRows, kDepth, GemmTile::tile_64x64>(args, grid, partial, stream);
  if (b == kRows) {
    switch (tile) {
      case GemmTile::tile_128x128:
        return launch_tensor<E, kDepth, kRows, GemmTile::tile_128x128>(args, grid, partial, stream);
      case GemmTile::tile_64x128:
        return launch_tensor<E, kDepth, kRows, GemmTile::tile_64x128>(args, grid, partial, stream);
      default:
        return launch_tensor<E, kDepth, kRows, GemmTile::tile_64x64>(args, grid, partial, stream);
    }
  }
  switch (tile) {
    case GemmTile::tile_128x256:
      return launch_tensor<E, kDepth, kDepth, GemmTile::tile_128x256>(args, grid, partial, stream);
    case GemmTile::tile_128x128:
      return launch_tensor<E, kDepth, kDepth, GemmTile::tile_128x128>(args, grid, partial, stream);
    case GemmTile::tile_128x64:
      return launch_tensor<E, kDepth, kDepth, GemmTile::tile_128x64>(args, grid, partial, stream);
    case GemmTile::tile_64x128:
      return launch_tensor<E, kDepth, kDepth, GemmTile::tile_64x128>(args, grid, partial, stream);
    case GemmTile::tile_64x32:
      return launch_tensor<E, kDepth, kDepth, GemmTile::tile_64x32>(args, grid, partial, stream);
    default:
      return launch_tensor<E, kDepth, kDepth, GemmTile::tile_64x64>(args, grid, partial, stream);
  }
}

}  // namespace
}  // namespace mxinfer::kernels::cuda
