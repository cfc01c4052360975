// The post-ops of a tile of panel_tile-inl.h: bias, residual and activation are applied to its sums in
// registers, and the sums stored. Included by kernels inside Highway's foreach_target loop.
#if defined(MXINFER_KERNELS_COMMON_PANEL_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MXINFER_KERNELS_COMMON_PANEL_SUMS_INL_H_
#undef MXINFER_KERNELS_COMMON_PANEL_SUMS_INL_H_
#else
#define MXINFER_KERNELS_COMMON_PANEL_SUMS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "kernels/common/panel_tile-inl.h"
#include "kernels/common/partial-inl.h"
#include "kernels/common/post_ops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE::panel {

/// A vector of a row, of which `count` columns exist.
HWY_INLINE V LoadColumns(const float* from, std::int64_t count) {
  const D d;
  return count >= kLanes ? hn::LoadU(d, from) : LoadFirst(d, from, count, 0.0f);
}

HWY_INLINE void StoreColumns(V v, float* to, std::int64_t count) {
  const D d;
  if (count >= kLanes) {
    hn::StoreU(v, d, to);
  } else {
    StoreFirst(d, v, to, count);
  }
}

template <int kTileRows, int kTileVectors, class Function>
HWY_INLINE void ForEachSum(V (&sum)[kTileRows][kTileVectors], const Function& function) {
#pragma GCC unroll 8
  for (int i = 0; i < kTileRows; ++i) {
#pragma GCC unroll 4
    for (int v = 0; v < kTileVectors; ++v) sum[i][v] = function(sum[i][v]);
  }
}

/// A vector of columns at `from`; kWhole: the tile's columns are whole vectors.
template <bool kWhole>
HWY_INLINE V LoadVector(const TileArgs& t, const float* from, int v) {
  if constexpr (kWhole) return hn::LoadU(D(), from + v * kLanes);
  return LoadColumns(from + v * kLanes, t.columns - v * kLanes);
}

template <bool kWhole>
HWY_INLINE void StoreVector(const TileArgs& t, V sum, float* to, int v) {
  if constexpr (kWhole) {
    hn::StoreU(sum, D(), to + v * kLanes);
  } else {
    StoreColumns(sum, to + v * kLanes, t.columns - v * kLanes);
  }
}

/// The piecewise linear activations. One loop for each, so that sums stay in registers.
template <int kTileRows, int kTileVectors>
HWY_INLINE void Activate(const PostOps& e, V (&sum)[kTileRows][kTileVectors]) {
  const D d;
  switch (e.activation) {
    case Activation::relu:
      return ForEachSum(sum, [d](V x) HWY_ATTR { return Rectify(d, x); });
    case Activation::clip: {
      const V low = hn::Set(d, e.alpha), high = hn::Set(d, e.beta);
      return ForEachSum(sum, [low, high](V x) HWY_ATTR { return Limit(x, low, high); });
    }
    case Activation::leaky:
      return ForEachSum(sum, [d, &e](V x) HWY_ATTR { return ApplyPiecewiseLinear(d, e, x); });
    default:
      return;
  }
}

/// Stores the sums, with the partial sums of earlier blocks and, after the last block, the post-ops.
template <bool kWhole, int kTileRows, int kTileVectors>
HWY_INLINE void StoreTile(const TileArgs& t, V (&sum)[kTileRows][kTileVectors]) {
  if (!t.first_block) {
#pragma GCC unroll 8
    for (int i = 0; i < kTileRows; ++i) {
#pragma GCC unroll 4
      for (int v = 0; v < kTileVectors; ++v)
        sum[i][v] = hn::Add(LoadVector<kWhole>(t, t.dst + i * t.dst_stride, v), sum[i][v]);
    }
  }
  if (t.last_block) {
    if (t.bias != nullptr) {
#pragma GCC unroll 4
      for (int v = 0; v < kTileVectors; ++v) {
        const V bias = LoadVector<kWhole>(t, t.bias, v);
#pragma GCC unroll 8
        for (int i = 0; i < kTileRows; ++i) sum[i][v] = hn::Add(sum[i][v], bias);
      }
    }
    if (t.row_bias != nullptr) {
#pragma GCC unroll 8
      for (int i = 0; i < kTileRows; ++i) {
        const V bias = hn::Set(D(), t.row_bias[i]);
#pragma GCC unroll 4
        for (int v = 0; v < kTileVectors; ++v) sum[i][v] = hn::Add(sum[i][v], bias);
      }
    }
    if (t.residual != nullptr) {
#pragma GCC unroll 8
      for (int i = 0; i < kTileRows; ++i) {
#pragma GCC unroll 4
        for (int v = 0; v < kTileVectors; ++v)
          sum[i][v] = hn::Add(sum[i][v], LoadVector<kWhole>(t, t.residual + i * t.residual_stride, v));
      }
    }
    if (t.slopes != nullptr) {
#pragma GCC unroll 4
      for (int v = 0; v < kTileVectors; ++v) {
        const V slope = LoadVector<kWhole>(t, t.slopes, v);
#pragma GCC unroll 8
        for (int i = 0; i < kTileRows; ++i) sum[i][v] = Leaky(D(), sum[i][v], slope);
      }
    } else if (t.post_ops != nullptr) {
      Activate(*t.post_ops, sum);
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < kTileRows; ++i) {
#pragma GCC unroll 4
    for (int v = 0; v < kTileVectors; ++v) StoreVector<kWhole>(t, sum[i][v], t.dst + i * t.dst_stride, v);
  }
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE::panel
HWY_AFTER_NAMESPACE();

#endif
