// The sources of an implicit GEMM by tensor instructions (kernels/gemm/tensor_tile_device.h): the rows of
// src, and packed weights. A thread has the same chunk of several rows of a stage.
#pragma once

#include "kernels/conv/implicit_gemm/gather_device.h"
#include "kernels/gemm/warpgroup_tile_device.h"

namespace mxinfer::kernels::cuda {

template <class T>
struct TensorConvSmem {
  TensorSmem<T> tile;
  Window window;
  RowCorner corner[T::rows];
  union {
    const void* first_tap[T::rows];    ///< where a row's first tap is, which may be outside of src
    std::int64_t dst_of_row[T::rows];  ///< behind the products: where a row's filter 0 is in dst, or -1
  };
  std::uint32_t taps_inside[T::rows];  ///< of kMaskedTaps at most: whether a row sees tap t in src, in bit t
};

/// The thread's chunk of a row, and which rows of a stage of ROWS it has.
template <int ROWS, int THREADS>
struct ThreadChunks {
  static constexpr int kApart = THREADS / kRowChunks;
  static constexpr int kCopies = ROWS / kApart;

  __device__ __forceinline__ static int line(int i) {
    return static_cast<int>(threadIdx.x) / kRowChunks + i * kApart;
  }
  __device__ __forceinline__ static int chunk() { return static_cast<int>(threadIdx.x) % kRowChunks; }
};

inline constexpr int kMaskedTaps = 32;

/// Rows of src whose channels are whole chunks, which are copied as they are. All threads of a block make
/// theirs together.
template <typename E, class T>
class AlignedSource {
 public:
  __device__ __forceinline__ AlignedSource(const ImplicitGemm& g, TensorConvSmem<T>& smem,
                                           const BlockPart& part, bool)
      : g_(g), smem_(smem), first_channel_(part.group * g.channels) {
    k_.set(g, smem.window, part.first_step * kStepDepth<E> + Chunks::chunk() * kVector<E>);
    const int* taps = smem.window.taps;
    has_masks_ = taps[0] * taps[1] * taps[2] <= kMaskedTaps;
    const int row = static_cast<int>(threadIdx.x);
    if (row < T::rows) {
      smem.first_tap[row] = first_tap(smem.corner[row]);
      if (has_masks_) smem.taps_inside[row] = taps_inside(smem.corner[row]);
    }
    __syncthreads();
    find_tap();
  }

  __device__ __forceinline__ void fetch(std::uint32_t (&stage)[T::rows][kRowWords]) {
    const int at = tap_offset_ + k_.channel;
    if (g_.border == nullptr) {
      const E* from[Chunks::kCopies];  // all of them before the first copy, which no load passes
#pragma unroll
      for (int i = 0; i < Chunks::kCopies; ++i)
        from[i] = static_cast<const E*>(smem_.first_tap[Chunks::line(i)]) + at;
#pragma unroll
      for (int i = 0; i < Chunks::kCopies; ++i) {
        simt::cp_async16_if((inside_ >> i & 1u) != 0, chunk_of(stage, Chunks::line(i), Chunks::chunk()),
                            from[i]);
      }
    } else {
      fetch_with_border(stage, at);
    }
    if (k_.advance(g_, smem_.window, kStepDepth<E>)) find_tap();
  }
  __device__ __forceinline__ void deliver(std::uint32_t (&)[T::rows][kRowWords]) const {}

 private:
  using Chunks = ThreadChunks<T::rows, T::threads>;

  __device__ __forceinline__ void fetch_with_border(std::uint32_t (&stage)[T::rows][kRowWords],
                                                    int at) const {
    const int outside_bytes = g_.border != nullptr && !k_.is_padding ? 16 : 0;
    const E* outside = g_.border != nullptr ? static_cast<const E*>(g_.border) + first_channel_ + k_.channel
                                            : static_cast<const E*>(g_.src);
#pragma unroll
    for (int i = 0; i < Chunks::kCopies; ++i) {
      const bool is_inside = (inside_ >> i & 1u) != 0;
      const E* first = static_cast<const E*>(smem_.first_tap[Chunks::line(i)]);
      simt::cp_async16(chunk_of(stage, Chunks::line(i), Chunks::chunk()), is_inside ? first + at : outside,
                       is_inside ? 16 : outside_bytes);
    }
  }

