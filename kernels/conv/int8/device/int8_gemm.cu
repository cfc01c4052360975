// Convolutions of bytes as implicit GEMMs by tensor instructions: the pipeline of 16-bit floats with sums of
// 32-bit integers (kernels/gemm/tensor_tile_device.h).
#include "kernels/conv/conv_vectors.h"
#include "kernels/conv/implicit_gemm/tensor-inl.h"
#include "kernels/conv/int8/device/int8_epilogue_device.h"
#include "kernels/conv/int8/device/launch.h"

namespace mxinfer::kernels::cuda {
namespace {

__device__ __forceinline__ void load_sums(const float* from, int (&sums)[4]) {
  const float4 four = simt::load4(from);
  const float values[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
  for (int i = 0; i < 4; ++i) sums[i] = static_cast<int>(simt::float_bits(values[i]));
}

template <class T>
__device__ __forceinline__ void store_int8(const DeviceInt8Conv& c, TensorConvSmem<T>& smem,
                                           const BlockPart& part, const TensorPlace& place, bool fours) {
  const ConvEpilogue& e = c.gemm.epilogue;
  for_each_vector<4>(smem.tile, [&](int row, int column, const float* at) {
    const std::int64_t dst = smem.dst_of_row[row];
    const int left = c.gemm.filters - place.column - column;
    if (dst < 0 || left <= 0) return;
    int sums[4];
    load_sums(at, sums);
    const std::int64_t m = static_cast<std::int64_t>(part.group) * c.gemm.filters + place.column + column;
    finish_int8(c.epilogue, sums, {m, dst + m * e.dst_filter, e.dst_filter, left < 4 ? left : 4, fours});
  });
}

/// Blocks that a multiprocessor is to have registers for.
template <class T, class Source, class E>
constexpr int kInt8Blocks =
    T::blocks > 1 && !std::is_same_v<Source, AlignedSource<E, T>> ? T::blocks - 1 : T::blocks;

/// As tensor_conv_tile().
template <typename E, class T, class Source>
__global__ void __launch_bounds__(T::threads, kInt8Blocks<T, Source, E>)
    int8_conv_tile(DeviceInt8Conv c, int rows, bool reads, bool fours) {
  TensorConvSmem<T>& smem = simt::shared_memory<TensorConvSmem<T>>();
  const ImplicitGemm& g = c.gemm;
  const BlockPart part = block_part(g);
  const auto across = static_cast<unsigned>(ceil_div(g.filters, T::columns));
  const TensorPlace place{static_cast<int>(blockIdx.x / across) * T::rows, rows,
                          static_cast<int>(blockIdx.x % across) * T::columns};
  find_rows(g, part.phase, place.row, rows, &smem.window, smem.corner);
  Source src(g, smem, part, reads);
  WeightSource<T> weight(g, part, place.column);
  TensorSums<T, int> sums = {};
  multiply_steps<Operands<E, Along::depth, Along::depth>>(smem.tile, src, weight, part.steps, sums);
  find_dst_rows(g, smem, place);
  share_sums(smem.tile, sums);
  if (g.splits > 1) {
    store_partial(g, smem, part, place);
  } else {
    store_int8(c, smem, part, place, fours);
  }
}

/// Adds the partial sums of up to four filters.
__global__ void __launch_bounds__(kInt8Block) int8_sum_kernel(DeviceInt8Conv c, bool fours) {
  const ConvEpilogue& e = c.gemm.epilogue;
  const std::int64_t groups = ceil_div(e.filters, std::int64_t{4}), count = c.rows() * groups;
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const std::int64_t position = i / groups, m = (i - position * groups) * 4, left = e.filters - m;
    const int there = left < 4 ? static_cast<int>(left) : 4;
    int sums[4] = {};
    for (int split = 0; split < c.gemm.splits; ++split) {
      const float* from = c.gemm.partial + (split * c.rows() + position) * e.filters + m;
#pragma unroll
      for (int k = 0; k < 4; ++k) sums[k] += k < there ? static_cast<int>(simt::float_bits(from[k])) : 0;
    }
    finish_int8(c.epilogue, sums,
                {m, dst_offset(e, position) + m * e.dst_filter, e.dst_filter, there, fours});
  }
}

template <typename E, class T, class Source>
Status launch_int8_tile(const DeviceInt8Conv& c, bool reads, const Stream& stream) {
  const auto rows = static_cast<int>(c.rows());
  const dim3 grid(static_cast<unsigned>(ceil_div(rows, T::rows) * ceil_div(c.gemm.filters, T::columns)), 1,
                  static_cast<unsigned>(c.gemm.groups * c.gemm.splits));
  return simt::launch(int8_conv_tile<E, T, Source>, grid, T::threads, sizeof(TensorConvSmem<T>), stream, c,
                      rows, reads, stores_fours(c, c.gemm.filters));
}

constexpr bool is_byte_tile(const TensorTile& t) {
  return has_byte_tile(t.tile);
}

template <typename E>
Status launch_int8_gemm_of(const DeviceInt8Conv& c, const Stream& stream) {
  const ImplicitGemm& g = c.gemm;
  const bool reads =
      g.src_channel == 1 && g.src_position % 16 == 0 && g.channels % 16 == 0 && is_vector_aligned(g.src);
  if (reads && has_near_taps(g)) {
    return with_tensor_tile<is_byte_tile>(g.tile, [&](auto tile) {
      using T = decltype(tile);
      return launch_int8_tile<E, T, AlignedSource<E, T>>(c, true, stream);
    });
  }
  const GemmTile tile = g.tile == GemmTile::tile_128x128 ? GemmTile::tile_128x64 : g.tile;
  return with_tensor_tile<is_gathered_tile>(tile, [&](auto of_tile) {
    using T = decltype(of_tile);
    return launch_int8_tile<E, T, GatheredSource<E, E, T>>(c, reads, stream);
  });
}

}  // namespace

Status launch_int8_gemm(const DeviceInt8Conv& c, const Stream& stream) {
  const Status status = c.src_type == Int8Type::s8 ? launch_int8_gemm_of<StoredByte<true>>(c, stream)
                                                   : launch_int8_gemm_of<StoredByte<false>>(c, stream);
  if (status != kSuccess || c.gemm.splits == 1) return status;
  const std::int64_t count = c.rows() * ceil_div(c.gemm.epilogue.filters, std::int64_t{4});
  return simt::launch(int8_sum_kernel, simt::grid_for(count, kInt8Block), kInt8Block, 0, stream, c,
                      stores_fours(c, c.gemm.epilogue.filters));
}

}  // namespace mxinfer::kernels::cuda
