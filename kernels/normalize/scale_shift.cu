// dst = activation(src * scale + shift) of rows of channels. A thread has the same channels of several rows:
// it reads their scale and shift once, and has all of its rows on their way at a time.
#include "kernels/cuda/dispatch.h"
#include "kernels/cuda/float_vectors.h"
#include "kernels/cuda/stored_floats.h"
#include "kernels/normalize/normalize_cuda.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kScaleBlock = 256;
constexpr int kScaledRows = 4;  ///< of a thread

/// kLanes channels: one, or 16 bytes of them.
template <int kLanes, typename T>
__device__ __forceinline__ void load_scaled(const T* from, float (&x)[kLanes]) {
  if constexpr (kLanes == 1) {
    x[0] = to_float(*from);
  } else {
    load_vector(from, x);
  }
}
template <int kLanes>
__device__ __forceinline__ void load_factors(const float* from, float (&x)[kLanes]) {
  if constexpr (kLanes == 1) {
    x[0] = *from;
  } else {
    load_floats(from, x);
  }
}

/// `groups` groups of rows: row r of a group is `groups` further than row r - 1, so that neighbouring threads
/// have neighbouring channels, then neighbouring rows.
template <typename T, int kLanes, typename Index>
__global__ void __launch_bounds__(kScaleBlock)
    scale_shift_rows(ScaleShiftArgs<float> args, Index rows, Index groups, const T* src, T* dst) {
  const Index vectors = static_cast<Index>(args.channels) / kLanes;
  const Index stride = static_cast<Index>(args.src_stride);
  const auto thread = static_cast<Index>(simt::first_index());
  const Index first = thread / vectors, channel = (thread - first * vectors) * kLanes;
  if (first >= groups) return;
  float x[kScaledRows][kLanes] = {}, scale[kLanes], shift[kLanes];
#pragma unroll
  for (int r = 0; r < kScaledRows; ++r) {
    const Index row = first + static_cast<Index>(r) * groups;
    if (row < rows) load_scaled(src + (row * stride + channel), x[r]);
  }
  load_factors(args.scale + channel, scale);
  load_factors(args.shift + channel, shift);
#pragma unroll
  for (int r = 0; r < kScaledRows; ++r) {
#pragma unroll
    for (int i = 0; i < kLanes; ++i) x[r][i] = x[r][i] * scale[i] + shift[i];
  }
  activate_linear(args.post_ops, x);
  activate_curved(args.post_ops, x);
#pragma unroll
  for (int r = 0; r < kScaledRows; ++r) {
    const Index row = first + static_cast<Index>(r) * groups;
    if (row >= rows) continue;
    T* to = dst + (row * static_cast<Index>(args.channels) + channel);
    if constexpr (kLanes == 1) {
      *to = to_stored<T>(x[r][0]);
    } else {
      store_vector(to, x[r]);
    }
  }
}

template <int kLanes, typename T>
Status launch_scale_shift(const ScaleShiftArgs<float>& args, std::int64_t rows, const T* src, T* dst,
                          const Stream& stream) {
  const std::int64_t groups = (rows + kScaledRows - 1) / kScaledRows;
  const std::int64_t blocks = (groups * (args.channels / kLanes) + kScaleBlock - 1) / kScaleBlock;
  return with_index((rows + kScaledRows) * args.src_stride, [&](auto index) {
    using Index = decltype(index);
    return simt::launch(scale_shift_rows<T, kLanes, Index>, dim3(static_cast<unsigned>(blocks)), kScaleBlock,
                        0, stream, args, static_cast<Index>(rows), static_cast<Index>(groups), src, dst);
  });
}

}  // namespace

Status scale_shift(const ScaleShiftArgs<float>& rows_of, FloatType type, std::int64_t rows, const void* src,
                   void* dst, const Stream& stream) {
  ScaleShiftArgs<float> args = rows_of;
  if (args.src_stride == 0) args.src_stride = args.channels;
  return with_float_type(type, [&](auto element) {
    using T = decltype(element);
    const bool vectors = args.channels % kVector<T> == 0 && args.src_stride % kVector<T> == 0 &&
                         is_vector_aligned(src) && is_vector_aligned(dst) && is_vector_aligned(args.scale) &&
                         is_vector_aligned(args.shift);
    const auto* from = static_cast<const T*>(src);
    auto* to = static_cast<T*>(dst);
    return vectors ? launch_scale_shift<kVector<T>>(args, rows, from, to, stream)
                   : launch_scale_shift<1>(args, rows, from, to, stream);
  });
}

}  // namespace mxinfer::kernels::cuda
