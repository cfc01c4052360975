// Implicit GEMMs by tensor instructions, of one element E that is multiplied and one M that values have in
// memory. Included by a .cu file for each element, which calls launch_tensor().
#pragma once

#include "kernels/conv/implicit_gemm/launch.h"
#include "kernels/conv/implicit_gemm/tensor_sources_device.h"

namespace mxinfer::kernels::cuda {
namespace {

/// Where a block's sums go: its first row of the phase, of so many, and its first filter of the group.
struct TensorPlace {
  int row, rows, column;
};

/// Stores sums as they are, in (splits, positions of all images, filters).
template <class T>
__device__ __forceinline__ void store_partial(const ImplicitGemm& g, TensorConvSmem<T>& smem,
                                              const BlockPart& part, const TensorPlace& place) {
  const std::int64_t filters = g.epilogue.filters;
  const bool vectors = filters % 4 == 0 && g.filters % 4 == 0;
  for_each_vector<4>(smem.tile, [&](int row, int column, const float* sums) {
    const int m = place.column + column, r = place.row + row;
    const std::int64_t position = r < place.rows && m < g.filters ? output_position(g, smem.window, r) : -1;
    if (position < 0) return;
    float* to = g.partial + (part.split * (g.batch * g.epilogue.positions) + position) * filters +
                static_cast<std::int64_t>(part.group) * g.filters + m;
    if (vectors) return simt::store4(to, simt::load4(sums));
    for (int e = 0; e < 4 && m + e < g.filters; ++e) to[e] = sums[e];
  });
}

/// Finds out where rows go. Preconditions: products are done; all threads wait for each other behind it.
template <class T>
__device__ __forceinline__ void find_dst_rows(const ImplicitGemm& g, TensorConvSmem<T>& smem,
                                              const TensorPlace& place) {
  const int row = static_cast<int>(threadIdx.x), r = place.row + row;
  if (row >= T::rows) return;
  const std::int64_t position = r < place.rows ? output_position(g, smem.window, r) : -1;
  smem.dst_of_row[row] = position < 0 ? -1 : dst_offset(g.epilogue, position);
}

template <typename M, class T>
__device__ __forceinline__ void store_finished(const ImplicitGemm& g, TensorConvSmem<T>& smem,
                                               const BlockPart& part, const TensorPlace& place,
                                               bool vectors) {
  const ConvEpilogue& e = g.epilogue;
  const std::int64_t first = static_cast<std::int64_t>(part.group) * g.filters + place.column;
  if (vectors) {
    for_each_vector_of<M>(
        smem.tile,
        [&](int row, int column) {
          const std::int64_t dst = smem.dst_of_row[row];
          return dst >= 0 && place.column + column < g.filters ? dst + first + column : -1;
        },
        e.residual,
        [&](int, int column, std::int64_t at, float(&x)[kVector<M>], const RawVector& residual) {
          store_finished_vector<M>(e, x, residual, first + column, at);
        });
    return;
  }
  for_each_vector<1>(smem.tile, [&](int row, int column, const float* sum) {
    const std::int64_t dst = smem.dst_of_row[row];
    if (dst < 0 || place.column + column >= g.filters) return;
    const std::int64_t m = first + column, at = dst + m * e.dst_filter;
    dst_of<M>(e)[at] = to_stored<M>(finish<M>(e, *sum, m, at));
  });
}

/// Blocks that a multiprocessor is to have registers for: fewer where values are rounded on their way through
/// registers, or gathered for many rows.
template <typename E, typename M, class T, class Source>
inline constexpr int kResidentBlocks =
    T::blocks > 1 && (!std::is_same_v<E, M> || (!std::is_same_v<Source, AlignedSource<E, T>> && T::rows > 64))
        ? T::blocks - 1
        : kBlocksByRegisters<E, T>;

/// `reads`, `stores`: whether src is read, and dst written, 16 bytes at a time.
template <typename E, typename M, class T, class Source>
__global__ void __launch_bounds__(T::threads, kResidentBlocks<E, M, T, Source>)
    tensor_conv_tile(ImplicitGemm g, int rows, bool reads, bool stores) {
  TensorConvSmem<T>& smem = simt::shared_memory<TensorConvSmem<T>>();
  const BlockPart part = block_part(g);
  const auto across = static_cast<unsigned>(ceil_div(g.filters, T::columns));
  // Blocks that follow each other have the same rows.
  const TensorPlace place{static_cast<int>(blockIdx.x / across) * T::rows, rows,
                          static_cast<int>(blockIdx.x % across) * T::columns};
  find_rows(g, part.phase, place.row, rows, &smem.window, smem.corner);
  Source src(g, smem, part, reads);
  WeightSource<T> weight(g, part, place.column);
  TensorSums<T> sums = {};
  multiply_steps_of_tile<Operands<E, Along::depth, Along::depth, true>>(smem.tile, src, weight, part.steps,
                                                                        sums);
  find_dst_rows(g, smem, place);
  share_sums(smem.tile, sums);
  if (g.splits > 1) {
    store_partial(g, smem, part, place);
  } else {
    store_finished<M>(g, smem, part, place, stores);
  }
}

template <typename E, typename M, class T, class Source>
Status launch_tensor_tile(const ImplicitGemm& g, bool reads, const Stream& stream) {
  const auto rows = static_cast<int>(g.batch * g.phase_positions());
  const dim3 grid(static_cast<unsigned>(ceil_div(rows, T::rows) * ceil_div(g.filters, T::columns)), 1,
                  static_cast<unsigned>(g.groups * g.all_phases() * g.splits));
  const bool stores = stores_vectors(g) && g.filters % kVector<M> == 0;
  return simt::launch(tensor_conv_tile<E, M, T, Source>, grid, T::threads, sizeof(TensorConvSmem<T>), stream,
                      g, rows, reads, stores);
}

template <typename E, bool BY_GROUPS>
constexpr bool is_aligned_tile(const TensorTile& t) {
  return t.by_groups == BY_GROUPS && has_aligned_tile(t.tile, sizeof(E));
}
constexpr bool is_gathered_tile(const TensorTile& t) {
  return has_gathered_tile(t.tile);
}

/// Rows of src that are copied as they are.
template <typename E, bool BY_GROUPS>
Status launch_aligned(const ImplicitGemm& g, const Stream& stream) {
  return with_tensor_tile<is_aligned_tile<E, BY_GROUPS>>(g.tile, [&](auto tile) {
    using T = decltype(tile);
    return launch_tensor_tile<E, E, T, AlignedSource<E, T>>(g, true, stream);
  });
}

/// Sources that gather have fewer tiles: the next one that they have.
template <typename E, typename M>
Status launch_gathered(const ImplicitGemm& g, bool reads, const Stream& stream) {
  const TensorTile& wanted = tensor_tile(g.tile);
  const GemmTile tile = wanted.rows > 64      ? GemmTile::tile_128x64
                        : wanted.columns > 32 ? GemmTile::tile_64x64
                                              : GemmTile::tile_64x32;
  return with_tensor_tile<is_gathered_tile>(tile, [&](auto of_tile) {
    using T = decltype(of_tile);
    return launch_tensor_tile<E, M, T, GatheredSource<E, M, T>>(g, reads, stream);
  });
}

/// Values of elements M, multiplied as E.
template <typename E, typename M>
Status launch_tensor(const ImplicitGemm& g, const Stream& stream) {
  const bool reads = reads_vectors(g) && g.channels % kVector<E> == 0;
  if constexpr (std::is_same_v<E, M>) {
    if (reads && has_near_taps(g))
      return tensor_tile(g.tile).by_groups ? launch_implicit_gemm_groups(g, stream)
                                           : launch_aligned<E, false>(g, stream);
  }
  return launch_gathered<E, M>(g, reads, stream);
}

}  // namespace
}  // namespace mxinfer::kernels::cuda