  __device__ __forceinline__ std::uint32_t taps_inside(const RowCorner& corner) const {
    const Window& w = smem_.window;
    std::uint32_t inside = 0, tap = 1;
    for (int d = 0; d < w.taps[0]; ++d) {
      for (int h = 0; h < w.taps[1]; ++h) {
        for (int x = 0; x < w.taps[2]; ++x) {
          if (is_inside(g_, corner.at[0] + d * w.move[0], corner.at[1] + h * w.move[1],
                        corner.at[2] + x * w.move[2]))
            inside |= tap;
          tap <<= 1;
        }
      }
    }
    return inside;
  }

  __device__ __forceinline__ const E* first_tap(const RowCorner& corner) const {
    const E* from = static_cast<const E*>(g_.src) + first_channel_;
    if (corner.at[2] == kNowhere) return from;
    const std::int64_t pixel =
        (static_cast<std::int64_t>(corner.at[0]) * g_.input[1] + corner.at[1]) * g_.input[2] + corner.at[2];
    return from + corner.image * g_.src_image + pixel * g_.src_position;
  }

  /// Where the tap is from a row's first one, and which rows see it inside of src.
  __device__ __forceinline__ void find_tap() {
    inside_ = 0;
    if (k_.is_padding) return;
    const Window& w = smem_.window;
    const int d = k_.tap[0] * w.move[0], h = k_.tap[1] * w.move[1], x = k_.tap[2] * w.move[2];
    tap_offset_ = ((d * g_.input[1] + h) * g_.input[2] + x) * g_.src_position;
    if (has_masks_) {
      const int tap = (k_.tap[0] * w.taps[1] + k_.tap[1]) * w.taps[2] + k_.tap[2];
#pragma unroll
      for (int i = 0; i < Chunks::kCopies; ++i)
        inside_ |= (smem_.taps_inside[Chunks::line(i)] >> tap & 1u) << i;
      return;
    }
#pragma unroll
    for (int i = 0; i < Chunks::kCopies; ++i) {
      const RowCorner& corner = smem_.corner[Chunks::line(i)];
      if (is_inside(g_, corner.at[0] + d, corner.at[1] + h, corner.at[2] + x)) inside_ |= 1u << i;
    }
  }

  const ImplicitGemm& g_;
  const TensorConvSmem<T>& smem_;
  SumElement k_;
  int first_channel_, tap_offset_ = 0;
  std::uint32_t inside_ = 0;
  bool has_masks_ = false;
};

/// Rows of src that lie any way, of elements M in memory: a chunk is loaded into registers, and stored behind
/// the products of the step before.
template <typename E, typename M, class T>
class GatheredSource {
 public:
  /// `vectors`: a whole chunk is 16 aligned bytes, or 32 of float32 that becomes 16-bit floats.
  __device__ __forceinline__ GatheredSource(const ImplicitGemm& g, const TensorConvSmem<T>& smem,
                                            const BlockPart& part, bool vectors)
      : g_(g), smem_(smem), group_(part.group), vectors_(vectors) {
    k_.set(g, smem.window, part.first_step * kStepDepth<E> + Chunks::chunk() * kWidth);
  }

  __device__ __forceinline__ void fetch(std::uint32_t (&)[T::rows][kRowWords]) {
#pragma unroll
    for (int i = 0; i < Chunks::kCopies; ++i) {
      const RowCorner& corner = smem_.corner[Chunks::line(i)];
      if (g_.row_runs) {
        load_row(corner, chunks_[i]);
      } else {
        load_channels(corner, chunks_[i]);
      }
    }
    k_.advance(g_, smem_.window, kStepDepth<E>);
  }
  __device__ __forceinline__ void deliver(std::uint32_t (&stage)[T::rows][kRowWords]) const {
#pragma unroll
    for (int i = 0; i < Chunks::kCopies; ++i)
      chunks_[i].store(chunk_of(stage, Chunks::line(i), Chunks::chunk()));
  }

 private:
  using Chunks = ThreadChunks<T::rows, T::threads>;
  static constexpr int kWidth = kVector<E>;

