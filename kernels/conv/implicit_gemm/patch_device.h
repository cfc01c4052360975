// What a block of the kernel of patches has of src in shared memory (patches.cu): lines, each of which is
// what its positions see of a row of a plane. Rows come as 16-byte vectors where all of them are aligned. A
// line then begins with the vector that holds the first element that is seen.
//
// Operands are read as 32-bit words. Those of 16-bit elements that begin at an odd element are read from a
// second copy of the patch, which lacks the first element: where it has element e is e - 1.
#pragma once

#include "kernels/common/divide.h"
#include "kernels/common/tf32.h"
#include "kernels/conv/implicit_gemm/implicit_gemm.h"
#include "kernels/cuda/dialect.h"
#include "kernels/cuda/stored_floats.h"

namespace mxinfer::kernels::cuda {

inline constexpr int kPatchWarps = ImplicitGemm::kPatchSide / 2;  ///< each has two rows of positions
inline constexpr int kPatchThreads = kPatchWarps * simt::kWarp;

template <typename E>
inline constexpr bool kHasPairs = sizeof(E) == 2;
/// Elements that a patch has room for.
template <typename E>
inline constexpr int kPatchElements = ImplicitGemm::most_patch(kHasPairs<E>);

struct PatchPlace {
  int image, y, x;  ///< of the first position
  int filter;
};

/// Where element (plane, y, x) of src is in a patch.
struct PatchLines {
  int top;         ///< the row of line 0, which may be outside of src
  int first;       ///< the element of a row that is a line's first one, which may be outside, too
  int skew;        ///< elements of a line before those that the first position sees
  int width;       ///< elements that positions see of a line, and skew
  bool even, odd;  ///< which copies there are
  int odd_at;      ///< words from the patch to its copy without the first element
};

template <typename E, typename M>
__device__ __forceinline__ PatchLines patch_lines(const ImplicitGemm& g, const PatchPlace& place,
                                                  bool vectors) {
  const int step = g.row_step();
  const int left = (place.x * g.stride[2] - g.pad[2]) * step;
  PatchLines lines;
  lines.top = place.y * g.stride[1] - g.pad[1];
  lines.first = vectors ? left & -kVector<M> : left;
  lines.skew = left - lines.first;
  lines.width = lines.skew + ((ImplicitGemm::kPatchSide - 1) * g.stride[2] + g.kernel[2]) * step;
  const bool both = g.patch_copies() == 2, begins_odd = kHasPairs<E> && lines.skew % 2 != 0;
  lines.even = both || !begins_odd;
  lines.odd = both || begins_odd;
  lines.odd_at = both ? g.row_planes() * g.patch_lines() * g.patch_pitch() / 2 : 0;
  return lines;
}

/// The word with element `at` of a patch, and the one behind it.
template <typename E>
__device__ __forceinline__ int patch_word(const PatchLines& lines, int at) {
  return kHasPairs<E> ? at / 2 + (at % 2 != 0 ? lines.odd_at : 0) : at;
}

/// An element as it is multiplied, by its bits.
template <typename E, typename M>
__device__ __forceinline__ std::uint32_t multiplied(M x) {
  if constexpr (!kHasPairs<E>) {
    return to_tf32(x);
  } else if constexpr (std::is_same_v<E, M>) {
    return x.bits;
  } else {
    return to_stored<E>(to_float(x)).bits;
  }
}

/// Stores element `at`.
template <typename E, typename M>
__device__ __forceinline__ void put_element(const PatchLines& lines, std::uint32_t* patch, int at, M value) {
  const std::uint32_t bits = multiplied<E>(value);
  if constexpr (kHasPairs<E>) {
    auto* elements = reinterpret_cast<StoredFloat16*>(patch);
    const StoredFloat16 element{static_cast<std::uint16_t>(bits)};
    if (lines.even) elements[at] = element;
    if (lines.odd && at > 0) elements[2 * lines.odd_at + at - 1] = element;
  } else {
    patch[at] = bits;
  }
}

/// Elements of a row in memory: 16 bytes and, for the copy without the first element, the one behind them.
template <typename M>
struct RowVector {
  RawVector values;
  M next;
};

template <int COUNT>
__device__ __forceinline__ void store_words(std::uint32_t* to, const std::uint32_t (&words)[COUNT]) {
  if constexpr (COUNT == 4) {
    *reinterpret_cast<uint4*>(to) = make_uint4(words[0], words[1], words[2], words[3]);
  } else {
    *reinterpret_cast<uint2*>(to) = make_uint2(words[0], words[1]);
  }
}

/// Stores those from element `at` on.
template <typename E, typename M>
__device__ __forceinline__ void put_vector(const PatchLines& lines, std::uint32_t* patch, int at,
                                           const RowVector<M>& vector) {
  constexpr int kWords = kVector<M> * static_cast<int>(sizeof(E)) / 4;
  std::uint32_t words[kWords];
  if constexpr (std::is_same_v<E, M> && kHasPairs<E>) {
    words[0] = vector.values.x, words[1] = vector.values.y;
    words[2] = vector.values.z, words[3] = vector.values.w;
  } else {
    float values[kVector<M>];
    to_floats<M>(vector.values, values);
#pragma unroll
    for (int i = 0; i < kWords; ++i) {
      words[i] = kHasPairs<E> ? multiplied<E>(values[kVector<M> / kWords * i]) |
                                    multiplied<E>(values[kVector<M> / kWords * (i + 1) - 1]) << 16
                              : multiplied<E>(values[i]);
    }
  }
  if constexpr (!kHasPairs<E>) {
    return store_words(patch + at, words);
  } else {
    if (lines.even) store_words(patch + at / 2, words);
    if (!lines.odd) return;
#pragma unroll
    for (int i = 0; i < kWords; ++i)
      words[i] = words[i] >> 16 | (i + 1 < kWords ? words[i + 1] : multiplied<E>(vector.next)) << 16;
    store_words(patch + lines.odd_at + at / 2, words);
  }
}

/// A thread has several vectors, whose loads do not wait for each other.
template <typename E, typename M>
__device__ __forceinline__ void load_vectors(const ImplicitGemm& g, const PatchPlace& place,
                                             const PatchLines& to, std::uint32_t* patch) {
  constexpr int kLoads = 4, kElements = kVector<M>;
  const int lines = g.patch_lines(), length = g.input[2] * g.row_step();
  const int across = ceil_div(to.width, kElements), all = g.row_planes() * lines * across;
  const M* nothing = static_cast<const M*>(g.src);
  const M* image = nothing + place.image * g.src_image;
#pragma unroll 1
  for (int first = 0; first < all; first += kLoads * kPatchThreads) {
    RowVector<M> vectors[kLoads];
    int at[kLoads];
#pragma unroll
    for (int l = 0; l < kLoads; ++l) {
      const int i = first + l * kPatchThreads + static_cast<int>(threadIdx.x);
      const int line = i / across, in_line = (i - line * across) * kElements;
      const int plane = line / lines, y = to.top + line - plane * lines, x = to.first + in_line;
      const bool is_row = i < all && static_cast<unsigned>(y) < static_cast<unsigned>(g.input[1]);
      const M* row = image + (plane * g.src_channel + y * length);
      // Rows are whole vectors: one is inside of src, or outside of it. Without a branch, so that loads do
      // not wait for each other.
      const bool inside = is_row && static_cast<unsigned>(x) < static_cast<unsigned>(length);
      const RawVector values = load_raw(inside ? row + x : nothing);
      vectors[l].values = inside ? values : RawVector{};
      at[l] = i < all ? line * g.patch_pitch() + in_line : -1;
      vectors[l].next = M{};
      if constexpr (kHasPairs<E>) {
        const bool has_next =
            to.odd && is_row && static_cast<unsigned>(x + kElements) < static_cast<unsigned>(length);
        const M next = *(has_next ? row + x + kElements : nothing);
        vectors[l].next = has_next ? next : M{};
      }
    }
    __syncwarp();  // no store comes between the loads
#pragma unroll
    for (int l = 0; l < kLoads; ++l) {
      if (at[l] >= 0) put_vector<E>(to, patch, at[l], vectors[l]);
    }
  }
}

/// The same of rows that lie any way. A warp has a line; each thread has several lines.
template <typename E, typename M>
__device__ __forceinline__ void load_elements(const ImplicitGemm& g, const PatchPlace& place,
                                              const PatchLines& to, std::uint32_t* patch) {
  constexpr int kLines = 4, kSegments = 4;
  const int warp = static_cast<int>(threadIdx.x) / simt::kWarp;
  const int lane = static_cast<int>(threadIdx.x) % simt::kWarp;
  const int lines = g.patch_lines(), all = g.row_planes() * lines, length = g.input[2] * g.row_step();
  const M* nothing = static_cast<const M*>(g.src);
  const M* image = nothing + place.image * g.src_image;
#pragma unroll 1
  for (int first = warp; first < all; first += kLines * kPatchWarps) {
#pragma unroll 1
    for (int segment = 0; segment < to.width; segment += kSegments * simt::kWarp) {
      M values[kLines][kSegments];
#pragma unroll
      for (int l = 0; l < kLines; ++l) {
        const int line = first + l * kPatchWarps, plane = line / lines, y = to.top + line - plane * lines;
        const bool is_row = line < all && static_cast<unsigned>(y) < static_cast<unsigned>(g.input[1]);
        const M* row = image + (plane * g.src_channel + y * length);
#pragma unroll
        for (int s = 0; s < kSegments; ++s) {
          const int x = to.first + segment + s * simt::kWarp + lane;
          const bool inside = is_row && static_cast<unsigned>(x) < static_cast<unsigned>(length);
          const M value = *(inside ? row + x : nothing);
          values[l][s] = inside ? value : M{};
        }
      }
      __syncwarp();
#pragma unroll
      for (int l = 0; l < kLines; ++l) {
#pragma unroll
        for (int s = 0; s < kSegments; ++s) {
          const int line = first + l * kPatchWarps, at = segment + s * simt::kWarp + lane;
          if (line < all && at < to.width)
            put_element<E>(to, patch, line * g.patch_pitch() + at, values[l][s]);
        }
      }
    }
  }
}

/// Writes the border where a patch is outside of src. Precondition: the patch is loaded.
template <typename E, typename M>
__device__ __forceinline__ void set_border(const ImplicitGemm& g, const PatchLines& to,
                                           std::uint32_t* patch) {
  const int warp = static_cast<int>(threadIdx.x) / simt::kWarp;
  const int lane = static_cast<int>(threadIdx.x) % simt::kWarp;
  const int lines = g.patch_lines(), all = g.row_planes() * lines, step = g.row_step();
  const int length = g.input[2] * step;
#pragma unroll 1
  for (int line = warp; line < all; line += kPatchWarps) {
    const int plane = line / lines, y = to.top + line - plane * lines;
    const bool is_row = static_cast<unsigned>(y) < static_cast<unsigned>(g.input[1]);
#pragma unroll 1
    for (int at = to.skew + lane; at < to.width; at += simt::kWarp) {
      if (is_row && static_cast<unsigned>(to.first + at) < static_cast<unsigned>(length)) continue;
      put_element<E>(to, patch, line * g.patch_pitch() + at,
                     static_cast<const M*>(g.border)[plane + (at - to.skew) % step]);
    }
  }
}

}  // namespace mxinfer::kernels::cuda
