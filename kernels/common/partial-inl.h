// Loads and stores of the first n lanes of a float32 vector, for rows that end inside a vector. Memory beyond
// them is not accessed.
//
//   v = LoadFirst(d, src + i, n - i, 0.0f);
//   StoreFirst(d, v, dst + i, n - i);
#if defined(MXINFER_KERNELS_COMMON_PARTIAL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MXINFER_KERNELS_COMMON_PARTIAL_INL_H_
#undef MXINFER_KERNELS_COMMON_PARTIAL_INL_H_
#else
#define MXINFER_KERNELS_COMMON_PARTIAL_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// On these targets masked access to 32-bit lanes does not fault. (Highway's own macro is about all lane
// sizes.)
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

/// n elements, 0 < n < lanes, and `fill` in the other lanes.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V LoadFirst(D d, const float* src, std::int64_t n, float fill) {
  const auto mask = hn::FirstN(d, static_cast<std::size_t>(n));
  return hn::IfThenElse(mask, hn::MaskedLoad(mask, d, src), hn::Set(d, fill));
}

/// Stores n elements, 0 < n < lanes.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void StoreFirst(D d, V v, float* dst, std::int64_t n) {
  hn::BlendedStore(v, hn::FirstN(d, static_cast<std::size_t>(n)), d, dst);
}

#else

template <class D, class V = hn::Vec<D>>
HWY_INLINE V LoadFirst(D d, const float* src, std::int64_t n, float fill) {
  HWY_ALIGN float lanes[hn::MaxLanes(d)];
  hn::Store(hn::Set(d, fill), d, lanes);
  std::memcpy(lanes, src, static_cast<std::size_t>(n) * sizeof(float));
  return hn::Load(d, lanes);
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE void StoreFirst(D d, V v, float* dst, std::int64_t n) {
  HWY_ALIGN float lanes[hn::MaxLanes(d)];
  hn::Store(v, d, lanes);
  std::memcpy(dst, lanes, static_cast<std::size_t>(n) * sizeof(float));
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace mxinfer::kernels
HWY_AFTER_NAMESPACE();

#endif  // MXINFER_KERNELS_COMMON_PARTIAL_INL_H_
