#include "kernels/cuda/tensor_words.h"
#include "kernels/gemm/gemm_tensor.h"

namespace mxinfer::kernels::cuda {
namespace {

// A block of 8 warps computes 128 x 128 elements, a warp 64 x 32 of them.
constexpr int kTile = 128, kThreads = 256;
constexpr int kWarpsAcross = 4;
constexpr int kM = 4, kN = 4;  ///< fragments of 16 x 8 of a warp

struct TensorSmem {
  std::uint32_t a[2][kTile][kPitch];
  std::uint32_t b[2][kTile][kPitch];
};

/// Brings the stages of one operand into registers, one after another, and from there, rounded, into shared
/// memory. Elements outside of the matrix become 0.
template <Precision P, Along ALONG>
class TensorLoader;

/// A thread has groups of four elements of a row.
template <Precision P>
class TensorLoader<P, Along::depth> {
 public:
  __device__ __forceinline__ TensorLoader(const float* matrix, std::int64_t row_stride,
                                          std::int64_t depth_stride, std::int64_t first, std::int64_t rows,
                                          std::int64_t k, bool vectors)
      : row_step_(kRowStep * row_stride), depth_stride_(depth_stride), vectors_(vectors) {
    row_ = static_cast<int>(threadIdx.x) / kGroupsOfRow;
    k_ = static_cast<int>(threadIdx.x) % kGroupsOfRow * 4;
    rows_ = static_cast<int>(smaller(rows - first, kTile));
    from_ = matrix + (first + row_) * row_stride + (k + k_) * depth_stride;
  }

  /// The next stage, of which `depth` elements are inside of the matrix.
  __device__ __forceinline__ void load(int depth) {
    const float* from = from_;
#pragma unroll
    for (int e = 0; e < kGroups; ++e) {
      const bool inside = row_ + e * kRowStep < rows_;
      if (vectors_ && inside && k_ + 4 <= depth) {
        const float4 four = simt::load4(from);
        values_[4 * e] = four.x;
        values_[4 * e + 1] = four.y;
        values_[4 * e + 2] = four.z;
        values_[4 * e + 3] = four.w;
      } else {
#pragma unroll
        for (int i = 0; i < 4; ++i)
          values_[4 * e + i] = inside && k_ + i < depth ? from[i * depth_stride_] : 0.0f;
      }
      from += row_step_;
    }
    from_ += kWords * kElements<P> * depth_stride_;
  }

  __device__ __forceinline__ void store(std::uint32_t (&stage)[kTile][kPitch]) const {
    constexpr int kWordsOfGroup = 4 / kElements<P>;
#pragma unroll
    for (int e = 0; e < kGroups; ++e) {
      std::uint32_t* to = &stage[row_ + e * kRowStep][k_ / kElements<P>];
      std::uint32_t words[kWordsOfGroup];
#pragma unroll
      for (int w = 0; w < kWordsOfGroup; ++w) words[w] = word_of<P>(values_ + 4 * e + w * kElements<P>);
      if constexpr (kWordsOfGroup == 4) {
        *reinterpret_cast<uint4*>(to) = make_uint4(words[0], words[1], words[2], words[3]);
      } else {
        *reinterpret_cast<uint2*>(to) = make_uint2(words[0], words[1]);
      }
    }
  }

 private:
  static constexpr int kGroupsOfRow = kWords * kElements<P> / 4;
  static constexpr int kRowStep = kThreads / kGroupsOfRow;
  static constexpr int kGroups = kTile / kRowStep;
  const float* from_;
  std::int64_t row_step_, depth_stride_;
  int row_, k_, rows_;
  bool vectors_;
  float values_[4 * kGroups];
};

/// A warp has the words of 8 rows, four of each.
template <Precision P>
class TensorLoader<P, Along::rows> {
 public:
  __device__ __forceinline__ TensorLoader(const float* matrix, std::int64_t row_stride,
                                          std::int64_t depth_stride, std::int64_t first, std::int64_t rows,
                                          std::int64_t k, bool)
      : row_step_(kRowStep * row_stride), depth_stride_(depth_stride) {
    const int thread = static_cast<int>(threadIdx.x);
    row_ = thread % 8 + thread / 32 * 8;
    word_ = thread / 8 % 4;
    rows_ = static_cast<int>(smaller(rows - first, kTile));
    from_ = matrix + (first + row_) * row_stride + (k + word_ * kElements<P>)*depth_stride;
  }

  __device__ __forceinline__ void load(int depth) {
#pragma unroll
    for (int w = 0; w < kWords / 4; ++w) {
      const int k = (word_ + 4 * w) * kElements<P>;
#pragma unroll
      for (int r = 0; r < kRowSteps; ++r) {
        const bool inside = row_ + r * kRowStep < rows_;
        const float* from = from_ + r * row_step_;
#pragma unroll
        for (int i = 0; i < kElements<P>; ++i)
          values_[w][r][i] = inside && k + i < depth ? from[i * depth_stride_] : 0.0f;
      }
      from_ += 4 * kElements<P> * depth_stride_;
    }
  }

