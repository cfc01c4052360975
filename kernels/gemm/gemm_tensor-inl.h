// GemmKernel::tensor_tile of elements E that are multiplied, and M in memory. Included by a .cu file for each
// E, which calls launch_tensor<E, M>().
#pragma once

#include "kernels/gemm/gemm_tensor.h"
#include "kernels/gemm/warpgroup_tile_device.h"

namespace mxinfer::kernels::cuda {
namespace {

/// Rows and depth that a source has of an operand: those of a tile, and of a piece of the depth.
struct MatrixPart {
  std::int64_t first_row, rows;  ///< the first, and the number of all in the matrix
  std::int64_t begin, end;       ///< of the depth
};

/// Where the chunks of a thread are in an operand: the same one of several rows of a stage.
template <typename E, typename M, Along ALONG, int ROWS, int THREADS>
class MatrixChunks {
 public:
  static constexpr int kWidth = kVector<E>;
  static constexpr int kApart = THREADS / kRowChunks;  ///< rows of a stage from one of a thread to its next
  static constexpr int kCopies = ROWS / kApart;
  static_assert(kStepDepth<E> % kApart == 0);

  __device__ __forceinline__ MatrixChunks(const GemmSide& side, const M* matrix, const MatrixPart& part)
      : row_stride_(side.row), depth_stride_(side.depth) {
    const int first = static_cast<int>(threadIdx.x) % kRowChunks * kWidth;
    const std::int64_t row = part.first_row + (ALONG == Along::depth ? line(0) : first);
    const int depth = ALONG == Along::depth ? first : line(0);
    from_ = matrix + row * row_stride_ + (part.begin + depth) * depth_stride_;
    const std::int64_t rows = part.rows - row;
    rows_ = rows > ROWS ? ROWS : rows < 0 ? 0 : static_cast<int>(rows);
    depth_ = static_cast<int>(part.end - part.begin) - depth;
  }

  /// On to the next step.
  __device__ __forceinline__ void advance() {
    from_ += kStepDepth<E> * depth_stride_;
    depth_ -= kStepDepth<E>;
  }

  /// The row of a stage that has chunk i of the thread, and where in it.
  __device__ __forceinline__ static std::uint32_t* place(std::uint32_t (&stage)[ROWS][kRowWords], int i) {
    return chunk_of(stage, line(i), static_cast<int>(threadIdx.x) % kRowChunks);
  }

  /// Elements of chunk i that are in the matrix.
  __device__ __forceinline__ int count(int i) const {
    if constexpr (ALONG == Along::depth) {
      return i * kApart < rows_ ? clamped(depth_) : 0;
    } else {
      return i * kApart % kStepDepth<E> < depth_ ? clamped(rows_ - i * kApart / kStepDepth<E> * kStepDepth<E>)
                                                 : 0;
    }
  }

  /// Of operands along the depth: whether this thread's chunks of the step are whole ones, or none.
  __device__ __forceinline__ bool are_whole() const { return depth_ >= kWidth || depth_ <= 0; }
  __device__ __forceinline__ bool is_there(int i) const { return depth_ > 0 && i * kApart < rows_; }
  __device__ __forceinline__ const M* first() const { return from_; }
  __device__ __forceinline__ std::int64_t between() const { return kApart * row_stride_; }

  /// Where they are. `row_stride`: 1 where rows lie innermost and side by side.
  __device__ __forceinline__ const M* address(int i, std::int64_t row_stride) const {
    if constexpr (ALONG == Along::depth) {
      return from_ + i * kApart * row_stride;
    } else {
      return from_ + i * kApart % kStepDepth<E> * depth_stride_ +
             i * kApart / kStepDepth<E> * kStepDepth<E> * row_stride;
    }
  }
  __device__ __forceinline__ const M* vector_address(int i) const {
    return address(i, ALONG == Along::depth ? row_stride_ : 1);
  }

  /// Element e of chunk i, which has so many in the matrix: 0 behind them.
  __device__ __forceinline__ M element(int i, int e, int there) const {
    const std::int64_t step = ALONG == Along::depth ? depth_stride_ : row_stride_;
    return e < there ? address(i, row_stride_)[e * step] : M{};
  }

 private:
  __device__ __forceinline__ static int line(int i) {
    return static_cast<int>(threadIdx.x) / kRowChunks + i * kApart;
  }
  __device__ __forceinline__ static int clamped(int count) {
    return count > kWidth ? kWidth : count < 0 ? 0 : count;
  }

  const M* from_;
  std::int64_t row_stride_, depth_stride_;
  int rows_, depth_;
};

// The sources of an operand (kernels/gemm/tensor_tile_device.h). What is outside of the matrix becomes 0; its
// address is made, but not read. `vectors`: whether 16 bytes may be read at once.

/// Elements that are multiplied as they lie in memory: copied or, without vectors, stored one by one.
template <typename E, Along ALONG, int ROWS, int THREADS>
class CopiedSource {
 public:
  __device__ __forceinline__ CopiedSource(const GemmSide& side, const E* matrix, const MatrixPart& part,
                                          bool vectors)
      : chunks_(side, matrix, part), vectors_(vectors) {}

