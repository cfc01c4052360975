// Convolutions of images, which have few channels, by tensor instructions. A block has kSide x kSide
// positions of an image. It brings the patch of src that they see to shared memory once. What a row of a
// filter sees there lies side by side, a fixed number of words from position to position, so that operands
// are read from the patch as they are: nothing is gathered.
#include "kernels/common/divide.h"
#include "kernels/conv/conv_epilogue_device.h"
#include "kernels/conv/conv_vectors.h"
#include "kernels/conv/implicit_gemm/launch.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kSide = ImplicitGemm::kPatchSide;
constexpr int kPatchWarps = kSide / 2;  ///< each has two rows of positions
constexpr int kPatchThreads = kPatchWarps * simt::kWarp;
constexpr int kPatchElements = ImplicitGemm::kMostPatch, kPatchDepth = ImplicitGemm::kMostPatchDepth;
constexpr int kChunk = 8;                           ///< elements of a run that are in one half of an operand
constexpr int kWeightPitch = kPatchDepth + kChunk;  ///< rows of ldmatrix are in different banks

/// Where a chunk of the sum is, from the first element that a position sees, and how many of its elements
/// are not padding.
struct PatchChunk {
  int offset, count;
};

/// TILES: of 8 filters. Sums take the place of the operands: a row of a warp's positions at a time.
template <typename E, int TILES>
struct PatchSmem {
  static constexpr int kStagePitch = 8 * TILES + 8;
  struct PatchOperands {
    alignas(16) E weight[8 * TILES][kWeightPitch];
    std::uint32_t patch[kPatchElements / 2];
  };
  union {
    PatchOperands operands;
    alignas(16) float stage[kPatchWarps][kSide][kStagePitch];
  };
  PatchChunk chunk[kPatchDepth / kChunk];
};

struct PatchPlace {
  int image, y, x;  ///< of the first position
  int filter;
};

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
    const int row = i / chunks, k = (i - row * chunks) * kChunk, filter = first_filter + row;
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
  if (i >= kPatchDepth / kChunk) return;
  const int run = i * kChunk / g.padded_run, first = i * kChunk - run * g.padded_run;
  const int plane = run / g.kernel[1], row = run - plane * g.kernel[1];
  const int left = g.run - first;
  smem.chunk[i] = i < all ? PatchChunk{(plane * g.patch_lines() + row) * g.patch_pitch() + first,
                                       left < kChunk ? left : kChunk}
                          : PatchChunk{0, 0};
}

template <typename E, typename M>
__device__ __forceinline__ E rounded(M x) {
  if constexpr (std::is_same_v<E, M>) {
    return x;
  } else {
    return to_stored<E>(to_float(x));
  }
}

/// A warp has a line of the patch; each thread has several lines, whose loads do not wait for each other.
template <typename E, typename M, int TILES>
__device__ __forceinline__ void load_patch(const ImplicitGemm& g, const PatchPlace& place,
                                           PatchSmem<E, TILES>& smem) {
  constexpr int kLines = 5, kSegments = 4;
  const int warp = static_cast<int>(threadIdx.x) / simt::kWarp;
  const int lane = static_cast<int>(threadIdx.x) % simt::kWarp;
  const int lines = g.patch_lines(), all = g.row_planes() * lines, step = g.row_step();
  const int length = g.input[2] * step, width = ((kSide - 1) * g.stride[2] + g.kernel[2]) * step;
  const int left = (place.x * g.stride[2] - g.pad[2]) * step, top = place.y * g.stride[1] - g.pad[1];
  const M* image = static_cast<const M*>(g.src) + place.image * g.src_image;
  E* patch = reinterpret_cast<E*>(smem.operands.patch);
  for (int first = warp; first < all; first += kLines * kPatchWarps) {
    for (int segment = 0; segment < width; segment += kSegments * simt::kWarp) {
      M values[kLines][kSegments];
#pragma unroll
      for (int l = 0; l < kLines; ++l) {
        const int line = first + l * kPatchWarps, plane = line / lines, y = top + line - plane * lines;
        const bool is_row = line < all && static_cast<unsigned>(y) < static_cast<unsigned>(g.input[1]);
        const M* row = image + (plane * g.src_channel + y * length);
#pragma unroll
        for (int s = 0; s < kSegments; ++s) {
          const int at = left + segment + s * simt::kWarp + lane;
          const bool inside = is_row && static_cast<unsigned>(at) < static_cast<unsigned>(length);
          // Without a branch, so that loads do not wait for each other.
          const M value = *(inside ? row + at : static_cast<const M*>(g.src));
          values[l][s] = inside ? value : M{};
        }
      }
      __syncwarp();  // no store comes between the loads
#pragma unroll
      for (int l = 0; l < kLines; ++l) {
#pragma unroll
        for (int s = 0; s < kSegments; ++s) {
          const int line = first + l * kPatchWarps, at = segment + s * simt::kWarp + lane;
          if (line < all && at < width) patch[line * g.patch_pitch() + at] = rounded<E>(values[l][s]);
        }
      }
    }
  }
}