  __device__ __forceinline__ void store(std::uint32_t (&stage)[kTile][kPitch]) const {
#pragma unroll
    for (int w = 0; w < kWords / 4; ++w) {
#pragma unroll
      for (int r = 0; r < kRowSteps; ++r)
        stage[row_ + r * kRowStep][word_ + 4 * w] = word_of<P>(values_[w][r]);
    }
  }

 private:
  static constexpr int kRowStep = kThreads / 4, kRowSteps = kTile / kRowStep;
  const float* from_;
  std::int64_t row_step_, depth_stride_;
  int row_, word_, rows_;
  float values_[kWords / 4][kRowSteps][kElements<P>];
};

/// The indices of a lane's elements: rows 8 apart, columns in pairs 8 apart.
struct FragmentRows {
  std::int64_t first;
  __device__ __forceinline__ std::int64_t operator()(int e) const { return first + 8 * e; }
};
struct FragmentColumns {
  std::int64_t first;
  __device__ __forceinline__ std::int64_t operator()(int e) const { return first + e / 2 * 8 + e % 2; }
};

template <Precision P, Along A, Along B>
__global__ void __launch_bounds__(kThreads, 1)
    gemm_tensor_tile(GemmArgs args, GemmGrid grid, float* partial) {
  TensorSmem& smem = simt::shared_memory<TensorSmem>();
  const BlockPlace place = block_place(grid, kTile, kTile);
  const GemmPiece piece = piece_of(args, grid.split_depth, place.split);
  TensorLoader<P, A> load_a(side_of<float>(args, args.a, place.matrix), args.a.row, args.a.depth, place.row,
                            args.rows, piece.begin, grid.vectors_a);
  TensorLoader<P, B> load_b(side_of<float>(args, args.b, place.matrix), args.b.row, args.b.depth,
                            place.column, args.columns, piece.begin, grid.vectors_b);
  const int lane = static_cast<int>(threadIdx.x) % simt::kWarp,
            warp = static_cast<int>(threadIdx.x) / simt::kWarp;
  const int row = warp / kWarpsAcross * 16 * kM, column = warp % kWarpsAcross * 8 * kN;
  constexpr int kDepth = kWords * kElements<P>;
  float sums[kM][kN][4] = {};

  const auto load = [&](std::int64_t k) {
    const int depth = static_cast<int>(smaller(piece.end - k, kDepth));
    load_a.load(depth);
    load_b.load(depth);
  };
  int stage = 0;
  const auto store = [&] {
    load_a.store(smem.a[stage]);
    load_b.store(smem.b[stage]);
    __syncthreads();
  };
  // The next stage is on its way into registers while this one is multiplied.
  if (piece.begin < piece.end) {
    load(piece.begin);
    store();
  }
  for (std::int64_t k = piece.begin; k < piece.end; k += kDepth) {
    const bool more = k + kDepth < piece.end;
    if (more) load(k + kDepth);
    multiply_stage<P>(sums, smem.a[stage], smem.b[stage], row, column);
    stage ^= 1;
    if (more) store();
  }
  float elements[2 * kM][2 * kN];
#pragma unroll
  for (int m = 0; m < kM; ++m) {
#pragma unroll
    for (int n = 0; n < kN; ++n) {
#pragma unroll
      for (int r = 0; r < 4; ++r) elements[2 * m + r / 2][2 * n + r % 2] = sums[m][n][r];
    }
  }
  store_tile(args, grid, elements, place.matrix, place.split, partial,
             FragmentRows{place.row + row + lane / 4}, FragmentColumns{place.column + column + lane % 4 * 2});
}

template <Precision P>
Status launch_of_precision(const GemmArgs& args, const GemmGrid& grid, float* partial, const Stream& stream) {
  return with_directions(args, [&](auto a, auto b) {
    return launch_matrices(args, grid, [&](const GemmGrid& part, dim3 blocks) {
      return simt::launch(gemm_tensor_tile<P, decltype(a)::value, decltype(b)::value>, blocks, kThreads,
                          sizeof(TensorSmem), stream, args, part, partial);
    });
  });
}

}  // namespace

Status launch_tensor_round(const GemmArgs& args, const GemmGrid& given, float* partial,
                           const Stream& stream) {
  GemmGrid grid = given;
  grid.down = ceil_div(args.rows, kTile);
  grid.across = ceil_div(args.columns, kTile);
  grid.vectors_a = has_vectors(args.a, args.a.depth, args.a.row, 4);
  grid.vectors_b = has_vectors(args.b, args.b.depth, args.b.row, 4);
  return args.precision == Precision::float16
             ? launch_of_precision<Precision::float16>(args, grid, partial, stream)
             : launch_of_precision<Precision::bfloat16>(args, grid, partial, stream);
}

}  // namespace mxinfer::kernels::cuda
