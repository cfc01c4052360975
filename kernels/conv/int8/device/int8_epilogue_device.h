// What becomes of sums of a convolution of bytes on a GPU: the formula of kernels/conv/int8/int8_conv.h, each
// operation rounded once. For .cu files.
#pragma once

#include "kernels/conv/int8/device/device_int8.h"
#include "kernels/conv/int8/device/int8_elements_device.h"
#include "kernels/cuda/float_vectors.h"

namespace mxinfer::kernels::cuda {

template <int COUNT>
__device__ __forceinline__ void activate_all(const PostOps& post_ops, float (&x)[COUNT]) {
  activate_linear(post_ops, x);
  activate_curved(post_ops, x);
}

/// Where the results of consecutive filters are: that of filter m (of all groups) is element `at` of dst, the
/// next one `step` further. There are `count` of them; `whole`: four, that are read and written at once.
struct Int8Place {
  std::int64_t m, at, step;
  int count;
  bool whole;
};

template <int COUNT>
__device__ __forceinline__ void add_int8_residual(const Int8Epilogue& e, const Int8Place& place,
                                                  float (&x)[COUNT]) {
  if (e.residual == nullptr) return;
  float added[COUNT] = {};
  bool is_loaded = false;
  if constexpr (COUNT == 4) {
    is_loaded = place.whole;
    if (is_loaded) load_int8_elements(e.residual_type, e.residual, place.at, added);
  }
#pragma unroll
  for (int i = 0; i < COUNT; ++i) {
    if (!is_loaded && i < place.count)
      added[i] = int8_element(e.residual_type, e.residual, place.at + i * place.step);
    x[i] = fmaf(added[i], e.residual_scale, x[i]);
  }
}

/// Stores what becomes of sums.
template <int COUNT>
__device__ __forceinline__ void finish_int8(const Int8Epilogue& e, const int (&sums)[COUNT],
                                            const Int8Place& place) {
  float x[COUNT];
#pragma unroll
  for (int i = 0; i < COUNT; ++i) {
    x[i] = static_cast<float>(sums[i]);
    if (i >= place.count) continue;
    if (e.bias != nullptr) x[i] = simt::add_rn(x[i], static_cast<float>(e.bias[place.m + i]));
    if (e.scale != nullptr) x[i] = simt::mul_rn(x[i], e.scale[place.m + i]);
  }
  activate_all(e.before, x);
  add_int8_residual(e, place, x);
  activate_all(e.after, x);
#pragma unroll
  for (int i = 0; i < COUNT; ++i) x[i] = simt::mul_rn(e.dst_factor, x[i]);
  if constexpr (COUNT == 4) {
    if (place.whole) return store_int8_elements(e.dst_type, e.dst, place.at, x);
  }
#pragma unroll
  for (int i = 0; i < COUNT; ++i) {
    if (i < place.count) store_int8_element(e.dst_type, e.dst, place.at + i * place.step, x[i]);
  }
}

/// Whether four filters of a position may be read and written at once, if each four are among `filters` that
/// a kernel has one behind another. For launchers.
inline bool stores_fours(const DeviceInt8Conv& c, std::int64_t filters) {
  const auto is_aligned = [](const void* address, Int8Type type) {
    const std::uintptr_t bytes = type == Int8Type::s8 || type == Int8Type::u8 ? 4 : 16;
    return reinterpret_cast<std::uintptr_t>(address) % bytes == 0;
  };
  return c.gemm.epilogue.is_channels_last() && filters % 4 == 0 &&
         is_aligned(c.epilogue.dst, c.epilogue.dst_type) &&
         is_aligned(c.epilogue.residual, c.epilogue.residual_type);
}

}  // namespace mxinfer::kernels::cuda
