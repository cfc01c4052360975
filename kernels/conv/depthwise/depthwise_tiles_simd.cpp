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

/// Positions [x, x + kTile) of two rows, which share the lines of inputs that both need: these come from the
/// second-level cache, and are read two times instead of three. All weights of a filter stay in registers.
template <int kTile, int kStride>
void TileOfTwo(const Row& row, std::int64_t x, Outside outside) {
  const ConvProblem& s = row.args->problem;
  const std::int64_t whole = s.channels / kBlock * kBlock;
  const std::int64_t pixel = row.args->src_step(), line = s.input[2] * pixel;
  const float* first = row.image + row.top * line + (x * kStride - s.pad[2]) * pixel;
  constexpr int kInputs = (kTile - 1) * kStride + 3, kLines = kStride + 3;
  for (std::int64_t c = 0; c < whole; c += kBlock) {
    V w[3][3];
#pragma GCC unroll 3
    for (int kh = 0; kh < 3; ++kh) {
#pragma GCC unroll 3
      for (int k = 0; k < 3; ++k) w[kh][k] = LoadOnce(row.weight(c, kh) + k * kBlock);
    }
    V sum[2][kTile][1];
#pragma GCC unroll 4
    for (int i = 0; i < kTile; ++i) sum[0][i][0] = sum[1][i][0] = hn::Zero(D());
#pragma GCC unroll 5
    for (int h = 0; h < kLines; ++h) {
      if (h < row.taps.first || h >= row.taps.last) continue;
      const float* in = first + h * line + c;
#pragma GCC unroll 16
      for (int j = 0; j < kInputs; ++j) {
        if (j == 0 && outside.left > 0) continue;
        if (j == kInputs - 1 && outside.right > 0) continue;
        const V value = LoadOnce(in + j * pixel);
#pragma GCC unroll 2
        for (int r = 0; r < 2; ++r) {
          const int kh = h - r * kStride;
          if (kh < 0 || kh >= 3) continue;
#pragma GCC unroll 4
          for (int i = 0; i < kTile; ++i) {
            const int k = j - i * kStride;
            if (k >= 0 && k < 3) sum[r][i][0] = hn::MulAdd(value, w[kh][k], sum[r][i][0]);
          }
        }
      }
    }
    StoreTile(*row.args, sum[0], row.position + x, c);
    StoreTile(*row.args, sum[1], row.position + s.output[2] + x, c);
  }
  if (whole == s.channels) return;
  for (int r = 0; r < 2; ++r) {
    const Row one = RowOf(row, r);
    for (int i = 0; i < kTile; ++i) Position(one, x + i, whole);
  }
}

/// Adds tiles of two rows, where there are registers for them.
template <int kStride>
constexpr Tiles WithTwo(Tiles tiles) {
  if constexpr (kVectors == 1 && HWY_TARGET == HWY_AVX3) {
    tiles.rows = 2;
    tiles.of_two[0] = TileOfTwo<1, kStride>;
    tiles.of_two[1] = TileOfTwo<2, kStride>;
    tiles.of_two[2] = TileOfTwo<3, kStride>;
    tiles.of_two[3] = TileOfTwo<4, kStride>;
  }
  return tiles;
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
    if (s.kernel[2] == 3) {
      const Tiles tiles = two ? TilesOf<2, 3>() : TilesOf<1, 3>();
      const bool square = s.kernel[1] == 3 && s.stride[1] == s.stride[2] && s.dilate[1] == 1;
      return !square ? tiles : two ? WithTwo<2>(tiles) : WithTwo<1>(tiles);
    }
    if (s.kernel[2] == 5) return two ? TilesOf<2, 5>() : TilesOf<1, 5>();
    if (s.kernel[2] == 7) return two ? TilesOf<2, 7>() : TilesOf<1, 7>();
  }
  return {};
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE::depthwise
HWY_AFTER_NAMESPACE();