  __device__ __forceinline__ void fetch(std::uint32_t (&stage)[ROWS][kRowWords]) {
    if (ALONG == Along::depth && vectors_ && chunks_.are_whole()) {
      const E* from = chunks_.first();
#pragma unroll
      for (int i = 0; i < Chunks::kCopies; ++i) {
        simt::cp_async16_if(chunks_.is_there(i), Chunks::place(stage, i), from);
        from += chunks_.between();
      }
    } else if (vectors_) {
#pragma unroll
      for (int i = 0; i < Chunks::kCopies; ++i)
        simt::cp_async16(Chunks::place(stage, i), chunks_.vector_address(i),
                         chunks_.count(i) * static_cast<int>(sizeof(E)));
    } else {
#pragma unroll 1
      for (int i = 0; i < Chunks::kCopies; ++i) gather(i).store(Chunks::place(stage, i));
    }
    chunks_.advance();
  }
  __device__ __forceinline__ void deliver(std::uint32_t (&)[ROWS][kRowWords]) const {}

  /// Elements are rounded to tf32 already.
  __device__ __forceinline__ void set_rounded() {
    is_rounded_ = true;
  }

  /// Rounds what this thread has brought into a stage to tf32.
  __device__ __forceinline__ void round(std::uint32_t (&stage)[ROWS][kRowWords]) const {
    if (is_rounded_) return;
#pragma unroll
    for (int i = 0; i < Chunks::kCopies; ++i) {
      auto* chunk = reinterpret_cast<uint4*>(Chunks::place(stage, i));
      const uint4 x = *chunk;
      *chunk = make_uint4(nearly_rounded(x.x), nearly_rounded(x.y), nearly_rounded(x.z), nearly_rounded(x.w));
    }
  }

 private:
  using Chunks = MatrixChunks<E, E, ALONG, ROWS, THREADS>;

  __device__ __forceinline__ Chunk<E> gather(int i) const {
    const int there = chunks_.count(i);
    Chunk<E> values;
#pragma unroll
    for (int e = 0; e < Chunks::kWidth; ++e) values.set(e, chunks_.element(i, e, there));
    return values;
  }

  Chunks chunks_;
  bool vectors_, is_rounded_ = false;
};

/// float32 that is rounded to 16 bits on its way through registers.
template <typename E, Along ALONG, int ROWS, int THREADS>
class RoundedSource {
 public:
  __device__ __forceinline__ RoundedSource(const GemmSide& side, const float* matrix, const MatrixPart& part,
                                           bool vectors)
      : chunks_(side, matrix, part), vectors_(vectors) {}

  __device__ __forceinline__ void fetch(std::uint32_t (&)[ROWS][kRowWords]) {
#pragma unroll
    for (int i = 0; i < Chunks::kCopies; ++i) {
      const int there = chunks_.count(i);
      float values[Chunks::kWidth];
      if (vectors_ && there == Chunks::kWidth) {
        load_floats(chunks_.vector_address(i), values);
      } else {
#pragma unroll
        for (int e = 0; e < Chunks::kWidth; ++e) values[e] = chunks_.element(i, e, there);
      }
#pragma unroll
      for (int e = 0; e < Chunks::kWidth; ++e) rounded_[i].set(e, to_stored<E>(values[e]));
    }
    chunks_.advance();
  }
  __device__ __forceinline__ void deliver(std::uint32_t (&stage)[ROWS][kRowWords]) const {
#pragma unroll
    for (int i = 0; i < Chunks::kCopies; ++i) rounded_[i].store(Chunks::place(stage, i));
  }

 private:
  using Chunks = MatrixChunks<E, float, ALONG, ROWS, THREADS>;

