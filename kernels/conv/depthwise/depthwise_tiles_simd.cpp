// The tiles of depthwise_row-inl.h, compiled once for all kernels that have depthwise rows.
#include "kernels/conv/conv.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/depthwise/depthwise_tiles_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/panel_sums-inl.h"
#include "kernels/conv/depthwise/depthwise_row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE::depthwise {
namespace {

/// Applies the post-ops to whole blocks of some positions, and stores them. One branch for all of them, so
/// that sums stay in registers.
template <int kTile>
HWY_INLINE void StoreTile(const ConvArgs& args, V (&sum)[kTile][kVectors], std::int64_t position,
                          std::int64_t c) {
  const D d;
  if (args.bias != nullptr) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) {
      const V bias = hn::LoadU(d, typed<float>(args.bias) + c + v * kLanes);
#pragma GCC unroll 8
      for (int i = 0; i < kTile; ++i) sum[i][v] = hn::Add(sum[i][v], bias);
    }
  }
  if (args.residual != nullptr) {
    const float* residual = typed<float>(args.residual) + position * args.problem.channels + c;
#pragma GCC unroll 8
    for (int i = 0; i < kTile; ++i) {
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v)
        sum[i][v] = hn::Add(sum[i][v], hn::LoadU(d, residual + i * args.problem.channels + v * kLanes));
    }
  }
  if (args.slopes != nullptr) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) {
      const V slope = hn::LoadU(d, args.slopes + c + v * kLanes);
#pragma GCC unroll 8
      for (int i = 0; i < kTile; ++i) sum[i][v] = Leaky(d, sum[i][v], slope);
    }
  } else {
    panel::Activate(args.post_ops, sum);
  }
  const std::int64_t step = args.dst_step();
  float* to = typed<float>(args.dst) + position * step + c;
#pragma GCC unroll 8
  for (int i = 0; i < kTile; ++i) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) hn::StoreU(sum[i][v], d, to + i * step + v * kLanes);
  }
}

/// Positions [x, x + kTile): no dilation, kStride and kWidth known, no more than kWidth / 2 inputs outside on
/// either side.
template <int kTile, int kStride, int kWidth>
void Tile(const Row& row, std::int64_t x, Outside outside) {
  const ConvProblem& s = row.args->problem;
  const std::int64_t left = x * kStride - s.pad[2], whole = s.channels / kBlock * kBlock;
  const std::int64_t pixel = row.args->src_step();
  constexpr int kInputs = (kTile - 1) * kStride + kWidth;
  for (std::int64_t c = 0; c < whole; c += kBlock) {
    V sum[kTile][kVectors];
#pragma GCC unroll 8
    for (int i = 0; i < kTile; ++i) {
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) sum[i][v] = hn::Zero(D());
    }
    for (std::int64_t kh = row.taps.first; kh < row.taps.last; ++kh) {
      const float* in = row.image + ((row.top + kh * s.dilate[1]) * s.input[2] + left) * pixel + c;
      const float* weight = row.weight(c, kh);
      V w[kWidth][kVectors];
#pragma GCC unroll 8
      for (int k = 0; k < kWidth; ++k) {
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v) w[k][v] = hn::LoadU(D(), weight + k * kBlock + v * kLanes);
      }
#pragma GCC unroll 32
      for (int j = 0; j < kInputs; ++j) {
        if (j < kWidth / 2 && j < outside.left) continue;
        if (j >= kInputs - kWidth / 2 && j >= kInputs - outside.right) continue;
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v) {
          const V value = hn::LoadU(D(), in + j * pixel + v * kLanes);
#pragma GCC unroll 8
          for (int i = 0; i < kTile; ++i) {
            const int k = j - i * kStride;
            if (k >= 0 && k < kWidth) sum[i][v] = hn::MulAdd(value, w[k][v], sum[i][v]);
          }
        }
      }
    }
    StoreTile(*row.args, sum, row.position + x, c);
  }
  if (whole == s.channels) return;
  for (int i = 0; i < kTile; ++i) Position(row, x + i, whole);
}

/// As many positions as sums and a row of weights leave registers for.
template <int kStride, int kWidth>
constexpr Tiles TilesOf() {
  if constexpr (kVectors == 1 || kWidth == 3) {
    return {4,
            {Tile<1, kStride, kWidth>, Tile<2, kStride, kWidth>, Tile<3, kStride, kWidth>,
             Tile<4, kStride, kWidth>}};
  }
  return {2, {Tile<1, kStride, kWidth>, Tile<2, kStride, kWidth>}};
}

}  // namespace

Tiles TilesFor(const ConvProblem& s) {
  if (s.dilate[2] == 1 && s.stride[2] <= 2) {
    const bool two = s.stride[2] == 2;
    if (s.kernel[2] == 3) return two ? TilesOf<2, 3>() : TilesOf<1, 3>();
    if (s.kernel[2] == 5) return two ? TilesOf<2, 5>() : TilesOf<1, 5>();
    if (s.kernel[2] == 7) return two ? TilesOf<2, 7>() : TilesOf<1, 7>();
  }
  return {};
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE::depthwise
HWY_AFTER_NAMESPACE();
