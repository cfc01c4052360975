// Gathering rows of a padded, strided input. Included by kernels inside Highway's foreach_target loop.
//
//   GatherRow(dst, begin, end, src, width, stride, offset);
//   // dst[i - begin] = src[i * stride + offset], and 0 where that is outside of [0, width)
#if defined(MXINFER_KERNELS_CONV_CONV_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MXINFER_KERNELS_CONV_CONV_ROWS_INL_H_
#undef MXINFER_KERNELS_CONV_CONV_ROWS_INL_H_
#else
#define MXINFER_KERNELS_CONV_CONV_ROWS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {

/// Borders are short: a call of memset would cost more than the stores.
HWY_INLINE void ZeroRow(float* dst, std::int64_t count) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<float> d;
  constexpr std::int64_t kLanes = HWY_LANES(float);
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) hn::StoreU(hn::Zero(d), d, dst + i);
  for (; i < count; ++i) dst[i] = 0.0f;
}

/// Vectors of `Tag`, the last one over the one before it, for count >= its lanes.
template <class Tag>
HWY_INLINE void CopyOverlapping(Tag d, float* dst, const float* src, std::int64_t count) {
  namespace hn = hwy::HWY_NAMESPACE;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t i = 0; i + lanes < count; i += lanes) hn::StoreU(hn::LoadU(d, src + i), d, dst + i);
  hn::StoreU(hn::LoadU(d, src + count - lanes), d, dst + count - lanes);
}

/// Rows are often only a few pixels long: a call of memcpy would cost more than the copy.
HWY_INLINE void CopyRow(float* dst, const float* src, std::int64_t count) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<float> wide;
  const hn::CappedTag<float, 4> narrow;
  if (count >= static_cast<std::int64_t>(hn::Lanes(wide))) {
    CopyOverlapping(wide, dst, src, count);
  } else if (count >= static_cast<std::int64_t>(hn::Lanes(narrow))) {
    CopyOverlapping(narrow, dst, src, count);
  } else {
    for (std::int64_t i = 0; i < count; ++i) dst[i] = src[i];
  }
}

/// dst[i] = src[2 * i]
HWY_INLINE void CopyEven(float* dst, const float* src, std::int64_t count) {
  std::int64_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  // A further element must follow, because the vectors end one element behind the last that is wanted.
  for (; i + lanes < count; i += lanes) {
    const auto low = hn::LoadU(d, src + 2 * i), high = hn::LoadU(d, src + 2 * i + lanes);
    hn::StoreU(hn::ConcatEven(d, high, low), d, dst + i);
  }
#endif
  for (; i < count; ++i) dst[i] = src[2 * i];
}

HWY_INLINE void GatherRow(float* dst, std::int64_t begin, std::int64_t end, const float* src,
                          std::int64_t width, std::int64_t stride, std::int64_t offset) {
  // The indices i with 0 <= i * stride + offset < width.
  std::int64_t low = begin, high = end;
  if (stride == 1) {
    low = std::max(low, -offset);
    high = std::min(high, width - offset);
  } else {
    if (begin * stride + offset < 0) low = (-offset + stride - 1) / stride;
    if ((end - 1) * stride + offset >= width)
      high = offset >= width ? begin : (width - offset - 1) / stride + 1;
  }
  low = std::min(low, end);
  high = std::max(high, low);
  ZeroRow(dst, low - begin);
  float* to = dst + (low - begin);
  const float* from = src + low * stride + offset;
  if (stride == 1) {
    CopyRow(to, from, high - low);
  } else if (stride == 2) {
    CopyEven(to, from, high - low);
  } else {
    for (std::int64_t i = 0; i < high - low; ++i) to[i] = from[i * stride];
  }
  ZeroRow(dst + (high - begin), end - high);
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
