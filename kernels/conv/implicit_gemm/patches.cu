// Convolutions of images, which have few channels, by tensor instructions. A block has kSide x kSide
// positions of an image. It brings the patch of src that they see to shared memory once (patch_device.h).
// What a row of a filter sees there lies side by side, a fixed number of elements from position to position,
// so that operands are read from the patch as they are: nothing is gathered.
#include "kernels/common/divide.h"
#include "kernels/conv/conv_epilogue_device.h"
#include "kernels/conv/conv_vectors.h"
#include "kernels/conv/implicit_gemm/launch.h"
#include "kernels/conv/implicit_gemm/patch_device.h"
#include "kernels/cuda/mma.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kSide = ImplicitGemm::kPatchSide;
constexpr int kPatchDepth = ImplicitGemm::kMostPatchDepth;
/// Elements of a run that are in one half of an operand: 16 bytes.
template <typename E>
constexpr int kChunk = kVector<E>;
/// Elements from a filter's weights to the next one's: rows of ldmatrix are in different banks.
template <typename E>
constexpr int kWeightPitch = kPatchDepth + kChunk<E>;

template <typename E>
constexpr int kInWord = 4 / static_cast<int>(sizeof(E));

/// Where a chunk of the sum is, in words from the first one that a position sees, and how many of its
/// elements are not padding.
struct PatchChunk {
  int offset, count;
};

/// TILES: of 8 filters. Sums take the place of the operands: a row of a warp's positions at a time.
template <typename E, int TILES>
struct PatchSmem {
  /// Rows of sums that are stored 8 bytes at a time are in different banks.
  static constexpr int kStagePitch = 8 * TILES + 8;
  struct PatchOperands {
    alignas(16) E weight[8 * TILES][kWeightPitch<E>];
    alignas(16) std::uint32_t patch[kPatchElements<E> * sizeof(E) / 4];
  };
  union {
    PatchOperands operands;
    alignas(16) float stage[kPatchWarps][kSide][kStagePitch];
  };
  PatchChunk chunk[kPatchDepth / kChunk<E>];
};

/// Which of kSide positions the rows of an operand are: row r and row r + 8 of eight are position r * apart
/// and `between` further. The words that a thread's eight neighbours read are in different banks for most
/// distances of positions. If that is an odd number of 16-bit elements, all that a thread reads of a row is
/// in one copy of the patch.
struct PatchOrder {
  int apart, between;

  __device__ __forceinline__ int position(int row) const { return row % 8 * apart + row / 8 * between; }
  __device__ __forceinline__ int row(int position) const {
    return apart == 1 ? position : position / 2 + position % 2 * 8;
  }
};

/// Elements of a line from a position to the next.
__device__ __forceinline__ int elements_apart(const ImplicitGemm& g) {
  return g.row_step() * g.stride[2];
}

template <typename E>
__device__ __forceinline__ PatchOrder patch_order(const ImplicitGemm& g) {
  const int elements = elements_apart(g);
  const bool alternates = elements % kInWord<E> != 0 || elements / kInWord<E> % 4 == 2;
  return alternates ? PatchOrder{2, 1} : PatchOrder{1, 8};
}

__device__ __forceinline__ PatchPlace patch_place(const ImplicitGemm& g, int filters) {
  const auto across = static_cast<unsigned>(ceil_div(g.output[2], kSide));
  const auto down = static_cast<unsigned>(ceil_div(g.output[1], kSide));
  const unsigned rows = blockIdx.x / across, image = rows / down;
  return {static_cast<int>(image), static_cast<int>(rows - image * down) * kSide,
          static_cast<int>(blockIdx.x - rows * across) * kSide, static_cast<int>(blockIdx.y) * filters};
}

template <typename E, int TILES>
__device__ __forceinline__ void copy_weights(const ImplicitGemm& g, int first_filter,
                                             PatchSmem<E, TILES>& smem) {
  const int depth = g.steps * g.step_depth();
  const int chunks = round_up(g.patch_chunks(), 2);
  const E* weight = static_cast<const E*>(g.weight);
  for (int i = static_cast<int>(threadIdx.x); i < 8 * TILES * chunks; i += kPatchThreads) {
    const int row = i / chunks, k = (i - row * chunks) * kChunk<E>, filter = first_filter + row;
    const bool exists = filter < g.packed_filters;
    simt::cp_async16(&smem.operands.weight[row][k],
                     exists ? weight + (static_cast<std::int64_t>(filter) * depth + k) : weight,
                     exists ? 16 : 0);
  }
  simt::cp_async_commit();
}