/// Writes the border where a patch is outside of src. The threads have the elements that they loaded.
template <typename E, typename M, int TILES>
__device__ __forceinline__ void set_border(const ImplicitGemm& g, const PatchPlace& place,
                                           PatchSmem<E, TILES>& smem) {
  const int warp = static_cast<int>(threadIdx.x) / simt::kWarp;
  const int lane = static_cast<int>(threadIdx.x) % simt::kWarp;
  const int lines = g.patch_lines(), all = g.row_planes() * lines, step = g.row_step();
  const int length = g.input[2] * step, width = ((kSide - 1) * g.stride[2] + g.kernel[2]) * step;
  const int left = (place.x * g.stride[2] - g.pad[2]) * step, top = place.y * g.stride[1] - g.pad[1];
  E* patch = reinterpret_cast<E*>(smem.operands.patch);
#pragma unroll 1
  for (int line = warp; line < all; line += kPatchWarps) {
    const int plane = line / lines, y = top + line - plane * lines;
    const bool is_row = static_cast<unsigned>(y) < static_cast<unsigned>(g.input[1]);
#pragma unroll 1
    for (int at = lane; at < width; at += simt::kWarp) {
      if (is_row && static_cast<unsigned>(left + at) < static_cast<unsigned>(length)) continue;
      patch[line * g.patch_pitch() + at] = rounded<E>(static_cast<const M*>(g.border)[plane + at % step]);
    }
  }
}

/// Two words that a thread has of a chunk: those of positions g and g + 8, without what is padding.
__device__ __forceinline__ void load_chunk(const std::uint32_t* patch, const PatchChunk& chunk, int from,
                                           int eight_further, std::uint32_t* low, std::uint32_t* high) {
  const int t = static_cast<int>(threadIdx.x) % 4;
  const std::uint32_t mask =
      (2 * t < chunk.count ? 0xffffu : 0u) | (2 * t + 1 < chunk.count ? 0xffff0000u : 0u);
  const std::uint32_t* at = patch + (from + chunk.offset / 2);
  *low = at[0] & mask;
  *high = at[eight_further] & mask;
}

/// The sums of a warp: two rows of kSide positions.
template <typename E, int TILES>
__device__ __forceinline__ void multiply_patch(const ImplicitGemm& g, const PatchSmem<E, TILES>& smem,
                                               float (&sums)[2][TILES][4]) {
  const int warp = static_cast<int>(threadIdx.x) / simt::kWarp;
  const int lane = static_cast<int>(threadIdx.x) % simt::kWarp;
  const int words = g.row_step() * g.stride[2] / 2;  // from a position to the next
  const int line = g.stride[1] * g.patch_pitch() / 2;
  const int from = 2 * warp * line + lane / 4 * words + lane % 4;
  const int steps = ceil_div(g.patch_chunks(), 2);
#pragma unroll 1
  for (int k = 0; k < steps; ++k) {
    std::uint32_t a[2][4], b[TILES][2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const PatchChunk chunk = smem.chunk[2 * k + half];
#pragma unroll
      for (int m = 0; m < 2; ++m)
        load_chunk(smem.operands.patch, chunk, from + m * line, 8 * words, &a[m][2 * half],
                   &a[m][2 * half + 1]);
    }
#pragma unroll
    for (int n = 0; n < TILES; n += 2) {
      std::uint32_t both[4];
      simt::ldmatrix_x4(both,
                        &smem.operands.weight[8 * n + lane % 8 + lane / 16 * 8][16 * k + lane / 8 % 2 * 8]);
      b[n][0] = both[0], b[n][1] = both[1], b[n + 1][0] = both[2], b[n + 1][1] = both[3];
    }
    if constexpr (std::is_same_v<E, StoredFloat16>) {
      simt::mma_f16(sums, a, b);
    } else {
      simt::mma_bf16(sums, a, b);
    }
  }
}

