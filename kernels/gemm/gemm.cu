#include "kernels/gemm/gemm_cuda.h"
#include "kernels/gemm/gemm_device.h"
#include "kernels/gemm/gemm_tensor.h"
#include "kernels/gemm/tensor_tiles.h"

namespace mxinfer::kernels::cuda {
namespace {

// ---- Tiles of float32, on the CUDA cores.

/// A block computes ROWS x COLUMNS elements, a thread M x N of them, in groups of four.
template <int ROWS, int COLUMNS, int M, int N, int DEPTH, int BLOCKS>
struct Tile {
  static constexpr int kRows = ROWS, kColumns = COLUMNS, kM = M, kN = N;
  static constexpr int kDepth = DEPTH;    ///< of a stage
  static constexpr int kBlocks = BLOCKS;  ///< at least, of a multiprocessor
  static constexpr int kStages = 3;
  static constexpr int kDown = ROWS / M, kAcross = COLUMNS / N;
  static constexpr int kThreads = kDown * kAcross;

  // Four floats behind each row: stores along the depth then meet all banks.
  struct Smem {
    float a[kStages][kDepth][ROWS + 4];
    float b[kStages][kDepth][COLUMNS + 4];
  };
};

using Tile32 = Tile<32, 64, 4, 4, 16, 4>;
using Tile64 = Tile<64, 64, 8, 4, 16, 4>;
using Tile128 = Tile<128, 128, 8, 8, 8, 1>;  // two would keep sums in memory on 9.0

/// Copies the stages of one operand, one after another: WIDTH rows, DEPTH elements of each. What is outside
/// of the matrix becomes 0; its address is made, but not read.
template <int WIDTH, int DEPTH, int THREADS, Along ALONG>
class Loader;

/// A warp copies 8 elements of the depth, 32 bytes, of 4 rows at a time.
template <int WIDTH, int DEPTH, int THREADS>
class Loader<WIDTH, DEPTH, THREADS, Along::depth> {
 public:
  __device__ __forceinline__ Loader(const float* matrix, std::int64_t row_stride, std::int64_t depth_stride,
                                    std::int64_t first, std::int64_t rows, std::int64_t k, bool)
      : row_step_(kRowStep * row_stride), depth_stride_(depth_stride) {
    row_ = static_cast<int>(threadIdx.x) / kLanes;
    k_ = static_cast<int>(threadIdx.x) % kLanes;
    rows_ = static_cast<int>(smaller(rows - first, WIDTH));
    from_ = matrix + (first + row_) * row_stride + (k + k_) * depth_stride;
  }

  /// The next stage, of which `depth` elements are inside of the matrix.
  template <typename Stage>
  __device__ __forceinline__ void load(Stage& stage, int depth) {
#pragma unroll
    for (int part = 0; part < DEPTH / kLanes; ++part) {
      const int k = k_ + part * kLanes;
      const float* from = from_;
#pragma unroll
      for (int e = 0; e < WIDTH / kRowStep; ++e) {
        const int row = row_ + e * kRowStep;
        simt::cp_async4(&stage[k][row], from, row < rows_ && k < depth ? 4 : 0);
        from += row_step_;
      }
      from_ += kLanes * depth_stride_;
    }
  }

 private:
  static constexpr int kLanes = 8, kRowStep = THREADS / kLanes;
  const float* from_;
  std::int64_t row_step_, depth_stride_;
  int row_, k_, rows_;
};

/// A thread copies four rows, which lie side by side, of an element of the depth.
template <int WIDTH, int DEPTH, int THREADS>
class Loader<WIDTH, DEPTH, THREADS, Along::rows> {
 public:
  __device__ __forceinline__ Loader(const float* matrix, std::int64_t /*row_stride*/,
                                    std::int64_t depth_stride, std::int64_t first, std::int64_t rows,
                                    std::int64_t k, bool vectors)
      : depth_step_(kDepthStep * depth_stride), vectors_(vectors) {
    row_ = static_cast<int>(threadIdx.x) % kFours * 4;
    k_ = static_cast<int>(threadIdx.x) / kFours;
    const int left = static_cast<int>(smaller(rows - first, WIDTH)) - row_;
    count_ = left < 0 ? 0 : left > 4 ? 4 : left;
    from_ = matrix + first + row_ + (k + k_) * depth_stride;
  }