template <typename E, int TILES>
__device__ __forceinline__ void find_chunks(const ImplicitGemm& g, PatchSmem<E, TILES>& smem) {
  const int i = static_cast<int>(threadIdx.x), all = g.patch_chunks();
  if (i >= kPatchDepth / kChunk<E>) return;
  const int run = i * kChunk<E> / g.padded_run, first = i * kChunk<E> - run * g.padded_run;
  const int plane = run / g.kernel[1], row = run - plane * g.kernel[1];
  const int left = g.run - first;
  const int at = (plane * g.patch_lines() + row) * g.patch_pitch() + first;
  smem.chunk[i] =
      i < all ? PatchChunk{at / kInWord<E>, left < kChunk<E> ? left : kChunk<E>} : PatchChunk{0, 0};
}

/// The bits of a thread's word of a chunk that are not padding, which may be NaN.
template <typename E>
__device__ __forceinline__ std::uint32_t chunk_mask(int count) {
  const int t = static_cast<int>(threadIdx.x) % 4;
  if constexpr (!kHasPairs<E>) return t < count ? ~0u : 0u;
  return (2 * t < count ? 0xffffu : 0u) | (2 * t + 1 < count ? 0xffff0000u : 0u);
}

/// The sums of a warp: two rows of kSide positions, in their order.
template <typename E, int TILES>
__device__ __forceinline__ void multiply_patch(const ImplicitGemm& g, const PatchLines& lines,
                                               const PatchOrder& order, const PatchSmem<E, TILES>& smem,
                                               float (&sums)[2][TILES][4]) {
  const int warp = static_cast<int>(threadIdx.x) / simt::kWarp;
  const int lane = static_cast<int>(threadIdx.x) % simt::kWarp;
  const int step = elements_apart(g), line = g.stride[1] * g.patch_pitch() / kInWord<E>;
  const int first = lines.skew + lane / 4 * order.apart * step;
  const std::uint32_t* low = smem.operands.patch + (2 * warp * line + lane % 4);
  const std::uint32_t* high = low + patch_word<E>(lines, first + order.between * step);
  low += patch_word<E>(lines, first);
  const int steps = ceil_div(g.patch_chunks(), 2);
#pragma unroll 1
  for (int k = 0; k < steps; ++k) {
    std::uint32_t a[2][4], b[TILES][2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const PatchChunk chunk = smem.chunk[2 * k + half];
      const std::uint32_t mask = chunk_mask<E>(chunk.count);
#pragma unroll
      for (int m = 0; m < 2; ++m) {
        a[m][2 * half] = low[chunk.offset + m * line] & mask;
        a[m][2 * half + 1] = high[chunk.offset + m * line] & mask;
      }
    }
#pragma unroll
    for (int n = 0; n < TILES; n += 2) {
      std::uint32_t both[4];
      simt::ldmatrix_x4(
          both, &smem.operands.weight[8 * n + lane % 8 + lane / 16 * 8][(2 * k + lane / 8 % 2) * kChunk<E>]);
      b[n][0] = both[0], b[n][1] = both[1], b[n + 1][0] = both[2], b[n + 1][1] = both[3];
    }
    multiply_fragments<E>(sums, a, b);
  }
}

/// A vector's sums on a stage. Of 8, every second quarter of a warp reads the later half first: threads that
/// read 16 bytes at a time are in different banks.
template <int COUNT>
__device__ __forceinline__ void load_sums(const float* from, float (&x)[COUNT]) {
  if constexpr (COUNT != 8) {
    load_floats(from, x);
  } else {
    const bool swapped = threadIdx.x % 8 >= 4;
    const float4 one = simt::load4(from + (swapped ? 4 : 0)), other = simt::load4(from + (swapped ? 0 : 4));
    const float4 a = swapped ? other : one, b = swapped ? one : other;
    x[0] = a.x, x[1] = a.y, x[2] = a.z, x[3] = a.w;
    x[4] = b.x, x[5] = b.y, x[6] = b.z, x[7] = b.w;
  }
}

/// Stores what a warp has on its stage: COLUMNS filters of a row of positions, in their order.
template <typename M, int COLUMNS, int PITCH>
__device__ __forceinline__ void store_stage(const ImplicitGemm& g, const PatchPlace& place,
                                            const PatchOrder& order, int y, bool vectors,
                                            const float (&stage)[kSide][PITCH]) {
  const ConvEpilogue& e = g.epilogue;
  const int lane = static_cast<int>(threadIdx.x) % simt::kWarp;
  const std::int64_t first = place.image * e.positions + static_cast<std::int64_t>(y) * g.output[2] + place.x;
  const int left = g.output[2] - place.x, columns = y < g.output[1] ? g.filters - place.filter : 0;
  if (vectors) {
    constexpr int kAcross = COLUMNS / kVector<M>;
#pragma unroll 1
    for (int i = lane; i < kSide * kAcross; i += simt::kWarp) {
      const int row = i / kAcross, column = i % kAcross * kVector<M>, position = order.position(row);
      if (position >= left || column >= columns) continue;
      float x[kVector<M>];
      load_sums(&stage[row][column], x);
      const std::int64_t m = place.filter + column, at = dst_offset(e, first + position) + m;
      store_finished_vector<M>(e, x, load_residual<M>(e, at), m, at);
    }
    return;
  }
#pragma unroll 1
  for (int i = lane; i < kSide * COLUMNS; i += simt::kWarp) {
    // Neighbouring threads have neighbours of dst.
    const bool last = e.is_channels_last();
    const int position = last ? i / COLUMNS : i % kSide, column = last ? i % COLUMNS : i / kSide;
    if (position >= left || column >= columns) continue;
    const std::int64_t m = place.filter + column, at = dst_offset(e, first + position) + m * e.dst_filter;
    dst_of<M>(e)[at] = to_stored<M>(finish<M>(e, stage[order.row(position)][column], m, at));
  }
}