/// Stores what a warp has on its stage: COLUMNS filters of a row of positions.
template <typename M, int COLUMNS, int PITCH>
__device__ __forceinline__ void store_stage(const ImplicitGemm& g, const PatchPlace& place, int y,
                                            bool vectors, const float (&stage)[kSide][PITCH]) {
  const ConvEpilogue& e = g.epilogue;
  const int lane = static_cast<int>(threadIdx.x) % simt::kWarp;
  const std::int64_t first = place.image * e.positions + static_cast<std::int64_t>(y) * g.output[2] + place.x;
  const int left = g.output[2] - place.x, columns = y < g.output[1] ? g.filters - place.filter : 0;
  if (vectors) {
    constexpr int kAcross = COLUMNS / kVector<M>;
#pragma unroll 1
    for (int i = lane; i < kSide * kAcross; i += simt::kWarp) {
      const int row = i / kAcross, column = i % kAcross * kVector<M>;
      if (row >= left || column >= columns) continue;
      float x[kVector<M>];
      load_floats(&stage[row][column], x);
      const std::int64_t m = place.filter + column, at = dst_offset(e, first + row) + m;
      store_finished_vector<M>(e, x, load_residual<M>(e, at), m, at);
    }
    return;
  }
#pragma unroll 1
  for (int i = lane; i < kSide * COLUMNS; i += simt::kWarp) {
    // Neighbouring threads have neighbours of dst.
    const bool last = e.is_channels_last();
    const int row = last ? i / COLUMNS : i % kSide, column = last ? i % COLUMNS : i / kSide;
    if (row >= left || column >= columns) continue;
    const std::int64_t m = place.filter + column, at = dst_offset(e, first + row) + m * e.dst_filter;
    dst_of<M>(e)[at] = to_stored<M>(finish<M>(e, stage[row][column], m, at));
  }
}

template <typename E, typename M, int TILES>
__global__ void __launch_bounds__(kPatchThreads, 2) patch_tile(ImplicitGemm g, bool vectors) {
  auto& smem = simt::shared_memory<PatchSmem<E, TILES>>();
  const PatchPlace place = patch_place(g, 8 * TILES);
  copy_weights(g, place.filter, smem);
  find_chunks(g, smem);
  load_patch<E, M>(g, place, smem);
  if (g.border != nullptr) set_border<E, M>(g, place, smem);
  simt::cp_async_wait<0>();
  __syncthreads();
  float sums[2][TILES][4] = {};
  multiply_patch(g, smem, sums);

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
      for (int r = 0; r < 4; ++r) stage[lane / 4 + r / 2 * 8][8 * n + lane % 4 * 2 + r % 2] = sums[0][n][r];
    }
    __syncwarp();
    store_stage<M, 8 * TILES>(g, place, place.y + 2 * warp + m, vectors, stage);
    __syncwarp();  // the stage is written again
#pragma unroll
    for (int i = 0; i < 4 * TILES; ++i) sums[0][i / 4][i % 4] = sums[1][i / 4][i % 4];
  }
}

template <typename E, typename M, int TILES>
Status launch_patch_tile(const ImplicitGemm& g, const Stream& stream) {
  const std::int64_t blocks =
      static_cast<std::int64_t>(g.batch) * ceil_div(g.output[1], kSide) * ceil_div(g.output[2], kSide);
  const dim3 grid(static_cast<unsigned>(blocks), static_cast<unsigned>(ceil_div(g.filters, 8 * TILES)));
  return simt::launch(patch_tile<E, M, TILES>, grid, kPatchThreads, sizeof(PatchSmem<E, TILES>), stream, g,
                      stores_vectors(g));
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
  return g.precision == Precision::bfloat16 ? launch_patches<StoredBFloat16>(g, stream)
                                            : launch_patches<StoredFloat16>(g, stream);
}

}  // namespace mxinfer::kernels::cuda