  __device__ __forceinline__ static E element(M x) {
    if constexpr (std::is_same_v<E, M>) {
      return x;
    } else {
      return to_stored<E>(to_float(x));
    }
  }

  /// Channels of a tap.
  __device__ __forceinline__ void load_channels(const RowCorner& corner, Chunk<E>& chunk) const {
    int step = 1;
    const M* from = tap_address<M>(g_, smem_.window, corner, k_, group_, &step);
    const int count = from != nullptr ? g_.run - k_.channel : 0;
    if (vectors_ && from != nullptr) {
#pragma unroll
      for (int v = 0; v < kWidth; v += kVector<M>) {
        const uint4 words = *reinterpret_cast<const uint4*>(from + k_.channel + v);
        if constexpr (std::is_same_v<E, M>) {
          chunk.set_all(words);
        } else {
          const std::uint32_t four[4] = {words.x, words.y, words.z, words.w};
#pragma unroll
          for (int e = 0; e < 4; ++e) chunk.set(v + e, element(simt::bits_float(four[e])));
        }
      }
      return;
    }
#pragma unroll
    for (int e = 0; e < kWidth; ++e)
      chunk.set(e, e < count ? element(from[static_cast<std::int64_t>(k_.channel + e) * step]) : E{});
  }

  /// What a row of a filter sees in a plane.
  __device__ __forceinline__ void load_row(const RowCorner& corner, Chunk<E>& chunk) const {
    const int step = g_.row_step(), length = g_.input[2] * step;
    const int y = corner.at[1] + k_.tap[1] * smem_.window.move[1];
    const bool is_row = static_cast<unsigned>(y) < static_cast<unsigned>(g_.input[1]);
    const int count = k_.is_padding ? 0 : g_.run - k_.channel;
    const int x = is_row ? corner.at[2] * step + k_.channel : 0;
    const M* from = static_cast<const M*>(g_.src) + corner.image * g_.src_image +
                    static_cast<std::int64_t>(k_.tap[0]) * g_.src_channel + (is_row ? y * length : 0);
#pragma unroll
    for (int e = 0; e < kWidth; ++e) {
      E value{};
      if (e < count) {
        if (is_row && static_cast<unsigned>(x + e) < static_cast<unsigned>(length)) {
          value = element(from[x + e]);
        } else if (g_.border != nullptr) {
          value = element(static_cast<const M*>(g_.border)[k_.tap[0] + (k_.channel + e) % step]);
        }
      }
      chunk.set(e, value);
    }
  }

  const ImplicitGemm& g_;
  const TensorConvSmem<T>& smem_;
  SumElement k_;
  Chunk<E> chunks_[Chunks::kCopies];
  int group_;
  bool vectors_;
};

/// Packed weights, rounded already: a row is a filter.
template <class T>
class WeightSource {
 public:
  __device__ __forceinline__ WeightSource(const ImplicitGemm& g, const BlockPart& part, int first_column)
      : row_words_(g.steps * kRowWords), rows_(g.packed_filters - first_column) {
    const std::int64_t first_row =
        (static_cast<std::int64_t>(part.group) * g.all_phases() + part.phase) * g.packed_filters +
        first_column;
    from_ = static_cast<const std::uint32_t*>(g.weight) + (first_row + Chunks::line(0)) * row_words_ +
            static_cast<std::int64_t>(part.first_step) * kRowWords + Chunks::chunk() * 4;
  }
  __device__ __forceinline__ void fetch(std::uint32_t (&stage)[T::columns][kRowWords]) {
#pragma unroll
    for (int i = 0; i < Chunks::kCopies; ++i)
      simt::cp_async16(chunk_of(stage, Chunks::line(i), Chunks::chunk()),
                       from_ + std::int64_t{i * Chunks::kApart} * row_words_,
                       Chunks::line(i) < rows_ ? 16 : 0);
    from_ += kRowWords;
  }
  __device__ __forceinline__ void deliver(std::uint32_t (&)[T::columns][kRowWords]) const {}

 private:
  using Chunks = ThreadChunks<T::columns, T::threads>;

  const std::uint32_t* from_;
  int row_words_, rows_;
};

}  // namespace mxinfer::kernels::cuda
