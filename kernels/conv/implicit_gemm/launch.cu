// An implicit GEMM of any precision: its tiles, and what is done before and behind them.
#include "kernels/common/tf32.h"
#include "kernels/conv/conv_cuda.h"
#include "kernels/conv/conv_epilogue_device.h"
#include "kernels/conv/conv_vectors.h"
#include "kernels/conv/implicit_gemm/launch.h"

namespace mxinfer::kernels::cuda {
namespace {

/// Adds the partial sums of an element in the order of the splits.
template <typename T>
__global__ void sum_kernel(ImplicitGemm g) {
  const ConvEpilogue& e = g.epilogue;
  const std::int64_t count = g.batch * e.positions * e.filters;
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    float sum = 0.0f;
    for (int split = 0; split < g.splits; ++split) sum += g.partial[split * count + i];
    const std::int64_t position = i / e.filters, m = i - position * e.filters;
    const std::int64_t at = dst_offset(e, position) + m * e.dst_filter;
    dst_of<T>(e)[at] = to_stored<T>(finish<T>(e, sum, m, at));
  }
}

/// The same of as many filters as are 16 bytes of dst.
template <typename T>
__global__ void sum_vectors_kernel(ImplicitGemm g) {
  const ConvEpilogue& e = g.epilogue;
  const std::int64_t count = g.batch * e.positions * e.filters;
  for (std::int64_t v = simt::first_index(); v < count / kVector<T>; v += simt::grid_step()) {
    const std::int64_t i = kVector<T> * v, position = i / e.filters, m = i - position * e.filters;
    float sums[kVector<T>] = {};
    for (int split = 0; split < g.splits; ++split) add_floats(g.partial + split * count + i, sums);
    const std::int64_t at = dst_offset(e, position) + m;
    store_finished_vector<T>(e, sums, load_residual<T>(e, at), m, at);
  }
}

constexpr int kBlock = 256;

template <typename T>
Status launch_sum(const ImplicitGemm& g, const Stream& stream) {
  const std::int64_t count = g.batch * g.epilogue.positions * g.epilogue.filters;
  if (stores_vectors(g))
    return simt::launch(sum_vectors_kernel<T>, simt::grid_for(count / kVector<T>, kBlock), kBlock, 0, stream,
                        g);
  return simt::launch(sum_kernel<T>, simt::grid_for(count, kBlock), kBlock, 0, stream, g);
}

Status launch_gemm(const ImplicitGemm& g, const Stream& stream) {
  if (g.patches) return launch_implicit_gemm_patches(g, stream);
  switch (g.precision) {
    case Precision::float32:
      break;
    case Precision::float16:
      return launch_implicit_gemm_f16(g, stream);
    case Precision::bfloat16:
      return launch_implicit_gemm_bf16(g, stream);
    case Precision::tf32:
      return launch_implicit_gemm_tf32(g, stream);
  }
  return launch_implicit_gemm_f32(g, stream);
}

/// The same address so many elements further; null stays.
void* advanced(void* address, std::int64_t elements, FloatType type) {
  if (address == nullptr) return nullptr;
  return static_cast<char*>(address) + elements * static_cast<std::int64_t>(bytes_of(type));
}
const void* advanced(const void* address, std::int64_t elements, FloatType type) {
  return advanced(const_cast<void*>(address), elements, type);
}

/// The bits of element i of packed weights.
template <typename T>
__device__ __forceinline__ std::uint32_t packed_bits(const ImplicitGemm& g, const T* weight, std::int64_t i) {
  const std::int64_t from = stored_weight_at(g, i);
  const float x = from >= 0 ? to_float(weight[from]) : 0.0f;
  switch (g.precision) {
    case Precision::tf32:
      return to_tf32(x);
    case Precision::float16:
      return simt::to_float16(x);
    case Precision::bfloat16:
      return simt::to_bfloat16(x);
    default:
      return simt::float_bits(x);
  }
}

template <typename T>
__global__ void pack_kernel(ImplicitGemm g, const T* weight, std::uint32_t* packed) {
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
    g.src = advanced(g.src, first * g.src_image, g.type);
    g.epilogue.dst = advanced(g.epilogue.dst, first * g.epilogue.dst_image, g.type);
    g.epilogue.residual = advanced(g.epilogue.residual, first * g.epilogue.dst_image, g.type);
    if (const Status status = launch_gemm(g, stream); status != kSuccess) return status;
    if (g.splits == 1 || g.adds_itself()) continue;
    const Status status =
        with_float_type(g.type, [&](auto element) { return launch_sum<decltype(element)>(g, stream); });
    if (status != kSuccess) return status;
  }
  return kSuccess;
}

Status implicit_gemm_pack(const ImplicitGemm& gemm, const void* weight, std::uint32_t* packed,
                          const Stream& stream) {
  return with_float_type(gemm.type, [&](auto element) {
    using T = decltype(element);
    return simt::launch(pack_kernel<T>, simt::grid_for(packed_words(gemm), kBlock), kBlock, 0, stream, gemm,
                        static_cast<const T*>(weight), packed);
  });
}

}  // namespace mxinfer::kernels::cuda
