// An implicit GEMM of any precision: its tiles, and what is done before and behind them.
#include "kernels/common/tf32.h"
#include "kernels/conv/conv_cuda.h"
#include "kernels/conv/conv_epilogue_device.h"
#include "kernels/conv/conv_vectors.h"
#include "kernels/conv/implicit_gemm/launch.h"
#include "kernels/cuda/rounding_device.h"

namespace mxinfer::kernels::cuda {
namespace {

/// Adds the partial sums of an element in the order of the splits.
__global__ void sum_kernel(ImplicitGemm g) {
  const ConvEpilogue& e = g.epilogue;
  const std::int64_t count = g.batch * e.positions * e.filters;
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    float sum = 0.0f;
    for (int split = 0; split < g.splits; ++split) sum += g.partial[split * count + i];
    const std::int64_t position = i / e.filters, m = i - position * e.filters;
    const std::int64_t at = dst_offset(e, position) + m * e.dst_filter;
    e.dst[at] = finish(e, sum, m, at);
  }
}

/// The same of vectors of four filters.
__global__ void sum_vectors_kernel(ImplicitGemm g) {
  const ConvEpilogue& e = g.epilogue;
  const std::int64_t count = g.batch * e.positions * e.filters;
  for (std::int64_t v = simt::first_index(); v < count / 4; v += simt::grid_step()) {
    const std::int64_t i = 4 * v, position = i / e.filters, m = i - position * e.filters;
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int split = 0; split < g.splits; ++split) {
      const float4 x = simt::load4(g.partial + split * count + i);
      sum.x += x.x, sum.y += x.y, sum.z += x.z, sum.w += x.w;
    }
    const float sums[4] = {sum.x, sum.y, sum.z, sum.w};
    store_vector(e, sums, m, dst_offset(e, position) + m);
  }
}

constexpr int kBlock = 256;

Status launch_sum(const ImplicitGemm& g, const Stream& stream) {
  const std::int64_t count = g.batch * g.epilogue.positions * g.epilogue.filters;
  if (stores_vectors(g.epilogue))
    return simt::launch(sum_vectors_kernel, simt::grid_for(count / 4, kBlock), kBlock, 0, stream, g);
  return simt::launch(sum_kernel, simt::grid_for(count, kBlock), kBlock, 0, stream, g);
}

Status launch_gemm(const ImplicitGemm& g, const Stream& stream) {
  return g.precision == Precision::float32 ? launch_implicit_gemm_f32(g, stream)
                                           : launch_implicit_gemm_tensor(g, stream);
}

/// The bits of element i of packed weights.
__device__ __forceinline__ std::uint32_t packed_bits(const ImplicitGemm& g, const float* weight,
                                                     std::int64_t i) {
  const std::int64_t from = stored_weight_at(g, i);
  const float x = from >= 0 ? weight[from] : 0.0f;
  switch (g.precision) {
    case Precision::tf32:
      return to_tf32(x);
    case Precision::float16:
      return simt::to_float16(x);
    case Precision::bfloat16:
      return to_bfloat16(x);
    default:
      return simt::float_bits(x);
  }
}

__global__ void pack_kernel(ImplicitGemm g, const float* weight, std::uint32_t* packed) {
  const std::int64_t count = packed_words(g);
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    packed[i] = g.has_pairs() ? packed_bits(g, weight, 2 * i) | packed_bits(g, weight, 2 * i + 1) << 16
                              : packed_bits(g, weight, i);
  }
}

}  // namespace

Status implicit_gemm_conv(const ImplicitGemm& gemm, const Stream& stream) {
  // Rows are counted by an int: of very many images, some at a time.
  constexpr std::int64_t kMostRows = std::int64_t{1} << 30;
  const std::int64_t images = gemm.phase_positions() >= kMostRows ? 1 : kMostRows / gemm.phase_positions();
  for (std::int64_t first = 0; first < gemm.batch; first += images) {
    ImplicitGemm g = gemm;
    g.batch = static_cast<int>(gemm.batch - first < images ? gemm.batch - first : images);
    g.src += first * g.src_image;
    g.epilogue.dst += first * g.epilogue.dst_image;
    if (g.epilogue.residual != nullptr) g.epilogue.residual += first * g.epilogue.dst_image;
    if (const Status status = launch_gemm(g, stream); status != kSuccess) return status;
    if (g.splits == 1) continue;
    if (const Status status = launch_sum(g, stream); status != kSuccess) return status;
  }
  return kSuccess;
}

Status implicit_gemm_pack(const ImplicitGemm& gemm, const float* weight, std::uint32_t* packed,
                          const Stream& stream) {
  return simt::launch(pack_kernel, simt::grid_for(packed_words(gemm), kBlock), kBlock, 0, stream, gemm,
                      weight, packed);
}

}  // namespace mxinfer::kernels::cuda