/// `reads`, `stores`: whether rows of src are read, and dst written, 16 bytes at a time.
template <typename E, typename M, int TILES>
__global__ void __launch_bounds__(kPatchThreads, TILES == 4 ? 3 : 2)
    patch_tile(ImplicitGemm g, bool reads, bool stores) {
  auto& smem = simt::shared_memory<PatchSmem<E, TILES>>();
  const PatchPlace place = patch_place(g, 8 * TILES);
  copy_weights(g, place.filter, smem);
  find_chunks(g, smem);
  const PatchLines lines = patch_lines<E, M>(g, place, reads);
  if (reads) {
    load_vectors<E, M>(g, place, lines, smem.operands.patch);
  } else {
    load_elements<E, M>(g, place, lines, smem.operands.patch);
  }
  if (g.border != nullptr) {
    __syncthreads();
    set_border<E, M>(g, lines, smem.operands.patch);
  }
  simt::cp_async_wait<0>();
  __syncthreads();
  float sums[2][TILES][4] = {};
  const PatchOrder order = patch_order<E>(g);
  multiply_patch(g, lines, order, smem, sums);

  const int warp = static_cast<int>(threadIdx.x) / simt::kWarp;
  const int lane = static_cast<int>(threadIdx.x) % simt::kWarp;
  auto& stage = smem.stage[warp];
  __syncthreads();  // operands are not read any more
  // Not unrolled, as the code of activations is long: sums move up instead of being found by an index.
#pragma unroll 1
  for (int m = 0; m < 2; ++m) {
#pragma unroll
    for (int n = 0; n < TILES; ++n) {
#pragma unroll
      for (int r = 0; r < 2; ++r) {
        float* to = &stage[lane / 4 + 8 * r][8 * n + lane % 4 * 2];
        *reinterpret_cast<float2*>(to) = make_float2(sums[0][n][2 * r], sums[0][n][2 * r + 1]);
      }
    }
    __syncwarp();
    store_stage<M, 8 * TILES>(g, place, order, place.y + 2 * warp + m, stores, stage);
    __syncwarp();  // the stage is written again
#pragma unroll
    for (int i = 0; i < 4 * TILES; ++i) sums[0][i / 4][i % 4] = sums[1][i / 4][i % 4];
  }
}

/// Whether every row of src is whole aligned vectors.
bool reads_rows(const ImplicitGemm& g) {
  const int vector = vector_elements(g.type);
  return g.input[2] * g.row_step() % vector == 0 && g.src_image % vector == 0 &&
         (g.src_channel == 1 || g.src_channel % vector == 0) && is_vector_aligned(g.src);
}

template <typename E, typename M, int TILES>
Status launch_patch_tile(const ImplicitGemm& g, const Stream& stream) {
  const std::int64_t blocks =
      static_cast<std::int64_t>(g.batch) * ceil_div(g.output[1], kSide) * ceil_div(g.output[2], kSide);
  const dim3 grid(static_cast<unsigned>(blocks), static_cast<unsigned>(ceil_div(g.filters, 8 * TILES)));
  return simt::launch(patch_tile<E, M, TILES>, grid, kPatchThreads, sizeof(PatchSmem<E, TILES>), stream, g,
                      reads_rows(g), stores_vectors(g));
}

template <typename E>
Status launch_patches(const ImplicitGemm& g, const Stream& stream) {
  const auto with_values = [&](auto value) {
    using M = decltype(value);
    return g.filters <= 32 ? launch_patch_tile<E, M, 4>(g, stream) : launch_patch_tile<E, M, 8>(g, stream);
  };
  return g.type == FloatType::float32 ? with_values(float{}) : with_values(E{});
}

}  // namespace

Status launch_implicit_gemm_patches(const ImplicitGemm& g, const Stream& stream) {
  switch (g.precision) {
    case Precision::tf32:
      return launch_patches<float>(g, stream);
    case Precision::bfloat16:
      return launch_patches<StoredBFloat16>(g, stream);
    default:
      return launch_patches<StoredFloat16>(g, stream);
  }
}

}  // namespace mxinfer::kernels::cuda