  template <typename Stage>
  __device__ __forceinline__ void load(Stage& stage, int depth) {
#pragma unroll
    for (int e = 0; e < DEPTH / kDepthStep; ++e) {
      const int k = k_ + e * kDepthStep, count = k < depth ? count_ : 0;
      if (vectors_) {
        simt::cp_async16(&stage[k][row_], from_, 4 * count);
      } else {
#pragma unroll
        for (int r = 0; r < 4; ++r) simt::cp_async4(&stage[k][row_ + r], from_ + r, r < count ? 4 : 0);
      }
      from_ += depth_step_;
    }
  }

 private:
  static constexpr int kFours = WIDTH / 4, kDepthStep = THREADS / kFours;
  static_assert(kDepthStep <= DEPTH);
  const float* from_;
  std::int64_t depth_step_;
  int row_, k_, count_;
  bool vectors_;
};

template <int COUNT, typename Row>
__device__ __forceinline__ void load_fragment(float (&fragment)[COUNT], const Row& row, int first,
                                              int distance) {
#pragma unroll
  for (int g = 0; g < COUNT / 4; ++g) {
    const float4 four = simt::load4(&row[first + g * distance]);
    fragment[4 * g] = four.x;
    fragment[4 * g + 1] = four.y;
    fragment[4 * g + 2] = four.z;
    fragment[4 * g + 3] = four.w;
  }
}

/// sums += a stage of a times one of b.
template <typename T, typename A, typename B>
__device__ __forceinline__ void multiply_stage(float (&sums)[T::kM][T::kN], const A& a, const B& b, int down,
                                               int across) {
#pragma unroll
  for (int k = 0; k < T::kDepth; ++k) {
    float left[T::kM], right[T::kN];
    load_fragment(left, a[k], 4 * down, 4 * T::kDown);
    load_fragment(right, b[k], 4 * across, 4 * T::kAcross);
#pragma unroll
    for (int m = 0; m < T::kM; ++m) {
#pragma unroll
      for (int n = 0; n < T::kN; ++n) sums[m][n] = fmaf(left[m], right[n], sums[m][n]);
    }
  }
}

template <typename T, Along A, Along B>
__global__ void __launch_bounds__(T::kThreads, T::kBlocks)
    gemm_tile(GemmArgs args, GemmGrid grid, float* partial) {
  using Smem = typename T::Smem;
  Smem& smem = simt::shared_memory<Smem>();
  const BlockPlace place = block_place(grid, T::kRows, T::kColumns);
  const GemmPiece piece = piece_of(args, grid.split_depth, place.split);
  Loader<T::kRows, T::kDepth, T::kThreads, A> load_a(side_of<float>(args, args.a, place.matrix), args.a.row,
                                                     args.a.depth, place.row, args.rows, piece.begin,
                                                     grid.vectors_a);
  Loader<T::kColumns, T::kDepth, T::kThreads, B> load_b(side_of<float>(args, args.b, place.matrix),
                                                        args.b.row, args.b.depth, place.column, args.columns,
                                                        piece.begin, grid.vectors_b);
  const int down = static_cast<int>(threadIdx.x) / T::kAcross;
  const int across = static_cast<int>(threadIdx.x) % T::kAcross;
  float sums[T::kM][T::kN] = {};

  // Stages are filled kStages - 1 ahead. A group is committed for each, an empty one behind the last.
  std::int64_t left = piece.end - piece.begin;  // of the depth, not yet copied
  const auto fill = [&](int stage) {
    if (left > 0) {
      const int depth = left < T::kDepth ? static_cast<int>(left) : T::kDepth;
      load_a.load(smem.a[stage], depth);
      load_b.load(smem.b[stage], depth);
      left -= T::kDepth;
    }
    simt::cp_async_commit();
  };
#pragma unroll
  for (int s = 0; s < T::kStages - 1; ++s) fill(s);
  int stage = 0;
  for (std::int64_t k = piece.begin; k < piece.end; k += T::kDepth) {
    simt::cp_async_wait<T::kStages - 2>();
    __syncthreads();  // the stage is there for all, and all are done with the one that is filled next
    fill(stage == 0 ? T::kStages - 1 : stage - 1);
    multiply_stage<T>(sums, smem.a[stage], smem.b[stage], down, across);
    stage = stage + 1 == T::kStages ? 0 : stage + 1;
  }
  simt::cp_async_wait<0>();
  store_tile(args, grid, sums, place.matrix, place.split, partial,
             GroupsOfFour{place.row + 4 * down, 4 * T::kDown},
             GroupsOfFour{place.column + 4 * across, 4 * T::kAcross});
}

// ---- Products of up to four vectors with a matrix.

constexpr int kVectorThreads = 256;
constexpr int kVectorWarps = kVectorThreads / simt::kWarp;

struct VectorSmem {
  float sums[kVectorWarps][4][simt::kWarp + 1];
};

/// sums[r] += the products of a vector of elements from k on.
template <typename T, int ROWS>
__device__ __forceinline__ void multiply_vector(float (&sums)[ROWS], const T* a, std::int64_t a_row,
                                                const T* b, std::int64_t k) {
  float right[kVector<T>];
  load_vector(b + k, right);
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    float left[kVector<T>];
    load_vector(a + r * a_row + k, left);
#pragma unroll
    for (int i = 0; i < kVector<T>; ++i) sums[r] = fmaf(left[i], right[i], sums[r]);
  }
}

/// The lane's part of the sums of one column, by `lanes` of which this is `lane`.
template <typename T, int ROWS>
__device__ __forceinline__ void sum_column(float (&sums)[ROWS], const GemmArgs& args, const T* a, const T* b,
                                           bool vectors, int lane, int lanes) {
  constexpr int kWidth = kVector<T>;
  const std::int64_t depth = args.depth, whole = vectors ? depth / kWidth * kWidth : 0;
#pragma unroll(kWidth == 4 ? 2 : 1)
  for (std::int64_t k = kWidth * lane; k < whole; k += kWidth * lanes)
    multiply_vector<T>(sums, a, args.a.row, b, k);
  for (std::int64_t k = whole + lane; k < depth; k += lanes) {
    const float right = to_float(b[k * args.b.depth]);
#pragma unroll
    for (int r = 0; r < ROWS; ++r)
      sums[r] = fmaf(to_float(a[r * args.a.row + k * args.a.depth]), right, sums[r]);
  }
}

/// b is read along its depth. A block has 8 columns, a warp for each, or one.
template <typename T, int ROWS, bool BLOCK_PER_COLUMN>
__global__ void __launch_bounds__(kVectorThreads) gemm_vector_depth(GemmArgs args, GemmGrid grid) {
  const int thread = static_cast<int>(threadIdx.x), lane = thread % simt::kWarp, warp = thread / simt::kWarp;
  const std::int64_t matrix = grid.first_matrix + blockIdx.x / grid.across;
  const std::int64_t group = blockIdx.x % grid.across;
  const std::int64_t column = BLOCK_PER_COLUMN ? group : group * kVectorWarps + warp;
  const T* a = side_of<T>(args, args.a, matrix);
  const T* b = side_of<T>(args, args.b, matrix) + smaller(column, args.columns - 1) * args.b.row;
  float sums[ROWS] = {};
  sum_column(sums, args, a, b, grid.vectors_a && grid.vectors_b, BLOCK_PER_COLUMN ? thread : lane,
             BLOCK_PER_COLUMN ? kVectorThreads : simt::kWarp);
#pragma unroll
  for (int r = 0; r < ROWS; ++r) sums[r] = simt::warp_sum(sums[r]);
  if constexpr (BLOCK_PER_COLUMN) {
    VectorSmem& smem = simt::shared_memory<VectorSmem>();
    if (lane == 0) {
#pragma unroll
      for (int r = 0; r < ROWS; ++r) smem.sums[warp][r][0] = sums[r];
    }
    __syncthreads();
    if (thread >= ROWS) return;
    float sum = 0;
    for (int w = 0; w < kVectorWarps; ++w) sum += smem.sums[w][thread][0];
    finish<T>(args, sum, dst_of(args, matrix), thread, column);
  } else {
    if (lane != 0 || column >= args.columns) return;
#pragma unroll
    for (int r = 0; r < ROWS; ++r) finish<T>(args, sums[r], dst_of(args, matrix), r, column);
  }
}

/// b is read along its rows. A block has 32 columns; each warp sums every eighth element of the depth.
template <typename T, int ROWS>
__global__ void __launch_bounds__(kVectorThreads)
    gemm_vector_rows(GemmArgs args, GemmGrid grid, float* partial) {
  VectorSmem& smem = simt::shared_memory<VectorSmem>();
  const int thread = static_cast<int>(threadIdx.x), lane = thread % simt::kWarp, warp = thread / simt::kWarp;
  const BlockPlace place = block_place(grid, 1, simt::kWarp);
  const GemmPiece piece = piece_of(args, grid.split_depth, place.split);
  const std::int64_t column = place.column + lane;
  const T* a = side_of<T>(args, args.a, place.matrix);
  const T* b = side_of<T>(args, args.b, place.matrix) + smaller(column, args.columns - 1) * args.b.row;
  float sums[ROWS] = {};
#pragma unroll 4
  for (std::int64_t k = piece.begin + warp; k < piece.end; k += kVectorWarps) {
    const float right = to_float(b[k * args.b.depth]);
#pragma unroll
    for (int r = 0; r < ROWS; ++r)
      sums[r] = fmaf(to_float(a[r * args.a.row + k * args.a.depth]), right, sums[r]);
  }
#pragma unroll
  for (int r = 0; r < ROWS; ++r) smem.sums[warp][r][lane] = sums[r];
  __syncthreads();
  if (warp >= ROWS || column >= args.columns) return;
  float sum = 0;
  for (int w = 0; w < kVectorWarps; ++w) sum += smem.sums[w][warp][lane];
  if (partial != nullptr) {
    partial[partial_of(args, place.split, place.matrix) + warp * args.columns + column] = sum;
  } else {
    finish<T>(args, sum, dst_of(args, place.matrix), warp, column);
  }
}

// ---- The pieces of the depth.

/// Adds them up in their order.
template <typename T>
__global__ void gemm_reduce(GemmArgs args, int splits, const float* partial) {
  const std::int64_t matrix_elements = args.rows * args.columns;
  const std::int64_t count = matrix_elements * args.outer * args.inner;
  for (std::int64_t e = simt::first_index(); e < count; e += simt::grid_step()) {
    float sum = 0;
    for (int s = 0; s < splits; ++s) sum += partial[s * count + e];
    const std::int64_t matrix = e / matrix_elements, at = e % matrix_elements;
    finish<T>(args, sum, dst_of(args, matrix), at / args.columns, at % args.columns);
  }
}

// ---- Launchers.

/// The same product, a and b exchanged.
GemmArgs swapped(const GemmArgs& args) {
  GemmArgs result = args;
  result.rows = args.columns;
  result.columns = args.rows;
  result.a = args.b;
  result.b = args.a;
  result.dst_row = args.dst_column;
  result.dst_column = args.dst_row;
  result.bias_row = args.bias_column;
  result.bias_column = args.bias_row;
  return result;
}

template <typename T, Along A, Along B>
Status launch_tile(const GemmArgs& args, GemmGrid grid, float* partial, const Stream& stream) {
  grid.down = ceil_div(args.rows, T::kRows);
  grid.across = ceil_div(args.columns, T::kColumns);
  grid.vectors_a = has_vectors(args.a, args.a.row, args.a.depth, 4);
  grid.vectors_b = has_vectors(args.b, args.b.row, args.b.depth, 4);
  grid.vectors_dst = has_vectors_of_dst(args, partial);
  return launch_matrices(args, grid, [&](const GemmGrid& part, dim3 blocks) {
    return simt::launch(gemm_tile<T, A, B>, blocks, T::kThreads, sizeof(typename T::Smem), stream, args, part,
                        partial);
  });
}

template <typename T>
Status launch_tile(const GemmArgs& args, const GemmGrid& grid, float* partial, const Stream& stream) {
  return with_directions(args, [&](auto a, auto b) {
    return launch_tile<T, decltype(a)::value, decltype(b)::value>(args, grid, partial, stream);
  });
}

template <typename T, int ROWS>
Status launch_vector(const GemmArgs& args, const GemmPlan& plan, GemmGrid grid, float* partial,
                     const Stream& stream) {
  constexpr std::size_t kShared = sizeof(VectorSmem);
  if (plan.kernel == GemmKernel::vector_rows) {
    grid.across = ceil_div(args.columns, simt::kWarp);
    return launch_matrices(args, grid, [&](const GemmGrid& part, dim3 blocks) {
      return simt::launch(gemm_vector_rows<T, ROWS>, blocks, kVectorThreads, kShared, stream, args, part,
                          partial);
    });
  }
  grid.across = plan.block_per_column ? args.columns : ceil_div(args.columns, kVectorWarps);
  grid.vectors_a = has_vectors(args.a, args.a.depth, ROWS == 1 ? 0 : args.a.row, kVector<T>);
  grid.vectors_b = has_vectors(args.b, args.b.depth, args.b.row, kVector<T>);
  return launch_matrices(args, grid, [&](const GemmGrid& part, dim3 blocks) {
    if (plan.block_per_column)
      return simt::launch(gemm_vector_depth<T, ROWS, true>, blocks, kVectorThreads, kShared, stream, args,
                          part);
    return simt::launch(gemm_vector_depth<T, ROWS, false>, blocks, kVectorThreads, 0, stream, args, part);
  });
}

template <typename T>
Status launch_vector(const GemmArgs& args, const GemmPlan& plan, const GemmGrid& grid, float* partial,
                     const Stream& stream) {
  switch (args.rows) {
    case 1:
      return launch_vector<T, 1>(args, plan, grid, partial, stream);
    case 2:
      return launch_vector<T, 2>(args, plan, grid, partial, stream);
    case 3:
      return launch_vector<T, 3>(args, plan, grid, partial, stream);
    default:
      return launch_vector<T, 4>(args, plan, grid, partial, stream);
  }
}

Status launch_tensor_tile(const GemmArgs& args, GemmTile tile, const GemmGrid& grid, float* partial,
                          const Stream& stream) {
  if (tensor_tile(tile).by_groups) return launch_tensor_groups(args, tile, grid, partial, stream);
  switch (args.multiplied()) {
    case Precision::float16:
      return launch_tensor_f16(args, tile, grid, partial, stream);
    case Precision::bfloat16:
      return launch_tensor_bf16(args, tile, grid, partial, stream);
    default:
      return launch_tensor_tf32(args, tile, grid, partial, stream);
  }
}

Status launch_kernel(const GemmArgs& args, const GemmPlan& plan, const GemmGrid& grid, float* partial,
                     const Stream& stream) {
  switch (plan.kernel) {
    case GemmKernel::vector_depth:
    case GemmKernel::vector_rows:
      return with_float_type(args.type, [&](auto element) {
        return launch_vector<decltype(element)>(args, plan, grid, partial, stream);
      });
    case GemmKernel::tile_32:
      return launch_tile<Tile32>(args, grid, partial, stream);
    case GemmKernel::tile_64:
      return launch_tile<Tile64>(args, grid, partial, stream);
    case GemmKernel::tile_128:
      return launch_tile<Tile128>(args, grid, partial, stream);
    case GemmKernel::tensor_tile:
      break;
  }
  return launch_tensor_tile(args, plan.tile, grid, partial, stream);
}

}  // namespace

Status gemm(const GemmArgs& given, const GemmPlan& plan, float* scratch, const Stream& stream) {
  const GemmArgs args = plan.swapped ? swapped(given) : given;
  GemmGrid grid;
  grid.splits = plan.splits;
  grid.split_depth = plan.split_depth;
  float* partial = plan.splits > 1 ? scratch : nullptr;
  const Status status = launch_kernel(args, plan, grid, partial, stream);
  if (status != kSuccess || partial == nullptr) return status;
  constexpr int kBlock = 256;
  const std::int64_t count = args.rows * args.columns * args.matrices();
  return with_float_type(args.type, [&](auto element) {
    return simt::launch(gemm_reduce<decltype(element)>, simt::grid_for(count, kBlock), kBlock, 0, stream,
                        args, plan.splits, static_cast<const float*>(partial));
  });
}

}  // namespace mxinfer::kernels::cuda