  Chunks chunks_;
  Chunk<E> rounded_[Chunks::kCopies];
  bool vectors_;
};

template <typename E, typename M, Along ALONG, int ROWS, int THREADS>
using MatrixSource = std::conditional_t<std::is_same_v<E, M>, CopiedSource<E, ALONG, ROWS, THREADS>,
                                        RoundedSource<E, ALONG, ROWS, THREADS>>;

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

/// 16 bytes of dst: finish_linear() of each sum with its residual, and the activation. `at`: in dst.
template <typename M>
__device__ __forceinline__ void finish_vector(const GemmArgs& args, bool bias_vectors, float (&x)[kVector<M>],
                                              const RawVector& residual, std::int64_t at, std::int64_t i,
                                              std::int64_t j) {
  if (args.scale != 1.0f) {
#pragma unroll
    for (int e = 0; e < kVector<M>; ++e) x[e] *= args.scale;
  }
  if (bias_vectors) {
    add_floats(args.bias + j, x);
  } else if (args.bias != nullptr) {
#pragma unroll
    for (int e = 0; e < kVector<M>; ++e) x[e] += args.bias[i * args.bias_row + (j + e) * args.bias_column];
  }
  if (args.residual != nullptr) {
    float added[kVector<M>];
    to_floats<M>(residual, added);
#pragma unroll
    for (int e = 0; e < kVector<M>; ++e) x[e] += args.residual_scale * added[e];
  }
  activate_linear(args.post_ops, x);
  activate_rounded(args.post_ops, x);
  store_vector(static_cast<M*>(args.dst) + at, x);
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

template <typename M, class T>
__device__ __forceinline__ void store_products(const GemmArgs& args, const GemmGrid& grid,
                                               TensorSmem<T>& smem, const BlockPlace& place) {
  const std::int64_t dst = dst_of(args, place.matrix);
  if (grid.vectors_dst) {
    for_each_vector_of<M>(
        smem,
        [&](int row, int column) {
          const std::int64_t i = place.row + row, j = place.column + column;
          return i < args.rows && j < args.columns ? dst + i * args.dst_row + j : -1;
        },
        args.residual,
        [&](int row, int column, std::int64_t at, float(&x)[kVector<M>], const RawVector& residual) {
          finish_vector<M>(args, grid.vectors_bias, x, residual, at, place.row + row, place.column + column);
        });
    return;
  }
  for_each_vector<1>(smem, [&](int row, int column, const float* sum) {
    const std::int64_t i = place.row + row, j = place.column + column;
    if (i < args.rows && j < args.columns) finish<M>(args, *sum, dst, i, j);
  });
}

/// Blocks that a multiprocessor has registers for: sources that round, and products along rows of wide tiles,
/// keep more in registers.
template <typename E, typename M, Along B, class T>
constexpr int kBlocksOf =
    !std::is_same_v<E, M> || (B == Along::rows && T::columns > 64) ? 2 : kBlocksByRegisters<E, T>;

template <typename E, typename M, Along A, Along B, class T>
__global__ void __launch_bounds__(T::threads, kBlocksOf<E, M, B, T>)
    gemm_tensor_tile(GemmArgs args, GemmGrid grid, float* partial) {
  TensorSmem<T>& smem = simt::shared_memory<TensorSmem<T>>();
  const BlockPlace place = tensor_place<T>(grid);
  const GemmPiece piece = piece_of(args, grid.split_depth, place.split);
  MatrixSource<E, M, A, T::rows, T::threads> left(args.a, side_of<M>(args, args.a, place.matrix),
                                                  {place.row, args.rows, piece.begin, piece.end},
                                                  grid.vectors_a);
  MatrixSource<E, M, B, T::columns, T::threads> right(args.b, side_of<M>(args, args.b, place.matrix),
                                                      {place.column, args.columns, piece.begin, piece.end},
                                                      grid.vectors_b);
  const auto steps = static_cast<int>(ceil_div(piece.end - piece.begin, std::int64_t{kStepDepth<E>}));
  if constexpr (T::by_groups && sizeof(E) == 4) {
    if (args.rounded_b) right.set_rounded();
  }
  TensorSums<T> sums = {};
  multiply_steps_of_tile<Operands<E, A, B>>(smem, left, right, steps, sums);
  share_sums(smem, sums);
  if (partial != nullptr) {
    store_piece(args, smem, place, partial);
  } else {
    store_products<M>(args, grid, smem, place);
  }
}

template <typename E, typename M, Along A, Along B, class T>
Status launch_tensor(const GemmArgs& args, GemmGrid grid, float* partial, const Stream& stream) {
  constexpr int kWidth = kVector<M>;
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
    return simt::launch(gemm_tensor_tile<E, M, A, B, T>, blocks, T::threads, sizeof(TensorSmem<T>), stream,
                        args, part, partial);
  });
}

template <typename E, bool BY_GROUPS>
constexpr bool is_depth_tile(const TensorTile& t) {
  return t.by_groups == BY_GROUPS && fits_registers(t.tile, sizeof(E));
}

/// Operands along the depth that are multiplied as they are.
template <typename E, bool BY_GROUPS>
Status launch_tensor_of_depth(const GemmArgs& args, GemmTile tile, const GemmGrid& grid, float* partial,
                              const Stream& stream) {
  return with_tensor_tile<is_depth_tile<E, BY_GROUPS>>(tile, [&](auto of_tile) {
    return launch_tensor<E, E, Along::depth, Along::depth, decltype(of_tile)>(args, grid, partial, stream);
  });
}

/// Operands whose rows lie innermost, and those that are rounded, have the tiles that they need most.
/// Preconditions: has_tensor_tile().
template <typename E, typename M>
Status launch_tensor(const GemmArgs& args, GemmTile tile, const GemmGrid& grid, float* partial,
                     const Stream& stream) {
  if constexpr (std::is_same_v<E, M>) {
    const auto [a, b] = directions_of(args);
    if (a == Along::depth && b == Along::depth)
      return launch_tensor_of_depth<E, false>(args, tile, grid, partial, stream);
    if (a == Along::depth && tile == GemmTile::tile_64x128)
      return launch_tensor<E, E, Along::depth, Along::rows, TensorTileOf<GemmTile::tile_64x128>>(
          args, grid, partial, stream);
  }
  return with_directions(args, [&](auto a, auto b) {
    return launch_tensor<E, M, decltype(a)::value, decltype(b)::value, TensorTileOf<GemmTile::tile_64x64>>(
        args, grid, partial, stream);
  });
}

}  // namespace
}  // namespace mxinfer::kernels::cuda
